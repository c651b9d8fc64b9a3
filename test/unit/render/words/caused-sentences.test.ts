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

it('says nothing of what is left out', () => {
  const counts = { pending: 4, clock: 57, dropped: 0, branch: 0 };
  const groups = [
    { group: 'clock', out: 57 },
    { group: 'pending', out: 1 },
  ];
  const view = { base: { counts }, review: { groups }, verdicts: [] } as unknown as PlanView;
  expect(causedSentences(view)[1]).toBe('3 are already pending.');
});

it('names in line 1 what else the request edits', () => {
  const edits = ['service', 'guardrails', 'exceptions', 'workflows', 'lockFile', 'package'];
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 0 };
  const view = { base: { counts, edits }, review: { groups: [] }, verdicts: [] } as unknown;
  expect(causedSentences(view as PlanView)).toEqual([
    'This request starts no change, and edits service, guardrails, exceptions, workflows, the lock file, package files.',
  ]);
});

it.each([
  [{ later: 2, now: 1, sites: 2 }, 'This request starts 3 changes on 2 sites, 1 at once.'],
  [{ person: 3, sites: 1 }, 'This request starts no change, 3 need you.'],
  [{ sites: 1 }, 'This request starts no change.'],
])('with %j says: %s', (tally, expected) => {
  const caused = { group: 'branch', now: 0, running: 0, later: 0, person: 0, ...tally };
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 1 };
  const view = { base: { counts }, review: { groups: [caused] }, verdicts: [] } as unknown;
  expect(causedSentences(view as PlanView)).toEqual([expected]);
});
