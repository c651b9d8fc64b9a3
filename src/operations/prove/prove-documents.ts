import { getOrAdd } from '../../lib/maps.ts';
import {
  type AuditPlan,
  type AuditRun,
  type AuditCheck,
  finding,
} from '../../model/ledger/audit.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { withCommits } from '../origins.ts';
import { isCutOff } from '../../git/first-parents.ts';
import { commitNamed, commitsTouching, documentsAt, foldersOf, cloneOf } from '../repository.ts';
import { documentsFolder, type Cloned } from '../here.ts';

/** Looks up the documents of commits: `gone` if the commit is not in the clone. */
export type Commits = Pick<DocumentHistory, 'at' | 'isShallow'> &
  Partial<Pick<DocumentHistory, 'withDigest'>>;

/** Documents, and a commit that contains them. */
export interface CommitDocuments {
  readonly commit: string;
  readonly documents: Documents;
}

/** How many commits to search and parse, newest first: enough for years of a fleet. */
const MOST_SEARCHED = 1000;

/** The documents of commits in git, each read once. */
export class DocumentHistory implements Commits {
  readonly isShallow: Promise<boolean>;
  readonly #here: Cloned;
  readonly #found = new Map<string, Promise<CommitDocuments | undefined>>();
  readonly #read = new Map<string, Promise<Documents | 'gone' | 'none'>>();

  constructor(here: Cloned) {
    this.#here = here;
    // What fleetform fetched for itself, such as a part of its ledger, is no history of documents.
    this.isShallow = isCutOff(cloneOf(here).git, '--exclude=refs/fleetform/*', '--all', 'HEAD');
  }

  at(commit: string): Promise<Documents | 'gone' | 'none'> {
    return getOrAdd(this.#read, commit, () => this.#at(commit));
  }

  /**
   * The newest commit on any branch whose documents have this digest: after a squash, the commit of
   * a deleted branch is gone, but another commit contains its documents.
   */
  withDigest(digest: string): Promise<CommitDocuments | undefined> {
    return getOrAdd(this.#found, digest, () => this.#search(digest));
  }

  /** Searches the commits that change a folder of the fleet, then those of folders that it had at one of these. */
  async #search(digest: string): Promise<CommitDocuments | undefined> {
    const folders = new Set(await foldersOf(this.#here));
    for (let open = [...folders], known = 0; open.length > 0; open = [...folders].slice(known)) {
      known = folders.size;
      for (const commit of await commitsTouching(this.#here, open, MOST_SEARCHED)) {
        const documents = await this.at(commit);
        if (typeof documents === 'string') continue;
        if (documents.digest === digest) return { commit, documents };
        for (const folder of documents.folders ?? []) folders.add(folder);
      }
    }
    return undefined;
  }

  async #at(commit: string): Promise<Documents | 'gone' | 'none'> {
    if ((await commitNamed(this.#here, commit)) !== commit) return 'gone';
    const { documents } = await documentsAt(this.#here, commit);
    if (!documents) return 'none';
    const folder = documentsFolder(this.#here);
    const there = { shell: this.#here.shell, documents: { ...documents, folder } };
    return withCommits(there, { ref: commit });
  }
}

/**
 * Compares the documents of every applied commit, read through git and not from the work tree, with
 * the recorded digests.
 */
export async function proveDocuments(
  runs: readonly AuditRun[],
  history: Commits,
): Promise<readonly AuditCheck[]> {
  const wrong: AuditCheck[] = [];
  const proved = new Set<string>();
  const plans = runs.flatMap(({ epoch, plans: all }) => all.map((plan) => ({ epoch, plan })));
  for (const { epoch, plan } of plans) {
    const check = await findWrong(plan, epoch, history);
    if (check) wrong.push(check);
    else proved.add(plan.commit);
  }
  if (proved.size === 0) return wrong;
  return [finding('documents', 'proved', 'documentsSame', { commits: proved.size }), ...wrong];
}

async function findWrong(
  { commit, basis, reading }: AuditPlan,
  epoch: number,
  history: Commits,
): Promise<AuditCheck | undefined> {
  const { documents: digest, dirty = false } = reading ?? basis ?? {};
  if (digest === undefined) return finding('documents', 'unproved', 'noBasis', { epoch });
  if (commit === '') return finding('documents', 'unproved', 'outside', { epoch });
  return wrongAt(history, { commit, digest, epoch, dirty });
}

async function wrongAt(
  history: Commits,
  planned: { commit: string; digest: string; epoch: number; dirty: boolean },
): Promise<AuditCheck | undefined> {
  const { commit, digest, epoch, dirty } = planned;
  const documents = await history.at(commit);
  const elsewhere = documents === 'gone' ? await history.withDigest?.(digest) : undefined;
  if (elsewhere)
    return finding('documents', 'proved', 'documentsKept', { commit, kept: elsewhere.commit });
  if (documents === 'gone')
    return (await history.isShallow)
      ? finding('documents', 'unproved', 'commitNotHere', { commit })
      : finding('documents', 'broken', 'commitGone', { commit });
  if (documents !== 'none' && documents.digest === digest) return undefined;
  if (dirty) return finding('documents', 'unproved', 'notCommitted', { epoch });
  if (documents === 'none') return finding('documents', 'broken', 'documentsUnusable', { commit });
  return finding('documents', 'broken', 'documentsOther', { commit });
}
