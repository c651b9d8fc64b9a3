import { beforeAll, describe, expect, it } from 'vitest';
import { isCrash, liveThrough, type Lived } from './batch.ts';
import { tableOf } from './table.ts';
import { WITHOUT_LOCK } from './without-lock.ts';

/** Seeds of every change; `npm run simulate -- --without-lock` lives through more. */
const SEEDS = 20;

describe('simulated fleets whose lock answers yes to everybody', () => {
  let lives: readonly Lived[] = [];
  beforeAll(async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
    lives = await liveThrough(seeds, { processes: 2, patches: WITHOUT_LOCK });
    process.stdout.write(`without a lock:\n${tableOf(lives).join('\n')}\n`);
  }, 900_000);

  it('break no invariant: the lock gives quiet, the compare-and-swap gives safety', () => {
    const broken = lives.flatMap((lived) =>
      isCrash(lived)
        ? [`seed ${lived.seed}: ${lived.error}`]
        : lived.violations.map(({ rule, what }) => `seed ${lived.seed}: ${rule} ${what}`),
    );
    expect(broken).toEqual([]);
  });

  it('are worked on by several at once, who do get in each other\u2019s way', () => {
    const lost = lives.map((lived) => (isCrash(lived) ? 0 : lived.lost));
    expect(lost.filter((count) => count > 0).length).toBeGreaterThan(SEEDS / 4);
  });
});
