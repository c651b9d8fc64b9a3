import type { Rehearsal, RehearsalWorld } from '../support/rehearsal-world.ts';
import { GitLedger } from './git-ledger.ts';
import {
  isDone,
  judge,
  LAWS,
  wantedOf,
  type Judged,
  type Law,
  type Violation,
  type Wanted,
} from './laws.ts';
import { HEIRS, live, type Heir, type Life, type Ways } from './life.ts';
import { deathsOf, failuresOf, gitDeathsOf, gitFailuresOf, nameOf, type Point } from './points.ts';

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

/** Where the ledger is: in memory, or in a real repository with the real git. */
export type Ledger = 'memory' | 'git';

/** Every moment of a rehearsal at which its process can die, and every effect as one that fails. */
export interface Points {
  readonly deaths: readonly Point[];
  readonly failures: readonly Point[];
}

/** Which points of a rehearsal are lived. */
export type Choice = (points: Points) => readonly Point[];

/** One of so many parts, from 0, that a rehearsal is cut into: points next to each other. */
export interface Part {
  readonly nth: number;
  readonly of: number;
}

export interface Enumeration {
  readonly heirs: readonly Heir[];
  readonly choose?: Choice;
  readonly part?: Part;
  readonly ledger?: Ledger;
}

/**
 * Stops a rehearsal at the points that are chosen, each followed by each heir. With a ledger in git
 * the points are those before and after every call of git.
 */
export async function enumerate(
  rehearsal: Rehearsal,
  {
    heirs,
    choose = ({ deaths }) => deaths,
    part = { nth: 0, of: 1 },
    ledger = 'memory',
  }: Enumeration,
): Promise<Row> {
  const { name, script } = rehearsal;
  const { effects, wanted, records, ...points } = await undisturbed(rehearsal, ledger);
  const ways = { ...waysOf(ledger), isDone: (world: RehearsalWorld) => isDone(world, wanted) };
  const seen: Seen[] = [];
  for (const point of partOf(choose(points), part)) {
    for (const heir of heirs) {
      const life = await live(rehearsal, { ...point, heir }, ways);
      const where = `${name}, ${nameOf(point)}, ${heir}`;
      const { violations, reported } = judge(life, wanted, heir);
      const steered = point.stopAt.when === 'unwatched' && records !== recordsOf(life);
      const all = steered ? [...violations, STEERED] : violations;
      seen.push({ violations: all, reported, where, heir });
    }
  }
  const violations = seen.flatMap((one) => one.violations);
  return {
    rehearsal: name,
    runs: script.runs.length,
    effects,
    points: points.deaths.length,
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

/** The parts of one rehearsal, in their order, as one row. */
export function joined(parts: readonly Row[]): Row {
  const [first] = parts;
  if (!first) throw new Error('a rehearsal has a part at least');
  return {
    ...first,
    lives: summed(parts.map(({ lives }) => lives)),
    broken: summed(parts.map(({ broken }) => broken)),
    reported: parts.reduce((sum, { reported }) => sum + reported, 0),
    wrong: parts.flatMap(({ wrong }) => wrong),
  };
}

interface Undisturbed extends Points {
  /** How many effects its processes had. */
  readonly effects: number;
  readonly wanted: Wanted;
  /** Its ledger at the end of the script, as text. */
  readonly records: string;
}

/** Who watches has no say: without observers a life leaves the very ledger that it leaves with them. */
const STEERED: Violation = { law: 'unlawful', what: 'failing observers changed the ledger' };

function recordsOf({ world, scripted }: Life): string {
  return JSON.stringify(world.store.records.slice(0, scripted));
}

const LIVED = new Map<string, Undisturbed>();

/** How a rehearsal goes when nothing happens to it: lived once, however many parts are asked for. */
async function undisturbed(rehearsal: Rehearsal, ledger: Ledger): Promise<Undisturbed> {
  const { name, script } = rehearsal;
  const known = LIVED.get(`${name} ${ledger}`);
  if (known) return known;
  const life = await live(rehearsal, undefined, waysOf(ledger));
  const runs = script.runs.length;
  const counts = life.counts.slice(0, runs);
  const steps = life.steps.slice(0, runs);
  const isGit = ledger === 'git';
  const lived = {
    effects: counts.reduce((sum, count) => sum + count, 0),
    deaths: isGit ? gitDeathsOf(steps) : deathsOf(counts),
    failures: isGit ? gitFailuresOf(steps) : failuresOf(counts),
    wanted: wantedOf(rehearsal, life),
    records: recordsOf(life),
  };
  LIVED.set(`${name} ${ledger}`, lived);
  return lived;
}

function waysOf(ledger: Ledger): Ways {
  return ledger === 'git' ? { openLedger: (clock) => new GitLedger(clock) } : {};
}

function partOf(points: readonly Point[], { nth, of }: Part): readonly Point[] {
  const at = (part: number): number => Math.round((points.length * part) / of);
  return points.slice(at(nth), at(nth + 1));
}

type Seen = Judged & { readonly where: string; readonly heir: Heir };

function countOf<Key extends string>(
  keys: readonly Key[],
  found: readonly Key[],
): Readonly<Record<Key, number>> {
  const pairs = keys.map((key) => [key, found.filter((one) => one === key).length] as const);
  return Object.fromEntries(pairs) as Record<Key, number>;
}

function summed<Key extends string>(
  counts: readonly Readonly<Record<Key, number>>[],
): Readonly<Record<Key, number>> {
  const all: Partial<Record<Key, number>> = {};
  for (const count of counts)
    for (const [key, value] of Object.entries(count) as [Key, number][])
      all[key] = (all[key] ?? 0) + value;
  return all as Record<Key, number>;
}
