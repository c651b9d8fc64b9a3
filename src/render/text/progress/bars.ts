import type { Outcome } from '../../../model/ledger/run-report.ts';
import type { ProgressEvent } from '../../../model/progress.ts';
import type { TaskType } from '../../../model/fleet/task.ts';
import type { Instant } from '../../../lib/time.ts';
import { followPolicies, type PolicyLine } from './policy-lines.ts';
import { readWords } from '../../words/reading-words.ts';
import { TASK_WORDS } from '../../words/terms.ts';
import type { Bar, Bars } from './bar-lines.ts';

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
