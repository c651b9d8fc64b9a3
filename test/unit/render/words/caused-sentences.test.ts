import { expect, it } from 'vitest';
import type { PlanView } from '../../../../src/render/view/view.ts';
import {
  causedSentence,
  pendingSentence,
} from '../../../../src/render/words/review/review-words.ts';

it.each([
  [1, '1 is already pending, 1 is due by schedule.'],
  [2, '2 are already pending, 2 are due by schedule.'],
])('says of %d other changes why they are there', (count, expected) => {
  const counts = { pending: count, clock: count, dropped: 0, branch: 0 };
  const view = { base: { counts }, review: { groups: [] }, verdicts: [] } as unknown as PlanView;
  expect(causedSentence(view)).toBe('This request starts no change.');
  expect(pendingSentence(view)).toBe(expected);
});

it('says nothing of what is left out', () => {
  const counts = { pending: 4, clock: 57, dropped: 0, branch: 0 };
  const groups = [
    { group: 'clock', out: 57 },
    { group: 'pending', out: 1 },
  ];
  const view = { base: { counts }, review: { groups }, verdicts: [] } as unknown as PlanView;
  expect(pendingSentence(view)).toBe('3 are already pending.');
});

it('names in line 1 what else the request edits', () => {
  const edits = ['service', 'guardrails', 'exceptions', 'workflows', 'lockFile', 'package'];
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 0 };
  const view = {
    base: { counts, edits },
    review: { groups: [] },
    verdicts: [],
    notes: [],
  } as unknown;
  expect(causedSentence(view as PlanView)).toBe(
    'This request starts no change. It edits service, guardrails, exceptions, workflows, the lock file, package files.',
  );
});

it.each([
  [[], 'no change as far as is known'],
  [
    [{ group: 'branch', now: 2, running: 0, later: 0, person: 0, sites: 1 }],
    '2 changes on 1 site, 2 at once, and may start more',
  ],
])('says that devices of a request were not read', (groups, starts) => {
  const notes = [
    { reason: { code: 'notRead' }, count: 7 },
    { reason: { code: 'notDue' }, count: 2 },
  ];
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 0 };
  const view = { base: { counts, edits: ['rotations'] }, review: { groups }, verdicts: [], notes };
  expect(causedSentence(view as unknown as PlanView)).toBe(
    `This request starts ${starts}: 7 devices are not read yet. It edits rotations.`,
  );
});

it('counts the limits and variables that the request sets', () => {
  const settings = [{ at: 'guardrails.few.maxChanges', before: '7' }];
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 0 };
  const view = { base: { counts, settings }, review: { groups: [] }, verdicts: [] } as unknown;
  expect(causedSentence(view as PlanView)).toBe(
    'This request starts no change. It changes 1 setting.',
  );
});

it.each([
  [{ later: 2, now: 1, sites: 2 }, 'This request starts 3 changes on 2 sites, 1 at once.'],
  [{ person: 3, sites: 1 }, 'This request starts no change; 3 need you.'],
  [{ sites: 1 }, 'This request starts no change.'],
])('with %j says: %s', (tally, expected) => {
  const caused = { group: 'branch', now: 0, running: 0, later: 0, person: 0, ...tally };
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 1 };
  const view = { base: { counts }, review: { groups: [caused] }, verdicts: [] } as unknown;
  expect(causedSentence(view as PlanView)).toBe(expected);
});

const moved = { policies: ['firmware.axis'], from: '2026-12-18', to: '2027-01-07' };
it.each([
  [{ is: 'new', changes: 12, before: 0 }, 'makes 12 changes of firmware.axis start later'],
  [
    { is: 'changed', changes: 12, before: 8 },
    'makes 12 changes of firmware.axis start later (8 before)',
  ],
  [
    { is: 'changed', changes: 12, before: 12 },
    'makes 12 changes of firmware.axis start later (12 before)',
  ],
  [{ is: 'gone', changes: 0, before: 3 }, 'no longer makes 3 changes of firmware.axis start later'],
  [
    { is: 'gone', changes: 0, before: 3, policies: ['firmware.axis', 'firmware.bosch'] },
    'no longer makes 3 changes start later',
  ],
  [{ is: 'new', changes: 0, before: 0, policies: [] }, 'is new, and moves no date of this plan'],
])('says in line 1 what a request does with a freeze: %j', (freeze, expected) => {
  const base = {
    counts: { pending: 12, clock: 0, dropped: 0, branch: 0 },
    freezes: [{ freeze: 'christmas', ...moved, ...freeze }],
  };
  const evaluatedAt = '2026-11-29T10:00:00Z';
  const view = { base, evaluatedAt, review: { groups: [] }, verdicts: [] } as unknown as PlanView;
  expect(causedSentence(view)).toBe(
    `This request starts no change. Freeze christmas (18 Dec to 7 Jan 2027) ${expected}.`,
  );
});

it('counts what it only holds back as no start', () => {
  const caused = { group: 'branch', now: 0, running: 0, later: 5, person: 0, sites: 2 };
  const counts = { pending: 0, clock: 0, dropped: 0, branch: 5 };
  const says = (held: number): string => {
    const view = { base: { counts, held }, review: { groups: [caused] }, verdicts: [] } as unknown;
    return causedSentence(view as PlanView);
  };
  expect(says(5)).toBe('This request starts no change. It holds 5 changes back.');
  expect(says(2)).toBe('This request starts 3 changes, all later. It holds 2 changes back.');
});
