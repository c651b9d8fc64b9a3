import type { Instant } from '../../lib/time.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Outcome } from '../../model/ledger/run-report.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { cut, pad } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';
import { followPolicies, progressTable, type PolicyLine } from './policies.ts';
import { outageWords, retryWords, waitText } from '../words/commands.ts';
import { OUTCOME_WORDS } from '../words/outcomes.ts';
import { grouped } from '../words/phrase.ts';
import { readWords } from '../words/reading-words.ts';
import { TASK_WORDS } from '../words/terms.ts';

const FINE: readonly Outcome[] = ['verified', 'skipped', 'notStarted'];

/** The events after earlier runs are settled. */
const AFTER_RECOVERY: readonly ProgressEvent['kind'][] = ['reading', 'planned', 'attempt'];

/**
 * Keeps one bar for each collection that is read, for the tasks at the service, and for each
 * running task type.
 */
export function startBars(): {
  take(event: ProgressEvent, now: Instant, left?: string): void;
  state(): Bars;
} {
  const bars = new Map<string, Bar>();
  const polled = new Map<string, { readonly completed: number; readonly total: number }>();
  let recovering: Bars['recovering'];
  let waiting: Bars['waiting'];
  let retrying: Bars['retrying'];
  let away: Bars['away'];
  let stopping = false;
  const follow = followPolicies();
  let policies: readonly PolicyLine[] = [];
  return {
    take(event, now, left) {
      if (event.kind === 'policies') {
        policies = follow(event, now);
        return;
      }
      waiting = event.kind === 'waiting' ? event : undefined;
      retrying = event.kind === 'retrying' ? event : undefined;
      away = event.kind === 'away' ? event : undefined;
      if (event.kind === 'recovering') recovering = event;
      if (AFTER_RECOVERY.includes(event.kind)) recovering = undefined;
      if (event.kind === 'stopping') stopping = true;
      if (event.kind === 'polled') polled.set(event.taskId, event);
      const next = event.kind === 'polled' ? polledBar([...polled.values()]) : changed(event, bars);
      if (next) bars.set(next.key, { ...next.bar, ...(left !== undefined && { left }) });
    },
    state: () => ({
      bars: [...bars].flatMap(([key, bar]) =>
        policies.length > 0 && key in TASK_WORDS ? [] : [bar],
      ),
      policies,
      stopping,
      ...(recovering && { recovering }),
      ...(waiting && { waiting }),
      ...(retrying && { retrying }),
      ...(away && { away }),
    }),
  };
}

function changed(
  event: ProgressEvent,
  bars: ReadonlyMap<string, Bar>,
): { readonly key: string; readonly bar: Bar } | undefined {
  switch (event.kind) {
    case 'reading': {
      const read = `Read ${readWords(event.what)}`;
      return countBar(`reading ${event.what}`, read, event.rows, event.total);
    }
    case 'rehearsing':
      return countBar('rehearsing', 'Rehearsed', Math.round(100 * event.done), 100 * event.of);
    case 'facts':
      return countBar('facts', 'Read details', event.done, event.total);
    case 'attempt':
      return grown(bars, event.task, event.devices.length);
    case 'ended':
      return ended(bars, event);
    default:
      return undefined;
  }
}

function countBar(key: string, label: string, done: number, total: number | undefined) {
  return { key, bar: { label, done, trouble: new Map(), ...(total !== undefined && { total }) } };
}

function polledBar(tasks: readonly { readonly completed: number; readonly total: number }[]) {
  const sum = (key: 'completed' | 'total') => tasks.reduce((all, task) => all + task[key], 0);
  return countBar('polled', 'Finished at the service', sum('completed'), sum('total'));
}

function grown(bars: ReadonlyMap<string, Bar>, task: TaskType, devices: number) {
  const bar = taskBar(bars, task);
  return { key: task, bar: { ...bar, total: (bar.total ?? 0) + devices } };
}

function ended(bars: ReadonlyMap<string, Bar>, event: Extract<ProgressEvent, { kind: 'ended' }>) {
  const bar = taskBar(bars, event.task);
  const done = bar.done + 1;
  const trouble = new Map(bar.trouble);
  if (!FINE.includes(event.outcome))
    trouble.set(event.outcome, (trouble.get(event.outcome) ?? 0) + 1);
  return { key: event.task, bar: { ...bar, done, total: Math.max(bar.total ?? 0, done), trouble } };
}

function taskBar(bars: ReadonlyMap<string, Bar>, task: TaskType): Bar {
  return bars.get(task) ?? { label: TASK_WORDS[task], done: 0, total: 0, trouble: new Map() };
}

/** One bar: its progress, its total, and its problems. */
interface Bar {
  readonly label: string;
  readonly done: number;
  /** Absent if the total is unknown. */
  readonly total?: number;
  readonly trouble: ReadonlyMap<Outcome, number>;
  /** The rate and the time left. */
  readonly left?: string;
}

interface Bars {
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
