import { describe, expect, it } from 'vitest';
import { lastLook } from '../../../../src/apply/send/last-look.ts';
import { basisNow, recheck } from '../../../../src/apply/send/recheck.ts';
import type { Candidate } from '../../../../src/apply/send/candidate.ts';
import type { Run } from '../../../../src/apply/run/run.ts';
import { markAsMarker, toMark } from '../../../../src/model/fleet/mark.ts';
import type { PasswordFacts } from '../../../../src/model/fleet/snapshot.ts';
import { atWork, type AtWork } from '../../../support/last-look.ts';
import { readScenario } from '../../../support/plan-scenario.ts';

const DAY = 86_400_000;

/** A run that is to rotate a password which the plan says is 200 days old, and has its one candidate. */
async function toRotate(): Promise<AtWork & { readonly candidate: Candidate }> {
  const work = await atWork(readScenario('17-R8-password-due-by-age'));
  const candidate = work.candidates.find(({ change }) => change.device.id === 'cam-1');
  if (!candidate) throw new Error('nothing to rotate');
  return { ...work, candidate };
}

/** The same candidate of a plan that knows the mark of its credential, and not the marker. */
function knowing(candidate: Candidate, marker: string): Candidate {
  const { change } = candidate;
  const known = markAsMarker(toMark(change.device.id, marker));
  return { ...candidate, change: { ...change, target: known, marker: known } };
}

describe('what a plan knows of a credential', () => {
  it('N13 N24 is compared by its mark, and the intent is that of the marker as read', async () => {
    const { candidate, look } = await toRotate();
    const { target } = candidate.change;
    const held = look(knowing(candidate, target));
    expect(held).toMatchObject({ is: 'holds', change: { target, marker: target } });
  });

  it('N12 is stale where the last look reads another one', async () => {
    const { candidate, look } = await toRotate();
    expect(look(knowing(candidate, 'another'))).toMatchObject({
      is: 'ends',
      said: { outcome: 'skipped', reason: { code: 'stale' } },
    });
  });

  it('N12 is never what the last look goes by: it reads the device, and judges again', async () => {
    const { run, candidate, survey } = await toRotate();
    const { snapshot } = survey;
    const reads: string[] = [];
    const rotated: PasswordFacts = { changedAt: run.clock.now() - DAY, marker: 'since rotated' };
    const service = {
      holdToken: () => Promise.resolve(),
      async *list() {
        yield [];
        return { total: 0, rows: 0, pages: 1 };
      },
      device: (id: string) =>
        Promise.resolve({ value: snapshot.devices.at(snapshot.devices.rowOf(id) ?? 0) }),
      passwords: (id: string) => {
        reads.push(id);
        return Promise.resolve(rotated);
      },
    };
    const live = {
      ...run,
      service,
      progress: () => undefined,
      health: run.health,
      clock: { ...run.clock, monotonic: () => 0 },
    } as unknown as Run;
    const { seen } = await lastLook(live, [candidate]);
    expect(reads).toEqual(['cam-1']);
    const shown = seen.get('cam-1');
    const basis = basisNow(run, {
      outages: run.reading.outagesNow(),
      schedule: run.reading.schedule,
      followed: run.reading.followNow(),
    });
    expect(recheck(run, candidate, { basis, seen: shown })).toMatchObject({
      is: 'ends',
      said: { outcome: 'skipped', reason: { code: 'notDue' } },
    });
  });
});
