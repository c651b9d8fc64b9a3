import type { Instant } from '../../lib/time.ts';
import { isPhase, isPlainWait, type PlainWait, type ProgressEvent } from '../../model/progress.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { cut, pad } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';
import { followPolicies, progressTable, type PolicyLine } from './policies.ts';
import { outageWords, recoveringWords, retryWords, waitText } from '../words/commands.ts';
import { grouped } from '../words/phrase.ts';
import { readWords } from '../words/reading-words.ts';

/** The events after earlier runs are settled. */
const endsRecovery = (event: ProgressEvent): boolean =>
  event.type === 'attempt.sent' || isPhase(event, 'reading');

/** Keeps the bar of what is read or rehearsed, the table of policies, and what the command waits for. */
export function startBars(): {
  take(event: ProgressEvent, now: Instant, left?: string): void;
  state(): Bars;
} {
  let bar: Bar | undefined;
  let recovering: Bars['recovering'];
  let waits: Waits = {};
  let stopping = false;
  const follow = followPolicies();
  let policies: readonly PolicyLine[] = [];
  /** The result of the run follows: from then on only trouble is shown. */
  let isOver = false;
  return {
    take(event, now, left) {
      if (isPhase(event, 'applying')) {
        isOver = event.isLast === true;
        policies = isOver ? [] : follow(event, now);
        if (isOver) bar = undefined;
        return;
      }
      waits = waitsOf(event, isOver);
      if (isPhase(event, 'recovering')) recovering = event;
      if (endsRecovery(event)) recovering = undefined;
      if (isPhase(event, 'stopping')) stopping = true;
      const next = isOver ? undefined : barOf(event);
      if (next) bar = { ...next, ...(left !== undefined && { left }) };
    },
    state: () => ({
      ...(bar && policies.length === 0 && { bar }),
      policies,
      stopping,
      ...(recovering && { recovering }),
      ...waits,
    }),
  };
}

type Waits = Pick<Bars, 'waiting' | 'retrying' | 'away'>;

function waitsOf(event: ProgressEvent, isOver: boolean): Waits {
  if (isPlainWait(event)) return isOver ? {} : { waiting: event };
  if (event.type !== 'waiting') return {};
  return event.reason === 'away' ? { away: event } : { retrying: event };
}

function barOf(event: ProgressEvent): Bar | undefined {
  if (event.type !== 'phase') return undefined;
  switch (event.name) {
    case 'reading':
      return { label: `Read ${readWords(event.what)}`, done: event.rows, total: event.total };
    case 'rehearsing':
      return { label: 'Rehearsed', done: Math.round(100 * event.done), total: 100 * event.of };
    case 'details':
      return { label: 'Read details', done: event.done, total: event.total };
    default:
      return undefined;
  }
}

/** One bar: its progress and its total. */
interface Bar {
  readonly label: string;
  readonly done: number;
  /** Undefined if the total is unknown. */
  readonly total: number | undefined;
  /** The rate and the time left. */
  readonly left?: string;
}

interface Bars {
  readonly bar?: Bar;
  /** Empty before a run has policies; from then on they take the place of the bar. */
  readonly policies: readonly PolicyLine[];
  /** How many intents were open when this run started to settle earlier runs. */
  readonly recovering?: Extract<ProgressEvent, { name: 'recovering' }>;
  readonly waiting?: PlainWait;
  readonly retrying?: Extract<ProgressEvent, { reason: 'retrying' }>;
  readonly away?: Extract<ProgressEvent, { reason: 'away' }>;
  readonly stopping: boolean;
}

const LABEL = 24;

/** The block of bars as lines, each within the width. */
export function drawBars(state: Bars, now: Instant, style: TextStyle): readonly TerminalText[] {
  const lines = state.bar ? [barText(state.bar, style)] : [];
  if (state.policies.length > 0) lines.push(...progressTable(state.policies, style));
  if (state.recovering)
    lines.push(tint(style.paint, 'dim', cutLine(recoveringWords(state.recovering), style)));
  if (state.stopping) {
    const text = 'Stopping: no new task starts; press again to exit now';
    lines.push(tint(style.paint, 'yellow', cutLine(text, style)));
  }
  if (state.waiting) lines.push(waitLine(waitText(state.waiting, now), 'dim', style));
  if (state.retrying) lines.push(waitLine(retryWords(state.retrying, now), 'yellow', style));
  if (state.away) lines.push(...awayText(state.away, now, style));
  return lines;
}

function barText({ label, done, total, left }: Bar, style: TextStyle): TerminalText {
  const name = pad(cut(terminal(label), LABEL), LABEL);
  const count = total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
  const text = left === undefined ? 36 : 48;
  const columns = Math.max(8, Math.min(30, style.width - LABEL - text));
  const details = terminal([count, ...(left === undefined ? [] : [left])].join(', '));
  const space = style.width - LABEL - columns - 4;
  return say`${name} ${tint(style.paint, 'green', filled(done, total, columns))}  ${cut(details, space)}`;
}

function filled(done: number, total: number | undefined, columns: number): TerminalText {
  if (total === undefined) return terminal('·'.repeat(columns));
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * columns);
  return terminal('█'.repeat(full) + '░'.repeat(columns - full));
}

/** The whole text, even on two lines, because its end says how long the wait lasts. */
function awayText(
  event: Extract<ProgressEvent, { reason: 'away' }>,
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
