import { randomFrom } from '../../src/twin/world/random.ts';
import { boundOf, tableOf as figureTable } from '../support/figures.ts';
import { isGood, runLane, type LaneResult } from './lane.ts';

export interface Campaign {
  readonly seed: number;
  readonly kills: number;
  /** Fleets at a time. */
  readonly lanes: number;
  readonly onLane?: (result: LaneResult) => void;
}

/** Kills of one fleet at most: it takes time to begin with one, and to end it in peace. */
const KILLS_EACH = 20;

/** Runs fleet after fleet until so many processes were killed; half of them keep their ledger in git. */
export async function runCampaign({
  seed,
  kills,
  lanes,
  onLane,
}: Campaign): Promise<readonly LaneResult[]> {
  const random = randomFrom(seed);
  const results: LaneResult[] = [];
  let begun = 0;
  /** Kills that no fleet has taken on; one that was done before gives back what it lacked. */
  let left = kills;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      const own = begun === 0 ? seed : random.between(1, 2 ** 31);
      const store = begun % 2 === 0 ? 'directory' : 'git';
      begun += 1;
      const share = Math.min(left, KILLS_EACH);
      left -= share;
      const result = await runLane({ seed: own, store, kills: share });
      left += Math.max(0, share - result.killed);
      results.push(result);
      onLane?.(result);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

/** One table of a campaign; what went wrong, with the command that replays it, below. */
export function tableOf(seed: number, results: readonly LaneResult[]): string {
  const sum = (of: (one: LaneResult) => number): number =>
    results.reduce((all, one) => all + of(one), 0);
  const failed = results.filter((one) => !isGood(one));
  const kills = sum(({ killed }) => killed);
  const rows: readonly (readonly [string, number | string])[] = [
    ['seed', seed],
    [
      'fleets (git ledger)',
      `${results.length} (${results.filter(({ store }) => store === 'git').length})`,
    ],
    ['runs', sum(({ runs }) => runs)],
    ['kills', kills],
    ['stops', sum(({ stopped }) => stopped)],
    ['rivals', sum(({ rivals }) => rivals)],
    ['asked to stop', sum(({ interrupted }) => interrupted)],
    ['tasks sent', sum(({ tasks }) => tasks)],
    ['duplicates', sum(({ duplicates }) => duplicates.length)],
    ['left in doubt, told', sum(({ inDoubt, untold }) => inDoubt - untold.length)],
    ['unsettled and untold', sum(({ untold }) => untold.length)],
    ['other problems', sum(({ problems }) => problems.length)],
    ['kills with harm at 95 %', boundOf(failed.length, kills)],
  ];
  return [figureTable(rows), ...failed.map(failureOf)].join('\n');
}

/** Where to look, and how to see it again: the machine has its part in it, so it may take a few times. */
function failureOf(result: LaneResult): string {
  const { seed, kills, store, folder, duplicates, untold, problems } = result;
  const what = JSON.stringify({ duplicates, untold, problems }, undefined, 2);
  const again = `npm run chaos -- --seed ${seed} --kills ${kills} --store ${store}`;
  return `FAILED: ${again}\nleft behind in ${folder ?? 'no folder'}\n${what}\n`;
}
