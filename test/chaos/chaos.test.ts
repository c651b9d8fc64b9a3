import { expect, it } from 'vitest';
import { CAMPAIGN_TIMEOUT, campaignSeed, countOf } from '../support/campaign.ts';
import { runCampaign, tableOf } from './campaign.ts';
import { isGood } from './lane.ts';

/** The seed of the choices; the machine decides the rest, so every run is another one. */
const SEED = campaignSeed(20_261_122);
const KILLS = countOf('kills');

it(
  `${KILLS} kills leave no device with two tasks and nothing untold`,
  { timeout: CAMPAIGN_TIMEOUT },
  async () => {
    const results = await runCampaign({ seed: SEED, kills: KILLS, lanes: 2 });
    const table = tableOf(SEED, results);
    process.stdout.write(`${table}\n`);
    expect(
      results.filter((one) => !isGood(one)),
      table,
    ).toEqual([]);
    const killed = results.reduce((sum, one) => sum + one.killed, 0);
    expect(killed).toBeGreaterThanOrEqual(KILLS);
  },
);
