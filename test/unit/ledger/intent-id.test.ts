import { expect, test } from 'vitest';
import { computeIntentId } from '../../../src/ledger/intent-id.ts';

const KEY = { task: 'upgradeFirmware', device: 'dev-1', target: '11.11.1', generation: 1 } as const;

test('J10 an intent has the same id on every machine', () => {
  expect(computeIntentId('ledger-1', KEY)).toBe(computeIntentId('ledger-1', { ...KEY }));
});

test('the id is 26 characters of base32', () => {
  expect(computeIntentId('ledger-1', KEY)).toMatch(/^[a-z2-7]{26}$/);
});

test('the id of a known intent never changes, or every ledger would forget', () => {
  expect(computeIntentId('ledger-1', KEY)).toBe('qkl5rlaterqz2yqq7hrdeyutky');
});

test.each([
  { ...KEY, task: 'restartDevice' as const },
  { ...KEY, device: 'dev-2' },
  { ...KEY, target: '11.11.2' },
  { ...KEY, generation: 2 },
])('whatever differs makes another intent: %o', (other) => {
  expect(computeIntentId('ledger-1', other)).not.toBe(computeIntentId('ledger-1', KEY));
});

test('another ledger makes another intent', () => {
  expect(computeIntentId('ledger-2', KEY)).not.toBe(computeIntentId('ledger-1', KEY));
});
