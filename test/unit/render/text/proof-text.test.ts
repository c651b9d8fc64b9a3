import { describe, expect, it } from 'vitest';
import type { AuditCheck } from '../../../../src/model/ledger/audit.ts';
import { proofBlocks, proofJson } from '../../../../src/render/outputs/proof.ts';
import { printTerminal } from '../../../../src/render/print/terminal.ts';
import { PLAIN } from '../../../../src/render/sinks/paint.ts';

const CHAIN: AuditCheck = { check: 'chain', result: 'proved', why: 'chainWhole' };
const OTHER: AuditCheck = { check: 'snapshot', result: 'broken', why: 'snapshotUnknown' };
const FORGED: AuditCheck = { check: 'plan', result: 'broken', why: 'planTampered' };

function lastLine(...checks: readonly AuditCheck[]): string {
  return [...printTerminal(proofBlocks(checks), { paint: PLAIN, width: 200 })].at(-1) ?? '';
}

describe('the result of audit verify', () => {
  it('names a snapshot of another plan as such, and does not accuse the ledger', () => {
    expect(lastLine(CHAIN, OTHER)).toMatch(/^Not verified: the snapshot is another one\./);
    expect(proofJson([CHAIN, OTHER])).toMatchObject({ result: 'broken' });
  });

  it('is a failure where anything else differs', () => {
    expect(lastLine(CHAIN, OTHER, FORGED)).toMatch(/^Verification failed/);
    expect(lastLine(CHAIN)).toBe('Verified.');
  });
});
