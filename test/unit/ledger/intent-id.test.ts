import { expect, test } from 'vitest';
import { intentIdOf } from '../../../src/ledger/intent-id.ts';

const KEY = { task: 'upgradeFirmware', device: 'dev-1', target: '11.11.1', generation: 1 } as const;

test('J10 an intent has the same id on every machine', () => {
  expect(intentIdOf('ledger-1', KEY)).toBe(intentIdOf('ledger-1', { ...KEY }));
});

test('the id is 26 characters of base32', () => {
  expect(intentIdOf('ledger-1', KEY)).toMatch(/^[a-z2-7]{26}$/);
});

test('the id of a known intent never changes, or every ledger would forget', () => {
  expect(intentIdOf('ledger-1', KEY)).toBe('qkl5rlaterqz2yqq7hrdeyutky');
});

test.each([
  { ...KEY, task: 'restartDevice' as const },
  { ...KEY, device: 'dev-2' },
  { ...KEY, target: '11.11.2' },
  { ...KEY, generation: 2 },
])('whatever differs makes another intent: %o', (other) => {
  expect(intentIdOf('ledger-1', other)).not.toBe(intentIdOf('ledger-1', KEY));
});

test('another ledger makes another intent', () => {
  expect(intentIdOf('ledger-2', KEY)).not.toBe(intentIdOf('ledger-1', KEY));
});
