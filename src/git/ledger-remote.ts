import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../lib/canonical.ts';
import { WorldError, type Params } from '../model/error.ts';
import type { LedgerCommit, LedgerRemote } from '../model/ledger/ledger-remote.ts';
import type { Milliseconds } from '../lib/time.ts';
import { readContents } from './contents.ts';
import { CHANGES, isCutOff, readChanges } from './first-parents.ts';
import {
  hasCommit,
  isAncestor,
  listedId,
  remoteGit,
  resolved,
  type Git,
  type GitAnswer,
  isWithoutGit,
} from './git.ts';
import { complaint, isHeldBack, lacksAtomic, pushAnswer, withoutUser } from './push-answer.ts';
import { withScratch } from './scratch.ts';

/** A call without output for this long is ended. The outcome of a push is then `unclear`. */
const SILENCE: Milliseconds = 60_000;

/** More commits than any ledger has, but below the depth that git reads as "everything". */
const WHOLE = 1_000_000;

/** Refs whose names git has found harmless. */
const BRANCHES = new Set<string>();

/** How often another writer may move the branch of heads first. */
const RACES = 5;

/** The author of ledger commits is fleetform. Records name persons only where necessary. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'fleetform',
  GIT_AUTHOR_EMAIL: 'fleetform@localhost',
  GIT_COMMITTER_NAME: 'fleetform',
  GIT_COMMITTER_EMAIL: 'fleetform@localhost',
};

export interface RemoteOptions {
  /** A folder in the clone that has the remote. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of a remote, a URL or a path. */
  readonly remote: string;
  readonly branch: string;
  readonly silence?: Milliseconds;
  /** The branch of heads: whether it moves with this one (protocol M12), and who is told once why it cannot. */
  readonly heads?: {
    readonly isMoved: boolean;
    readonly onUnkept: (branch: string, why: string) => void;
  };
  /** Use only what this clone has of the branch; do not contact the remote. */
  readonly isOffline?: boolean;
  /** In a job: of a branch that is not here it fetches what a reader needs, although git calls the clone shallow from then on. */
  readonly isJob?: boolean;
  /** Where the branch is, if somebody has asked the remote already. */
  readonly at?: string;
  /** Runs git; default: the installed one. */
  readonly runner?: typeof remoteGit;
}

/**
 * A branch of a git remote, accessed with the installed git (protocol J3). It fetches only this
 * branch, into a ref of its own; the working tree, index, hooks and other refs of the clone do not
 * change.
 */
export function ledgerRemote(options: RemoteOptions): LedgerRemote {
  return new GitLedgerRemote(options);
}

/** What can be seen of the branch of heads without a change. */
export type SeenHeads = 'kept' | 'missing' | 'notAtomic';

/**
 * Looks, without a change, whether a remote has the branch of heads and moves it with the ledger (protocol M12): a
 * push that is only tried shows the second. Throws `storeFailed` and `ledgerUnfit`.
 */
export function seeHeads(options: Omit<RemoteOptions, 'heads'>): Promise<SeenHeads> {
  const heads = { isMoved: false, onUnkept: () => undefined };
  return new GitLedgerRemote({ ...options, heads }).seeHeads();
}

class GitLedgerRemote implements LedgerRemote {
  readonly place: string;
  readonly #options: RemoteOptions;
  readonly #ref: string;
  /**
   * Protects fetched commits from garbage collection, and shows the remote which ones are already here.
   */
  readonly #localRef: string;
  readonly #headsRef: string;
  /** Where the branch of heads was last seen; empty where it is not there. */
  #heads: string | undefined;
  /** Whether the branch of heads is read, and whether it is moved. */
  readonly #hasHeads: boolean;
  #isKeeping: boolean;
  #isHarmless = false;

  constructor(options: RemoteOptions) {
    const { remote, branch } = options;
    this.#options = options;
    this.#ref = `refs/heads/${branch}`;
    this.#localRef = `refs/fleetform/ledger/${sha256(JSON.stringify([remote, branch])).slice(0, 12)}`;
    this.#headsRef = `${this.#ref}-heads`;
    this.#hasHeads = options.heads !== undefined && options.isOffline !== true;
    this.#isKeeping = this.#hasHeads && options.heads?.isMoved === true;
    this.place = `${withoutUser(remote)} ${this.#ref}`;
  }

