/** One commit on the branch of a ledger; `parent` is empty for the first. */
export interface LedgerCommit {
  readonly id: string;
  readonly parent: string;
  /** The files that it changed, by path. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * A branch of a git remote: commits are made here, and the branch over there moves from the one it
 * is expected to be at or not at all. Commit ids are opaque; the empty text is "no commit". Throws
 * `storeFailed` where the remote cannot be reached.
 */
export interface LedgerRemote {
  /** For messages: which remote and which branch. */
  readonly place: string;
  /** Where the branch is, asked over a connection of its own. */
  tip(): Promise<string>;
  /**
   * What lies after one commit and up to another that the branch was seen at, oldest first.
   * Undefined where that is not one line of plain files.
   */
  commits(after: string, upTo: string): Promise<readonly LedgerCommit[] | undefined>;
  /** Makes a commit with these files and no others; nobody else sees it yet. */
  commit(commit: {
    readonly parent: string;
    readonly files: Readonly<Record<string, string>>;
    readonly message: string;
  }): Promise<string>;
  /**
   * Moves the branch from one commit to a child of it. `elsewhere`: it is not where it was expected
   * to be. `unclear`: no clear answer, and it may still happen. Throws `ledgerUnfit` where a rule of
   * the remote or a missing right forbids it.
   */
  move(from: string, to: string): Promise<'moved' | 'elsewhere' | 'unclear'>;
  /** A branch beside this one on the same remote. */
  beside(suffix: string): LedgerRemote;
  /** Deletes the branch where it is still at a commit; false where the remote does not do it. */
  remove(at: string): Promise<boolean>;
}
