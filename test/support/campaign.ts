import { readFileSync } from 'node:fs';

interface Count {
  /** In `npm test`, and in the slice `ci` that follows it. */
  readonly ci: number;
  readonly full: number;
}

const { counts } = JSON.parse(
  readFileSync(new URL('../campaign.json', import.meta.url), 'utf8'),
) as { readonly counts: Readonly<Record<string, Count>> };

/** Whether all of the campaign is run, with a fresh seed, and no slice of it. */
export const isWhole = process.env['FLEETFORM_CAMPAIGN'] === 'full';

/** How many of something are tried: see `test/campaign.json`. Throws for a name that it does not have. */
export function countOf(name: string): number {
  const count = counts[name];
  if (!count) throw new Error(`test/campaign.json has no count named ${name}`);
  return isWhole ? count.full : count.ci;
}

/**
 * Whether one of many cases of one law is tried, by its place among all: in the whole campaign each, in `npm test` one of
 * four. Whoever adds a case runs its file with `FLEETFORM_CAMPAIGN=full` and `--project campaign`.
 */
export function isTried(nth: number): boolean {
  // Not the same column of each row, where cases are a table.
  const turn = (nth + Math.floor(nth / 4)) % 4;
  return turn < countOf('alike');
}

/** How many draws of one law: as many as it says in the whole campaign, a quarter in `npm test`. */
export function draws(all: number): number {
  return Math.ceil((all * countOf('alike')) / 4);
}

/** What draws are made from: the seed of a full campaign, which is another one each night, else the seed given. */
export function campaignSeed(fixed: number): number {
  return isWhole ? Number(process.env['FLEETFORM_SEED'] ?? fixed) : fixed;
}

/** Milliseconds after which a test of the campaign hangs; how fast something is no test says. */
export const CAMPAIGN_TIMEOUT = isWhole ? 4 * 3_600_000 : 900_000;
