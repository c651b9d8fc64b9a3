import { TASK_OF } from '../../model/fleet/task.ts';
import { desire } from '../../desired/desire.ts';
import { Bug } from '../../lib/bug.ts';
import { type Change, changeId, isReadLate, isWanted } from '../../model/plan/change.ts';
import { isOfIncident, policiesByAddress } from '../../model/documents/policies.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Wanted } from '../../model/plan/desired-state.ts';
import { isSamePart } from '../../model/plan/part.ts';
import { partMembership } from '../../plan/part/membership.ts';
import { isAsApproved } from '../../plan/approved-fields.ts';
import { intersect, type ApprovedState } from '../../plan/compare/compare.ts';
import { takenOver } from '../../plan/decide/incident-end.ts';
import type { Said } from '../outcomes.ts';
import type { Survey } from '../reading.ts';
import type { Candidate } from '../send/candidate.ts';
import { intentOfChange } from '../send/request.ts';
import type { Run } from './run.ts';

/** The work after a reading of the fleet. `stale`: no approved change is still valid. */
export interface Work {
  readonly candidates: readonly Candidate[];
  readonly ended?: 'stale' | 'unapproved';
}

/**
 * Divides the changes of a new plan: those that may be attempted in this run, in the plan's order,
 * and the others, each with its reason. The work is what was approved and is still valid: by a
 * file, or by the first plan of the run. New changes never run (protocol X12, I8).
 */
export function divideWork(run: Run, survey: Survey): Work {
  const approved = run.approved && narrowed(run.approved, survey);
  run.outcomes.answerFor(approved ?? survey.plan);
  const { holding, ended } = approved ? ofApproved(run, approved, survey) : ofOwn(run, survey);
  run.reading.setWork(holding.filter(isWanted));
  const startable: Change[] = [];
  for (const change of holding) {
    if (mayStart(run, change)) startable.push(change);
    else run.outcomes.sayBefore(change.id, because(change));
  }
  return { candidates: toCandidates(run, startable, survey.snapshot), ...ended };
}

/** An approved plan without what is outside the part that this run is limited to (semantics N35). */
function narrowed(approved: Plan, { plan, snapshot }: Survey): Plan {
  const { part } = plan;
  if (!part || isSamePart(part, approved.part)) return approved;
  const members = partMembership(part, snapshot);
  const changes = [...approved.changes].filter(({ policy, device }) =>
    members.has(policy, device.id),
  );
  return { ...approved, changes, part };
}

interface Holding {
  readonly holding: readonly Change[];
  readonly ended?: Pick<Work, 'ended'>;
}

/** Without a file the first plan is the whole work of the run, each change as it was then. */
function ofOwn(run: Run, { plan }: Survey): Holding {
  const first = run.outcomes.answersFor?.changes ?? [];
  if (first === plan.changes) return { holding: [...first].filter(isWanted) };
  const before = new Map([...first].filter(isWanted).map((change) => [change.id, change]));
  const holding: Change[] = [];
  for (const change of plan.changes) {
    const planned = before.get(change.id);
    if (!planned) continue;
    if (isAsApproved(planned, change)) holding.push(change);
    else {
      const isStale = isWanted(change) && (planned.action === 'run' || isOurs(run, change.id));
      const over = afterIncident(run, planned, change);
      moved(run, change, over ?? (isStale ? ENDS.stale : because(change)), because(change));
    }
  }
  return { holding };
}

/**
 * A change of an incident that ended during this run, and that a rotation policy has taken over: the
 * incident requires nothing any more (semantics N61).
 */
function afterIncident(
  { documents, clock }: Run,
  planned: Change,
  current: Change,
): Said | undefined {
  const policy = policiesByAddress(documents).get(planned.policy);
  const reason = takenOver(policy, current, clock.now());
  return reason && { outcome: 'notStarted', reason };
}

/**
 * A change that is no longer as it was: `now` is its result where this run left the device at an
 * intermediate version, and `otherwise` where it did not. What this run has verified stays so if
 * another target is due by now.
 */
function moved(run: Run, change: Change, otherwise: Said, now = otherwise): void {
  if (now.outcome === 'verified' || !isAtStep(run, change))
    return run.outcomes.sayBefore(change.id, otherwise);
  run.outcomes.say(change.id, { ...now, outcome: 'betweenSteps' });
}

/** Whether this run has verified an intermediate version on the device, and nothing after it. */
function isAtStep(run: Run, { id, task, device }: Change): boolean {
  const last = run.journal.memory.intentsOf(device.id, task).at(-1);
  return isOurs(run, id) && last?.verdict === 'done' && last.towards !== undefined;
}

/** Whether this run has verified a task of the change. */
function isOurs({ outcomes }: Run, changeId: string): boolean {
  const { outcome } = outcomes.said.get(changeId) ?? {};
  return outcome === 'verified' || outcome === 'betweenSteps';
}

