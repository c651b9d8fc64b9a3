import { expect, test } from 'vitest';
import { runOnce } from '../../support/rehearsal.ts';
import { doneTwice } from '../../support/rehearsal-laws.ts';
import { linesOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal, type RehearsalWorld } from '../../support/rehearsal-world.ts';
import type { StoreDouble } from '../../support/store-double.ts';

const MINUTE = 60_000;

/**
 * The same world for a process that stands still at its nth append of a kind, once that is in the ledger
 * or just before, until what happens meanwhile is over.
 */
function standingStill(
  world: RehearsalWorld,
  at: {
    readonly nth: number;
    readonly type: 'ATTEMPT' | 'RESULT';
    readonly when: 'before' | 'after';
  },
  meanwhile: () => Promise<void>,
) {
  let seen = 0;
  const append: StoreDouble['append'] = async (records, onHead) => {
    const isIt = records.some(({ body }) => body.type === at.type) && ++seen === at.nth;
    if (isIt && at.when === 'before') await meanwhile();
    const answer = await world.store.append(records, onHead);
    if (isIt && at.when === 'after') await meanwhile();
    return answer;
  };
  const store = Object.assign(Object.create(world.store) as StoreDouble, { append });
  return { ...world, store };
}

/**
 * I13: the deadline is one of the attempt, not of what it is to do. A process wakes up hours after its
 * ATTEMPT; meanwhile another one has settled it as not done, written an ATTEMPT of its own for the same
 * devices, and sent it, just now.
 */
test('who wakes up late sends nothing, though the same was attempted anew just now', async () => {
  const rehearsal = readRehearsal('Q4-as-it-was-after-the-quarantine');
  const world = createWorld({ ...rehearsal.script, devices: 2, faults: [] });
  const driven = { ...world, clock: { ...world.clock, run: <T>(life: Promise<T>) => life } };
  const other = { host: 'another', lockWait: 10 * MINUTE, watchDoubts: 45 * MINUTE };
  const stopAt = { n: 1, what: 'POST /v1/tasks', when: 'after' } as const;
  const sleeper = standingStill(world, { nth: 2, type: 'ATTEMPT', when: 'after' }, async () => {
    await runOnce(rehearsal, driven, { process: 2, ...other });
    world.clock.skip(24 * 60 * MINUTE);
    await runOnce(rehearsal, driven, { process: 3, ...other, stopAt });
  });
  await runOnce(rehearsal, sleeper, { process: 1 });
  expect(doneTwice(world.twin.world)).toEqual([]);
  const results = linesOf(world.store.records).filter((line) => /^(RESULT|ANOMALY)/.test(line));
  expect(results.slice(0, 3)).toEqual([
    'RESULT accepted P03 200',
    'RESULT inDoubt P12',
    expect.stringMatching(/^ANOMALY resultTooLate /),
  ]);
  expect(results.filter((line) => line.startsWith('ANOMALY resultTooLate'))).toHaveLength(1);
});

test('who wakes up to a ledger that another has closed reports what that found, not "not started"', async () => {
  const rehearsal = readRehearsal('happy-batch');
  const world = createWorld(rehearsal.script);
  const driven = { ...world, clock: { ...world.clock, run: <T>(life: Promise<T>) => life } };
  const other = { host: 'another', lockWait: 10 * MINUTE, watchDoubts: 90 * MINUTE };
  const sleeper = standingStill(world, { nth: 1, type: 'RESULT', when: 'before' }, async () => {
    await runOnce(rehearsal, driven, { process: 2, ...other });
  });
  const { report } = await runOnce(rehearsal, sleeper, { process: 1 });
  const [own] = world.twin.world.state.tasks;
  const sent = new Set(own?.deviceTasks.map(({ deviceId }) => deviceId));
  const told = report?.endings.filter(({ change }) => sent.has(change.device.id)) ?? [];
  expect([report?.ended, told.length]).toEqual(['locked', Math.max(1, sent.size)]);
  expect(new Set(told.map(({ outcome }) => outcome))).toEqual(new Set(['verified']));
});
