import { basename, dirname } from 'node:path';
import type { Plan, PlanOrigin } from '../model/plan.ts';
import type { Documents } from '../model/policy.ts';
import { placeOf, type Place } from '../model/source.ts';
import { compareTexts } from '../model/text.ts';
import { fleetFolder, type Shell } from './shell.ts';

type Line = Pick<Place, 'file' | 'line'>;

/** Where lines are looked up: in the work tree, or at a commit, which a merge may have made for the moment. */
export interface Reading {
  readonly ref?: string;
  readonly unmade?: readonly string[];
  /** What git needs to read it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The plan with the commits of the lines that its changes point at; as it is outside a repository. */
export async function withOrigins(
  shell: Shell,
  fleet: string,
  plan: Plan,
  reading: Reading = {},
): Promise<Plan> {
  const origins = await originsAt(shell, fleet, placesOf(plan), reading);
  return origins ? { ...plan, origins } : plan;
}

/**
 * The commits that lines of the documents come from, by file and line; undefined outside a
 * repository. Each line is asked for once, as it is in the work tree, or at a commit.
 */
export async function originsAt(
  shell: Shell,
  fleet: string,
  places: Iterable<Line>,
  { env = {}, ...at }: Reading = {},
): Promise<readonly PlanOrigin[] | undefined> {
  const folder = fleetFolder(shell, fleet);
  const { openRepository } = await import('../git/repo.ts');
  const repository = openRepository(dirname(folder), shell.env, env);
  const found = await repository.blame(linesOf(places), { folder: basename(folder), ...at });
  if (!found) return undefined;
  const origins = [...found].flatMap(([file, lines]) =>
    [...lines].map(([line, origin]): PlanOrigin => ({ file, line, ...origin })),
  );
  return origins.sort(byPlace);
}

/**
 * Documents with the moments at which the entries of their onboarding lists were committed. An entry
 * whose commit is not in this clone has none.
 */
export async function withCommits(
  shell: Shell,
  fleet: string,
  documents: Documents,
  reading: Reading = {},
): Promise<Documents> {
  const places = [...documents.onboarding.values()].flatMap((entry) =>
    entry.value.devices.map((_, index) => placeOf(entry, `/devices/${index}`)),
  );
  if (places.length === 0) return documents;
  const origins = (await originsAt(shell, fleet, places, reading)) ?? [];
  const committed = origins.flatMap((origin) =>
    origin.is === 'commit' ? [[`${origin.file}:${origin.line}`, origin.at] as const] : [],
  );
  return { ...documents, committed: new Map(committed) };
}

function* placesOf({ changes, notes }: Plan): Generator<Line> {
  for (const { at } of changes) yield at;
  for (const { at } of notes) yield at;
}

function linesOf(places: Iterable<Line>): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { file, line } of places) lines.set(file, (lines.get(file) ?? new Set()).add(line));
  return lines;
}

function byPlace(a: PlanOrigin, b: PlanOrigin): number {
  return compareTexts(a.file, b.file) || a.line - b.line;
}