function ofApproved(run: Run, approved: Plan, survey: Survey): Holding {
  const compared = intersect(approved, survey, run.journal.memory);
  const holding: Change[] = [];
  for (const { approved: change, state, current } of compared) {
    const isHere =
      current && (state === 'same' || (state === 'nextStep' && !isOurs(run, change.id)));
    if (isHere) holding.push(current);
    else if (state === 'unreadable' && current) moved(run, change, because(current));
    else {
      const over = current && afterIncident(run, change, current);
      moved(run, change, over ?? ENDS[state], current && because(current));
    }
  }
  const isOver = compared.length > 0 && compared.every(({ state }) => OVER.has(state));
  // The order of a file does not matter: approved changes run in the order of the current plan.
  const held = new Set(holding.map(({ id }) => id));
  const inOrder = [...survey.plan.changes].filter(({ id }) => held.has(id));
  if (isUnapproved(run, inOrder)) return { holding: inOrder, ended: { ended: 'unapproved' } };
  return isOver && run.outcomes.attempts === 0
    ? { holding: inOrder, ended: { ended: 'stale' } }
    : { holding: inOrder };
}

/**
 * A saved plan is no approval where outcomes are approved on record: a file with one that no approval
 * covers starts nothing (semantics N82).
 */
function isUnapproved({ approval, outcomes }: Run, changes: readonly Change[]): boolean {
  if ((approval?.by ?? 'file') !== 'file' || outcomes.attempts > 0) return false;
  return changes.some(({ reason }) => reason.code === 'awaitsApproval');
}

/** The result of an approved change that is no longer as it was approved. */
const ENDS: Readonly<Record<ApprovedState, Said>> = {
  same: { outcome: 'notStarted', reason: { code: 'notReached' } },
  nextStep: { outcome: 'betweenSteps', reason: { code: 'notReached' } },
  stale: { outcome: 'skipped', reason: { code: 'stale' } },
  converged: { outcome: 'verified', reason: { code: 'alreadyConverged' } },
  left: { outcome: 'skipped', reason: { code: 'left' } },
  gone: { outcome: 'skipped', reason: { code: 'gone' } },
  notRead: { outcome: 'notStarted', reason: { code: 'notRead' } },
  unreadable: { outcome: 'skipped', reason: { code: 'unsupported', why: 'valueUnknown' } },
};
const OVER: ReadonlySet<ApprovedState> = new Set(['stale', 'left', 'gone']);

/**
 * The plan admits it, or it waits only for headroom that may come during this run; no intent is
 * attempted twice in one run.
 */
function mayStart(run: Run, change: Change): boolean {
  // A forecast says `never` of what waits for its window first.
  const { code, why, next } = change.reason;
  const isFirst = next !== 'never' || why === 'noRoomEver';
  const waitsForHeadroom = change.action === 'wait' && code === 'budgetExhausted' && isFirst;
  if (change.action !== 'run' && !waitsForHeadroom) return false;
  if (run.outcomes.hasTried(findIntentId(run, change))) return false;
  run.outcomes.reopen(change.id);
  return true;
}

/**
 * The intent of a change. Where the last look reads its target, it is the last one of its policy and
 * generation on the device.
 */
function findIntentId({ journal: { memory } }: Run, change: Change): string {
  if (!isReadLate(change)) return intentOfChange(change, memory.ledgerId);
  const past = memory.intentsOf(change.device.id, change.task);
  const isOfChange = ({ policy, generation }: IntentState): boolean =>
    policy === change.policy && (isOfIncident(policy) || generation === change.generation);
  return past.findLast(isOfChange)?.id ?? '';
}

/** Nothing holds what the plan lets start and this run does not: the next run may start it. */
function because({ action, reason }: Change): Said {
  if (action === 'run') return { outcome: 'notStarted', reason: { code: 'notReached' } };
  return { outcome: action === 'wait' ? 'notStarted' : 'skipped', reason };
}

/** The changes with their desired state, found in one pass. */
function toCandidates(
  { documents, clock }: Run,
  changes: readonly Change[],
  snapshot: Snapshot,
): readonly Candidate[] {
  const wants = findWants(changes, { documents, snapshot, now: clock.now() });
  return changes.map((change, order) => {
    const wanted = wants.get(change.id);
    if (!wanted) throw new Bug(`a change without desired state: ${change.id}`);
    const rollout = rolloutOrDefault(documents.rollouts, wanted.policy.value.rollout);
    return { order, change, wanted, rollout };
  });
}

function findWants(
  changes: readonly Change[],
  input: Parameters<typeof desire>[0],
): ReadonlyMap<string, Wanted> {
  const wanted = new Set(changes.map(({ id }) => id));
  const found = new Map<string, Wanted>();
  if (wanted.size === 0) return found;
  const { wants, onboarding } = desire(input);
  const { codes, values } = input.snapshot.devices.text.id;
  for (const { row, wanted: one } of wants) {
    const id = `${one.task}/${values[codes[row] ?? 0] ?? ''}`;
    if (wanted.has(id)) found.set(id, one);
  }
  for (const want of onboarding)
    if (want.found === 'discovered') found.set(changeId(TASK_OF.onboarding, want.device.id), want);
  return found;
}
