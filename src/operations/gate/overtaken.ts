import { isAncestor } from '../../git/git.ts';
import { isShared } from '../../model/ledger/ground.ts';
import { withLineFeeds } from '../../lib/canonical.ts';
import { WorldError } from '../../model/error.ts';
import type { UnmergedBy } from '../../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Here } from '../here.ts';
import { cloneOf, committed, documentsAt, readCommit, type Head } from '../repository.ts';
import { readDefaultBranch, requireClear, type DefaultBranch } from './default-branch.ts';

/** The commit by which a run is judged, and whether its documents are still the newest (protocol M8). */
export interface NewestDocuments {
  readonly commit: Head | undefined;
  readonly unmerged?: UnmergedBy;
  /**
   * Whether another commit has other documents now. Looks again where the last look is over five minutes
   * old; throws `branchUnclear` where that fails.
   */
  readonly isOvertaken: () => Promise<boolean>;
}

/** After this time a run looks again before its next batch. */
const LOOK_LASTS: Milliseconds = 5 * 60_000;

/**
 * The newest commit of the default branch, fetched now, whose documents are those of this folder: another
 * commit may hold, freeze or take back what they start, whoever approved it (protocol M8). Throws
 * `documentsNotNewest`, and `branchUnclear`. A ledger in a directory serves one machine: its documents
 * are the newest unless a plan is the approval, and all are where there is no remote.
 */
export async function requireNewest(here: Here, unmerged?: UnmergedBy): Promise<NewestDocuments> {
  const head = await commitOf(here);
  const { approval } = here.documents.service.value;
  const own = { commit: head, isOvertaken: () => Promise.resolve(false) };
  if (!head || isOfOneMachine(here)) return own;
  const branch = requireClear(await readDefaultBranch(here, { isFetched: true }));
  if (branch === 'none') return own;
  if (await isSame(here, branch))
    return { commit: { commit: branch.tip, dirty: false }, isOvertaken: lookAgain(here, branch) };
  if (unmerged && approval.is === 'commit') return { ...own, unmerged };
  throw new WorldError('documentsNotNewest', {
    newest: branch.tip.slice(0, 12),
    ...(head.commit === branch.tip
      ? { why: 'dirty' }
      : { here: head.commit.slice(0, 12), branch: branch.name }),
    ...(await wayOn(here, head, branch)),
    ...(approval.is === 'commit' && { unmerged: UNMERGED }),
  });
}

/**
 * The commit of the documents, as `readCommit`. Throws `documentsConverted` where git changes a document as it writes the
 * file, as with `working-tree-encoding` in `.gitattributes`, and calls it unchanged: a review shows another text than is
 * planned (protocol M8).
 */
export async function commitOf(here: Here): Promise<Head | undefined> {
  const head = await readCommit(here);
  if (!head || head.dirty) return head;
  const { files = [] } = (await committed(here, head.commit)) ?? {};
  const there = new Map(files.map(({ path, text }) => [path, withLineFeeds(text)]));
  const other = here.documents.files.find(
    ({ path, text }) => (there.get(path) ?? withLineFeeds(text)) !== withLineFeeds(text),
  );
  if (other === undefined) return head;
  const params = { file: other.path, commit: head.commit.slice(0, 12) };
  throw new WorldError('documentsConverted', params);
}

/** What makes the documents the newest of which a run would start nothing, as far as the clone knows the branch. */
export async function stepsToNewest(here: Here): Promise<string | undefined> {
  const head = await readCommit(here);
  if (!head || isOfOneMachine(here)) return undefined;
  const branch = await readDefaultBranch(here);
  if (branch === 'none' || 'unclear' in branch || (await isSame(here, branch))) return undefined;
  return (await wayOn(here, head, branch)).steps;
}

function isOfOneMachine({ documents }: Here): boolean {
  const { approval, ledger } = documents.service.value;
  return !isShared(ledger) && approval.is === 'commit';
}

const UNMERGED = '--unmerged --reason R';

/** What makes the documents the newest: a commit, what others merged, a push. None for a branch that a shell would not take. */
async function wayOn(here: Here, { commit }: Head, { remote, name, tip }: DefaultBranch) {
  if (!/^[\w./-]+$/.test(name)) return {};
  const isCommitted = await isSame(here, { tip: commit });
  const { git } = cloneOf(here);
  const isPushed = isCommitted && (await isAncestor(git, commit, tip));
  const steps = [
    ...(isCommitted ? [] : ['git add -A && git commit']),
    ...((await isAncestor(git, tip, commit)) ? [] : [`git pull ${remote} ${name}`]),
    ...(isPushed ? [] : [`git push ${remote} HEAD:${name}`]),
  ];
  return { steps: steps.join(' && ') };
}

/** Whether the newest commit of a branch has these documents. */
async function isSame(here: Here, { tip }: Pick<DefaultBranch, 'tip'>): Promise<boolean> {
  const found = await documentsAt(here, tip);
  return found.documents?.digest === here.documents.digest;
}

function lookAgain(here: Here, branch: DefaultBranch): NewestDocuments['isOvertaken'] {
  const { shell } = here;
  let lookedAt: Instant = shell.clock.now();
  let { tip } = branch;
  return async () => {
    const now = shell.clock.now();
    if (Math.abs(now - lookedAt) <= LOOK_LASTS) return false;
    const found = requireClear(await readDefaultBranch(here, { isFetched: true }));
    if (found === 'none') return false;
    if (found.tip !== tip && !(await isSame(here, found))) return true;
    ({ tip } = found);
    lookedAt = now;
    return false;
  };
}
