import { expect, it } from 'vitest';
import { runCampaign, tableOf } from './campaign.ts';
import { isGood } from './lane.ts';

/** A fixed seed for the choices; the machine decides the rest, so every run is another one. */
const SEED = 20_261_122;
const KILLS = 40;

it(
  `${KILLS} kills leave no device with two tasks and nothing untold`,
  { timeout: 900_000 },
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
