import { expect, test } from 'vitest';
import {
  coversOutcome,
  formatOutcome,
  parseOutcome,
  type OutcomeParts,
} from '../../../src/model/plan/outcome.ts';

const A = { desired: 'a'.repeat(16), observed: '1'.repeat(16), passed: [] };
const B = { ...A, desired: 'b'.repeat(16) };
const [FREEZE, WINDOW] = ['f'.repeat(8), '0'.repeat(8)];
const WAVES = ['canary', 'early', 'rest'];

const covers = (approved: OutcomeParts, wanted: OutcomeParts) =>
  coversOutcome(formatOutcome(approved), formatOutcome(wanted), WAVES);

const FORMS: readonly OutcomeParts[] = [
  A,
  { ...A, wave: 'early' },
  { ...A, wave: 'a wave@home' },
  { ...A, passed: [FREEZE, WINDOW] },
  { ...A, passed: [FREEZE], wave: 'a+b' },
];

test.each(FORMS)('reads what it writes: %o', (parts) => {
  expect(parseOutcome(formatOutcome(parts))).toEqual(parts);
});

test.each(['', 'x', `${'a'.repeat(16)}.${'1'.repeat(15)}`, `${'A'.repeat(16)}.${'1'.repeat(16)}`])(
  'covers nothing with a text that is none: %s',
  (text) => {
    expect(parseOutcome(text)).toBeUndefined();
    expect(coversOutcome(text, text, WAVES)).toBe(false);
  },
);

test('N71 covers the same outcome in the same wave or a later one', () => {
  expect(covers({ ...A, wave: 'early' }, { ...A, wave: 'early' })).toBe(true);
  expect(covers({ ...A, wave: 'early' }, { ...A, wave: 'rest' })).toBe(true);
  expect(covers(A, { ...A, wave: 'rest' })).toBe(true);
});

test('M26 covers a change that passes the same or less', () => {
  const shown = { ...A, passed: [FREEZE, WINDOW], wave: 'early' };
  for (const passed of [[], [WINDOW], [FREEZE, WINDOW]])
    expect(covers(shown, { ...shown, passed })).toBe(true);
});

test.each([
  ['an earlier wave', { ...A, wave: 'early' }, { ...A, wave: 'canary' }],
  ['no wave any more', { ...A, wave: 'early' }, A],
  ['a wave that is gone', { ...A, wave: 'night' }, { ...A, wave: 'rest' }],
  ['another target', A, B],
  ['one that passes a freeze', { ...A, passed: [WINDOW] }, { ...A, passed: [FREEZE, WINDOW] }],
  ['other values before', A, { ...A, observed: '2'.repeat(16) }],
] as const)('N71 does not cover %s', (_, approved, wanted) => {
  expect(covers(approved, wanted)).toBe(false);
});
