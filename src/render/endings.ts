import type { Ending, LeftOpen, Outcome } from '../model/outcome.ts';
import { OUTCOMES } from '../model/outcome.ts';
import type { Reason } from '../model/reason.ts';
import type { TaskType } from '../model/task.ts';

/** Endings that a reader would call the same: one outcome, task, policy, reason and detail. */
export interface EndingGroup {
  readonly outcome: Outcome;
  readonly task: TaskType;
  readonly policy: string;
  /** As the first of them has it. */
  readonly reason?: Reason;
  readonly detail?: string;
  readonly resultOnly: boolean;
  readonly endings: readonly Ending[];
}

/** The order to read in: what needs a person first, what is fine last. */
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

/** All endings in groups, the most urgent first, within an outcome the largest first. */
export function groupEndings(endings: Iterable<Ending>): readonly EndingGroup[] {
  const groups = new Map<string, EndingGroup & { endings: Ending[] }>();
  for (const ending of endings) {
    const key = keyOf(ending);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, startGroup(ending));
    else group.endings.push(ending);
  }
  return [...groups.values()].sort(
    (a, b) => urgency(a.outcome) - urgency(b.outcome) || b.endings.length - a.endings.length,
  );
}

/** What the ledger holds open beside the plan, told as a person finds it: in doubt first. */
export function byUrgency(left: readonly LeftOpen[]): readonly LeftOpen[] {
  return [...left].sort((a, b) => urgency(a.outcome) - urgency(b.outcome));
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
    ...(reason && { reason }),
    ...(detail !== undefined && { detail }),
    resultOnly: resultOnly === true,
    endings: [ending],
  };
}

function keyOf({ change, outcome, reason, detail, resultOnly }: Ending): string {
  const why = [reason?.code, reason?.why, detail, resultOnly === true];
  return JSON.stringify([outcome, change.task, change.at.policy, why]);
}

function urgency(outcome: Outcome): number {
  return URGENCY.indexOf(outcome);
}
