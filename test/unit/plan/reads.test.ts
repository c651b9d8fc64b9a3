import { describe, expect, it } from 'vitest';
import { knownFacts } from '../../../src/facts/known-facts.ts';
import { openChoice } from '../../../src/facts/read-choice.ts';
import { identityDigest, readerDigest, type Fact } from '../../../src/facts/fact.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { joinSides, wantedReads } from '../../../src/plan/needed-reads.ts';
import type { PlannerInput } from '../../../src/plan/input.ts';
import {
  aDevice,
  aMemory,
  aRotationPolicy,
  aSnapshot,
  entries,
  A_ROLLOUT,
  NOW,
  someDocuments,
  sourced,
} from '../../support/plan-fleet.ts';

const DAY = 86_400_000;
const dialect = resolveDialect();
const CAMERAS = ['cam-1', 'cam-2'].map((id) => aDevice(id));
const DOORS = [aDevice('door-1', { deviceType: 'intercom' })];

function documents(maxAge: number): Documents {
  const policy = (name: string, type: string, age: number) =>
    sourced(
      name,
      aRotationPolicy(name, {
        select: { deviceType: [type] },
        due: { is: 'maxAge', maxAge: age * DAY, headStart: 0, spread: 0 },
      }),
    );
  return someDocuments({
    rollouts: entries({ default: A_ROLLOUT }),
    rotations: new Map([
      ['cameras', policy('cameras', 'camera', maxAge)],
      ['doors', policy('doors', 'intercom', 180)],
    ]),
  });
}

/** The fleet with these facts about passwords: changed so many days ago, read so many days ago. */
function fleet(facts: Readonly<Record<string, readonly [changed: number, read: number]>>) {
  const devices = [...CAMERAS, ...DOORS];
  const stored = Object.entries(facts).map(([id, [changed, read]]): readonly [string, Fact] => [
    `password ${id}`,
    {
      kind: 'password',
      id,
      at: NOW - read * DAY,
      reader: readerDigest('password', dialect),
      who: identityDigest(devices.find((device) => device.id === id) ?? aDevice(id)),
      value: { is: 'password', changed: NOW - changed * DAY },
    },
  ]);
  const rows = aSnapshot(devices);
  const memory = aMemory();
  const known = knownFacts({
    facts: new Map(stored),
    devices: rows.devices,
    dialect,
    memory,
    now: NOW,
    maxAge: 7 * DAY,
  });
  const input = (side: Documents) =>
    ({
      documents: side,
      snapshot: { ...rows, facts: (id: string) => known.facts(id) },
      memory,
      now: NOW,
      dialect,
      expiresAfter: DAY,
      inputs: {},
    }) as unknown as PlannerInput;
  const quota = { most: 100, renewals: 0, reserved: 0 };
  return (head: Documents, base?: Documents): readonly string[] => {
    const sides = (base ? [head, base] : [head]).map((side) => wantedReads(input(side)));
    const { read } = openChoice(joinSides(sides), known, { now: NOW })({
      answered: new Set(),
      quota,
    });
    return [...new Set(read.map(({ deviceId }) => deviceId))];
  };
}

describe('what a plan reads', () => {
  it('N11 is what is due within a day and not fresh, and what nobody read', () => {
    const reads = fleet({ 'cam-1': [179.5, 2], 'door-1': [10, 2] });
    expect(reads(documents(180))).toEqual(['cam-1', 'cam-2']);
    expect(
      fleet({ 'cam-1': [178, 2], 'cam-2': [190, 0.5], 'door-1': [10, 2] })(documents(180)),
    ).toEqual([]);
  });

  it('N27 is of a comparison what can differ and what is due, and no more', () => {
    const [head, base] = [documents(90), documents(180)];
    expect(fleet({})(head, base).toSorted()).toEqual(['cam-1', 'cam-2']);
    expect(fleet({ 'cam-1': [100, 2], 'cam-2': [10, 2] })(head, base)).toEqual(['cam-1']);
    expect(fleet({ 'door-1': [190, 2] })(head, base).toSorted()).toEqual([
      'cam-1',
      'cam-2',
      'door-1',
    ]);
    expect(fleet({})(head, head)).toEqual([]);
  });
});
