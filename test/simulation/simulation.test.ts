import { beforeAll, describe, expect, it } from 'vitest';
import { isCrash, liveThrough, type Lived } from './batch.ts';
import { simulate } from './simulate.ts';
import { coverageOf, tableOf } from './table.ts';
import { FEATURES } from './features.ts';

/** Seeds of every change, within some three minutes of CPU; `npm run simulate` lives through more. */
const SEEDS = 500;

describe('simulated fleets', () => {
  let lives: readonly Lived[] = [];
  beforeAll(async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
    lives = await liveThrough(seeds, { processes: 2 });
    process.stdout.write(`${tableOf(lives).join('\n')}\n`);
  }, 900_000);

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

  it.each([1, 2, 3])(
    'lives through seed %i twice in the same way',
    { timeout: 120_000 },
    async (seed) => {
      const known = lives.find((lived) => lived.seed === seed);
      const again = await simulate(seed);
      expect(known && !isCrash(known) ? known.digest : undefined).toBe(again.digest);
    },
  );
});
