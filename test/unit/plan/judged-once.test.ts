import { afterEach, describe, expect, it, vi } from 'vitest';
import { knownFacts } from '../../../src/facts/known-facts.ts';
import { openChoice } from '../../../src/facts/read-choice.ts';
import { identityDigest, readerDigest, type Fact } from '../../../src/facts/fact.ts';
import { rotatePassword } from '../../../src/kinds/rotate-password.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { wantedReads } from '../../../src/plan/needed-reads.ts';
import { plan } from '../../../src/plan/plan.ts';
import { INPUTS } from '../../support/plan-change.ts';
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
const cameras = Array.from({ length: 30 }, (_, n) => aDevice(`cam-${n}`));
const documents = someDocuments({
  rollouts: entries({ default: A_ROLLOUT }),
  rotations: new Map([
    [
      'cameras',
      sourced(
        'cameras',
        aRotationPolicy('cameras', {
          select: { deviceType: ['camera'] },
          due: { is: 'maxAge', maxAge: 180 * DAY, headStart: 0, spread: 0 },
        }),
      ),
    ],
  ]),
});

/** What an earlier run read two days ago: too old to make a password due, so that each is asked about. */
function readBefore(): ReadonlyMap<string, Fact> {
  return new Map(
    cameras.map((camera, n): readonly [string, Fact] => [
      `password ${camera.id}`,
      {
        kind: 'password',
        id: camera.id,
        at: NOW - 2 * DAY,
        reader: readerDigest('password', dialect),
        who: identityDigest(camera),
        value: { is: 'password', changed: NOW - (170 + n / 2) * DAY },
      },
    ]),
  );
}

function planned() {
  const rows = aSnapshot(cameras);
  const memory = aMemory();
  const facts = readBefore();
  const known = knownFacts({
    facts,
    devices: rows.devices,
    dialect,
    memory,
    now: NOW,
    maxAge: 7 * DAY,
  });
  const snapshot = { ...rows, facts: known.facts };
  const inputs = INPUTS;
  return {
    known,
    input: { documents, snapshot, memory, now: NOW, dialect, expiresAfter: DAY, inputs },
  };
}

afterEach(() => vi.restoreAllMocks());

describe('a device with a date of its own', () => {
  it('is judged once for a plan, with and without its rollout', () => {
    const { input } = planned();
    const judge = vi.spyOn(rotatePassword, 'judge');
    const { changes } = plan(input).plan;
    expect([...changes].length).toBeGreaterThan(0);
    expect(judge).toHaveBeenCalledTimes(cameras.length);
  });

  it('is judged once by what is known, however often reads are chosen', () => {
    const { known, input } = planned();
    const wanted = wantedReads(input);
    const judge = vi.spyOn(rotatePassword, 'judge');
    const limits = {
      answered: new Set<string>(),
      quota: { most: 10, renewals: 5, reserved: 0.25 },
    };
    const choose = openChoice(wanted, known, { now: NOW });
    const [first, again] = [choose(limits), choose(limits)];
    const later = openChoice(wanted, known, { now: NOW })(limits);
    expect(first.read.length).toBeGreaterThan(0);
    for (const each of [again, later]) expect(each.read).toEqual(first.read);
    expect(judge).toHaveBeenCalledTimes(cameras.length);
  });
});
