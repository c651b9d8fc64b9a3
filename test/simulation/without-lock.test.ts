import { beforeAll, describe, expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, countOf } from '../support/campaign.ts';
import { isCrash, liveThrough, type Lived } from './batch.ts';
import { tableOf } from './table.ts';
import { WITHOUT_LOCK } from './without-lock.ts';

const SEEDS = countOf('withoutLock');
const FIRST = campaignSeed(1);

describe('simulated fleets whose lock answers yes to everybody', () => {
  let lives: readonly Lived[] = [];
  beforeAll(async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST + index);
    lives = await liveThrough(seeds, { processes: 1, patches: WITHOUT_LOCK });
    process.stdout.write(`without a lock:\n${tableOf(lives).join('\n')}\n`);
  }, CAMPAIGN_TIMEOUT);

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
