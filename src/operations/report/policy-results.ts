import { desire } from '../../desired/desire.ts';
import type { Change } from '../../model/plan/change.ts';
import { isInDoubt } from '../../model/plan/actor.ts';
import type { Wanted } from '../../model/plan/desired-state.ts';
import type { ReasonWhy } from '../../model/plan/reason.ts';
import { TASK_OF, TASKS } from '../../model/fleet/task.ts';
import type {
  PolicyResult,
  PolicyResultKind,
  PolicySubject,
} from '../../model/report/policy-result.ts';
import type { PlannedSurvey } from '../plan.ts';

/** The results of the policies for each device, by subject. */
export type PolicyResults = (subject: PolicySubject, deviceId: string) => PolicyResult | undefined;

/**
 * The results of a plan: it decided each device once, and here its decision is only put into words
 * of a report. A device with a change has that of the change, any other that of its note.
 */
export function readPolicyResults({ plan, noted, input }: PlannedSurvey): PolicyResults {
  const changes = new Map<string, Change>();
  for (const change of plan.changes) changes.set(change.id, change);
  const results = new Map<string, PolicyResult>();
  for (const { row, wanted } of desire(input).wants) {
    const { task } = wanted;
    const subject = task === TASK_OF.firmware ? 'firmware' : TASKS[task].credential;
    if (subject === undefined) continue;
    const { id } = input.snapshot.devices.at(row);
    const change = changes.get(`${task}/${id}`);
    results.set(
      `${subject}/${id}`,
      change ? fromChange(change) : fromNote(wanted, noted(task, id)),
    );
  }
  return (subject, deviceId) => results.get(`${subject}/${deviceId}`);
}

function fromChange(change: Change): PolicyResult {
  const { policy, reason, finalTarget, target } = change;
  const to = finalTarget ?? target;
  const why = reason.why === undefined ? '' : `.${reason.why}`;
  return {
    policy,
    ...(to !== '' && { target: to }),
    is: judgeCredential(change) ?? RESULTS[reason.code] ?? judgeAction(change),
    reason: `${reason.code}${why}`,
  };
}

/**
 * A credential is due or not by its own dates, whatever its change waits for; undefined where nothing
 * says so. While the outcome of its own rotation is in doubt, nothing is known of it.
 */
function judgeCredential(change: Change): PolicyResultKind | undefined {
  const { task, generation, after } = change;
  if (task === TASK_OF.firmware) return undefined;
  if (generation === 0) return Object.keys(after).length > 0 ? 'met' : undefined;
  if (change.reason.code === 'exclude') return 'excepted';
  return isInDoubt(change) ? 'unknown' : 'due';
}

/** Codes that say more than the action. */
const RESULTS: Readonly<Partial<Record<Change['reason']['code'], PolicyResultKind>>> = {
  alreadyConverged: 'met',
  notRead: 'notRead',
  unknown: 'unknown',
  blockedVendor: 'excepted',
  hold: 'excepted',
  exclude: 'excepted',
  pinned: 'excepted',
  frozenHard: 'excepted',
};

/** Values that nothing can be concluded from. */
const NOT_KNOWN: ReadonlySet<ReasonWhy> = new Set([
  'valueUnknown',
  'ageNotShown',
  'datesContradict',
]);

/** Firmware that is not due, such as a deferral, is behind. */
function judgeAction({ reason, action }: Change): PolicyResultKind {
  if (reason.why !== undefined && NOT_KNOWN.has(reason.why)) return 'unknown';
  return action === 'skip' ? 'blocked' : 'due';
}

function fromNote(
  { policy, task }: Wanted,
  code: Change['reason']['code'] | undefined,
): PolicyResult {
  const { value } = policy;
  const exact =
    value.section === 'firmware' && value.version.is === 'exact'
      ? { target: value.version.version }
      : {};
  const isNotDue = code === 'notDue' && task !== TASK_OF.firmware;
  const found = code === undefined ? 'unknown' : (RESULTS[code] ?? (isNotDue ? 'met' : 'blocked'));
  return { policy: value.address, ...exact, is: found, reason: code ?? 'unknown' };
}
