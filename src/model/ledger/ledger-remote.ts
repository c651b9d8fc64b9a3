/** One commit on the branch of a ledger; `parent` is empty for the first. */
export interface LedgerCommit {
  readonly id: string;
  readonly parent: string;
  /** The files that it changed, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * A branch of a git remote: commits are made locally, and the remote branch moves only from the
 * commit that the caller expects. Commit IDs are opaque; the empty string is "no commit". Throws
 * `storeFailed` where the remote cannot be reached.
 */
export interface LedgerRemote {
  /** For messages: which remote and which branch. */
  readonly place: string;
  /** The commit of the branch, read over a connection of its own. */
  tip(): Promise<string>;
  /**
   * The commits after one commit up to another that the branch was seen at, oldest first. Undefined
   * where they are not a linear history of plain files.
   */
  commits(after: string, upTo: string): Promise<readonly LedgerCommit[] | undefined>;
  /**
   * The commit that is so many before another one that the branch was seen at. A job, or a shallow clone, that has
   * nothing of the branch fetches no more than that; no clone of a person becomes shallow. Undefined where there is no such commit.
   */
  before?(upTo: string, back: number): Promise<string | undefined>;
  /** The files of a commit that is here, by path; one that is not plain has no text. */
  files?(commit: string): Promise<LedgerCommit['files']>;
  /** Makes a commit with exactly these files; it is not on the remote yet. */
  commit(commit: {
    readonly parent: string;
    readonly files: Readonly<Record<string, string>>;
    readonly message: string;
  }): Promise<string>;
  /**
   * The branch that keeps the heads of this one, as of the last `tip()`: its commit, and the text of a file
   * there, which is not read of the commit that is known. The commit is empty where the branch is not there; undefined
   * where it was not looked for.
   */
  heads?(
    file: string,
    known: string,
  ): Promise<{ readonly commit: string; readonly text: string } | undefined>;
  /**
   * Moves the branch from one commit to a child of it, and the branch of its heads with it, in one push. `elsewhere`:
   * the branch is at another commit than expected. `unclear`: no clear answer; the move may still happen. Throws `ledgerUnfit`
   * where a rule of the remote or a missing permission forbids it.
   */
  move(from: string, to: string): Promise<'moved' | 'elsewhere' | 'unclear'>;
  /** A branch beside this one on the same remote. */
  beside(suffix: string): LedgerRemote;
  /** Deletes the branch if it is still at a commit; false where the remote does not. */
  remove(at: string): Promise<boolean>;
}
