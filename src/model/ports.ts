import type { Device, DeviceSource, DiscoveredDevice, Site } from './fleet/device.ts';
import type {
  ApprovedFirmware,
  CertificateFacts,
  PasswordFacts,
  ReadProblem,
} from './fleet/snapshot.ts';
import type { Lease, Memory } from './ledger/memory.ts';
import type { LedgerHead, LedgerRecord, Leaseless, RecordBody, RunEnd } from './ledger/record.ts';
import type { ServiceTask, TaskRequest } from './fleet/task.ts';
import type { Instant, Milliseconds } from '../lib/time.ts';

/** The forges that fleetform knows. */
export type ForgeKind = 'github' | 'gitlab';

/**
 * A request to stop. The first one lets work in progress finish and starts nothing new; the second
 * one ends the run at once (protocol Z4).
 */
export interface Stop {
  readonly requested: 'no' | 'drain' | 'now';
  /** Aborted by the first request to stop; ends every wait. */
  readonly draining: AbortSignal;
  /** Aborted by the second request; ends everything. */
  readonly signal: AbortSignal;
}

/** A request as data, which nothing on its way changes. */
export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Absolute, without user and password. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Ends the wait for an answer. */
  readonly signal?: AbortSignal | undefined;
}

/** A complete answer. */
export interface HttpAnswer {
  /** From 200 to 599. */
  readonly status: number;
  /** By names in lower case; one that came several times has all its values, or is left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes or text as sent, without compression; or, in the place of its JSON, the value, which is read-only. */
  readonly body: Uint8Array | string | { readonly value: unknown };
}

/**
 * The only interface for HTTP. Resolves only with a complete answer, whatever its status; otherwise
 * rejects with a `TransportError`. Follows no redirect and repeats nothing.
 */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

/** The most requests that start in any period of this length. */
export interface RequestLimit {
  readonly count: number;
  readonly within: Milliseconds;
}

/** A queue of requests, first come, first served. Each start keeps the limit of its client, by the starts of all. */
export interface RequestLane {
  enter(signal: AbortSignal | undefined, limit: RequestLimit): Promise<void>;
  /** Lets all of them wait so long. */
  hold(ms: Milliseconds): void;
}

/** Queues that several clients share: a service counts what comes from one address, whatever its organization. */
export type SharedLanes = Map<string, RequestLane>;

/**
 * How far a request got. `unsent`: certainly no byte of it left. `sent`: it may have had an effect.
 */
export type TransportPhase = 'unsent' | 'sent';

/** A request without a complete answer; the phase decides whether a POST may be repeated. */
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

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** A token of theirs lives no longer. */
  readonly expiresAt?: Instant;
}

/** Asked for each token, since a run may outlive a secret; an aborted signal ends the wait. */
export type CredentialSource = (signal?: AbortSignal) => Promise<Credentials>;

/** The only source of time, and the only way to wait. */
export interface Clock {
  /** Wall clock. */
  now(): Instant;
  /** Milliseconds on a clock that never goes back; only differences have a meaning. */
  monotonic(): Milliseconds;
  /** Resolves after a time of any length; rejects with the reason of an aborted signal. */
  sleep(ms: Milliseconds, signal?: AbortSignal): Promise<void>;
}

/**
 * The largest difference between the service's clock and this machine's (protocol Y10): evidence
 * uses the first, `sendBy` the second.
 */
export const MOST_SKEW_MS: Milliseconds = 60_000;

/** The only source of randomness: uniform in [0, 1). */
export type Random = () => number;

export interface Collections {
  devices: Device;
  sites: Site;
  deviceSources: DeviceSource;
  discoveredDevices: DiscoveredDevice;
}
export type Collection = keyof Collections;

/** Server-side filters by the service's names. They save requests; no decision relies on them. */
export type ServiceFilter = Readonly<Record<string, string | number | boolean>>;

