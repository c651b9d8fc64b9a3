import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { said, type Git } from './git.ts';
import type { LineOrigin } from '../model/documents/origin.ts';
import { formatInstant } from '../lib/time.ts';
import { withScratch } from './scratch.ts';

/** Files that git blames in parallel. */
const AT_ONCE = 4;

/** The first and the last second that RFC 3339 can express; a commit may claim any time. */
const [EARLIEST, LATEST] = [-62_167_219_200, 253_402_300_799];

const NOT_COMMITTED = { is: 'notCommitted' } as const;

/** Lines by path and number. */
export type WantedLines = ReadonlyMap<string, ReadonlySet<number>>;

export interface BlamedAt {
  readonly folders: readonly string[];
  readonly ref?: string;
  /** Temporary commits: their lines are not committed. */
  readonly unmade?: readonly string[];
}

export interface MovedIn {
  readonly path: string;
  /** The folders of the documents. */
  readonly folders: readonly string[];
  readonly from: string;
  readonly to?: string;
}

/**
 * The last author of lines of files below some folders, by path and line; without `ref` for the work
 * tree. Reads the history of the folders once for all files, since git would walk it for each. Lines
 * whose commit a shallow clone lacks are reported as such.
 */
export async function blameLines(
  git: Git,
  wanted: WantedLines,
  { folders, ref, unmade = [] }: BlamedAt,
): Promise<ReadonlyMap<string, ReadonlyMap<number, LineOrigin>>> {
  const head = (await said(git, 'rev-parse', '--verify', `${ref ?? 'HEAD'}^{commit}`)).trim();
  const history = parseHistory(await said(git, ...historyArguments(head, folders)));
  const newer = newerThanEach(history.keys());
  const context = { cut: await shallowCommits(git), unmade, newer, history };
  return withScratch('blame', async (scratch) => {
    const paths = [...wanted.keys()];
    const found = new Map<string, ReadonlyMap<number, LineOrigin>>();
    const next = async (lane: number): Promise<void> => {
      for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
        const file = join(scratch, String(lane));
        await writeFile(file, `${fileLineage(history, head, path).join('\n')}\n`);
        const lines = wanted.get(path) ?? new Set();
        found.set(
          path,
          await blameFile(git, path, { lines, context, file, ...(ref && { ref: head }) }),
        );
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, lane) => next(lane)));
    return found;
  });
}

/** Facts about commits that blame does not print. */
interface BlameContext {
  /** Commits whose parents are not in this clone. */
  readonly cut: ReadonlySet<string>;
  /** Temporary merge commits that have no author. */
  readonly unmade: readonly string[];
  /** The number of newer commits to the documents, by commit. */
  readonly newer: ReadonlyMap<string, number>;
  /** It has the authors of the commits; blame prints those that a file `.mailmap` puts in their place. */
  readonly history: CommitHistory;
}

interface BlameRequest {
  readonly lines: ReadonlySet<number>;
  readonly context: BlameContext;
  /** The file's lineage, for `git blame -S`. */
  readonly file: string;
  readonly ref?: string;
}

/** A file that git does not know is not committed. */
async function blameFile(
  git: Git,
  path: string,
  { lines, context, file, ref }: BlameRequest,
): Promise<ReadonlyMap<number, LineOrigin>> {
  const at = ref === undefined ? [] : [ref];
  const options = ['--porcelain', '-S', file, ...at, '--', path];
  const { exit, out } = await git('blame', ...options);
  if (exit !== 0) return new Map([...lines].map((line) => [line, NOT_COMMITTED]));
  return new Map([...parseBlame(out, context)].filter(([line]) => lines.has(line)));
}

