import type { Rehearsal } from '../support/rehearsal-world.ts';
import { judge, LAWS, wantedOf, type Judged, type Law } from './laws.ts';
import { HEIRS, live, type Heir } from './life.ts';
import { deathsOf, nameOf, type Point } from './points.ts';

/** What the points of one rehearsal came to. */
export interface Row {
  readonly rehearsal: string;
  readonly runs: number;
  readonly effects: number;
  /** Points at which it can die. */
  readonly points: number;
  /** Lives lived, by who came after. */
  readonly lives: Readonly<Record<Heir, number>>;
  readonly broken: Readonly<Record<Law, number>>;
  /** Lives at whose end a device is reported as not done, in doubt or running on. */
  readonly reported: number;
  /** Every violation: where, and what. */
  readonly wrong: readonly string[];
}

/** Which points of a rehearsal are lived, of all that it has. */
export type Choice = (counts: readonly number[], deaths: readonly Point[]) => readonly Point[];

/** Stops a rehearsal at the points that are chosen, each followed by each heir. */
export async function enumerate(
  rehearsal: Rehearsal,
  heirs: readonly Heir[],
  choose: Choice = (_, deaths) => deaths,
): Promise<Row> {
  const { name, script } = rehearsal;
  const undisturbed = await live(rehearsal);
  const wanted = wantedOf(rehearsal, undisturbed);
  const counts = undisturbed.counts.slice(0, script.runs.length);
  const deaths = deathsOf(counts);
  const seen: Seen[] = [];
  for (const point of choose(counts, deaths)) {
    for (const heir of heirs) {
      const life = await live(rehearsal, { ...point, heir });
      const where = `${name}, ${nameOf(point)}, ${heir}`;
      seen.push({ ...judge(life, wanted, heir), where, heir });
    }
  }
  const violations = seen.flatMap((one) => one.violations);
  return {
    rehearsal: name,
    runs: script.runs.length,
    effects: counts.reduce((sum, count) => sum + count, 0),
    points: deaths.length,
    lives: countOf(
      HEIRS,
      seen.map(({ heir }) => heir),
    ),
    broken: countOf(
      LAWS,
      violations.map(({ law }) => law),
    ),
    reported: seen.filter((one) => one.reported > 0).length,
    wrong: seen.flatMap(({ where, violations: each }) =>
      each.map(({ law, what }) => `${where}: ${law} ${what}`),
    ),
  };
}

type Seen = Judged & { readonly where: string; readonly heir: Heir };

function countOf<Key extends string>(
  keys: readonly Key[],
  found: readonly Key[],
): Readonly<Record<Key, number>> {
  const pairs = keys.map((key) => [key, found.filter((one) => one === key).length] as const);
  return Object.fromEntries(pairs) as Record<Key, number>;
}
