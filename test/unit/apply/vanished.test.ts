import { expect, it } from 'vitest';
import { exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

/** A first run over 20 devices; then so many are no longer shown, and the rest want an update again. */
async function afterVanishing(count: number) {
  const happy = readRehearsal('happy-batch');
  const rehearsal = { ...happy, script: { ...happy.script, devices: 20 } };
  const world = createWorld(rehearsal.script);
  await runOnce(rehearsal, world, { process: 1 });
  world.clock.skip(24 * 3_600_000);
  const { devices } = world.twin.world.state;
  devices.splice(0, count);
  for (const device of devices) device.firmwareVersion = '11.11.124';
  const { report } = await runOnce(rehearsal, world, { process: 2 });
  if (!report) throw new Error('no report');
  return report;
}

it('a tenth of the fleet may vanish between two runs', async () => {
  expect(await afterVanishing(2)).toMatchObject({ counts: { verified: 18 } });
});

it('G7 more than a tenth stops everything, and says how many', async () => {
  const report = await afterVanishing(3);
  expect(report).toMatchObject({ ended: 'guardrail', attempts: 0, counts: { notStarted: 17 } });
  expect(report.refused).toMatchObject([{ limit: 'maxVanished', number: 3, allowed: 2, of: 20 }]);
  expect(exitOfRun(report)).toBe(3);
});
