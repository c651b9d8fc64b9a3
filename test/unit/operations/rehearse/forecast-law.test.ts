import { expect, it } from 'vitest';
import { runRehearsal } from '../../../../src/operations/rehearse/run-rehearsal.ts';
import { countOf } from '../../../support/campaign.ts';
import { FROM, rehearsalInput, snapshotOf } from '../../../support/rehearsed.ts';
import {
  AS_FORETOLD,
  findLie,
  foretell,
  FORETOLD,
  takeCourses,
} from '../../../support/foretold-fleet.ts';

/** A share of those of `forecast-law.slow.test.ts`. */
const SEEDS = Array.from({ length: countOf('forecasts') }, (_, seed) => seed);

it('N86 generated fleets end when their plan says, or one window later, and nothing blocked ends', async () => {
  const lies: string[] = [];
  for (const seed of SEEDS)
    lies.push(...(await takeCourses(seed)).flatMap((course) => findLie(course) ?? []));
  expect(lies).toEqual([]);
});

it.each(FORETOLD.slice(0, 3))('N62 N86 %s: the end is about when foretold', async (...course) => {
  expect(await foretell(...course)).toEqual(AS_FORETOLD);
});

it('R12 the gate of a rotation does not time out while its overdue devices wait for days of their own', async () => {
  const text = `service: {baseUrl: "https://service.test", organization: acme, pace: {requestsPerSecond: 10}}
rotations: {passwords: {task: rotatePassword, select: {vendor: Axis}, maxAge: 30d, headStart: 3d, windows: anytime}}
guardrails: {default: {maxPercentOfFleet: 100%}}
`;
  const camera = { vendor: 'Axis', model: 'P3265-V', deviceType: 'camera', site: 'Lab' };
  const old = { firmwareVersion: '11.11.160', passwordChangedAt: '2026-01-10T00:00:00Z' };
  const input = rehearsalInput(text, snapshotOf([{ ...camera, ...old, count: 6 }]));
  const { policies, stops } = await runRehearsal({ ...input, until: FROM + 30 * 86_400_000 });
  expect(stops).toEqual([]);
  expect(policies).toMatchObject([{ done: 6, blocked: 0 }]);
});
