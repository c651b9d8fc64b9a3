import { beforeAll, describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, countOf } from '../support/campaign.ts';
import { isCrash, liveThrough, type Lived } from './batch.ts';
import { simulate } from './simulate.ts';
import { coverageOf, tableOf } from './table.ts';
import { FEATURES } from './features.ts';

const SEEDS = countOf('simulation');

/** The full campaign lives through other fleets each night. */
const FIRST = campaignSeed(1);

describe('simulated fleets', () => {
  let lives: readonly Lived[] = [];
  beforeAll(async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST + index);
    lives = await liveThrough(seeds, { processes: 2 });
    process.stdout.write(`${tableOf(lives).join('\n')}\n`);
  }, CAMPAIGN_TIMEOUT);

  it('breaks no invariant, whatever happens', () => {
    const broken = lives.flatMap((lived) =>
      isCrash(lived)
        ? [`npm run simulate -- --seed ${lived.seed}: ${lived.error}`]
        : lived.violations.map(
            ({ rule, what }) => `npm run simulate -- --seed ${lived.seed}: ${rule} ${what}`,
          ),
    );
    expect(broken).toEqual([]);
  });

  it('has every feature, and nearly every two of them together', () => {
    const { features, pairs } = coverageOf(
      lives.flatMap((lived) => (isCrash(lived) ? [] : [lived])),
    );
    expect(features).toBe(FEATURES.length);
    expect(pairs).toBeGreaterThanOrEqual(0.95);
  });

  it.each([FIRST, FIRST + 1, FIRST + 2])(
    'lives through seed %i twice in the same way',
    { timeout: 120_000 },
    async (seed) => {
      const known = lives.find((lived) => lived.seed === seed);
      const again = await simulate(seed);
      expect(known && !isCrash(known) ? known.digest : undefined).toBe(again.digest);
    },
  );
});
