import { listEntries, entryAt, isListed, lastLine } from '../model/documents/entries.ts';
import { kindsIn } from '../model/plan/change-rows.ts';
import { newestFirst } from '../model/documents/origin.ts';
import type { EntryAuthors, Plan, PlanOrigin } from '../model/plan/plan.ts';
import type { Documents } from '../model/documents/policy.ts';
import { locateValue, type SourceLocation } from '../model/documents/source.ts';
import { compareTexts } from '../lib/text-order.ts';
import { parseInstant } from '../lib/time.ts';
import { baseName, type ComparisonBase, cloneOf, foldersOf } from './repository.ts';
import type { Cloned, Here } from './here.ts';

type Line = Pick<SourceLocation, 'file' | 'line'>;

/** The source of lines: the working tree, or a commit, which may be a temporary merge. */
export interface LineSource {
  readonly ref?: string;
  readonly unmade?: readonly string[];
  /** The environment that git needs for it. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The base of a plan, in which removed entries and lines are found. */
interface OtherSide {
  readonly base?: ComparisonBase;
  /** Absent: the work tree. */
  readonly reading?: LineSource;
}

/**
 * Adds to a plan the commits of the lines that its changes refer to, and of the entries around
 * them. Outside a repository, returns the plan unchanged.
 */
export async function withOrigins(
  here: Here,
  plan: Plan,
  { base, reading = {} }: OtherSide = {},
): Promise<Plan> {
  const prefix = base && `${baseName(base)}:`;
  const { current, removed: missing } = documentPlaces(plan, prefix);
  const found = await authorsAt(here, current, { around: listChangeLines(plan), reading });
  if (!found) return plan;
  const removed = base ? await whoRemoved(here, missing, { base, reading }) : [];
  return { ...plan, ...found, origins: [...found.origins, ...removed].sort(byPlace) };
}

/**
 * The authors of lines and of the entries around them; undefined outside a repository.
 * @param around the lines whose entries count, where these are not all
 */
export async function authorsAt(
  here: Here,
  places: readonly Line[],
  { around = places, reading }: { around?: Iterable<Line>; reading?: LineSource } = {},
): Promise<Required<Pick<Plan, 'origins' | 'authors'>> | undefined> {
  const entries = entriesIn(around, here.documents);
  const all = await originsAt(here, [...places, ...entries.flatMap(linesBetween)], reading);
  if (!all) return undefined;
  const known = new Map(all.map((origin) => [lineKey(origin), origin]));
  const origins = new Set(places.flatMap((place) => known.get(lineKey(place)) ?? []));
  const authors = entries.map((entry) => entryAuthors(entry, known)).sort(byPlace);
  return { origins: [...origins].sort(byPlace), authors };
}

function* listChangeLines({ changes, notes }: Plan): Generator<Line> {
  for (const { change } of kindsIn(changes)) yield change.at;
  for (const { at } of notes) yield at;
}

/** The entries that contain these places, each once; a device in a list is an entry of its own. */
function entriesIn(places: Iterable<Line>, documents: Documents): readonly Extent[] {
  const all = [...listEntries(documents)];
  const found = new Map<string, Extent>();
  const known = new Set<string>();
  for (const at of places) {
    if (known.has(lineKey(at))) continue;
    known.add(lineKey(at));
    const entry = entryAt(all, at);
    if (!entry) continue;
    const { file, line } = isListed(entry, at.line) ? at : entry.of.at;
    const last = isListed(entry, at.line) ? line : lastLine(entry.of);
    found.set(`${file}:${line}:${last}`, { file, line, last });
  }
  return [...found.values()];
}

type Extent = Omit<EntryAuthors, 'by' | 'more'>;

/** How many commits of an entry are kept. */
const AUTHORS = 5;

function entryAuthors(entry: Extent, known: ReadonlyMap<string, PlanOrigin>): EntryAuthors {
  const origins = linesBetween(entry).flatMap((place) => known.get(lineKey(place)) ?? []);
  const newest = newestFirst(origins).map(({ file: _file, line: _line, ...origin }) => origin);
  const more = newest.length - AUTHORS;
  return { ...entry, by: newest.slice(0, AUTHORS), ...(more > 0 && { more }) };
}

function linesBetween({ file, line, last }: Extent): readonly Line[] {
  return Array.from({ length: last - line + 1 }, (_, index) => ({ file, line: line + index }));
}

/**
 * The author who removed lines of the base: of the last commit since that changed their text;
 * without one, the removal is not committed.
 */
async function whoRemoved(
  here: Cloned,
  removed: readonly Line[],
  { base, reading }: { readonly base: ComparisonBase; readonly reading: LineSource },
): Promise<readonly PlanOrigin[]> {
  const { repository } = cloneOf(here, reading.env);
  const folders = [...(await foldersOf(here)), ...(base.documents?.folders ?? [])];
  const prefix = `${baseName(base)}:`;
  const texts = new Map(base.documents?.files.map(({ path, text }) => [path, text.split('\n')]));
  return Promise.all(
    removed.map(async ({ file, line }): Promise<PlanOrigin> => {
      const path = file.slice(prefix.length);
      const text = texts.get(path)?.[line - 1] ?? '';
      const to = reading.ref === undefined ? {} : { to: reading.ref };
      const found = await repository.lastToMove(text, {
        path,
        folders,
        from: base.commit,
        ...to,
      });
      const isMade = found?.is === 'commit' && !reading.unmade?.includes(found.commit);
      return { file, line, ...(isMade ? found : { is: 'notCommitted' }) };
    }),
  );
}

/**
 * The commits of document lines, by file and line; undefined outside a repository. Each line is
 * read once, in the work tree or at a commit.
 */
export async function originsAt(
  here: Cloned,
  places: Iterable<Line>,
  { env = {}, ...at }: LineSource = {},
): Promise<readonly PlanOrigin[] | undefined> {
  const { repository } = cloneOf(here, env);
  const folders = await foldersOf(here);
  const found = await repository.blame(linesByFile(places), { folders, ...at });
  if (!found) return undefined;
  const origins = [...found].flatMap(([file, lines]) =>
    [...lines].map(([line, origin]): PlanOrigin => ({ file, line, ...origin })),
  );
  return origins.sort(byPlace);
}

/**
 * Adds to documents when each entry of their onboarding lists was committed. An entry whose commit
 * is not in this clone gets none.
 */
export async function withCommits(here: Here, reading: LineSource = {}): Promise<Documents> {
  const { documents } = here;
  const places = [...documents.onboarding.values()].flatMap((entry) =>
    entry.value.devices.map((_, index) => locateValue(entry, `/devices/${index}`)),
  );
  if (places.length === 0) return documents;
  const origins = (await originsAt(here, places, reading)) ?? [];
  const committed = origins.flatMap((origin) => {
    const at = origin.is === 'commit' ? parseInstant(origin.at) : undefined;
    return at === undefined ? [] : [[`${origin.file}:${origin.line}`, at] as const];
  });
  return { ...documents, committed: new Map(committed) };
}

/** The lines of the documents, and the lines that only the base has. */
function documentPlaces(
  { changes, notes, base }: Plan,
  prefix: string | undefined,
): { readonly current: readonly Line[]; readonly removed: readonly Line[] } {
  const [current, removed] = [new Map<string, Line>(), new Map<string, Line>()];
  const add = (place: Line): void => {
    const isRemoved = prefix !== undefined && place.file.startsWith(prefix);
    (isRemoved ? removed : current).set(lineKey(place), place);
  };
  for (const { change } of kindsIn(changes)) [change.at, ...(change.lines ?? NONE)].forEach(add);
  for (const { at } of notes) add(at);
  for (const { lines = NONE } of base?.gone ?? []) lines.forEach(add);
  return { current: [...current.values()], removed: [...removed.values()] };
}

const NONE: readonly Line[] = [];

function lineKey({ file, line }: Line): string {
  return `${file}:${line}`;
}

function linesByFile(places: Iterable<Line>): ReadonlyMap<string, ReadonlySet<number>> {
  const lines = new Map<string, Set<number>>();
  for (const { file, line } of places) lines.set(file, (lines.get(file) ?? new Set()).add(line));
  return lines;
}

function byPlace(a: Line, b: Line): number {
  return compareTexts(a.file, b.file) || a.line - b.line;
}
