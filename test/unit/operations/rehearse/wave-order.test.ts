import { expect, it } from 'vitest';
import { summarize } from '../../../../src/operations/rehearse/run-rehearsal.ts';
import type { Course } from '../../../../src/operations/rehearse/course.ts';
import { documentsOf, firmware, NOW } from '../../../support/desired-documents.ts';

const policy = 'firmware.p';

/** A course in which a change of each wave is left late, so that no wave has an end. */
function lateCourse(waves: readonly string[]): Course {
  const fates = waves.map((wave) => [
    wave,
    { policy, task: 'upgradeFirmware', wave, is: 'late', reason: 'waveNotOpen' },
  ]);
  const tally = {
    fates: () => new Map(fates as never),
    stops: [],
    ended: [],
    closed: [],
    tasks: 0,
  };
  const requests = { total: 0, busiestDay: 0 };
  return { tally, requests, runs: 1, outages: [] } as unknown as Course;
}

it('waves without an end come in the order of their rollout, not by name', () => {
  const documents = documentsOf({ firmware: [firmware('p', { rollout: 'default' })] });
  const course = lateCourse(['rest', 'broad', 'canary']);
  const { policies } = summarize([course], { from: NOW, until: NOW + 86_400_000, documents });
  expect(policies[0]?.waves.map(({ name }) => name)).toEqual(['canary', 'broad', 'rest']);
});