/** The result of one pass over a paged collection. `torn` is the first check that failed. */
export interface Pass {
  readonly total: number;
  readonly rows: number;
  readonly pages: number;
  readonly torn?: 'overlap' | 'total' | 'duplicate' | 'tooLong' | 'short';
  /** The service's time of the last page. */
  readonly date?: Instant;
}

/**
 * The raw answer to a task POST. It is never thrown, because each case is a row of the outcome
 * table.
 */
export type PostAnswer =
  | { readonly kind: 'failed'; readonly phase: TransportPhase; readonly code: string }
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The body was complete JSON. */
      readonly json: boolean;
      /** Every task ID in it: exactly one means that the task was accepted. */
      readonly taskIds: readonly string[];
      /** The devices in the answer, where it lists them. */
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

/** An answer with the service's time of it, where it has one. */
export interface Dated<T> {
  readonly value: T;
  readonly date?: Instant;
}

export interface PageRows<T> extends Iterable<T> {
  readonly length: number;
  at(row: number): T | undefined;
}

/** What a pass over a list is for. */
export interface ListOptions {
  /** The IDs whose rows are wanted: all rows are counted, but others need not be read, checked or yielded. */
  readonly only?: ReadonlySet<string>;
}

/**
 * The service, typed, rate-limited and authenticated. Reads throw a `WorldError`; a 404 is a value.
 */
