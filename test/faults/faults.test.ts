import { describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, countOf } from '../support/campaign.ts';
import { cells } from './cells.ts';
import { FAULT_CLASSES } from './classes.ts';
import { declared, runMatrix, sampleOf } from './matrix.ts';
import { pairTable, runPair, somePairs } from './pairs.ts';
import { VARIANTS, type CellResult } from './run-cell.ts';

const SEED = campaignSeed(7);

const DONE = 'exit 0 verified 4; rows P03; in the end 4 of 4';

/** What each phase comes to when nothing happens to it. */
const UNDISTURBED = {
  plan: 'plans 4; rows P03; in the end 4 of 4',
  apply: DONE,
  verify: DONE,
  resume: 'exit 0 verified 4; rows P03 P12; in the end 4 of 4',
};

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

  it('has 69 classes, each with a name of its own', () => {
    expect(new Set(FAULT_CLASSES.map(({ id }) => id)).size).toBe(69);
  });

  it.each(VARIANTS)('declares every meaningful cell, and no other: %s call', (variant) => {
    const names = cells().possible.map(({ name }) => name);
    expect([...declared(variant).keys()]).toEqual(names);
  });

  it.each(VARIANTS)('declares that no failing observer changes anything: %s call', (variant) => {
    const outcomes = declared(variant);
    const watched = cells().possible.filter(({ fault }) => 'watchers' in fault.injection);
    expect(watched.length).toBeGreaterThan(50);
    for (const { name, phase } of watched)
      expect(outcomes.get(name), name).toBe(UNDISTURBED[phase]);
  });

  it('gives a reason for every cell that cannot be', () => {
    const { possible, impossible } = cells();
    expect(possible.length + impossible.length).toBe(69 * 6 * 4);
    expect(impossible.filter(({ why }) => why === '')).toEqual([]);
  });
});