  async tip(): Promise<string> {
    await this.#refuseHostile();
    if (this.#options.at !== undefined) return this.#options.at;
    if (this.#options.isOffline === true) return this.#tipHere();
    const refs = [this.#ref, ...(this.#hasHeads ? [this.#headsRef] : [])];
    const answer = await this.#git()('ls-remote', '--', this.#options.remote, ...refs);
    if (answer.exit !== 0) throw await this.#failure(answer);
    const [tip = '', heads] = refs.map((ref) => listedId(answer, ref) ?? '');
    this.#heads = heads;
    return tip;
  }

  async heads(file: string, known: string) {
    const commit = this.#heads;
    if (commit === undefined) return undefined;
    if (commit === '' || commit === known) return { commit, text: '' };
    await this.#fetchHeads(commit);
    return { commit, text: (await this.files(commit)).get(file) ?? '' };
  }

  async seeHeads(): Promise<SeenHeads> {
    const tip = await this.tip();
    const said = await this.#push(tip, `HEAD:${this.#headsRef}`, ['--dry-run', '--atomic']);
    if (lacksAtomic(said)) return 'notAtomic';
    const { kind } = pushAnswer(said, this.#headsRef);
    if (kind === 'refused' || kind === 'unclear') throw await this.#failure(said);
    return this.#heads === '' ? 'missing' : 'kept';
  }

  async commits(after: string, upTo: string) {
    if (!(await hasCommit(this.#git(), upTo))) await this.#fetch();
    // Also keep what was pushed: an auditor may have only this clone.
    else await this.#git()('update-ref', this.#localRef, upTo);
    const found = await this.#export(after, upTo);
    const [first] = found ?? [];
    if (first?.parent !== '' || !(await isCutOff(this.#git(), first.id))) return found;
    await this.#fetch(`--depth=${WHOLE}`);
    return this.#export(after, upTo);
  }

  async before(upTo: string, back: number): Promise<string | undefined> {
    if (!(await hasCommit(this.#git(), upTo))) {
      const isNew = (await this.#tips()).length === 0;
      const isInPart = this.#options.isJob === true || (await this.#isShallow());
      if (isNew && isInPart) await this.#fetchOnly(upTo, 1);
      else await this.#fetch();
    }
    if (back > WHOLE) return undefined;
    const found = await resolved(this.#git(), `${upTo}~${back}`);
    if (found !== undefined || !(await this.#isShallow())) return found;
    await this.#fetchOnly(upTo, back + 1);
    return resolved(this.#git(), `${upTo}~${back}`);
  }

  async files(commit: string): Promise<LedgerCommit['files']> {
    const { out } = await this.#git()('ls-tree', '--full-tree', '-z', commit);
    // The third tells that there are too many.
    const named = [...out.matchAll(/(\d+) \w+ (\w+)\t([^\0]*)\0/g)].slice(0, 3);
    const texts = await this.#contents(named.map(([, , id = '']) => id));
    return new Map(
      named.map(([, mode, id = '', path = '']) => {
        return [path, mode === '100644' ? (texts.get(id) ?? '') : ''] as const;
      }),
    );
  }

  async commit({ parent, files, message }: Parameters<LedgerRemote['commit']>[0]) {
    return withScratch('ledger', async (folder) => {
      const git = this.#git({ ...IDENTITY, GIT_INDEX_FILE: join(folder, 'index') });
      const names = Object.keys(files);
      const paths = names.map((_, n) => join(folder, `${n}`));
      await Promise.all(paths.map((path, n) => writeFile(path, files[names[n] ?? ''] ?? '')));
      const blobs = await this.#done(git('hash-object', '-w', '--no-filters', '--', ...paths));
      const infos = blobs
        .split('\n')
        .flatMap((id, n) => ['--cacheinfo', `100644,${id},${names[n]}`]);
      await this.#done(git('update-index', '--verbose', '--add', ...infos));
      const tree = await this.#done(git('write-tree'));
      const parents = parent === '' ? [] : ['-p', parent];
      return this.#done(git('commit-tree', tree, ...parents, '-m', message));
    });
  }

  async move(from: string, to: string): Promise<'moved' | 'elsewhere' | 'unclear'> {
    const said = pushAnswer(await this.#pushWithHeads(from, to), this.#ref);
    if (said.kind === 'moved') return 'moved';
    if (said.kind === 'behind') return 'elsewhere';
    const tip = await this.tip().catch(() => undefined);
    if (tip === to) return 'moved';
    if (tip !== undefined && tip !== from) return 'elsewhere';
    if (said.kind === 'refused') throw this.#unfit({ why: 'refused', cause: said.why });
    return 'unclear';
  }

  beside(suffix: string): LedgerRemote {
    const { heads: _heads, ...options } = this.#options;
    return new GitLedgerRemote({ ...options, branch: `${options.branch}${suffix}` });
  }

  async remove(at: string): Promise<boolean> {
    return (await this.#push(at, `:${this.#ref}`)).exit === 0;
  }

  /**
   * Pushes the branch and that of its heads, both or neither. Where the remote cannot do that, or refuses the
   * branch of heads, no heads are kept from then on: what was kept still counts.
   */
  async #pushWithHeads(from: string, to: string): Promise<GitAnswer> {
    const refspec = `${to}:${this.#ref}`;
    for (let tries = 0; this.#isKeeping; tries += 1) {
      if (this.#heads === undefined) await this.tip();
      const heads = { from: this.#heads ?? '', to: await this.#headsAfter(from, to) };
      const lease = `--force-with-lease=${this.#headsRef}:${heads.from}`;
      const more = ['--atomic', lease] as const;
      const said = await this.#push(from, refspec, more, [`${heads.to}:${this.#headsRef}`]);
      const own = pushAnswer(said, this.#headsRef);
      if (own.kind === 'moved') this.#heads = heads.to;
      if (lacksAtomic(said)) this.#stopKeeping('the remote does not move two branches at once');
      else if (!isHeldBack(said, this.#ref)) return said;
      else if (own.kind === 'refused') this.#stopKeeping(own.why);
      else if (own.kind === 'behind' && tries < RACES) this.#heads = undefined;
      else return said;
    }
    return this.#push(from, refspec);
  }

  #stopKeeping(why: string): void {
    this.#isKeeping = false;
    this.#options.heads?.onUnkept(`${this.#options.branch}-heads`, why);
  }

  /**
   * The commit that the branch of heads moves to: the new one of the ledger, or a merge with it where the
   * branch has a head that the ledger lacks, since a protected branch only moves forward.
   */
  async #headsAfter(from: string, to: string): Promise<string> {
    const heads = this.#heads ?? '';
    if (heads === '' || heads === from) return to;
    await this.#fetchHeads(heads);
    if (await this.#isAfter(heads, to)) return heads;
    if (await this.#isAfter(to, heads)) return to;
    const parents = ['-p', heads, '-p', to, '-m', 'fleetform ledger heads'];
    return this.#done(this.#git(IDENTITY)('commit-tree', `${to}^{tree}`, ...parents));
  }

  async #fetchHeads(commit: string): Promise<void> {
    if (await hasCommit(this.#git(), commit)) return;
    await this.#fetched(this.#headsRef, [], `${this.#localRef}-heads`);
  }

  /**
   * Pushes with the expected ID. A plain push would also succeed after the branch was moved back.
   */
  async #push(
    expected: string,
    refspec: string,
    more: readonly string[] = [],
    others: readonly string[] = [],
  ): Promise<GitAnswer> {
    await this.#refuseHostile();
    const lease = `--force-with-lease=${this.#ref}:${expected}`;
    const plain = ['--porcelain', '--no-verify', '--no-signed', '--no-follow-tags', ...more];
    const rest = ['--recurse-submodules=no', '--', this.#options.remote, refspec, ...others];
    return this.#git()('push', ...plain, lease, ...rest);
  }

  /**
   * The newest commit in this clone: from our own ref, the remote-tracking branch, or the local
   * branch.
   */
  async #tipHere(): Promise<string> {
    let newest = '';
    for (const id of await this.#tips())
      if (newest === '' || (await this.#isAfter(id, newest))) newest = id;
    if (newest === '') throw this.#away('this clone has nothing of the branch');
    return newest;
  }

  /** What this clone has of the branch: of our own ref, the remote-tracking branch, and the local branch. */
  async #tips(): Promise<readonly string[]> {
    const { remote, branch } = this.#options;
    const refs = [this.#localRef, `refs/remotes/${remote}/${branch}`, this.#ref];
    return (await Promise.all(refs.map((ref) => resolved(this.#git(), ref)))).flatMap(
      (id) => id ?? [],
    );
  }

  async #isShallow(): Promise<boolean> {
    return (await this.#git()('rev-parse', '--is-shallow-repository')).out.trim() === 'true';
  }

  /** A shallow clone may not show the path between the two: it fetches the rest before it denies that there is one. */
  async #isAfter(id: string, earlier: string): Promise<boolean> {
    if (await isAncestor(this.#git(), earlier, id)) return true;
    if (this.#options.isOffline === true || !(await this.#isShallow())) return false;
    await this.#fetch(`--depth=${WHOLE}`);
    return isAncestor(this.#git(), earlier, id);
  }

  /** Fetches a commit of the branch with so many of its history, or the branch where the remote gives no commit by its ID. */
  async #fetchOnly(id: string, depth: number): Promise<void> {
    if ((await this.#fetched(id, [`--depth=${depth}`])).exit === 0) return;
    await this.#fetch(`--depth=${WHOLE}`);
  }

  async #fetch(...more: readonly string[]): Promise<void> {
    const answer = await this.#fetched(this.#ref, more);
    // Another process of this clone may be writing our ref; the fetched commits are available
    // anyway.
    if (answer.exit !== 0 && !/cannot lock ref/.test(answer.err)) throw await this.#failure(answer);
  }

  async #fetched(what: string, more: readonly string[], to = this.#localRef): Promise<GitAnswer> {
    await this.#refuseHostile();
    if (this.#options.isOffline === true) throw this.#away('this clone has the branch in part');
    const plain = ['--quiet', '--no-tags', '--no-prune', '--refmap=', '--no-filter', ...more];
    const quiet = ['--no-write-fetch-head', '--no-auto-maintenance', '--no-recurse-submodules'];
    const refspec = `+${what}:${to}`;
    return this.#git()('fetch', ...plain, ...quiet, '--', this.#options.remote, refspec);
  }

  /** Undefined for what is no line of commits with plain files: a merge, a deleted or a special file. */
  async #export(after: string, upTo: string): Promise<readonly LedgerCommit[] | undefined> {
    const range = after === '' ? upTo : `${after}..${upTo}`;
    const answer = await this.#git()(...CHANGES, range, '--');
    if (answer.exit !== 0) throw await this.#failure(answer);
    const changes = readChanges(answer.out);
    const files = changes.flatMap((change) => change.files);
    const isMerge = changes.some(({ parents }) => parents.length > 1);
    if (isMerge || files.some(({ mode }) => mode !== '100644')) return undefined;
    const blobs = [...new Set(files.flatMap(({ blob }) => blob ?? []))];
    const texts = await this.#contents(blobs);
    if (texts.size < blobs.length) throw this.#away('this clone lacks contents of the branch');
    return changes.map(({ commit, parents: [parent = ''], files: own }) => ({
      id: commit,
      parent,
      files: new Map(own.map(({ path, blob = '' }) => [path, texts.get(blob) ?? ''])),
    }));
  }

  #contents(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return readContents((objects) => this.#git({}, objects), ids);
  }

  /** Refuses names that git could read as an option, a program or another ref. */
  async #refuseHostile(): Promise<void> {
    if (this.#isHarmless) return;
    const { remote } = this.#options;
    if (/^-|^[\w+.-]*::/.test(remote)) throw this.#unfit({ why: 'remoteName' });
    if (!BRANCHES.has(this.#ref)) {
      const answer = await this.#git()('check-ref-format', '--normalize', this.#ref);
      if (answer.exit === -1) throw await this.#failure(answer);
      if (answer.out.trim() !== this.#ref) throw this.#unfit({ why: 'branchName' });
      BRANCHES.add(this.#ref);
    }
    this.#isHarmless = true;
  }

  async #done(answer: Promise<GitAnswer>): Promise<string> {
    const said = await answer;
    if (said.exit !== 0) throw await this.#failure(said);
    return said.out.trim();
  }

  async #failure(answer: GitAnswer): Promise<WorldError> {
    if (isWithoutGit(answer)) return this.#unfit({ why: 'noGit' });
    const isClone = (await this.#git()('rev-parse', '--git-dir')).exit === 0;
    if (!isClone) return this.#unfit({ why: 'noClone', path: this.#options.folder });
    if (/does not appear to be a git repository/.test(answer.err) && !(await this.#isRemote()))
      return this.#unfit({ why: 'noRemote' });
    return this.#away(complaint(answer.err));
  }

  /** Whether the clone has a remote of this name. A URL or a path is no name. */
  async #isRemote(): Promise<boolean> {
    const { remote } = this.#options;
    if (!/^\w[\w.-]*$/.test(remote)) return true;
    return (await this.#git()('config', '--get', `remote.${remote}.url`)).exit === 0;
  }

  #away(cause: string): WorldError {
    return new WorldError('storeFailed', { place: this.place, cause }, { retry: 'safe' });
  }

  #unfit(more: Params): WorldError {
    return new WorldError('ledgerUnfit', { place: this.place, ...more });
  }

  #git(more: Readonly<Record<string, string>> = {}, objects?: readonly string[]): Git {
    const { folder, env, silence = SILENCE, runner = remoteGit } = this.#options;
    return runner(folder, env, { more, silence, ...(objects && { objects }) });
  }
}
