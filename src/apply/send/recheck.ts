import { TASK_OF } from '../../model/fleet/task.ts';
import type { Case } from '../../kinds/kind.ts';
import { canonical } from '../../lib/canonical.ts';
import type { Change, Values } from '../../model/plan/change.ts';
import type { AllowedBy } from '../../model/ledger/record.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { Reason, ReasonWhy } from '../../model/plan/reason.ts';
import type { Device, DiscoveredDevice, Ref } from '../../model/fleet/device.ts';
import type { ReadProblem } from '../../model/fleet/snapshot.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import type { Instant } from '../../lib/time.ts';
import { isAsApproved } from '../../plan/approved-fields.ts';
import {
  toSeenInput,
  type Basis,
  type DecisionInput,
  type Evaluation,
  type Seen,
} from '../../plan/decide/decision-input.ts';
import { toChange, evaluate } from '../../plan/decide/decide.ts';
import { allowedBy } from '../../plan/decide/approval.ts';
import { findLastStart } from '../../plan/decide/timing.ts';
import type { Said, Outcomes } from '../outcomes.ts';
import type { BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import type { Rollouts } from '../reading.ts';
import type { Candidate, Looking } from './candidate.ts';
import type { Member } from './request.ts';
import { KINDS } from '../../kinds/index.ts';
import { WorldError } from '../../model/error.ts';

/** The result of the last look for one device: the change is exactly as approved, or it ends here. */
export type Recheck =
  | {
      readonly is: 'holds';
      readonly change: Change;
      /** The last instant to start in the window; absent if no window applies. */
      readonly lastStart?: Instant;
      /** Why it may start; absent where the commit is the approval. */
      readonly allowed?: AllowedBy;
    }
  | { readonly is: 'ends'; readonly said: Said };

/**
 * Decides a change again with the code of the plan, on fresh reads. The change may run only if the
 * decision is `run` with the approved before, after, target and generation. A device that changed
 * is `stale`, a missing device is `gone`, and a device that already shows the target needs no
 * attempt (protocol X7, X12).
 */
export function recheck(
  run: Looking,
  { change, wanted }: Candidate,
  { basis, seen }: { readonly basis: Basis; readonly seen?: Seen | undefined },
): Recheck {
  if (seen?.problem) return ends({ outcome: 'skipped', reason: notUnderstood(seen.problem) });
  const decisionInput = seen && toSeenInput(wanted, seen, basis);
  if (!decisionInput) return ends({ outcome: 'skipped', reason: { code: 'gone' } });
  const evaluation = evaluate(decisionInput);
  const now = toChange(evaluation);
  if (isUnread(evaluation)) return ends({ outcome: 'skipped', reason: NOT_READ });
  const { reason } = now;
  if (isWithdrawn(change, now)) return ends({ outcome: 'skipped', reason: WITHDRAWN });
  if (reason.code === 'alreadyConverged') return ends({ outcome: 'verified', reason });
  if (now.action === 'skip' || now.action === 'note') return ends({ outcome: 'skipped', reason });
  if (now.action === 'wait') return ends({ outcome: 'notStarted', reason });
  const moved = movedIn(run, decisionInput);
  if (moved !== undefined)
    return ends({ outcome: 'skipped', reason: { code: 'stale', params: { field: moved } } });
  if (!isAsApproved(change, now)) return ends({ outcome: 'skipped', reason: { code: 'stale' } });
  const lastStart = findLastStart(evaluation);
  const allowed = allowedBy(evaluation);
  // With the marker as read: a plan may know only its mark (semantics N13).
  const more = { ...(lastStart !== undefined && { lastStart }), ...(allowed && { allowed }) };
  return { is: 'holds', change: now, ...more };
}

/** A value that a plan may leave unread, but not a last look (semantics N56). */
function isUnread({ judgement }: Evaluation): boolean {
  return judgement.is === 'due' && judgement.unread === true;
}

const NOT_READ: Reason = {
  code: 'unsupported',
  why: 'valueUnknown',
  next: 'never',
  params: { problem: 'notRead' },
};

/**
 * The fields that selectors use; '' for an absent field. The version is left out, because `before`
 * has it where it matters.
 */
function selectedBy(
  subject: Partial<Pick<Device, 'name' | 'vendor' | 'model' | 'deviceType' | 'sites' | 'sources'>> &
    Pick<DiscoveredDevice, 'site'>,
): Readonly<Record<string, string>> {
  const { name = '', vendor = '', model = '', deviceType = '', site } = subject;
  const idsOf = (refs: readonly Ref[] = []): string => refs.map(({ id }) => id).join('\n');
  const sites = idsOf(site ? [site] : subject.sites);
  return { name, vendor, model, deviceType, sites, sources: idsOf(subject.sources) };
}

/**
 * The first field of selectors that has changed since the fleet was read. The policies and
 * exceptions of the device were chosen by its old values (protocol X12).
 */
function movedIn(
  { reading }: Looking,
  { case: { device, discovered } }: DecisionInput,
): string | undefined {
  const listed = discovered
    ? reading.listedDiscovered(discovered.id)
    : reading.listedDevice(device.id);
  if (!listed) return undefined;
  const [before, now] = [selectedBy(listed), selectedBy(discovered ?? device)];
  const moved = Object.keys(before).find(
    (field) => before[field] !== '' && before[field] !== now[field],
  );
  if (moved !== undefined || isUnreadable(listed, 'firmwareVersion')) return moved;
  // A hold by version may select it now (semantics M20).
  return isUnreadable(device, 'firmwareVersion') ? 'firmwareVersion' : undefined;
}

/** Whether the device is unchanged and its target firmware is no longer approved (F3). */
function isWithdrawn(approved: Change, now: Change): boolean {
  if (now.task !== TASK_OF.firmware || same(now.target, approved.target)) return false;
  if (!same(now.before, approved.before)) return false;
  const { code, why } = now.reason;
  return code === 'alreadyConverged' || (why !== undefined && NO_WAY_LEFT.has(why));
}

/** The reason for a value that could not be parsed, which here is the whole row (semantics D9, K2). */
function notUnderstood(problem: ReadProblem): Reason {
  const params = { field: 'device', problem };
  return { code: 'unsupported', why: 'valueUnknown', next: 'never', params };
}

const NO_WAY_LEFT: ReadonlySet<ReasonWhy> = new Set(['noTargetFirmware', 'endOfSupport', 'noPath']);

const WITHDRAWN: Reason = { code: 'stale', params: { field: 'targetFirmware' } };

function same(a: Values | string, b: Values | string): boolean {
  return canonical(a) === canonical(b);
}

/** The case of a candidate from fresh reads; undefined if the service does not return the device. */
export function toCase(basis: Basis, { wanted }: Candidate, seen: Seen): Case | undefined {
  return toSeenInput(wanted, seen, basis)?.case;
}

/**
 * What decides about all devices of a batch, by the ledger as it is now. Its approvals are those of the ledger; what is
 * standing was decided with the reading.
 */
export function basisNow(
  { documents, journal, clock, dialect, reading }: Looking,
  around: Pick<Basis, 'followed' | 'orphans' | 'outages' | 'predecessors' | 'schedule'> = {},
): Basis {
  const { memory, nonce } = journal;
  const { approvals, snapshot } = reading.survey ?? {};
  const counts = (intent: IntentState): boolean => !cameToNothing(intent, nonce);
  const read = { ...(approvals && { approvals }), ...(snapshot && { snapshot }) };
  return { documents, memory, now: clock.now(), dialect, counts, ...read, ...around };
}

/**
 * Whether an attempt of this run did not reach the device: it was not sent, or was refused before
 * anything ran. The outcome table then decides about the next attempt, not `retry` of the
 * documents.
 */
function cameToNothing({ attemptId, phase }: IntentState, nonce: string): boolean {
  return attemptId.startsWith(`${nonce}.`) && (phase === 'none' || phase === 'failed');
}

function ends(said: Said): Recheck {
  return { is: 'ends', said };
}

export interface Sifted {
  readonly members: Member[];
  readonly done: Set<string>;
  readonly parked: Set<string>;
  /** The earliest of the last starts of the batch. */
  readonly lastStart: Instant;
  /** The state of every rollout at this decision. */
  readonly rollouts: Rollouts;
}

/** The devices of a batch that are exactly as approved after the last look, and that still have headroom. */
export function sift(
  run: Looking & { readonly outcomes: Outcomes },
  batch: readonly Candidate[],
  reads: ReadonlyMap<string, Seen>,
): Sifted {
  const tracker = run.reading.budgetsNow();
  const orphans = run.reading.orphansNow();
  const followed = run.reading.followNow();
  const predecessors = run.reading.predecessorsNow(followed);
  const basis = basisNow(run, {
    ...(orphans && { orphans }),
    ...(predecessors && { predecessors }),
    outages: run.reading.outagesNow(),
    schedule: run.reading.schedule,
    followed,
  });
  let lastStart = Infinity;
  const members: Member[] = [];
  const done = new Set<string>();
  const parked = new Set<string>();
  for (const candidate of batch) {
    const { id, device } = candidate.change;
    const seen = reads.get(device.id);
    const now = recheck(run, candidate, { basis, seen });
    const refusal = now.is === 'holds' ? tracker.take(wantedBy(candidate)) : undefined;
    if (now.is === 'ends') {
      run.outcomes.end(candidate.change, now.said);
      done.add(id);
      if (now.said.reason?.code === 'gone') run.health.countMissing();
    } else if (refusal) {
      run.outcomes.park(id, toReason(refusal));
      parked.add(id);
    } else {
      const { change, allowed } = now;
      members.push({ candidate, change, ...(allowed && { allowed }), ...entryParts(seen) });
      lastStart = Math.min(lastStart, now.lastStart ?? Infinity);
    }
  }
  return { members, done, parked, lastStart, rollouts: followed };
}

/** The sites of a device, and the fields of its entry besides the ID. */
function entryParts(seen: Seen | undefined): Pick<Member, 'sites' | 'second'> {
  const { site, second } = seen?.discovered ?? {};
  const sites = seen?.device?.sites ?? (site ? [site] : []);
  return second === undefined ? { sites } : { sites, second };
}

/**
 * Whether the last look lists a down device that became managed after the fleet was read. That
 * device is in no set of any budget, so the capacity of its site, model or group is unknown.
 * Nothing is sent before the fleet is read again.
 */
export function isSnapshotStale(run: Looking, batch: readonly Candidate[]): boolean {
  if (!batch.some(({ change }) => KINDS[change.task].disruptive)) return false;
  const { devices } = run.reading.snapshot;
  const isNew = [...run.reading.down.keys()].some((id) => devices.rowOf(id) === undefined);
  if (isNew) run.health.failure = UNLISTED;
  return isNew;
}

/** If repeated readings of the fleet do not return the device either. */
const UNLISTED = new WorldError(
  'listTorn',
  { collection: 'devices', why: 'short' },
  { retry: 'safe' },
);

/** The share of budgets that a candidate takes. */
export function wantedBy({ change, wanted: { policy }, rollout }: Candidate): BudgetRequest {
  const { task, device } = change;
  const { disruptive } = KINDS[task];
  return { task, deviceId: device.id, policy: policy.value, rollout, disruptive };
}
