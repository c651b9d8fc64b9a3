import { describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, countOf } from '../support/campaign.ts';
import { cells } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { declared, runMatrix, sampleOf } from './matrix.ts';
import { pairTable, runPair, somePairs } from './pairs.ts';
import { VARIANTS, type CellResult } from './run-cell.ts';

const SEED = campaignSeed(7);

describe('the fault matrix', () => {
  it('holds where the first call meets the fault', { timeout: CAMPAIGN_TIMEOUT }, async () => {
    const chosen = sampleOf(countOf('faultCells'));
    const { wrong, table } = await runMatrix(chosen, 'first');
    process.stdout.write(table);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['every', 'faultCellsEvery'],
    ['last', 'faultCellsLast'],
  ] as const)(
    'holds where %s call meets the fault',
    { timeout: CAMPAIGN_TIMEOUT },
    async (variant, count) => {
      const chosen = sampleOf(countOf(count));
      expect((await runMatrix(chosen, variant)).wrong).toEqual([]);
    },
  );

  it('holds in pairs of faults', { timeout: CAMPAIGN_TIMEOUT }, async () => {
    const results: CellResult[] = [];
    for (const pair of somePairs(countOf('faultPairs'), SEED)) results.push(await runPair(pair));
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
