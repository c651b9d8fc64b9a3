import { describe, expect, it } from 'vitest';
import { cells } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { declared, runMatrix, sampleOf } from './matrix.ts';
import { pairTable, runPair, somePairs } from './pairs.ts';
import { VARIANTS, type CellResult } from './run-cell.ts';

/** Of the meaningful cells; `npm run faults` runs all. */
const SAMPLE = 300;

/** Of the same with the fault at every call or the last; `npm run faults -- --every` and `--last` run all. */
const OTHERS = 16;

/** Of those that can meet; `npm run faults -- --pairs N` runs more. */
const PAIRS = 12;

/** Rotates with the runs of CI; stands still elsewhere. */
const SEED = Number(process.env['GITHUB_RUN_NUMBER'] ?? 7);

describe('the fault matrix', () => {
  it(`holds in ${SAMPLE} cells`, { timeout: 900_000 }, async () => {
    const chosen = sampleOf(SAMPLE);
    const { wrong, table } = await runMatrix(chosen, 'first');
    process.stdout.write(table);
    expect(wrong).toEqual([]);
  });

  it.each(['every', 'last'] as const)(
    `holds in ${OTHERS} cells where %s call meets the fault`,
    { timeout: 120_000 },
    async (variant) => {
      const chosen = sampleOf(OTHERS);
      expect((await runMatrix(chosen, variant)).wrong).toEqual([]);
    },
  );

  it(`holds in ${PAIRS} pairs of faults`, { timeout: 120_000 }, async () => {
    const results: CellResult[] = [];
    for (const pair of somePairs(PAIRS, SEED)) results.push(await runPair(pair));
    process.stdout.write(pairTable(results, SEED));
    expect(results.filter(({ broken }) => broken.length > 0)).toEqual([]);
  });

  it('has 66 classes, each with a name of its own', () => {
    expect(new Set(FAULT_CLASSES.map(({ id }) => id)).size).toBe(66);
  });

  it.each(VARIANTS)('declares every meaningful cell, and no other: %s call', (variant) => {
    const names = cells().possible.map(({ name }) => name);
    expect([...declared(variant).keys()]).toEqual(names);
  });

  it('gives a reason for every cell that cannot be', () => {
    const { possible, impossible } = cells();
    expect(possible.length + impossible.length).toBe(66 * 6 * 4);
    expect(impossible.filter(({ why }) => why === '')).toEqual([]);
  });
});
