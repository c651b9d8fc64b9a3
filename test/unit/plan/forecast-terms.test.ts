import { expect, test } from 'vitest';
import type { Evaluation } from '../../../src/plan/decide/decision-input.ts';
import { findTerm } from '../../../src/plan/forecast/due-terms.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const DAY = 86_400_000;

/** The term of a rotation that is due since and breaches at these moments. */
function termFor(since: number, breachesAt: number) {
  const judgement = { is: 'due', since, breachesAt };
  const evaluation = { judgement, policy: { value: { section: 'rotations' } }, case: { now: NOW } };
  return findTerm(evaluation as unknown as Evaluation);
}

test('lasts from when it fell due to when it breaches', () => {
  expect(termFor(NOW - DAY, NOW + DAY)).toEqual({ due: NOW - DAY, before: NOW + DAY });
});

test.each([
  ['is over', NOW - 2 * DAY, NOW - DAY],
  ['never ends', NOW - DAY, Infinity],
  ['has lasted for ever', -Infinity, NOW + DAY],
  ['is not known', Number.NaN, NOW + DAY],
])('there is none where it %s', (_, since, breachesAt) => {
  expect(termFor(since, breachesAt)).toBeUndefined();
});
