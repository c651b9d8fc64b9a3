import { describe, expect, it } from 'vitest';
import { tabulateRun } from '../../src/model/ledger/run-table.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import { exitOfRun } from '../../src/shell/exit-of-run.ts';
import { createVirtualClock } from '../../src/rehearse/virtual-clock.ts';
import { createTwin } from '../../src/twin/twin.ts';
import { setScene } from '../simulation/scene.ts';
import { campaignSeed, draws, isTried } from '../support/campaign.ts';
import { takeCourse, takeCourseOf } from '../support/rehearsal-course.ts';
import { mergeCommit } from '../support/rehearsal-gate.ts';
import {
  rehearsals,
  type Rehearsal,
  type RehearsalWorld,
  type ScriptedRun,
} from '../support/rehearsal-world.ts';
import { StoreDouble } from '../support/store-double.ts';

/** Another client ends its task while the run is at work: who reads again finds the device back. */
const CHANGED_BESIDE = 'X3-somebody-else-works-on-the-device';

/** The reading at the end of a run closes the canary. */
const WAVE_CLOSED = '81-C6-waves-follow-when-their-gate-is-passed';

/** What a report says, without the instants of its reading. */
function said(report: RunReport) {
  const { surveyed, left, counts } = report;
  const { coverage, beyond, news, isTorn } = surveyed ?? {};
  const rows = left?.endings.map(({ change, outcome, reason, column }) => {
    return [change.id, change.action, outcome, column, reason?.code, reason?.why];
  });
  const table = tabulateRun(report);
  const covered = coverage && { ...coverage, due: undefined, oldest: undefined };
  return { exit: exitOfRun(report), counts, table, rows, covered, beyond, news, isTorn };
}

/** Nights of a fleet that is drawn from a seed, with documents that fit it, on a service that lies in nothing. */
const NIGHTS: readonly ScriptedRun[] = [{}, { after: '13h' }, { after: '1d' }, { after: '6d' }];

const SEEDS = Array.from({ length: draws(24) }, (_, nth) => campaignSeed(7) * 1_000 + nth);

/** A fleet of the simulation: nothing is wrong with its service, and nobody else works on it. */
function draw(seed: number): { rehearsal: Rehearsal; world: RehearsalWorld } {
  const { brief, twin: drawn, commits } = setScene(seed);
  const [first] = commits;
  if (!first) throw new Error(`seed ${seed} has no documents`);
  const { documents } = first;
  const about = `the fleet of seed ${seed}`;
  const script = { about, devices: brief.devices.length, sites: 1, runs: NIGHTS };
  const clock = createVirtualClock(brief.start);
  const twin = createTwin({
    clock: { now: () => clock.now(), wait: (ms) => clock.inside.sleep(ms) },
    world: drawn.save(),
  });
  const merged = mergeCommit(documents, []);
  return {
    rehearsal: { name: about, script, documents, merged },
    world: { clock, twin, store: new StoreDouble() },
  };
}

/** Its list moves while it is read: one reading is torn where another is not. */
const isChurned = (name: string): boolean => name.includes('churn');

const tried = rehearsals().filter(
  (name, nth) => name !== CHANGED_BESIDE && !isChurned(name) && isTried(nth),
);

describe.each(tried)('X14 the end of %s', (name) => {
  it('says without a second reading, and without another plan of a closed wave, what it says with them', async () => {
    const once = await takeCourse(name);
    const twice = await takeCourse(name, { rereads: true });
    expect(once.text).toBe(twice.text);
    expect(once.reports.map(said)).toEqual(twice.reports.map(said));
  });
});

describe(`X14 the end of ${CHANGED_BESIDE}`, () => {
  it('leaves to the next run what came back since the reading, and says so', async () => {
    const { reports, broken } = await takeCourse(CHANGED_BESIDE);
    expect(reports.map(({ counts }) => [counts.verified, counts.notStarted])).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect(broken).toEqual([]);
  });
});

/** How many plans the runs of a rehearsal make. */
async function countPlans(name: string, how: { readonly rereads?: boolean } = {}): Promise<number> {
  let plans = 0;
  await takeCourse(name, { ...how, onPlan: () => void (plans += 1) });
  return plans;
}

describe(`X14 the end of ${WAVE_CLOSED}`, () => {
  it('plans no more for the record of a wave that its plan has closed', async () => {
    expect(await countPlans(WAVE_CLOSED)).toBeLessThan(
      await countPlans(WAVE_CLOSED, { rereads: true }),
    );
  });
});

describe('X14 the ends of runs on generated fleets', () => {
  it.each(SEEDS)('say without a second reading what they say with one: seed %i', async (seed) => {
    const [once, twice] = [draw(seed), draw(seed)];
    const first = await takeCourseOf(once.rehearsal, once.world);
    const second = await takeCourseOf(twice.rehearsal, twice.world, { rereads: true });
    expect(first.reports.map(said)).toEqual(second.reports.map(said));
    expect(first.text).toBe(second.text);
  });
});
