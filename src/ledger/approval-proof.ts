import type { AuditCheck } from '../model/ledger/audit.ts';
import { approvedOutcomes, type ApprovedOutcomes } from '../model/ledger/approval.ts';
import type { AttemptedIntent, LedgerRecord } from '../model/ledger/record.ts';
import type { TaskType } from '../model/fleet/task.ts';
import { changeId } from '../model/plan/change.ts';
import { coversButWave, parseOutcome } from '../model/plan/outcome.ts';
import { type Instant, parseInstant } from '../lib/time.ts';
import { ApprovalLog, NO_APPROVALS } from './approvals.ts';
import { Knowledge } from './knowledge.ts';
import { EMPTY_PARTS } from './memory-parts.ts';

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
