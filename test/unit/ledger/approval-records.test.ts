import { expect, test } from 'vitest';
import {
  approvalRecords,
  newestApproval,
  withdrawalRecords,
} from '../../../src/ledger/approval-records.ts';
import { ApprovalLog, NO_APPROVALS } from '../../../src/ledger/approvals.ts';
import { approvedOutcomes, type PlanApproval } from '../../../src/model/ledger/approval.ts';

const TERMS = {
  planId: 'p',
  commit: 'c',
  documents: 'd',
  pulls: [],
  approvers: [],
  run: '1',
  preapproved: [],
};

const outcomes = (count: number) =>
  Array.from({ length: count }, (_, index) => [`t/${index}`, 'x'] as const);

test.each([
  [0, [0]],
  [1, [1]],
  [10_000, [10_000]],
  [10_001, [10_000, 1]],
])('N72 puts %i outcomes into records of at most 10,000', (count, sizes) => {
  const records = approvalRecords(TERMS, 0, outcomes(count));
  expect(records.map((body) => (body.type === 'APPROVED' ? body.changes.length : -1))).toEqual(
    sizes,
  );
  const log = new ApprovalLog(NO_APPROVALS);
  for (const [index, body] of records.entries())
    if (body.type === 'APPROVED') log.approve({ seq: index + 1 }, body, 0);
  const { plans, ids } = approvedOutcomes(log.finish());
  expect([plans.length, [...ids()].length]).toEqual([1, count]);
});

test.each([
  ['a forge keeps no record of the gate', { gate: 'none', movedAt: 0 }, 1],
  ['a forge keeps one, and it has no name', { gate: 'github', movedAt: 0 }, 0],
  ['the ledger moved since', { gate: 'none', movedAt: 1 }, 0],
] as const)('M10 M11 counts an approval where %s: %o %i', (_, ground, count) => {
  const log = new ApprovalLog(NO_APPROVALS);
  const [body] = approvalRecords(TERMS, 0, outcomes(1));
  if (body?.type === 'APPROVED') log.approve({ seq: 1 }, body, 0);
  const { plans, of } = approvedOutcomes({ ...log.finish(), ground });
  expect([plans.length, of('t/0').size]).toEqual([count, count]);
});

test('withdraws by plan', () => {
  const unwanted = [
    { id: 'a', planId: 'p' },
    { id: 'b', planId: 'p' },
    { id: 'a', planId: 'q' },
  ];
  const records = withdrawalRecords(unwanted, { who: 'w', why: 'y' });
  expect(records).toEqual([
    { type: 'WITHDRAWN', planId: 'p', ids: ['a', 'b'], who: 'w', why: 'y' },
    { type: 'WITHDRAWN', planId: 'q', ids: ['a'], who: 'w', why: 'y' },
  ]);
});

const plan = (seq: number, commit: string) =>
  ({ ...TERMS, seq, commit }) as unknown as PlanApproval;

test.each([
  ['the newest by history, whatever the order of the gates', [plan(1, 'new'), plan(2, 'old')], 1],
  ['the last approval of that commit', [plan(1, 'new'), plan(2, 'new')], 2],
  ['nothing if a later approval is of a lost commit', [plan(1, 'old'), plan(2, 'lost')], undefined],
  ['what was approved after a loss', [plan(1, 'lost'), plan(2, 'old')], 2],
  ['nothing of another history', [plan(1, 'lost')], undefined],
])('N80 finds %s', (_, plans, seq) => {
  expect(newestApproval(plans, ['tip', 'new', 'old'])?.seq).toBe(seq);
});
