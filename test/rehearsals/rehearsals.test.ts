import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accept } from '../../src/ledger/acceptor.ts';
import type { Progress } from '../../src/model/progress.ts';
import type { RunReport } from '../../src/model/outcome.ts';
import { createSteps } from '../support/rehearsal-steps.ts';
import { doneTwice, unannounced } from '../support/rehearsal-laws.ts';
import { linesOf, summaryOf, type RunSummary } from '../support/rehearsal-summary.ts';
import { createWorld, readRehearsal, rehearsals } from '../support/rehearsal-world.ts';
import { watch } from '../support/canary-watch.ts';

describe.each(rehearsals())('%s', (name) => {
  it('ends as expected, with a ledger that is allowed and sums that are right', async () => {
    const rehearsal = readRehearsal(name);
    const world = createWorld(rehearsal.script);
    const runs: RunSummary[] = [];
    const effects: string[] = [];
    const progress: Progress[] = [];
    const onProgress = (one: Progress): void => void progress.push(one);
    const onEffect = (what: string): void => void effects.push(what);
    const take = createSteps(rehearsal, world);
    watch(`ledger, reports and effects of ${name}`, () =>
      JSON.stringify([world.store.records, runs, effects, progress]),
    );
    for (const [index, run] of rehearsal.script.runs.entries()) {
      const { report, refused } = await take(run, { process: index + 1, onEffect, onProgress });
      if (report) {
        expectSums(report);
        runs.push({ ...(refused !== undefined && { refused }), ...summaryOf(report) });
      }
    }
    const { records } = world.store;
    expect(accept(records)).toEqual([]);
    expect(unannounced(effects)).toEqual([]);
    expect(doneTwice(world.twin.world)).toEqual([]);
    const actual = { about: rehearsal.script.about, runs, ledger: linesOf(records) };
    await expect(`${JSON.stringify(actual, null, 2)}\n`).toMatchFileSnapshot(
      join(import.meta.dirname, name, 'expected.json'),
    );
  });
});

/** I7: one class per change, and the classes add up to the plan. */
function expectSums({ endings, counts }: RunReport): void {
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(endings.length);
  expect(new Set(endings.map(({ change }) => change.id)).size).toBe(endings.length);
}
