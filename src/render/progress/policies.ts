import { printTerminal } from '../print/terminal.ts';
import { data, numbers, own, texts, type TableBlock } from '../tree.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { PolicyProgress, ProgressEvent } from '../../model/progress.ts';
import type { TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import { grouped } from '../words/phrase.ts';
import { PROGRESS_TITLES, shortTimeLeft } from '../words/reading-words.ts';
import { cellText } from '../words/review/review-words.ts';

type PoliciesEvent = Extract<ProgressEvent, { name: 'applying' }>;

/** A policy and how long what may start of it in this run still takes; unknown where nothing may. */
export interface PolicyLine extends PolicyProgress {
  readonly left?: Milliseconds;
  /** Only the requests are known: no device has ended that would show how long a task takes. */
  readonly isLeast?: boolean;
}

/** How long a policy is followed until its speed says something about the rest. */
const SETTLED: Milliseconds = 60_000;

/**
 * Follows the policies of a run. The time left is the longer one of two: the requests left at the
 * pace, and the devices left at the speed of this run so far. Until there is such a speed, it is the least.
 */
export function followPolicies(): (event: PoliciesEvent, now: Instant) => readonly PolicyLine[] {
  const first = new Map<string, { readonly at: Instant; readonly ended: number }>();
  return ({ policies, perSecond, isLast }, now) =>
    policies.map((policy) => {
      const { startable, running, requests } = policy;
      const ended = policy.done + policy.failed;
      const from = getOrAdd(first, policy.policy, () => ({ at: now, ended }));
      if (isLast === true) return { ...policy, requests: 0 };
      if (startable + running === 0) return policy;
      const byPace = (requests / perSecond) * 1_000;
      const [took, since] = [now - from.at, ended - from.ended];
      if (took < SETTLED || since <= 0) return { ...policy, left: byPace, isLeast: true };
      return { ...policy, left: Math.max(byPace, ((startable + running) / since) * took) };
    });
}

/** The table of policies on a terminal: a line for each, within the width. */
export function progressTable(
  lines: readonly PolicyLine[],
  style: TextStyle,
): readonly TerminalText[] {
  const [policy, ...titles] = PROGRESS_TITLES;
  const table: TableBlock = {
    is: 'table',
    label: 'Progress',
    kind: 'progress',
    hasAddresses: true,
    columns: [...texts(policy), ...numbers(...titles)],
    rows: lines.map((line) => {
      const { done, running, failed, later, person, left, isLeast = false } = line;
      const counts = [running, later, person + failed].map(cellText);
      const verified = done === 0 ? '-' : `+${grouped(done)}`;
      const time = left === undefined ? '-' : shortTimeLeft(left, isLeast);
      return {
        cells: [[data(line.policy)], ...[...counts, verified, time].map(own)],
      };
    }),
  };
  return [...printTerminal([table], style)];
}
