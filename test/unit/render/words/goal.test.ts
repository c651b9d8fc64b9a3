import { expect, it } from 'vitest';
import { goalText } from '../../../../src/render/words/record-words.ts';

const DIGEST = 'abcdef0123456789'.repeat(4);

it.each([
  ['upgradeFirmware', { target: '11.11.73' }, '11.11.73'],
  ['upgradeFirmware', { target: '11.8', towards: '11.11' }, '11.8 towards 11.11'],
  ['rotateSslCertificate', { target: DIGEST }, 'a new certificate, instead of abcdef012345…'],
  [
    'rotateSslCertificate',
    { target: 'E9:A7:63:ED:59'.padEnd(95, ':0A') },
    'a new certificate, instead of E9:A7:63:ED…',
  ],
  ['rotateSslCertificate', { target: 'none' }, 'a new certificate'],
  ['rotateSslCertificate', { target: '12ab' }, 'a new certificate, instead of 12ab'],
  [
    'rotatePassword',
    { target: '2026-06-01T10:20:30Z' },
    'a new password, instead of that of Mon 1 Jun 2026 10:20 UTC',
  ],
  [
    'rotatePassword',
    { target: '2026-06-01T10:20:30Z 2026-11-30T09:00:00Z' },
    'a new password, instead of that of Mon 1 Jun 2026 10:20 UTC',
  ],
  [
    'rotateSslCertificate',
    { target: `${DIGEST} 2026-11-30T09:00:00Z` },
    'a new certificate, instead of abcdef012345…',
  ],
] as const)('%s of %j is for: %s', (task, intent, text) => {
  expect(goalText(task, intent)).toBe(text);
});

it('of several devices leaves what each had to the place beside its ID', () => {
  const shared = (task: 'rotatePassword' | 'rotateSslCertificate', target: string) =>
    goalText(task, { target }, true);
  expect(shared('rotatePassword', DIGEST)).toBe('a new password, instead of that in parentheses');
  expect(shared('rotateSslCertificate', 'none')).toBe('a new certificate');
});
