import { expect, test } from 'vitest';
import { fold } from '../../../src/ledger/fold.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { chained, GENESIS, lock, plan } from '../../support/ledger-records.ts';

const START = [GENESIS, lock()];
const DAY = 86_400_000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');

/** Records of a ledger, one a day. */
function daily(bodies: readonly RecordBody[], days = 1): readonly LedgerRecord[] {
  return chained([...START, ...bodies]).map((record, n) => ({
    ...record,
    at: new Date(FIRST + n * days * DAY).toISOString(),
  }));
}

const covering = (seen: number, more: object = {}): RecordBody => ({
  type: 'FACTS',
  coverage: { seen: { s1: seen }, offered: {}, person: [], ...more },
});

test('what runs saw is remembered for 30 days', () => {
  const memory = fold(daily([covering(60), covering(55), covering(50)], 20));
  expect(memory.coverage?.map(({ seen }) => seen['s1'])).toEqual([55, 50]);
});

test('a run that an exception let pass begins what is known anew', () => {
  const memory = fold(daily([covering(60), covering(10, { anew: true }), covering(11)]));
  expect(memory.coverage?.map(({ seen }) => seen['s1'])).toEqual([10, 11]);
});

test('M2 the last PLAN of a commit, the other commit before it, and what was approved since', () => {
  const approved: RecordBody = {
    type: 'APPROVED',
    planId: 'p',
    commit: 'two',
    documents: 'd',
    pulls: [],
    approvers: [],
    run: 'gate',
    expires: '2026-02-01T00:00:00Z',
    preapproved: [],
    changes: [],
  };
  const planned = (...bodies: readonly RecordBody[]) =>
    fold(chained([GENESIS, lock(), ...bodies])).planned;
  const [one, two, none] = [plan('p', 'one'), plan('p', 'two'), plan('p', '')];
  expect(planned(approved, none)).toBeUndefined();
  expect(planned(one, approved, two, two)).toEqual({
    commit: 'two',
    before: 'one',
    isApprovedSince: false,
  });
  // One record of a series that never ended is enough to be careful.
  expect(planned(two, one, approved, none)).toEqual({
    commit: 'one',
    before: 'two',
    isApprovedSince: true,
  });
});

test('M24 records vouch for files of facts for 30 days', () => {
  const named = daily([
    { type: 'FACTS', facts: 'a' },
    { type: 'FACTS', facts: 'b' },
    { type: 'FACTS', facts: 'c' },
  ]);
  expect(fold(named).facts).toEqual(
    new Map([
      ['a', FIRST + 2 * DAY],
      ['b', FIRST + 3 * DAY],
      ['c', FIRST + 4 * DAY],
    ]),
  );
  const later = daily(
    [
      { type: 'FACTS', facts: 'a' },
      { type: 'FACTS', facts: 'b' },
    ],
    20,
  );
  expect([...(fold([...later]).facts?.keys() ?? [])]).toEqual(['a', 'b']);
  const latest = daily(
    [
      { type: 'FACTS', facts: 'a' },
      { type: 'FACTS', facts: 'b' },
    ],
    31,
  );
  expect([...(fold([...latest]).facts?.keys() ?? [])]).toEqual(['b']);
});

test('distrust of a kind reaches as far as the latest of its instants', () => {
  const before = (day: number) => new Date(FIRST + day * DAY).toISOString();
  const distrust = (day: number): RecordBody => ({
    type: 'FACTS',
    distrust: { kind: 'passwords', before: before(day) },
  });
  const memory = fold(daily([distrust(9), distrust(3)]));
  expect(memory.distrusted).toEqual(new Map([['passwords', FIRST + 9 * DAY]]));
});

test('each earlier address of a policy leads to the present one', () => {
  const memory = fold(
    daily([
      { type: 'RENAMED', from: 'firmware.a', to: 'firmware.b' },
      { type: 'RENAMED', from: 'firmware.b', to: 'firmware.c' },
    ]),
  );
  const expected = new Map([
    ['firmware.a', 'firmware.c'],
    ['firmware.b', 'firmware.c'],
  ]);
  expect(memory.renamed).toEqual(expected);
});

test('the last GROUND is the ground, with its number', () => {
  const ground = (approval: 'commit' | 'plan'): RecordBody => ({
    type: 'GROUND',
    service: { origin: 'https://api.example.com', organization: 'acme' },
    ledger: { store: 'git', remote: 'origin', at: 'git.example.com/acme/fleet', branch: 'l' },
    approval,
    gate: 'none',
    commit: 'c',
    who: 'ada',
    why: 'moved',
  });
  const memory = fold(daily([ground('commit'), ground('plan')]));
  expect(memory.ground).toMatchObject({ approval: 'plan', seq: 4, at: FIRST + 3 * DAY });
});

test('a device takes the place of another in a rollout', () => {
  const rollout = { type: 'ROLLOUT', policy: 'p', targetDigest: 't' } as const;
  const memory = fold(
    daily([
      { ...rollout, base: ['d1', 'd2'] },
      { ...rollout, base: [], replaced: [['d1', 'd2']] },
    ]),
  );
  expect(memory.rollouts?.get('p')?.replaced).toEqual(new Map([['d1', 'd2']]));
  expect(memory.rollouts?.get('p')?.base).toEqual(['d1', 'd2']);
});

test.each([
  ['the first gate of a forge', 'none', 'github', 4],
  ['the same gate', 'github', 'github', undefined],
] as const)('M11 approvals from before %s do not count', (_, before, after, movedAt) => {
  const ground = (gate: 'none' | 'github'): RecordBody => ({
    type: 'GROUND',
    service: { origin: 'https://api.example.com', organization: 'acme' },
    ledger: { store: 'directory' },
    approval: 'plan',
    gate,
    commit: 'c',
    who: 'w',
    why: 'first',
  });
  expect(fold(daily([ground(before), ground(after)])).ground?.movedAt).toBe(movedAt);
});
