import { expect, test } from 'vitest';
import { rolloutRecord } from '../../../src/rollout/progress/rollout-records.ts';
import { aMemory } from '../../support/plan-fleet.ts';
import { anInput, begun, follow, members } from '../../support/rollout-rig.ts';

const APPROVED = new Set(members(10).map(({ id }) => id));

/** Ten devices were approved, then five hundred more moved in. */
const MOVED_IN = anInput({
  members: members(510),
  covers: (task, id) => task === 'upgradeFirmware' && APPROVED.has(id),
});

test('G2 a rollout begins with whom the approved plan covers, and with nobody else', () => {
  const followed = follow(MOVED_IN, aMemory());
  const body = rolloutRecord(followed, ['d001']);
  expect(new Set(body?.base)).toEqual(APPROVED);
  expect(body?.waves?.map(({ name, devices }) => [name, devices])).toEqual([
    ['canary', 5],
    ['early', 0],
    ['broad', 0],
    ['rest', 5],
  ]);
});

test('a canary of approved devices waits for no device that nobody approved', () => {
  const { assignment, refuses } = follow(MOVED_IN, aMemory());
  const [canary = []] = assignment.waves;
  expect(canary.every((id) => APPROVED.has(id))).toBe(true);
  expect(canary.map(refuses)).toEqual(canary.map(() => undefined));
});

test('once begun, whoever was approved later joins it late and changes no wave', () => {
  const first = anInput({ members: members(10) });
  const memory = begun(first);
  const followed = follow(anInput({ members: members(510), covers: () => true }), memory);
  expect(followed.assignment.waves).toEqual(follow(first, memory).assignment.waves);
  expect(followed.assignment.lateJoiners).toHaveLength(500);
  expect(rolloutRecord(followed, ['d001', 'd500'])?.base).toEqual(['d500']);
});

test('without an approved plan all that is wanted is the base', () => {
  const body = rolloutRecord(follow(anInput({ members: members(510) }), aMemory()), ['d001']);
  expect(body?.base).toHaveLength(510);
});