/** Reads `git blame --porcelain`, which describes a commit only where it first occurs. */
function parseBlame(output: string, context: BlameContext): Map<number, LineOrigin> {
  const commits = new Map<string, Record<string, string>>();
  const lines = new Map<number, string>();
  let current: Record<string, string> = {};
  for (const text of output.split('\n')) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(text);
    if (head) {
      const [, commit = '', line = ''] = head;
      current = commits.get(commit) ?? {};
      commits.set(commit, current);
      lines.set(Number(line), commit);
    } else if (!text.startsWith('\t')) {
      const space = text.indexOf(' ');
      if (space > 0) current[text.slice(0, space)] ??= text.slice(space + 1);
    }
  }
  return new Map(
    [...lines].map(([line, commit]) => [
      line,
      context.unmade.includes(commit)
        ? NOT_COMMITTED
        : toOrigin(
            commit,
            { ...commits.get(commit), author: context.history.get(commit)?.author ?? '' },
            context,
          ),
    ]),
  );
}

function toOrigin(
  commit: string,
  output: Readonly<Record<string, string>>,
  { cut, newer }: Pick<BlameContext, 'cut' | 'newer'>,
): LineOrigin {
  if (/^0+$/.test(commit)) return NOT_COMMITTED;
  if (cut.has(commit)) return { is: 'cutOff' };
  const count = newer.get(commit);
  return {
    is: 'commit',
    commit,
    author: output['author'] ?? '',
    subject: output['summary'] ?? '',
    at: formatInstant(clamped(Number(output['author-time'] ?? 0)) * 1_000),
    ...(count !== undefined && { newer: count }),
  };
}

/**
 * The last commit between two that changed how often a text occurs in a file; undefined if none
 * did.
 */
export async function lastToMove(
  git: Git,
  text: string,
  { path, folders, from, to = 'HEAD' }: MovedIn,
): Promise<LineOrigin | undefined> {
  const log = ['log', '-1', '--format=%H%x00%an%x00%s%x00%at', '--no-show-signature'];
  const output = await said(git, ...log, `-S${text}`, `${from}..${to}`, '--', path);
  const [commit = '', author = '', summary = '', at = ''] = output.trimEnd().split('\0');
  if (commit === '') return undefined;
  const ids = (await said(git, ...orderArguments(to, folders))).trim().split('\n');
  const context = { cut: new Set<string>(), newer: newerThanEach(ids) };
  return toOrigin(commit, { author, summary, 'author-time': at }, context);
}

function clamped(seconds: number): number {
  return Math.max(EARLIEST, Math.min(seconds, LATEST));
}

/** The commits whose parents a shallow clone lacks; empty in a full clone. */
async function shallowCommits(git: Git): Promise<ReadonlySet<string>> {
  const path = (
    await said(git, 'rev-parse', '--path-format=absolute', '--git-path', 'shallow')
  ).trim();
  const text = await readFile(path, 'utf8').catch(() => '');
  return new Set(text.split('\n').filter((id) => id !== ''));
}

/**
 * A commit that changed the documents. For each parent: changed paths, each with its path in that
 * parent, undefined if the file is new.
 */
interface Touch {
  readonly author: string;
  readonly parents: readonly {
    readonly id: string;
    readonly changed: ReadonlyMap<string, string | undefined>;
  }[];
}

/**
 * Commits that changed some folders, by ID, newest first. Parents are the nearest ancestors that
 * changed it too.
 */
type CommitHistory = ReadonlyMap<string, Touch>;

/** A commit precedes its ancestors; otherwise the author dates decide. */
const NEWEST_FIRST = ['log', '--author-date-order', '--full-history', '--parents'];

/** Arguments of `git log` that print only the IDs, in the same order. */
function orderArguments(ref: string, folders: readonly string[]): readonly string[] {
  return [...NEWEST_FIRST, '--format=%H', '--no-show-signature', ref, '--', ...folders];
}

/** The number of newer commits for each ID of a list that is newest first. */
function newerThanEach(ids: Iterable<string>): ReadonlyMap<string, number> {
  return new Map([...ids].map((id, index) => [id, index]));
}

