import { expect, test } from 'vitest';
import { basisNow, recheck } from '../../../src/apply/send/recheck.ts';
import type { Device } from '../../../src/model/fleet/device.ts';
import { atWork } from '../../support/last-look.ts';
import { scenarios } from '../../support/plan-scenario.ts';

const SCENARIO = scenarios().find(({ name }) => name.includes('what-was-not-understood'));

/** What the last look makes of a password that is due, where fields of the device cannot be read. */
async function lookedAt(id: string, unreadable: readonly string[]): Promise<string> {
  if (!SCENARIO) throw new Error('no scenario 96');
  const { run, survey, candidates } = await atWork(SCENARIO);
  const candidate = candidates.find(({ change }) => change.id === `rotatePassword/${id}`);
  const row = survey.snapshot.devices.rowOf(id);
  if (!candidate || row === undefined) throw new Error(`not due: ${id}`);
  const { firmwareVersion: _, ...device } = survey.snapshot.devices.at(row);
  const now: Device = unreadable.length > 0 ? { ...device, unreadable } : device;
  const basis = basisNow(run, {
    outages: run.reading.outagesNow(),
    schedule: run.reading.schedule,
    followed: run.reading.followNow(),
  });
  const seen = { device: now, facts: survey.snapshot.facts(id) };
  const found = recheck(run, candidate, { basis, seen });
  return found.is === 'holds' ? found.is : JSON.stringify(found.said.reason?.params);
}

test('M20 a version that could be read and cannot any more may be one that is held', async () => {
  expect(await lookedAt('cam-7', ['firmwareVersion'])).toBe('{"field":"firmwareVersion"}');
  expect(await lookedAt('cam-7', ['supportEndsAt'])).toBe('holds');
  expect(await lookedAt('cam-10', ['firmwareVersion'])).toBe('holds');
});
