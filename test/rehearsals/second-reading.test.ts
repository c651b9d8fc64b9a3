import { describe, expect, it } from 'vitest';
import { tabulateRun } from '../../src/model/ledger/run-table.ts';
import type { RunReport } from '../../src/model/ledger/run-report.ts';
import { exitOfRun } from '../../src/shell/exit-of-run.ts';
import { isTried } from '../support/campaign.ts';
import { takeCourse } from '../support/rehearsal-course.ts';
import { rehearsals } from '../support/rehearsal-world.ts';

/** Another client ends its task while the run is at work: who reads again finds the device back. */
const CHANGED_BESIDE = 'X3-somebody-else-works-on-the-device';

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

/** Its list moves while it is read: one reading is torn where another is not. */
const isChurned = (name: string): boolean => name.includes('churn');

const tried = rehearsals().filter(
  (name, nth) => name !== CHANGED_BESIDE && !isChurned(name) && isTried(nth),
);

describe.each(tried)('X14 the end of %s', (name) => {
  it('says without a second reading what it says with one', async () => {
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
