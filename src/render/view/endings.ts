import type { ClosedBeside, Ending, LeftOpen, Outcome } from '../../model/ledger/run-report.ts';
import { OUTCOMES } from '../../model/ledger/run-report.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';

/** Endings that look the same to a reader: one outcome, task, policy, reason and detail. */
export interface EndingGroup {
  readonly outcome: Outcome;
  readonly task: TaskType;
  readonly policy: string;
  /** With the earliest of its instants, and only the parameters that all of them share. */
  readonly reason?: Reason;
  readonly sinceDiffers: boolean;
  /** When the last one may continue, if that is later than the first. */
  readonly lastNext?: Instant;
  readonly detail?: string;
  readonly resultOnly: boolean;
  readonly endings: readonly Ending[];
}

/** The reading order: outcomes that need a person first, successful ones last. */
const URGENCY: readonly Outcome[] = [
  'inDoubt',
  'failed',
  'rolledBack',
  'aborted',
  'unverified',
  'timedOut',
  'notStarted',
  'skipped',
  'verified',
];

/** All endings in groups, most urgent first, and largest first within an outcome. */
export function groupEndings(endings: Iterable<Ending>): readonly EndingGroup[] {
  const groups = new Map<string, EndingGroup & { endings: Ending[] }>();
  for (const ending of endings) {
    const key = endingKey(ending);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, startGroup(ending));
    else group.endings.push(ending);
  }
  return [...groups.values()]
    .map(withReason)
    .sort((a, b) => urgency(a.outcome) - urgency(b.outcome) || b.endings.length - a.endings.length);
}

/** Open intents besides the plan, most urgent first: those in doubt. */
export function byUrgency(left: readonly LeftOpen[]): readonly LeftOpen[] {
  return [...left].sort((a, b) => urgency(a.outcome) - urgency(b.outcome));
}

/** Intents settled besides the plan: one outcome, task, policy and detail. */
export interface ClosedGroup extends Omit<ClosedBeside, 'intentId' | 'device'> {
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

/** Every outcome that occurred, in the order of the classes. */
export function occurring(counts: Readonly<Record<Outcome, number>>): readonly Outcome[] {
  return OUTCOMES.filter((outcome) => counts[outcome] > 0);
}

function startGroup(ending: Ending): EndingGroup & { endings: Ending[] } {
  const { change, outcome, reason, detail, resultOnly } = ending;
  return {
    outcome,
    task: change.task,
    policy: change.at.policy,
    sinceDiffers: false,
    ...(reason && { reason }),
    ...(detail !== undefined && { detail }),
    resultOnly: resultOnly === true,
    endings: [ending],
  };
}

/** Merges the reasons of a group; instants and numbers that differ are left out. */
function withReason(group: EndingGroup): EndingGroup {
  const [first, ...others] = group.endings.flatMap(({ reason }) => (reason ? [reason] : []));
  if (!first || others.length === 0) return group;
  const all = [first, ...others];
  const nexts = all.flatMap(({ next }) => (typeof next === 'number' ? [next] : []));
  const sinces = all.flatMap(({ since }) => (since === undefined ? [] : [since]));
  const [soonest, latest] = [least(nexts), nexts.reduce((a, b) => Math.max(a, b), -Infinity)];
  const next = soonest ?? first.next;
  const since = least(sinces);
  const params = Object.entries(first.params ?? {}).filter(([name, value]) =>
    others.every((other) => other.params?.[name] === value),
  );
  return {
    ...group,
    reason: {
      code: first.code,
      ...(first.why && { why: first.why }),
      ...(since !== undefined && { since }),
      ...(next !== undefined && { next }),
      ...(params.length > 0 && { params: Object.fromEntries(params) }),
    },
    sinceDiffers: new Set(sinces).size > 1,
    ...(soonest !== undefined && latest > soonest && { lastNext: latest }),
  };
}

function least(instants: readonly Instant[]): Instant | undefined {
  return instants.length === 0 ? undefined : instants.reduce((a, b) => Math.min(a, b));
}

function endingKey({ change, outcome, reason, detail, resultOnly }: Ending): string {
  const why = [reason?.code, reason?.why, detail, resultOnly === true];
  return JSON.stringify([outcome, change.task, change.at.policy, why]);
}

function urgency(outcome: Outcome): number {
  return URGENCY.indexOf(outcome);
}
