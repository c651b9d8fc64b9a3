import type { Device, DeviceSource, DiscoveredDevice, Site } from './fleet/device.ts';
import type {
  ApprovedFirmware,
  CertificateFacts,
  PasswordFacts,
  ReadProblem,
} from './fleet/snapshot.ts';
import type { Lease, Memory } from './ledger/memory.ts';
import type { LedgerHead, LedgerRecord, RecordBody } from './ledger/record.ts';
import type { ServiceTask, TaskRequest } from './fleet/task.ts';
import type { Merge } from './documents/merge.ts';
import type { LineOrigin } from './documents/origin.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';
import type { TreeFiles } from './documents/tree-files.ts';
import type { RunSums } from './ledger/run-sums.ts';

/**
 * Everything that speaks HTTP. Resolves only with a complete answer, whatever its status; otherwise rejects with
 * a `TransportError`. It follows no redirect and repeats nothing.
 */
export type Transport = (request: Request) => Promise<Response>;

/**
 * How far a request got. `unsent`: provably no byte of it left. `sent`: it may have taken effect.
 */
export type TransportPhase = 'unsent' | 'sent';

/** A request without a complete answer; the phase decides whether a POST may be tried anew. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly phase: TransportPhase;
  readonly code: string;

  constructor(phase: TransportPhase, code: string, options?: ErrorOptions) {
    super(`${phase}: ${code}`, options);
    this.phase = phase;
    this.code = code;
  }
}

/** Time as the shell supplies it; the only way to know it or to wait. */
export interface Clock {
  /** Wall clock. */
  now(): Instant;
  /** Milliseconds on a clock that never goes back; meaningful only as a difference. */
  monotonic(): Milliseconds;
  /** Resolves after a time of any length; rejects with the reason of an aborted signal. */
  sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void>;
}

/** Chance as the shell supplies it: uniform in [0, 1). */
export type Random = () => number;

export interface Collections {
  devices: Device;
  sites: Site;
  deviceSources: DeviceSource;
  discoveredDevices: DiscoveredDevice;
}
export type Collection = keyof Collections;

/** Server-side filters by the service's names. They save requests; no decision trusts them. */
export type ServiceFilter = Readonly<Record<string, string | number | boolean>>;

/** What one pass over a paged collection amounted to. `torn` says which check failed first. */
export interface Pass {
  readonly total: number;
  readonly rows: number;
  readonly pages: number;
  readonly torn?: 'overlap' | 'total' | 'duplicate' | 'tooLong' | 'short';
}

/**
 * What came back from a task POST, before anybody judges it. Never thrown: each case is a row of
 * the outcome table.
 */
export type PostAnswer =
  | { readonly kind: 'failed'; readonly phase: TransportPhase; readonly code: string }
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The body was complete JSON. */
      readonly json: boolean;
      /** Every task id in it: one is an acceptance, none or two are not. */
      readonly taskIds: readonly string[];
      /** The devices it echoed, where it echoed any. */
      readonly deviceIds?: readonly string[];
      readonly retryAfter?: Milliseconds;
      readonly date?: Instant;
    };

/** An upgrade step that the service allows, from its list of all paths. */
export interface FirmwarePath {
  readonly vendor: string;
  readonly model: string;
  readonly from: string;
  readonly to: string;
  readonly path: readonly string[];
}

/** An answer and the service's own time of it, where it said one. */
export interface Dated<T> {
  readonly value: T;
  readonly date?: Instant;
}

/**
 * The service as the core sees it: typed, paced, authorised. Reads throw a `WorldError`; a 404 is
 * a value.
 */
export interface Service {
  /** One pass: yields each row once, page by page; returns what the pass amounted to. */
  list<C extends Collection>(
    collection: C,
    filter?: ServiceFilter,
  ): AsyncGenerator<readonly Collections[C][], Pass>;
  device(deviceId: string): Promise<Dated<Device | undefined>>;
  targetFirmware(deviceId: string): Promise<readonly ApprovedFirmware[] | ReadProblem>;
  passwords(deviceId: string): Promise<PasswordFacts | ReadProblem>;
  certificates(deviceId: string): Promise<CertificateFacts | 'none' | ReadProblem>;
  /** All paths, or `forbidden` where the user is not Admin. */
  firmwarePaths(): Promise<readonly FirmwarePath[] | 'forbidden'>;
  /** Makes sure that the token lives at least this long, renewing it if need be. */
  holdToken(atLeast: Milliseconds): Promise<void>;
  /**
   * One write on a fresh connection. Secrets in payloads are resolved here and nowhere else. It
   * waits its turn; what `isLate` says then decides whether it is sent at all.
   */
  createTask(
    request: TaskRequest,
    options?: { readonly isLate?: () => boolean },
  ): Promise<PostAnswer>;
  /** All pages of a task, or undefined on 404. */
  task(
    taskId: string,
    options?: { readonly steps?: boolean },
  ): Promise<Dated<ServiceTask | undefined>>;
}

