import { STANDARD } from '../documents/standard.gen.ts';
import { oneOf, optional, shaped, type Shaped, text } from '../../lib/shape.ts';
import type { Instant } from '../../lib/time.ts';

/** What an approval is: the merged commit, or the outcomes of a plan (semantics N70). */
export const APPROVAL_MODES = ['commit', 'plan'] as const;

/** Whose gate approves: a forge's, or none that fleetform knows. */
export const GROUND_GATES = ['github', 'gitlab', 'none'] as const;

const PLACE = {
  store: oneOf('directory', 'git', 'postgres'),
  /** The name or the URL of the remote, as the documents have it, without user and token. */
  remote: optional(text),
  /** Host and path of that remote (host in lower case, without scheme, user, port and `.git`); host, port and name of a database. */
  at: optional(text),
  /** The branch; in a database the key of the ledger: the fingerprint of its service. */
  branch: optional(text),
};

/** Where a ledger is: as documents choose it, and where that leads. */
export type LedgerPlace = Shaped<typeof PLACE>;

/** Whose records count as approvals: those of a forge's gate, or of a person named by hand. */
export type GroundGate = (typeof GROUND_GATES)[number];

/**
 * What decides where credentials go, where records are read, and what an approval is. Documents
 * propose it; a GROUND record makes it so.
 */
export const GROUND = {
  service: shaped({ origin: text, organization: text }),
  ledger: shaped(PLACE),
  approval: oneOf(...APPROVAL_MODES),
  gate: oneOf(...GROUND_GATES),
  /** The commit whose documents propose it; empty where there is none. */
  commit: text,
  who: text,
  why: text,
};
export type GroundTerms = Shaped<typeof GROUND>;

/** The last GROUND of a ledger, with its number and the time of its record. */
export interface Ground extends GroundTerms {
  readonly seq: number;
  readonly at: Instant;
  /**
   * `seq` of the last GROUND with another service or place than the one before, or with the first gate of a forge; absent:
   * none moved.
   */
  readonly movedAt?: number;
}

/** The remote and the branch of a ledger in git where the documents do not name them. */
export const LEDGER_DEFAULTS = STANDARD.ledger;

/**
 * Whether two places are one: of git the same branch at the same host and path, however the remote is
 * called; directories are not told apart, since records name none.
 */
export function isSamePlace(a: LedgerPlace, b: LedgerPlace): boolean {
  if (a.store !== b.store) return false;
  if (a.store === 'directory') return true;
  const isAtSame = a.at !== undefined && b.at !== undefined ? a.at === b.at : a.remote === b.remote;
  return isAtSame && a.branch === b.branch;
}

/** A place as a person reads it: `github.com/acme/fleet fleetform-ledger`, `postgres db.example.com:5432/fleet 1a2b3c4d5e6f`. */
export function placeText({ store, at, remote, branch = '' }: LedgerPlace): string {
  if (store === 'directory') return store;
  if (store === 'git') return `${at ?? remote} ${branch}`;
  // Where no variable names the database, nothing does.
  return ['postgres', ...(at === undefined ? [] : [at]), branch.slice(0, 12)].join(' ');
}

/** Whether several machines use a ledger. */
export function isShared(ledger: Partial<Pick<LedgerPlace, 'store'>> | undefined): boolean {
  return (ledger?.store ?? 'directory') !== 'directory';
}
