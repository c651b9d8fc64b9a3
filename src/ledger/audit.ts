import type { AuditQuestion, AuditRun, AuditView } from '../model/ledger/audit.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import { selectRun } from './audit-question.ts';
import { EMPTY_HEAD, headAfter } from './chain.ts';
import { RunHistory } from './run-history.ts';

/**
 * The history in a ledger, run by run: the plan, the attempts, each device's outcome and its
 * evidence, and who paused, lifted, resolved or unlocked. A verdict is listed with its attempt,
 * whichever run wrote it.
 */
export function buildAudit(
  records: readonly LedgerRecord[],
  question: AuditQuestion = {},
): AuditView {
  const history = new RunHistory();
  for (const record of records) history.add(record);
  const all = history.runs();
  const runs = all.flatMap((run) => selectRun(run, question)).filter(isEventful);
  const eventful = all.filter(isEventful).length;
  const genesis = records.find(({ body }) => body.type === 'GENESIS')?.body as
    Extract<RecordBody, { readonly type: 'GENESIS' }> | undefined;
  return {
    ledgerId: genesis?.ledgerId ?? '',
    fingerprint: genesis?.fingerprint ?? '',
    head: headAfter(records, EMPTY_HEAD),
    runs,
    idle: all.length - eventful,
  };
}

/** A run with stale or up-to-date changes is listed even if it sent nothing. */
function isEventful({ plans, attempts, events, sums }: AuditRun): boolean {
  const { converged = 0, stale = 0 } = sums?.classes ?? {};
  return plans.length + attempts.length + events.length + converged + stale > 0;
}
