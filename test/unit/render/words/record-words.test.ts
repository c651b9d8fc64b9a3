import { expect, it } from 'vitest';
import { approvalWords, approversWords } from '../../../../src/render/words/record-words.ts';

it.each([
  ['file', { inCommit: false, byGate: true }, 'approved as a saved plan'],
  ['terminal', { inCommit: true, byGate: false }, 'approved on a terminal'],
  ['commit', { inCommit: true, byGate: false }, 'approved by the commit (--yes)'],
  ['commit', { inCommit: false, byGate: false }, 'approved with --yes'],
  ['commit', { inCommit: true, byGate: true }, 'each outcome approved as below'],
] as const)('a plan by %s, %o, is %s', (means, state, said) => {
  expect(approvalWords(means, state)).toBe(said);
});

it('names who passed a gate, if the forge shows it', () => {
  expect(approversWords(['Ada', 'Ben'])).toBe(' by Ada, Ben');
  expect(approversWords([])).toBe(', approvers unknown');
});
