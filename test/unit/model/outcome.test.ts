import { expect, test } from 'vitest';
import { coversOutcome, formatOutcome, parseOutcome } from '../../../src/model/plan/outcome.ts';

const A = { desired: 'a'.repeat(16), observed: '1'.repeat(16) };
const B = { desired: 'b'.repeat(16), observed: '1'.repeat(16) };
const WAVES = ['canary', 'early', 'rest'];

const covers = (approved: typeof A & { wave?: string }, wanted: typeof A & { wave?: string }) =>
  coversOutcome(formatOutcome(approved), formatOutcome(wanted), WAVES);

test.each([{}, { wave: 'early' }, { wave: 'a wave@home' }])('reads what it writes: %o', (wave) => {
  expect(parseOutcome(formatOutcome({ ...A, ...wave }))).toEqual({ ...A, ...wave });
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

test.each([
  ['an earlier wave', { ...A, wave: 'early' }, { ...A, wave: 'canary' }],
  ['no wave any more', { ...A, wave: 'early' }, A],
  ['a wave that is gone', { ...A, wave: 'night' }, { ...A, wave: 'rest' }],
  ['another target', A, B],
  ['other values before', A, { ...A, observed: '2'.repeat(16) }],
] as const)('N71 does not cover %s', (_, approved, wanted) => {
  expect(covers(approved, wanted)).toBe(false);
});
