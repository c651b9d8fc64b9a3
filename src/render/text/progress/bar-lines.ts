import type { Outcome } from '../../../model/ledger/run-report.ts';
import type { ProgressEvent } from '../../../model/progress.ts';
import type { Instant } from '../../../lib/time.ts';
import { tint } from '../../sinks/paint.ts';
import { grouped } from '../../words/phrase.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { cut, pad } from '../../sinks/width.ts';
import { wrap } from '../../sinks/wrap.ts';
import { waitText } from '../../words/commands.ts';
import { outageWords, retryWords } from '../../words/commands.ts';
import { progressTable, type PolicyLine } from './policy-lines.ts';
import { OUTCOME_WORDS } from '../../words/outcomes.ts';

/** One bar: its progress, its total, and its problems. */
export interface Bar {
  readonly label: string;
  readonly done: number;
  /** Absent if the total is unknown. */
  readonly total?: number;
  readonly trouble: ReadonlyMap<Outcome, number>;
  /** The rate and the time left. */
  readonly left?: string;
}

export interface Bars {
  readonly bars: readonly Bar[];
  /** Empty before a run has policies; from then on they take the place of the bars of tasks. */
  readonly policies: readonly PolicyLine[];
  /** How many intents were open when this run started to settle earlier runs. */
  readonly recovering?: Extract<ProgressEvent, { kind: 'recovering' }>;
  readonly waiting?: Extract<ProgressEvent, { kind: 'waiting' }>;
  readonly retrying?: Extract<ProgressEvent, { kind: 'retrying' }>;
  readonly away?: Extract<ProgressEvent, { kind: 'away' }>;
  readonly stopping: boolean;
}

const LABEL = 24;

/** The block of bars as lines, each within the width. */
export function drawBars(state: Bars, now: Instant, style: TextStyle): readonly TerminalText[] {
  const lines = state.bars.map((bar) => barText(bar, style));
  if (state.policies.length > 0) lines.push(...progressTable(state.policies, style));
  if (state.recovering) lines.push(recoveringText(state.recovering, style));
  if (state.stopping) {
    const text = 'Stopping: no new task starts; press again to exit now';
    lines.push(tint(style.paint, 'yellow', cutLine(text, style)));
  }
  if (state.waiting) lines.push(waitLine(waitText(state.waiting, now), 'dim', style));
  if (state.retrying) lines.push(waitLine(retryWords(state.retrying, now), 'yellow', style));
  if (state.away) lines.push(...awayText(state.away, now, style));
  return lines;
}

function barText({ label, done, total, trouble, left }: Bar, style: TextStyle): TerminalText {
  const name = pad(cut(terminal(label), LABEL), LABEL);
  const count = total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
  const bad = [...trouble].map(
    ([outcome, times]) => `${grouped(times)} ${OUTCOME_WORDS[outcome].label}`,
  );
  const text = left === undefined ? 36 : 48;
  const columns = Math.max(8, Math.min(30, style.width - LABEL - text));
  const details = terminal([count, ...bad, ...(left === undefined ? [] : [left])].join(', '));
  const space = style.width - LABEL - columns - 4;
  const colour = bad.length > 0 ? 'yellow' : 'green';
  return say`${name} ${tint(style.paint, colour, filled(done, total, columns))}  ${cut(details, space)}`;
}

function filled(done: number, total: number | undefined, columns: number): TerminalText {
  if (total === undefined) return terminal('·'.repeat(columns));
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * columns);
  return terminal('█'.repeat(full) + '░'.repeat(columns - full));
}

function recoveringText(
  { open, inDoubt }: Extract<ProgressEvent, { kind: 'recovering' }>,
  style: TextStyle,
): TerminalText {
  const text = `Finishing earlier runs: ${grouped(open)} open, ${grouped(inDoubt)} in doubt`;
  return tint(style.paint, 'dim', cutLine(text, style));
}

/** The whole text, even on two lines, because its end says how long the wait lasts. */
function awayText(
  event: Extract<ProgressEvent, { kind: 'away' }>,
  now: Instant,
  style: TextStyle,
): readonly TerminalText[] {
  const text = terminal(`Waiting: ${outageWords(event, now)}`);
  return wrap(text, style.width, 2).map((line) => tint(style.paint, 'yellow', line));
}

function cutLine(text: string, style: TextStyle): TerminalText {
  return cut(terminal(text), style.width);
}

function waitLine(text: string, colour: 'dim' | 'yellow', style: TextStyle): TerminalText {
  return tint(style.paint, colour, cutLine(`Waiting: ${text}`, style));
}
