import { groupBy } from '../../lib/group-by.ts';
import type { ClosedBeside, Ending, LeftOpen, Outcome } from '../../model/ledger/run-report.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { shareReason, type SharedReason } from './shared-reason.ts';

/** Endings that look the same to a reader: one outcome, task, policy, reason and detail. */
export interface EndingGroup extends SharedReason {
  readonly outcome: Outcome;
  readonly task: TaskType;
  readonly policy: string;
  readonly detail?: string;
  readonly resultOnly: boolean;
  readonly endings: readonly Ending[];
}

/** Outcomes where each device needs a check, most urgent first. */
export const TO_CHECK: readonly Outcome[] = [
  'inDoubt',
  'failed',
  'rolledBack',
  'aborted',
  'unverified',
  'timedOut',
  'atWork',
];

/** The reading order: outcomes that need a person first, successful ones last. */
const URGENCY: readonly Outcome[] = [
  ...TO_CHECK,
  'betweenSteps',
  'notStarted',
  'skipped',
  'verified',
];

/** Endings in groups, most urgent first, and largest first within an outcome. */
export function groupEndings(endings: Iterable<Ending>): readonly EndingGroup[] {
  return [...groupBy(endings, endingKey).values()]
    .flatMap(toGroup)
    .sort((a, b) => urgency(a.outcome) - urgency(b.outcome) || b.endings.length - a.endings.length);
}

/** Open intents besides the plan, most urgent first: those in doubt. */
export function byUrgency(left: readonly LeftOpen[]): readonly LeftOpen[] {
  return [...left].sort((a, b) => urgency(a.outcome) - urgency(b.outcome));
}

/** Intents settled besides the plan: one outcome, task, policy and detail. */
interface ClosedGroup extends Omit<ClosedBeside, 'intentId' | 'device'> {
  readonly devices: readonly string[];
}

/** Groups intents settled besides the plan, most urgent first, with devices by ID. */
export function groupClosed(closed: Iterable<ClosedBeside>): readonly ClosedGroup[] {
  const groups = new Map<string, ClosedGroup & { devices: string[] }>();
  for (const { intentId: _, device, ...same } of closed) {
    const { outcome, task, policy, detail } = same;
    const key = JSON.stringify([outcome, task, policy, detail]);
    const group = groups.get(key) ?? { ...same, devices: [] };
    group.devices.push(device);
    groups.set(key, group);
  }
  for (const { devices } of groups.values()) devices.sort();
  return [...groups.values()].sort(
    (a, b) => urgency(a.outcome) - urgency(b.outcome) || b.devices.length - a.devices.length,
  );
}

function toGroup(endings: readonly Ending[]): readonly EndingGroup[] {
  const [first] = endings;
  if (!first) return [];
  const { change, outcome, detail, resultOnly } = first;
  const group = {
    outcome,
    task: change.task,
    policy: change.at.policy,
    ...shareReason(endingReasons(endings)),
    ...(detail !== undefined && { detail }),
    resultOnly: resultOnly === true,
    endings,
  };
  return [group];
}

export function endingReasons(endings: readonly Ending[]): readonly Reason[] {
  return endings.flatMap(({ reason }) => (reason ? [reason] : []));
}

function endingKey({ change, outcome, reason, detail, resultOnly }: Ending): string {
  const why = [reason?.code, reason?.why, detail, resultOnly === true];
  return JSON.stringify([outcome, change.task, change.at.policy, why]);
}

function urgency(outcome: Outcome): number {
  return URGENCY.indexOf(outcome);
}