export interface Service {
  /** One pass: yields each row once, page by page; returns the result of the pass. */
  list<C extends Collection>(
    collection: C,
    filter?: ServiceFilter,
    options?: ListOptions,
  ): AsyncGenerator<PageRows<Collections[C]>, Pass>;
  device(deviceId: string): Promise<Dated<Device | undefined>>;
  targetFirmware(deviceId: string): Promise<readonly ApprovedFirmware[] | ReadProblem>;
  passwords(deviceId: string): Promise<PasswordFacts | ReadProblem>;
  certificates(deviceId: string): Promise<CertificateFacts | 'none' | ReadProblem>;
  /** All paths, or `forbidden` where the user is not Admin. */
  firmwarePaths(): Promise<readonly FirmwarePath[] | 'forbidden'>;
  /** Ensures that the token is valid for at least this long; renews it if necessary. */
  holdToken(atLeast: Milliseconds): Promise<void>;
  /**
   * One write on a fresh connection; only this resolves secrets in payloads. It waits for the rate
   * limit; then `isLate` decides whether it is sent.
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

/** What a store has of a ledger. */
export interface LedgerRead {
  readonly records: readonly LedgerRecord[];
  readonly head: LedgerHead;
  /** The head that the remote keeps beside the ledger (protocol M12); damaged where something else is there. */
  readonly kept?: LedgerHead & { readonly isDamaged?: true };
  /** Where the records begin with a CHECKPOINT that has its text: that text, as it was found. */
  readonly checkpoint?: string;
  /** With it, where a login that may append a CHECKPOINT may not approve: each APPROVED, WITHDRAWN and GROUND before. */
  readonly approving?: readonly LedgerRecord[];
}

/** The storage of a ledger. */
export interface LedgerStore {
  /** Every record after `seq`, oldest first, with the new head. */
  read(afterSeq: number): Promise<LedgerRead>;
  /**
   * The records from the newest CHECKPOINT on whose text is there, with that text; every record where there is none.
   * Absent: the store keeps no texts, and no CHECKPOINT is written to it (protocol J21).
   */
  readLatest?(): Promise<LedgerRead>;
  /**
   * Appends all or nothing, only if the head is still `onHead`. `lost`: another run appended first.
   * `unknown`: no clear answer; the caller must read before anything else.
   * @param checkpoint the text of the CHECKPOINT that is the first of these records. That it is kept is not promised
   */
  append(
    records: readonly LedgerRecord[],
    onHead: LedgerHead,
    checkpoint?: string,
  ): Promise<'acknowledged' | 'lost' | 'unknown'>;
  /**
   * Proves that the store refuses to create a record twice and that its writes are durable; throws
   * a `WorldError` if not.
   */
  probe(): Promise<void>;
  /** Copies the records of another ledger into this one, which is empty; absent: `append` takes them. */
  importChain?(records: readonly LedgerRecord[]): ReturnType<LedgerStore['append']>;
  /** Whether this login may append an ATTEMPT; absent where the store does not tell logins apart (protocol J20). */
  mayAttempt?(): Promise<boolean>;
  /** The location, for messages. */
  readonly place: string;
}

/**
 * One run's access to a ledger: its state, and the only way to append. Every append requires the
 * head that `memory` was built from; an append without a clear answer is resolved before it
 * returns.
 */
export interface Journal {
  /**
   * The state from all records read or appended so far; a new value after each append or refresh.
   */
  readonly memory: Memory;
  /** What was appended since it was opened, by whomever, as far as it knows. */
  readonly since: readonly LedgerRecord[];
  /** The nonce of this process, which does not identify a person. Attempt IDs start with it. */
  readonly nonce: string;
  /** Something was to be appended or attempted that needs the lease, while this run did not have it. */
  readonly needsLease: boolean;
  /**
   * `lost`: another run appended first and memory has been refreshed, so the caller decides again.
   * Throws `leaseLost` when this run does not hold the lease.
   */
  append(bodies: readonly RecordBody[]): Promise<'acknowledged' | 'lost'>;
  refresh(): Promise<void>;
  /**
   * Appends what a person or a gate says, without a lease, beside any run at work (protocol N64).
   * `decide` is called again on each new head; an empty list appends nothing.
   * @returns the records that were appended
   */
  declare(decide: (memory: Memory) => readonly Leaseless[]): Promise<readonly Leaseless[]>;
  /** Appends the ground of this process without a lease, if the ledger lacks it or has a laxer one (protocol M9). */
  stand(): Promise<void>;
  /**
   * Takes the lease, waiting at most `waitMs`, or until `signal` aborts; `locked` names the holder.
   * The first take on an empty ledger writes GENESIS. Returns the lease of the previous run if that run did not release
   * it.
   */
  take(options: {
    readonly waitMs: Milliseconds;
    readonly takeOver: boolean;
    readonly label: string;
    readonly signal?: AbortSignal;
  }): Promise<Lease | undefined>;
  /**
   * Ends any current lease at once when a person confirms it, and takes none: its holder can make
   * no further attempt. Returns that lease; undefined, without a write, where there is none.
   * `locked` where another run took it meanwhile.
   */
  unlock(author: {
    readonly label: string;
    readonly who: string;
    readonly why: string;
    /** Missing heads that the person continues without; recorded even if there is no lease. */
    readonly lost?: readonly LedgerHead[];
    /** Heads that the person says are false. */
    readonly rejected?: readonly LedgerHead[];
  }): Promise<Lease | undefined>;
  /**
   * Appends BEAT when a third of the lease has passed since this run's last record. If the store is
   * unreachable, the next call tries again; `mayAttempt` covers the gap. Before `take` there is nothing to renew.
   */
  renew(): Promise<void>;
  /** Whether an ATTEMPT may be made: the lease was renewed within half its duration. Throws `leaseLost` before `take`. */
  mayAttempt(): boolean;
  /** This run holds the lease and it has not ended, by this machine's clock. */
  isHeld(): boolean;
  /** No write has failed permanently: a full disk, a failed fsync. */
  isFit(): boolean;
  /** Releases the lease if this run holds it; `end` returns what the run leaves at that moment. */
  release(end?: () => RunEnd): Promise<void>;
}

/** An accepted task whose RESULT is in no ledger yet. */
export interface SpooledResult {
  readonly attemptId: string;
  readonly taskId: string;
}

/** This machine's storage of such results for its next run; no rule depends on it. */
export interface ResultSpool {
  all(): Promise<readonly SpooledResult[]>;
  /** Returns the file that has the result now; rejects where no file can be written. */
  keep(result: SpooledResult): Promise<string>;
  forget(attemptId: string): Promise<void>;
}