/** Arguments of `git log` for `parseHistory`. */
function historyArguments(ref: string, folders: readonly string[]): readonly string[] {
  return [
    ...NEWEST_FIRST,
    '-m',
    '--raw',
    '--relative',
    '-M',
    '-z',
    '--no-abbrev',
    '--pretty=raw',
    '--no-show-signature',
    ref,
    '--',
    ...folders,
  ];
}

/** Reads the output of `git log` with `historyArguments`. */
function parseHistory(log: string): CommitHistory {
  const found = new Map<string, Recorded>();
  const parts = log.split('\0');
  let changed: Map<string, string | undefined> | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = (parts[index] ?? '').replace(/^\n/, '');
    const head = HEAD.exec(part);
    if (head) changed = recordCommit(found, head, /^author (.*?) ?<[^\n]*$/m.exec(part)?.[1]);
    const raw = RAW.exec(head ? part.slice(part.lastIndexOf('\n:') + 1) : part);
    if (!raw || !changed) continue;
    const [, status = ''] = raw;
    const first = parts[(index += 1)] ?? '';
    if (status === 'R' || status === 'C') changed.set(parts[(index += 1)] ?? '', first);
    else changed.set(first, status === 'A' ? undefined : first);
  }
  return found;
}

/**
 * The history of one file in the format of `git blame -S`: lines of a commit and its parents, only
 * commits that changed the file, with renames followed. Blame gives the same result without walking
 * the whole history. Like git, it omits a merge that took the file from one side.
 */
function fileLineage(history: CommitHistory, from: string, path: string): readonly string[] {
  const lines: string[] = [];
  const seen = new Set<string>();
  const [newest = from] = history.keys();
  const first = changedAt(history, history.has(from) ? from : newest, path);
  if (first.id !== from) lines.push([from, first.id].join(' '));
  const open = [first];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id)) continue;
    seen.add(at.id);
    const parents = parentVersions(history, at);
    lines.push([at.id, ...parents.map(({ id }) => id)].join(' '));
    open.push(...parents);
  }
  return lines;
}

interface Version {
  readonly id: string;
  readonly path: string;
}

/** The nearest commit that changed a file, from a given one on: blame passes through all others. */
function changedAt(history: CommitHistory, from: string, path: string): Version {
  let id = from;
  for (let touch = history.get(id); touch; touch = history.get(id)) {
    const same = touch.parents.find(({ changed }) => !changed.has(path));
    if (!same || same.id === '') return { id, path };
    ({ id } = same);
  }
  return { id, path };
}

/** The file before a commit changed it, in each parent that had it. */
function parentVersions(history: CommitHistory, { id, path }: Version): readonly Version[] {
  const { parents = [] } = history.get(id) ?? {};
  return parents.flatMap((parent) => {
    const before = parent.changed.get(path);
    return before === undefined || parent.id === '' ? [] : [changedAt(history, parent.id, before)];
  });
}

const HEAD = /^commit ([0-9a-f]{40,64})((?: [0-9a-f]{40,64})*)(?: \(from ([0-9a-f]{40,64})\))?\n/;
const RAW = /^:\d+ \d+ [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/;

interface Recorded extends Touch {
  readonly parents: Touch['parents'][number][];
}

/** `git log` prints a merge once per parent, each time with the changes against that parent. */
function recordCommit(
  found: Map<string, Recorded>,
  [, id = '', parents = '', from]: RegExpExecArray,
  author = '',
): Map<string, string | undefined> {
  const changed = new Map<string, string | undefined>();
  const ids = parents.trim().split(' ');
  const touch = found.get(id) ?? {
    author,
    parents: ids.map((each) => ({ id: each, changed: new Map() })),
  };
  found.set(id, touch);
  const index = Math.max(0, ids.indexOf(from ?? ''));
  touch.parents[index] = { id: ids[index] ?? '', changed };
  return changed;
}
