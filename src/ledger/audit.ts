import type { AuditQuestion, AuditRun, AuditView } from '../model/ledger/audit.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import { chainedNames, earlierNames, type PresentNames } from '../model/ledger/renames.ts';
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
  const policies = question.policy === undefined ? undefined : namesOf(question.policy, records);
  const asked = { ...question, ...(policies && { policies }) };
  const runs = all.flatMap((run) => selectRun(run, asked)).filter(isEventful);
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

/** Every address that a policy has had, by any of them (semantics M23). */
function namesOf(policy: string, records: readonly LedgerRecord[]): ReadonlySet<string> {
  let renamed: PresentNames = new Map();
  for (const { body } of records)
    if (body.type === 'RENAMED') renamed = chainedNames(renamed, body);
  const present = renamed.get(policy) ?? policy;
  return new Set([policy, present, ...earlierNames(present, renamed)]);
}

/** A run with stale or up-to-date changes is listed even if it sent nothing. */
function isEventful({ plans, attempts, events, sums }: AuditRun): boolean {
  const { converged = 0, stale = 0 } = sums?.classes ?? {};
  return plans.length + attempts.length + events.length + converged + stale > 0;
}