/** Where a ledger lives. */
export interface LedgerStore {
  /** Every record after `seq`, oldest first, and the head they end in. */
  read(
    afterSeq: number,
  ): Promise<{ readonly records: readonly LedgerRecord[]; readonly head: LedgerHead }>;
  /**
   * Appends all or nothing, only if the head is still `onHead`. `lost`: somebody else appended first.
   * `unknown`: no clear answer; nothing else may happen before a read has cleared it up.
   */
  append(
    records: readonly LedgerRecord[],
    onHead: LedgerHead,
  ): Promise<'acknowledged' | 'lost' | 'unknown'>;
  /**
   * Shows that a second create of one record is refused and that writes last; throws a
   * `WorldError` if not.
   */
  probe(): Promise<void>;
  /** Where it is, for messages. */
  readonly place: string;
}

/**
 * One run's hold on a ledger: what is remembered, and the only way to add to it. Every append goes onto the very head
 * that `memory` was folded on; an append without a clear answer is cleared up inside before it returns.
 */
export interface Journal {
  /** The fold of everything read or appended so far; a new value after each append or refresh. */
  readonly memory: Memory;
  /** The nonce of this process; never a person. Attempt ids start with it. */
  readonly nonce: string;
  /**
   * `lost`: somebody else appended first; memory has been refreshed, decide again. Throws
   * `leaseLost` when the lease is not ours.
   */
  append(bodies: readonly RecordBody[]): Promise<'acknowledged' | 'lost'>;
  refresh(): Promise<void>;
  /**
   * Takes the lease, waiting at most `waitMs`; `locked` names the holder. The first take on an
   * empty ledger writes GENESIS. Returns the lease of the run that it follows, where that run had
   * not given it back.
   */
  take(options: {
    readonly waitMs: Milliseconds;
    readonly takeOver: boolean;
    readonly label: string;
  }): Promise<Lease | undefined>;
  /**
   * Ends whatever lease there is, at once and on the word of a person, and takes none: its holder
   * can make no further attempt. Returns that lease; undefined, and nothing written, where there is
   * none. `locked` where another run took it meanwhile.
   */
  unlock(author: {
    readonly label: string;
    readonly who: string;
    readonly why: string;
  }): Promise<Lease | undefined>;
  /**
   * Appends BEAT when a third of the lease has passed since the last record of ours. A store that
   * is out of reach for now is left for the next time; `mayAttempt` says what that means.
   */
  renew(): Promise<void>;
  /** The lease is ours and was renewed within half its life: an ATTEMPT may be made. */
  mayAttempt(): boolean;
  /** The lease is ours and has not ended, by our own clock. */
  isHeld(): boolean;
  /** No write has failed in a way that does not pass: a full disk, a failed fsync. */
  isFit(): boolean;
  /** Gives the lease back, if it is ours; `sums` tells, at that very moment, what the run came to. */
  release(sums?: () => RunSums | undefined): Promise<void>;
}

/** An accepted task whose RESULT is in no ledger yet. */
export interface SpooledResult {
  readonly attemptId: string;
  readonly taskId: string;
}

/** Where this machine keeps such results for its next run: a comfort that no rule depends on. */
export interface ResultSpool {
  /** Where it is, for messages. */
  readonly place: string;
  all(): Promise<readonly SpooledResult[]>;
  keep(result: SpooledResult): Promise<void>;
  forget(attemptId: string): Promise<void>;
}

/** What the planner's shell asks of git; undefined outside a repository. */
export interface GitPort {
  /** The folder that the whole repository is in. */
  root(): Promise<string | undefined>;
  head(): Promise<{ readonly commit: string; readonly dirty: boolean } | undefined>;
  /** The branch that the remote calls its own, else the one that is checked out. */
  mainBranch(): Promise<string | undefined>;
  /** `user.name` as git would sign with it; undefined where none is set. */
  user(): Promise<string | undefined>;
  /** The full id of the commit that a branch, tag or short id names. */
  commitAt(ref: string): Promise<string | undefined>;
  /** The files below a folder as they stand at a commit. */
  filesAt(ref: string, folder: string): Promise<TreeFiles | undefined>;
  /**
   * Lets `use` have what merging a branch, or the work tree, into a commit would give; it is gone afterwards.
   */
  withMerge<T>(
    sides: { readonly base: string; readonly branch?: string; readonly folder: string },
    use: (merge: Merge) => Promise<T>,
  ): Promise<T>;
  /**
   * Who wrote lines of files below a folder last: as they stand in the work tree, or at a commit.
   */
  blame(
    lines: ReadonlyMap<string, ReadonlySet<number>>,
    at: {
      readonly folder: string;
      readonly ref?: string;
      /** Commits that nobody made: their lines are not committed. */
      readonly unmade?: readonly string[];
    },
  ): Promise<ReadonlyMap<string, ReadonlyMap<number, LineOrigin>> | undefined>;
  /** The last commit between two that made a text of a file more or less often there; undefined where none did. */
  lastToMove(
    text: string,
    at: {
      readonly path: string;
      /** That of the documents. */
      readonly folder: string;
      readonly from: string;
      readonly to?: string;
    },
  ): Promise<LineOrigin | undefined>;
}
