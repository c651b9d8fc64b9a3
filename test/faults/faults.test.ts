import { describe, expect, it } from 'vitest';
import { cells } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { declared, runMatrix, sampleOf } from './matrix.ts';

/** Of the meaningful cells; `npm run faults` runs all. */
const SAMPLE = 300;

describe('the fault matrix', () => {
  it(`holds in ${SAMPLE} cells`, { timeout: 300_000 }, async () => {
    const { wrong, table } = await runMatrix(sampleOf(SAMPLE), 1);
    process.stdout.write(table);
    expect(wrong).toEqual([]);
  });

  it('has 66 classes, each with a name of its own', () => {
    expect(new Set(FAULT_CLASSES.map(({ id }) => id)).size).toBe(66);
  });

  it('declares every meaningful cell, and no other', () => {
    const names = cells().possible.map(({ name }) => name);
    expect([...declared().keys()]).toEqual(names);
  });

  it('gives a reason for every cell that cannot be', () => {
    const { possible, impossible } = cells();
    expect(possible.length + impossible.length).toBe(66 * 6 * 4);
    expect(impossible.filter(({ why }) => why === '')).toEqual([]);
  });
});
