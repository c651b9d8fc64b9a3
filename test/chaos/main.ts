import { parseArgs } from 'node:util';
import { DEVICES_EACH, isGood, runCampaign, tableOf } from './campaign.ts';
import { runLane, type LaneResult } from './lane.ts';

/** `npm run chaos [-- --kills N --seed N --lanes N]`; with `--store` one fleet alone, to replay what failed. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    lanes: { type: 'string', default: '2' },
    store: { type: 'string' },
  },
});
const seed = Number(values.seed);
const kills = Number(values.kills);
const onLane = ({ store, killed, tasks, ...rest }: LaneResult): void => {
  const verdict = isGood({ store, killed, tasks, ...rest }) ? 'good' : 'FAILED';
  process.stderr.write(
    `${verdict}: ${store}, seed ${rest.seed}, ${killed} kills, ${tasks} tasks\n`,
  );
};
const results =
  values.store === 'git' || values.store === 'directory'
    ? [await runLane({ seed, kills, store: values.store, devices: DEVICES_EACH })]
    : await runCampaign({ seed, kills, lanes: Number(values.lanes), onLane });
process.stdout.write(tableOf(seed, results));
process.exitCode = results.every(isGood) ? 0 : 1;
