import type { Instant } from '../../lib/time.ts';

/** What an approval is: the merged commit, or the outcomes of a plan (semantics N70). */
export const APPROVAL_MODES = ['commit', 'plan'] as const;

/** Whose gate approves: a forge's, or none that fleetform knows. */
export const GROUND_GATES = ['github', 'gitlab', 'none'] as const;

/** Where a ledger is: as documents choose it, and where that leads. */
export interface LedgerPlace {
  readonly store: 'directory' | 'git';
  /** The name or the URL of the remote, as the documents have it, without user and token. */
  readonly remote?: string;
  /** Host and path of that remote: host in lower case, without scheme, user, port and `.git`. */
  readonly at?: string;
  readonly branch?: string;
}

/** Whose records count as approvals: those of a forge's gate, or of a person named by hand. */
export type GroundGate = (typeof GROUND_GATES)[number];

/**
 * What decides where credentials go, where records are read, and what an approval is. Documents
 * propose it; a GROUND record makes it so.
 */
export interface GroundTerms {
  readonly service: { readonly origin: string; readonly organization: string };
  readonly ledger: LedgerPlace;
  readonly approval: (typeof APPROVAL_MODES)[number];
  readonly gate: GroundGate;
  /** The commit whose documents propose it; empty where there is none. */
  readonly commit: string;
  readonly who: string;
  readonly why: string;
}

/** The last GROUND of a ledger, with its number and the time of its record. */
export interface Ground extends GroundTerms {
  readonly seq: number;
  readonly at: Instant;
}
