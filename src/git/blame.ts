import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimpleGit } from 'simple-git';
import type { LineOrigin } from '../model/documents/origin.ts';
import { formatInstant } from '../lib/time.ts';
import {
  type CommitHistory,
  historyArguments,
  fileLineage,
  newerThanEach,
  orderArguments,
  parseHistory,
} from './history.ts';
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
  git: SimpleGit,
  wanted: WantedLines,
  { folders, ref, unmade = [] }: BlamedAt,
): Promise<ReadonlyMap<string, ReadonlyMap<number, LineOrigin>>> {
  const head = (await git.raw('rev-parse', '--verify', `${ref ?? 'HEAD'}^{commit}`)).trim();
  const history = parseHistory(await git.raw(...historyArguments(head, folders)));
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
  git: SimpleGit,
  path: string,
  { lines, context, file, ref }: BlameRequest,
): Promise<ReadonlyMap<number, LineOrigin>> {
  const at = ref === undefined ? [] : [ref];
  const options = ['--porcelain', '-S', file, ...at, '--', path];
  const output = await git.raw('blame', ...options).catch(() => undefined);
  if (output === undefined) return new Map([...lines].map((line) => [line, NOT_COMMITTED]));
  return new Map([...parseBlame(output, context)].filter(([line]) => lines.has(line)));
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
  git: SimpleGit,
  text: string,
  { path, folders, from, to = 'HEAD' }: MovedIn,
): Promise<LineOrigin | undefined> {
  const log = ['log', '-1', '--format=%H%x00%an%x00%s%x00%at', '--no-show-signature'];
  const output = await git.raw(...log, `-S${text}`, `${from}..${to}`, '--', path);
  const [commit = '', author = '', summary = '', at = ''] = output.trimEnd().split('\0');
  if (commit === '') return undefined;
  const ids = (await git.raw(...orderArguments(to, folders))).trim().split('\n');
  const context = { cut: new Set<string>(), newer: newerThanEach(ids) };
  return toOrigin(commit, { author, summary, 'author-time': at }, context);
}

function clamped(seconds: number): number {
  return Math.max(EARLIEST, Math.min(seconds, LATEST));
}

/** The commits whose parents a shallow clone lacks; empty in a full clone. */
async function shallowCommits(git: SimpleGit): Promise<ReadonlySet<string>> {
  const path = (
    await git.raw('rev-parse', '--path-format=absolute', '--git-path', 'shallow')
  ).trim();
  const text = await readFile(path, 'utf8').catch(() => '');
  return new Set(text.split('\n').filter((id) => id !== ''));
}
