import { runCampaign, tableOf } from './campaign.ts';
import { isGood, runLane, type LaneResult } from './lane.ts';
import { readOptions } from '../support/options.ts';

/** `npm run chaos [-- --kills N --seed N --lanes N]`; with `--store` one fleet alone, to replay what failed. */
const values = readOptions('chaos', {
  kills: { type: 'string', default: '1000' },
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  lanes: { type: 'string', default: '2' },
  store: { type: 'string' },
});
const seed = Number(values.seed);
const kills = Number(values.kills);
const started = performance.now();
const onLane = (result: LaneResult): void => {
  const { store, seed: own, killed, tasks, folder } = result;
  const verdict = isGood(result) ? 'good' : `FAILED, see ${folder}`;
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stderr.write(
    `${seconds} s: ${verdict}: ${store}, seed ${own}, ${killed} kills, ${tasks} tasks\n`,
  );
};
const results =
  values.store === 'git' || values.store === 'directory'
    ? [await runLane({ seed, kills, store: values.store })]
    : await runCampaign({ seed, kills, lanes: Number(values.lanes), onLane });
process.stdout.write(tableOf(seed, results));
process.exitCode = results.every(isGood) ? 0 : 1;
