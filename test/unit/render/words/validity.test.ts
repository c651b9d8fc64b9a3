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

const GATE = {
  planId: 'kq3v',
  commit: '0123456789abcdef',
  approved: 2,
  renewed: 0,
  isRecorded: true,
  withdrawn: 0,
  shown: 2,
  approvers: ['ada'],
  expires: Date.parse(AT),
};

it('a gate names the plan whose approval can be withdrawn', () => {
  expect(approvedWords(GATE).at(-1)).toContain('`fleetform withdraw kq3v --reason R`');
  expect(approvedWords(GATE).join(' ')).not.toContain('approved before');
});

it('a gate says of what is approved already that the later end applies', () => {
  expect(approvedWords({ ...GATE, renewed: 2 })).toContain(
    '2 of them were approved before: the later end applies.',
  );
});

it('a gate without any outcome says that there is nothing to approve, and which plan it looked at', () => {
  const none = { ...GATE, approved: 0, shown: 0 };
  const said = approvedWords(none).join(' ');
  expect(said).toContain('There is nothing to approve: plan kq3v of commit 0123456789ab');
  expect(said).toContain('recorded for the documents of this commit');
  expect(approvedWords({ ...none, isRecorded: false }).join(' ')).toContain('no new record');
});
