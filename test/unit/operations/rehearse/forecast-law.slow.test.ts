import { expect, it } from 'vitest';
import { countOf } from '../../../support/campaign.ts';
import {
  AS_FORETOLD,
  findLie,
  foretell,
  FORETOLD,
  takeCourses,
} from '../../../support/foretold-fleet.ts';

const SEEDS = Array.from({ length: countOf('forecasts') }, (_, seed) => seed);

it.each(SEEDS)(
  'N86 generated fleet %i ends when its plan says, or one window later',
  async (seed) => {
    const courses = await takeCourses(seed);
    expect(courses.flatMap((course) => findLie(course) ?? [])).toEqual([]);
  },
);

it.each(FORETOLD.slice(3))('N62 N86 %s: the end is about when foretold', async (...course) => {
  expect(await foretell(...course)).toEqual(AS_FORETOLD);
});
