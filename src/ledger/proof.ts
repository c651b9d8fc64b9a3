import type { AuditCheck } from '../model/ledger/audit.ts';
import type { LedgerRecord } from '../model/ledger/record.ts';
import { accept } from './acceptor.ts';
import { EMPTY_HEAD, headOf } from './chain.ts';

/**
 * Checks what records prove without other evidence, once their chain is complete: their owner, that
 * the protocol allowed each one, and that a recorded plan precedes every attempt.
 */
export function proveRecords(records: readonly LedgerRecord[], fingerprint: string): AuditCheck[] {
  if (records.length === 0) return [{ check: 'chain', result: 'unproved', why: 'noLedger' }];
  const [genesis] = records;
  if (genesis?.body.type !== 'GENESIS' || genesis.body.fingerprint !== fingerprint)
    return [{ check: 'chain', result: 'broken', why: 'foreign' }];
  const { seq, hash } = headOf(records, EMPTY_HEAD);
  const whole = { records: records.length, head: `${seq} ${hash}` };
  return [
    { check: 'chain', result: 'proved', why: 'chainWhole', params: whole },
    ...ofProtocol(records),
    ...ofAttempts(records),
  ];
}

function ofProtocol(records: readonly LedgerRecord[]): readonly AuditCheck[] {
  const violations = accept(records);
  if (violations.length === 0) return [{ check: 'protocol', result: 'proved', why: 'allowed' }];
  return violations.map((violation) => ({
    check: 'protocol',
    result: 'broken',
    why: 'forbidden',
    params: { ...violation },
  }));
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
