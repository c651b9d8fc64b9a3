import { finding, type AuditCheck } from '../model/ledger/audit.ts';
import { isLeaseless, type LedgerRecord, type AttemptedIntent } from '../model/ledger/record.ts';
import { violationsOf } from './acceptor.ts';
import { EMPTY_HEAD, headAfter } from './chain.ts';
import { isTrueCheckpoint } from './checkpoint.ts';
import { MemoryDraft } from './draft.ts';
import { approvedOutcomes, type ApprovedOutcomes } from '../model/ledger/approval.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { changeId } from '../model/plan/change.ts';
import { coversButWave, parseOutcome } from '../model/plan/outcome.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import { ApprovalLog, NO_APPROVALS } from './approvals.ts';
import { Knowledge } from './knowledge.ts';
import { EMPTY_PARTS } from './memory-parts.ts';

/**
 * Checks what records prove without other evidence, once their chain is complete: their owner, that
 * the protocol allowed each one, that a recorded plan precedes every attempt, and that each run
 * accounts for all of its plan.
 */
export function proveRecords(records: readonly LedgerRecord[], fingerprint: string): AuditCheck[] {
  if (records.length === 0) return [{ check: 'chain', result: 'unproved', why: 'noLedger' }];
  const [genesis] = records;
  if (genesis?.body.type !== 'GENESIS' || genesis.body.fingerprint !== fingerprint)
    return [{ check: 'chain', result: 'broken', why: 'foreign' }];
  const { seq, hash } = headAfter(records, EMPTY_HEAD);
  const whole = { records: records.length, head: `${seq} ${hash}` };
  return [
    { check: 'chain', result: 'proved', why: 'chainWhole', params: whole },
    ...ofFold(records),
    ...ofAttempts(records),
    ...proveApprovals(records),
    ...ofSums(records),
  ];
}

const ALLOWED: AuditCheck = { check: 'protocol', result: 'proved', why: 'allowed' };

/** Whether the protocol allowed each record, and each checkpoint says what the records before it add up to (J21). */
function ofFold(records: readonly LedgerRecord[]): readonly AuditCheck[] {
  let draft = new MemoryDraft(EMPTY_PARTS);
  let checkpoints = 0;
  const [forbidden, wrong]: [AuditCheck[], AuditCheck[]] = [[], []];
  for (const record of records) {
    const { body, seq } = record;
    for (const violation of violationsOf(record, draft))
      forbidden.push(finding('protocol', 'broken', 'forbidden', { ...violation }));
    if (body.type === 'CHECKPOINT') {
      const parts = draft.finish();
      if (isTrueCheckpoint(body, parts)) checkpoints += 1;
      else wrong.push(finding('checkpoints', 'broken', 'checkpointFalse', { seq }));
      draft = new MemoryDraft(parts);
    }
    draft.apply(record);
  }
  return [
    ...(forbidden.length > 0 ? forbidden : [ALLOWED]),
    ...(checkpoints > 0
      ? [finding('checkpoints', 'proved', 'checkpointsTrue', { checkpoints })]
      : []),
    ...wrong,
  ];
}

/** Each attempt names a plan that its own run recorded earlier. */
function ofAttempts(records: readonly LedgerRecord[]): readonly AuditCheck[] {
  const planned = new Set<string>();
  const unplanned: string[] = [];
  let attempts = 0;
  for (const { body, epoch } of records) {
    if (body.type === 'PLAN') planned.add(`${epoch} ${body.planId}`);
    if (body.type !== 'ATTEMPT') continue;
    attempts += 1;
    if (!planned.has(`${epoch} ${body.planId}`)) unplanned.push(body.attemptId);
  }
  if (unplanned.length === 0)
    return [{ check: 'attempts', result: 'proved', why: 'attemptsPlanned', params: { attempts } }];
  return unplanned.map((attempt) => ({
    check: 'attempts',
    result: 'broken',
    why: 'attemptUnplanned',
    params: { attempt },
  }));
}

/** The sums that a run gave back its lease with are those of the plan on record, every change in one class (Z7). */
function ofSums(records: readonly LedgerRecord[]): readonly AuditCheck[] {
  const plans = new Map<number, Map<string, number>>();
  const wrong: AuditCheck[] = [];
  let runs = 0;
  for (const { body, epoch } of records) {
    if (body.type === 'PLAN') {
      const own = plans.get(epoch) ?? new Map<string, number>();
      plans.set(epoch, own.set(body.planId, body.counts.changes));
    }
    const own = plans.get(epoch);
    // A run without a recorded plan cannot be compared.
    if (body.type !== 'RELEASE' || !body.sums || !own) continue;
    runs += 1;
    const planned = own.get(body.sums.planId);
    const counted = Object.values(body.sums.classes).reduce((all, one) => all + one, 0);
    if (planned === undefined) wrong.push(broken('sumsElsewhere', { epoch }));
    else if (planned !== counted) wrong.push(broken('sumsOther', { epoch, counted, planned }));
  }
  if (wrong.length > 0) return wrong;
  return runs === 0 ? [] : [{ check: 'sums', result: 'proved', why: 'sumsSame', params: { runs } }];
}

function broken(why: string, params: Readonly<Record<string, number>>): AuditCheck {
  return { check: 'sums', result: 'broken', why, params };
}

/**
 * Checks that each device that was sent under an approval was approved at that moment, by the records
 * before its attempt: neither expired nor withdrawn, under the ground of that moment, and a standing approval by a policy that the
 * approved commit names (semantics N83).
 */
export function proveApprovals(records: readonly LedgerRecord[]): readonly AuditCheck[] {
  const log = new ApprovalLog(NO_APPROVALS);
  const known = new Knowledge(EMPTY_PARTS);
  const broken: AuditCheck[] = [];
  let proved = 0;
  for (const { seq, at, body } of records) {
    if (body.type !== 'ATTEMPT' && !isLeaseless(body)) continue;
    const now = parseInstant(at) ?? 0;
    if (body.type === 'APPROVED') log.approve({ seq }, body, now);
    else if (body.type === 'WITHDRAWN') log.withdraw({ seq }, body);
    else if (body.type === 'GROUND') known.stand(body, { seq }, now);
    else if (body.type === 'ATTEMPT') {
      const named = body.intents.filter(({ allowed }) => allowed !== undefined);
      const { ground } = known.finish();
      const state = { approved: approvedOutcomes({ ...log.finish(), ground }), now };
      const wrong = named.filter((intent) => !isApproved(intent, body.task, state));
      proved += named.length;
      broken.push(...wrong.map(({ device }) => unapproved(body.attemptId, device)));
    }
  }
  if (broken.length > 0 || proved === 0) return broken;
  const params = { devices: proved };
  return [{ check: 'approvals', result: 'proved', why: 'attemptsApproved', params }];
}

function unapproved(attempt: string, device: string): AuditCheck {
  const params = { attempt, device };
  return { check: 'approvals', result: 'broken', why: 'attemptUnapproved', params };
}

function isApproved(
  { allowed, device, policy }: AttemptedIntent,
  task: TaskType,
  { approved, now }: { readonly approved: ApprovedOutcomes; readonly now: Instant },
): boolean {
  if (!allowed) return true;
  const plan = approved.plans.find(({ seq }) => seq === allowed.approval);
  if (!plan) return false;
  if (allowed.preapproved) return !plan.part && plan.preapproved.includes(policy);
  const wanted = parseOutcome(allowed.outcome);
  return [...approved.of(changeId(task, device), policy)].some(
    ([outcome, { expires }]) => coversButWave(parseOutcome(outcome), wanted) && now < expires,
  );
}
