import { expect, test } from 'vitest';
import { proveApprovals } from '../../../src/ledger/proof.ts';
import { RunHistory } from '../../../src/ledger/run-history.ts';
import type { AllowedBy, LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';

const OUTCOME = `${'a'.repeat(16)}.${'b'.repeat(16)}`;
const ID = 'rotatePassword/dev-1';

const APPROVED: RecordBody = {
  type: 'APPROVED',
  planId: 'p',
  commit: 'c'.repeat(40),
  documents: 'd',
  pulls: ['#7'],
  approvers: ['ada'],
  run: '4711',
  preapproved: ['rotations.p'],
  expires: '2026-12-01T00:00:00Z',
  changes: [[ID, `${OUTCOME}@canary`]],
  of: 1,
};
const LOCK: RecordBody = {
  type: 'LOCK',
  nonce: 'n',
  label: 'ci',
  ttl: 1,
  host: 'h',
  pid: 1,
  process: 'x',
};

function attempt(allowed?: AllowedBy, policy = 'rotations.p'): RecordBody {
  const intent = { id: 'i', device: 'dev-1', target: '', generation: 1, sites: [], before: '' };
  return {
    type: 'ATTEMPT',
    attemptId: 'n.1',
    planId: 'p',
    task: 'rotatePassword',
    intents: [{ ...intent, policy, marker: '', ...(allowed && { allowed }) }],
    batchDigest: '',
    window: 'anytime',
    sendBy: '',
  };
}

function records(bodies: readonly RecordBody[], at = '2026-11-23T00:00:00Z'): LedgerRecord[] {
  return bodies.map((body, index) => ({ seq: index + 1, prev: '', epoch: 1, at, tool: '', body }));
}

const OWN = { outcome: OUTCOME, approval: 1 };
const STANDING = { outcome: OUTCOME, approval: 1, preapproved: true } as const;
const TAKEN: RecordBody = { type: 'WITHDRAWN', ids: [ID], who: 'ada', why: 'wrong' };

test.each<readonly [string, readonly LedgerRecord[], string]>([
  ['is in an approval', records([APPROVED, attempt(OWN)]), 'attemptsApproved'],
  ['is standing', records([APPROVED, attempt(STANDING)]), 'attemptsApproved'],
  ['was withdrawn', records([APPROVED, TAKEN, attempt(OWN)]), 'attemptUnapproved'],
  [
    'was withdrawn with its policy',
    records([APPROVED, { ...TAKEN, ids: [], policy: 'rotations.p' }, attempt(OWN)]),
    'attemptUnapproved',
  ],
  [
    'is of another policy than the one withdrawn',
    records([APPROVED, { ...TAKEN, ids: [], policy: 'rotations.q' }, attempt(OWN)]),
    'attemptsApproved',
  ],
  ['has expired', records([APPROVED, attempt(OWN)], '2026-12-01T00:00:00Z'), 'attemptUnapproved'],
  [
    'is another',
    records([APPROVED, attempt({ ...OWN, outcome: OUTCOME.replace('b', 'c') })]),
    'attemptUnapproved',
  ],
  ['names no approval that there is', records([attempt(OWN)]), 'attemptUnapproved'],
  [
    'is of a policy that is not standing',
    records([APPROVED, attempt(STANDING, 'firmware.x')]),
    'attemptUnapproved',
  ],
])('N83 an attempt whose outcome %s', (_, all, why) => {
  expect(proveApprovals(all).map((check) => check.why)).toEqual([why]);
});

test('N83 an attempt without an approval is no matter of this check', () => {
  expect(proveApprovals(records([attempt()]))).toEqual([]);
});

test('N83 the audit names the record, its approvers and requests', () => {
  const history = new RunHistory();
  for (const record of records([APPROVED, LOCK, attempt(OWN)])) history.add(record);
  const [intent] = history.run(1)?.attempts[0]?.intents ?? [];
  expect(intent?.allowed).toEqual({
    record: 1,
    commit: 'c'.repeat(40),
    approvers: ['ada'],
    pulls: ['#7'],
    preapproved: false,
  });
});
