import { describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, countOf } from '../support/campaign.ts';
import { replayOf, type Replayed } from './replay.ts';

/** So many plans of so many histories. */
const REPLAYS = countOf('replays');

/** Seeds that found something once: two budgets that refuse together, two freezes of one window. */
const FOUND = [374, 921];

describe('plans made again from the record', { timeout: CAMPAIGN_TIMEOUT }, () => {
  it('have the very bytes that they had', async () => {
    const replayed: Replayed[] = [];
    for (let seed = 1; replayed.length < REPLAYS; seed += 1) {
      const one = await replayOf(seed);
      if (one) replayed.push(one);
    }
    for (const seed of FOUND) {
      const one = await replayOf(seed);
      if (one && !replayed.some((known) => known.seed === seed)) replayed.push(one);
    }
    process.stdout.write(`${told(replayed)}\n`);
    expect(replayed.filter(({ isSame }) => !isSame).map(({ seed }) => seed)).toEqual([]);
    for (const of of ['devices', 'files', 'records', 'changes'] as const)
      expect(new Set(replayed.map((one) => one[of])).size, of).toBeGreaterThan(REPLAYS / 10);
    expect(new Set(replayed.map(({ hasBase }) => hasBase)).size).toBe(2);
  });
});

function told(replayed: readonly Replayed[]): string {
  const sum = (of: (one: Replayed) => number): string =>
    replayed.reduce((all, one) => all + of(one), 0).toLocaleString('en');
  return [
    `plans made again: ${sum(() => 1)} of as many histories`,
    `byte for byte the same: ${sum(({ isSame }) => Number(isSame))}`,
    `made from ${sum(({ files }) => files)} files, ${sum(({ devices }) => devices)} devices, ${sum(({ records }) => records)} records`,
    `they hold ${sum(({ changes }) => changes)} changes; ${sum(({ hasBase }) => Number(hasBase))} are held against a base`,
  ].join('\n');
}
