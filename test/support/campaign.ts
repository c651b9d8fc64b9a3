import { readFileSync } from 'node:fs';

interface Count {
  /** In `npm test`, where a file belongs to both. */
  readonly guard?: number;
  readonly ci: number;
  readonly full: number;
}

const { counts } = JSON.parse(
  readFileSync(new URL('../campaign.json', import.meta.url), 'utf8'),
) as { readonly counts: Readonly<Record<string, Count>> };

/** `full`, with a fresh seed; `ci`, what every change goes through; absent in `npm test`. */
const slice = process.env['FLEETFORM_CAMPAIGN'];
/** Whether all of the campaign is run, and no slice of it. */
export const isWhole = slice === 'full';

/** How many of something are tried: see `test/campaign.json`. Throws for a name that it does not have. */
export function countOf(name: string): number {
  const count = counts[name];
  if (!count) throw new Error(`test/campaign.json has no count named ${name}`);
  if (isWhole) return count.full;
  return slice === undefined ? (count.guard ?? count.ci) : count.ci;
}

/**
 * Whether one of many cases of one law is tried, by its place among all: in the whole campaign each, in `npm test` one of
 * four, and in the slice `ci` one other. Whoever adds a case runs its file with `FLEETFORM_CAMPAIGN=full` and
 * `--project campaign`.
 */
export function isTried(nth: number): boolean {
  // Not the same column of each row, where cases are a table.
  const turn = (nth + Math.floor(nth / 4)) % 4;
  const first = slice === undefined || isWhole ? 0 : 1;
  return turn >= first && turn < first + countOf('alike');
}

/** How many draws of one law: as many as it says in the whole campaign, a quarter in `npm test` and in the slice `ci`. */
export function draws(all: number): number {
  return Math.ceil((all * countOf('alike')) / 4);
}

/** What draws are made from: the seed of a full campaign, which is another one each night, else the seed given. */
export function campaignSeed(fixed: number): number {
  return isWhole ? Number(process.env['FLEETFORM_SEED'] ?? fixed) : fixed;
}

/** Milliseconds after which a test of the campaign hangs; how fast something is no test says. */
export const CAMPAIGN_TIMEOUT = isWhole ? 4 * 3_600_000 : 900_000;
