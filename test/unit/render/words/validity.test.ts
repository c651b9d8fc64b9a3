import { expect, it } from 'vitest';
import { approvedWords } from '../../../../src/render/words/approval-words.ts';
import { validityWords } from '../../../../src/render/words/review/review-words.ts';

const AT = '2026-11-20T01:12:00Z';

it('a plan that no file keeps has no end', () => {
  expect(validityWords({ evaluatedAt: AT, expiresAt: AT })).toBe('');
  expect(validityWords({ evaluatedAt: AT, expiresAt: '2026-11-27T01:12:00Z' })).toBe(
    ', valid until Fri 27 Nov 2026 01:12 UTC',
  );
});

it('a gate names the plan whose approval can be withdrawn', () => {
  const found = { planId: 'kq3v', approved: 2, shown: 2, approvers: [], expires: Date.parse(AT) };
  expect(approvedWords(found).at(-1)).toContain('`fleetform withdraw kq3v --reason R`');
});
