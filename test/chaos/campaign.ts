import { randomFrom } from '../../src/twin/random.ts';
import { runLane, type LaneResult } from './lane.ts';

export interface Campaign {
  readonly seed: number;
  readonly kills: number;
  /** Fleets at a time. */
  readonly lanes: number;
  readonly onLane?: (result: LaneResult) => void;
}

/** Kills of one fleet at most, and its size: a fleet that is done ends before. */
export const KILLS_EACH = 14;
export const DEVICES_EACH = 110;

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
  const killed = (): number => results.reduce((sum, one) => sum + one.killed, 0);
  const lane = async (): Promise<void> => {
    while (killed() < kills) {
      const own = begun === 0 ? seed : random.between(1, 2 ** 31);
      const store = begun % 2 === 0 ? 'directory' : 'git';
      begun += 1;
      const result = await runLane({ seed: own, store, devices: DEVICES_EACH, kills: KILLS_EACH });
      results.push(result);
      onLane?.(result);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}

export function isGood({ duplicates, untold, problems }: LaneResult): boolean {
  return duplicates.length + untold.length + problems.length === 0;
}

/** One table of a campaign; what went wrong, with the command that replays it, below. */
export function tableOf(seed: number, results: readonly LaneResult[]): string {
  const sum = (of: (one: LaneResult) => number): number =>
    results.reduce((all, one) => all + of(one), 0);
  const rows: readonly (readonly [string, number | string])[] = [
    ['seed', seed],
    [
      'fleets (git ledger)',
      `${results.length} (${results.filter(({ store }) => store === 'git').length})`,
    ],
    ['runs', sum(({ runs }) => runs)],
    ['kills', sum(({ killed }) => killed)],
    ['stops', sum(({ stopped }) => stopped)],
    ['rivals', sum(({ rivals }) => rivals)],
    ['tasks sent', sum(({ tasks }) => tasks)],
    ['duplicates', sum(({ duplicates }) => duplicates.length)],
    ['left in doubt, told', sum(({ inDoubt, untold }) => inDoubt - untold.length)],
    ['unsettled and untold', sum(({ untold }) => untold.length)],
    ['other problems', sum(({ problems }) => problems.length)],
  ];
  const lines = rows.map(([name, value]) => `${name.padEnd(22)} ${String(value).padStart(12)}`);
  const failures = results.filter((one) => !isGood(one)).map(failureOf);
  return [...lines, ...failures, ''].join('\n');
}

function failureOf(result: LaneResult): string {
  const { seed, kills, store, duplicates, untold, problems } = result;
  const what = JSON.stringify({ duplicates, untold, problems }, undefined, 2);
  return `\nFAILED: npm run chaos -- --seed ${seed} --kills ${kills} --store ${store}\n${what}`;
}
