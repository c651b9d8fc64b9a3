import type { Git } from './git.ts';

/** A file that a commit wrote or removed. */
export interface ChangedFile {
  /** From the folder on. */
  readonly path: string;
  readonly mode: string;
  /** Its content; absent where the commit removed the file. */
  readonly blob?: string;
}

/** A commit, and the files that it changed, of a folder or of all. */
export interface CommitChange {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly files: readonly ChangedFile[];
}

/** How many names one call of git is given. */
const AT_ONCE = 200;

/**
 * The commits of the first parents up to `tip` that changed the files of the folder where git runs,
 * oldest first. A merge counts with what it changed against the branch that it was merged into.
 * Undefined where git does not know the commit.
 */
export async function firstParents(
  git: Git,
  tip: string,
): Promise<readonly CommitChange[] | undefined> {
  const { out, exit } = await git(...CHANGES, '--first-parent', '-m', '--relative', tip, '--', '.');
  return exit === 0 ? readChanges(out) : undefined;
}

/** What `readChanges` reads, oldest first. */
export const CHANGES = 'log --reverse --root --raw -z --no-abbrev --no-renames --no-show-signature'
  .split(' ')
  .concat('--format=%H %P');

/** Reads a commit and its parents, then for each file its modes, contents and kind of change, then its path. */
export function readChanges(log: string): readonly CommitChange[] {
  const changes: (CommitChange & { readonly files: ChangedFile[] })[] = [];
  const parts = log.split('\0');
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? '';
    const [, mode, blob, kind] = /^\n?:\d+ (\d+) \w+ (\w+) ([A-Z])/.exec(part) ?? [];
    if (mode === undefined || blob === undefined) {
      const [commit = '', ...parents] = part.trim().split(' ');
      if (commit !== '') changes.push({ commit, parents, files: [] });
      continue;
    }
    index += 1;
    const path = parts[index] ?? '';
    changes.at(-1)?.files.push({ path, mode, ...(kind !== 'D' && { blob }) });
  }
  return changes;
}

/**
 * Whether the history of commits ends because the clone is shallow: then an older commit may say anything. A branch
 * that is here in part, such as that of the ledger, cuts no other.
 * @param tips commits, and what git needs to choose among their histories, such as `--first-parent`
 */
export async function isCutOff(git: Git, ...tips: readonly string[]): Promise<boolean> {
  const roots = await git('rev-list', '--max-parents=0', ...tips);
  for (const root of listLines(roots.out)) {
    const { out } = await git('cat-file', 'commit', root);
    if (/^parent /m.test(out.split('\n\n', 1)[0] ?? '')) return true;
  }
  return false;
}

/** Those of some contents that have one of these texts. */
export async function contentsWith(
  git: Git,
  blobs: readonly string[],
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const patterns = texts.flatMap((text) => ['-e', text]);
  for (const some of batches(blobs)) {
    const { out, exit } = await git('grep', '-l', '-F', '--full-name', ...patterns, ...some);
    // 1 is no match; whatever else keeps git from looking, all of them may have it.
    for (const blob of exit > 1 || exit < 0 ? some : listLines(out)) found.add(blob);
  }
  return found;
}

/** What a file was in the commit that added it; undefined where no history shows it, or where that is cut off. */
export async function firstText(git: Git, path: string): Promise<string | undefined> {
  const { out } = await git('log', '--diff-filter=A', '--format=%H', '--', path);
  const first = listLines(out).at(-1);
  if (first === undefined || (await isCutOff(git, 'HEAD'))) return undefined;
  return (await git('cat-file', 'blob', `${first}:./${path}`)).out;
}

function batches(all: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
}

function listLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
