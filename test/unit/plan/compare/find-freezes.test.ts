import { expect, test } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import {
  changedEntries,
  findFreezes,
  findRefusals,
} from '../../../../src/plan/compare/changed-entries.ts';
import type { Plan } from '../../../../src/model/plan/plan.ts';

const christmas = (to: string, more = '') =>
  `freezes: {christmas: {from: "2026-12-18T00:00:00", to: "${to}", reason: c, owner: o, ticket: T${more}}}`;
const SHORT = christmas('2027-01-07T00:00:00');
const LONG = christmas('2027-01-14T00:00:00');

/** The documents with a freeze, or without, and a plan in which it moves so many changes of a policy. */
function side(freeze: string, moved: Readonly<Record<string, number>> = {}) {
  const service = 'service: {baseUrl: https://api.example.com, organization: acme}\n';
  const { documents } = loadTexts([{ path: 'fleet/a.yaml', text: service + freeze }]);
  if (!documents) throw new Error('these documents have errors');
  const dates = Object.entries(moved).map(([policy, changes]) => {
    const closes = freeze === LONG ? '2027-01-14T00:00:00Z' : '2027-01-07T00:00:00Z';
    const at = { file: 'fleet/a.yaml', line: 2, column: 1 };
    const why = { hard: false, reason: 'c', owner: 'o', ticket: 'T', at };
    return { policy, waves: [], frozen: [{ freeze: 'christmas', ...why, changes, closes }] };
  });
  const plan: Pick<Plan, 'dates' | 'evaluatedAt'> = { dates, evaluatedAt: '2026-11-29T10:00:00Z' };
  return { documents, plan };
}

const DAYS = { from: '2026-12-18', to: '2027-01-06' };

test.each([
  [
    'a new one',
    side(''),
    side(SHORT, { 'firmware.a': 4, 'firmware.b': 1 }),
    { is: 'new', ...DAYS, changes: 5, before: 0, policies: ['firmware.a', 'firmware.b'] },
  ],
  [
    'a new one without an effect',
    side(''),
    side(SHORT),
    { is: 'new', ...DAYS, changes: 0, before: 0, policies: [] },
  ],
  [
    'a longer one',
    side(SHORT, { 'firmware.a': 4 }),
    side(LONG, { 'firmware.a': 4 }),
    { is: 'changed', ...DAYS, to: '2027-01-13', changes: 4, before: 4, policies: ['firmware.a'] },
  ],
  [
    'one with another ticket',
    side(SHORT, { 'firmware.a': 4 }),
    side(christmas('2027-01-07T00:00:00', '-2'), { 'firmware.a': 4 }),
    { is: 'changed', ...DAYS, changes: 0, before: 0, policies: [] },
  ],
  [
    'one that goes',
    side(SHORT, { 'firmware.a': 4 }),
    side(''),
    { is: 'gone', ...DAYS, changes: 0, before: 4, policies: ['firmware.a'] },
  ],
])('of a request with %s says what it does to the dates', (_, before, after, expected) => {
  const entries = changedEntries(before.documents, after.documents, '').keys();
  expect(findFreezes(entries, before, after)).toEqual([{ freeze: 'christmas', ...expected }]);
});

test('of a request that leaves them as they are says nothing', () => {
  const same = side(SHORT, { 'firmware.a': 4 });
  const entries = changedEntries(same.documents, same.documents, '').keys();
  expect(findFreezes(entries, same, same)).toEqual([]);
});

test('of a request that refuses a policy names it, and the line that does so first (semantics K27)', () => {
  const [before, after] = [side(''), side(SHORT)];
  const params = { policy: 'rotations.pw', freeze: 'christmas', refuses: 'rotations.pw' };
  const finding = { code: 'unreachableBeforeExpiry', severity: 'warning', params } as const;
  const old = { ...finding, params: { ...params, refuses: 'rotations.old' } };
  const changed = new Map([
    ['firmware.a', [{ place: { file: 'fleet/a.yaml', line: 1, column: 1 } }]],
    ...changedEntries(before.documents, after.documents, 'main'),
  ]);
  const found = findRefusals({ warnings: [old, finding] }, { warnings: [old] }, changed);
  expect(found.refuses).toEqual(['rotations.pw']);
  expect(found.lines?.map(({ file }) => file).at(-1)).toBe('fleet/a.yaml');
});
