import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/twin/faults/fault.ts';
import { runOnce } from '../../support/rehearsal.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal } from '../../support/rehearsal-world.ts';

const POST = { method: 'POST', path: '/v1/tasks' };

/** Worlds that a run leaves with something open, and that do not change afterwards. */
const WORLDS: readonly (readonly [string, readonly FaultRule[]])[] = [
  ['nothing open', []],
  ['a batch in doubt', [{ match: { ...POST, nth: 2 }, fault: { type: 'lostRequest' } }]],
  ['everything in doubt', [{ match: POST, fault: { type: '500' } }]],
  ['a task that never ends', [{ match: { deviceId: 'dev-2' }, fault: { type: 'stuckTask' } }]],
  ['a device that lies', [{ match: { deviceId: 'dev-2' }, fault: { type: 'liar' } }]],
  ['a refused task', [{ match: { ...POST, nth: 1 }, fault: { type: '401' } }]],
];

/** The documents without any policy: what a run then does is to resume, as the command does. */
function emptied(rehearsal: ReturnType<typeof readRehearsal>): typeof rehearsal {
  return { ...rehearsal, documents: { ...rehearsal.documents, firmware: new Map() } };
}

describe('I18: three resumes in a world that does not change', () => {
  it.each(WORLDS)('with %s they append their lease and nothing else', async (_, faults) => {
    const happy = readRehearsal('happy-batch');
    const rehearsal = { ...happy, script: { ...happy.script, faults } };
    const world = createWorld(rehearsal.script);
    await runOnce(rehearsal, world, { process: 1 });
    // What went dark meanwhile is a sign, and is told once.
    for (const device of world.twin.world.state.devices) device.silent = device.id !== 'dev-1';
    world.clock.skip(3 * 24 * 3_600_000);
    await runOnce(emptied(rehearsal), world, { process: 2 });
    const { length } = world.store.records;
    for (const process of [3, 4, 5]) await runOnce(emptied(rehearsal), world, { process });
    const appended = linesOf(world.store.records.slice(length));
    expect(appended).toEqual(['LOCK', 'RELEASE', 'LOCK', 'RELEASE', 'LOCK', 'RELEASE']);
  });
});
