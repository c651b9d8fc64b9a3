import { expect, it } from 'vitest';
import type { PlanView } from '../../../../src/render/view/view.ts';
import { causedSentences } from '../../../../src/render/words/review/review-words.ts';

it.each([
  [1, '1 is already pending, 1 is due by schedule.'],
  [2, '2 are already pending, 2 are due by schedule.'],
])('says of %d other changes why they are there', (count, expected) => {
  const counts = { pending: count, clock: count, dropped: 0, branch: 0 };
  const view = { base: { counts }, review: { groups: [] }, verdicts: [] } as unknown as PlanView;
  expect(causedSentences(view)).toEqual(['This request starts no change.', expected]);
});
