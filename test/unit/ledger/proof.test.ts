import { expect, test } from 'vitest';
import { proveRecords } from '../../../src/ledger/proof.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import type { ClassCounts } from '../../../src/model/ledger/run-sums.ts';
import {
  attempt,
  chained,
  FINGERPRINT,
  GENESIS,
  lock,
  result,
} from '../../support/ledger-records.ts';

function plan(changes: number, planId = 'plan-1'): RecordBody {
  const counts = { devices: 9, sites: 1, changes };
  return { type: 'PLAN', planId, commit: 'c', fromFile: true, counts, confidence: 'one page' };
}

function release(classes: ClassCounts, planId = 'plan-1'): RecordBody {
  return { type: 'RELEASE', sums: { planId, classes, noted: 2, beside: {} } };
}

const sent = [attempt('a.1', ['d1']), result('a.1', 'accepted')];

test.each<readonly [string, readonly RecordBody[], readonly string[]]>([
  [
    'for every change',
    [plan(3), ...sent, release({ verified: 1, stale: 2 })],
    ['proved sumsSame 1'],
  ],
  ['for one too few', [plan(3), ...sent, release({ verified: 2 })], ['broken sumsOther 1 2 3']],
  ['for one too many', [plan(1), release({ stale: 2 })], ['broken sumsOther 1 2 1']],
  ['for none', [plan(3), ...sent, release({})], ['broken sumsOther 1 0 3']],
  [
    'for another plan',
    [plan(1), ...sent, release({ verified: 1 }, 'plan-2')],
    ['broken sumsElsewhere 1'],
  ],
  ['for a plan that nothing came of', [release({ notStarted: 4 })], []],
  ['for nothing, since it was killed', [plan(3), ...sent], []],
])('Z7 a run accounts %s', (_, bodies, says) => {
  const checks = proveRecords(chained([GENESIS, lock(), ...bodies]), FINGERPRINT);
  const sums = checks.filter(({ check }) => check === 'sums');
  expect(
    sums.map(({ result: came, why, params = {} }) =>
      [came, why, ...Object.values(params)].join(' '),
    ),
  ).toEqual(says);
});
