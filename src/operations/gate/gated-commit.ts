import { basename, dirname } from 'node:path';
import type { Git } from '../../git/git.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder } from '../documents.ts';
import { documentsAt } from '../repository.ts';

/** A line of `service.approval` or of its value, which may stand on a line of its own. */
const CHANGED = '-Gapproval|plan';

/** A file with both words: without them no document asks for plans. */
const HOLDS_BOTH = ['-l', '--full-name', '-w', '--all-match', '-e', 'approval', '-e', 'plan'];

/** How many commits one call of git is given. */
const AT_ONCE = 200;

/** What the merged commits say of gates that the documents of now do not ask for. */
export interface GateHistory {
  /** The newest commit whose documents say `approval: plan`. */
  readonly gated?: string;
  /** Without such a commit: where a shallow clone ends, so that an older one may say so. */
  readonly cut?: string;
}

/**
 * The newest commit of the default branch, after an approved one, whose documents say `approval: plan`
 * where those of now say `commit`. Such a commit asked for gates, and none has let it go since
 * (semantics N70). The whole range is searched: each version of a file that could say so is parsed
 * once, and the documents of a commit are loaded only where one does.
 */
export async function findGated(
  shell: Shell,
  documents: Documents,
  from?: string,
): Promise<GateHistory> {
  if (documents.service.value.approval.is === 'plan') return {};
  const [{ readDefaultBranch, newestTip }, { remoteGit }] = await Promise.all([
    import('./default-branch.ts'),
    import('../../git/git.ts'),
  ]);
  const folder = documentsFolder(shell, documents);
  const tip = newestTip(await readDefaultBranch(shell, documents));
  const git = remoteGit(dirname(folder), shell.env, { silence: 60_000 });
  const range = from === undefined ? tip : `${from}..${tip}`;
  const paths = ['--', basename(folder)];
  const which = ['--format=%H %P', '--first-parent', '-m', CHANGED, range];
  const { out } = await git('log', ...which, ...paths);
  // Each with its parent: the commit that wrote `plan` can be invalid, and a later commit corrects it.
  const sides = listLines(out).flatMap((line) => line.trim().split(' ').slice(0, 2));
  for (const commit of await findGatedCommits(git, [...new Set(sides)], paths)) {
    const found = await documentsAt(shell, folder, commit);
    if (found.documents?.service.value.approval.is === 'plan') return { gated: commit };
  }
  const cut = await findCut(git, range);
  return cut === undefined ? {} : { cut };
}

/** A commit of a range whose parents a shallow clone lacks; undefined where none does. */
async function findCut(git: Git, range: string): Promise<string | undefined> {
  const roots = await git('rev-list', '--max-parents=0', range);
  for (const commit of listLines(roots.out)) {
    const { out } = await git('cat-file', 'commit', commit);
    const [head = ''] = out.split('\n\n', 1);
    if (head.includes('\nparent ')) return commit;
  }
  return undefined;
}

/**
 * The commits with a file that says `approval: plan` by itself, whatever the others say, in their
 * order; all of them if git cannot search them.
 */
async function findGatedCommits(
  git: Git,
  commits: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const some of batches(commits)) {
    const { out, exit } = await git('grep', ...HOLDS_BOTH, ...some, ...paths);
    // 1 is no match.
    if (exit > 1 || exit < 0) return commits;
    files.push(...listLines(out));
  }
  const blobs: string[] = [];
  for (const some of batches(files))
    blobs.push(...listLines((await git('rev-parse', ...some)).out));
  const gated = new Set<string>();
  for (const blob of new Set(blobs)) if (await saysPlan(git, blob)) gated.add(blob);
  const found = files.flatMap((file, n) => {
    return gated.has(blobs[n] ?? '') ? [file.slice(0, file.indexOf(':'))] : [];
  });
  return commits.filter((commit) => found.includes(commit));
}

async function saysPlan(git: Git, blob: string): Promise<boolean> {
  const { loadTexts } = await import('../../config/load.ts');
  const { out } = await git('cat-file', 'blob', blob);
  const { documents, service } = loadTexts([{ path: 'service.yaml', text: out }]);
  return (documents?.service ?? service)?.value.approval.is === 'plan';
}

function batches(all: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
}

function listLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
