import { type LedgerClientOptions, LedgerClient } from './ledger-client.ts';
import type { CheckpointText } from '../ledger/checkpoint.ts';
import { dueCheckpoint } from '../ledger/fold.ts';
import { isPassing, WorldError } from '../model/error.ts';
import type { Lease, Memory } from '../model/ledger/memory.ts';
import type { Journal, Random } from '../model/ports.ts';
import type { Leaseless, LedgerRecord, RecordBody, RunEnd } from '../model/ledger/record.ts';
import { ROW_WITHOUT_RESULT } from '../model/ledger/record.ts';
import type { Milliseconds } from '../lib/time.ts';
import { isAbandoned, LEASE_TTL, watchLease, type Self } from './lease.ts';
import {
  formatRecords,
  genesisRecord,
  locked,
  lockRecord,
  randomText,
  lateResultRecord,
  type LockedBy,
} from './locking.ts';

/** Pause between two checks of a lease that another run holds. */
const LEASE_POLL: Milliseconds = 1_000;

/**
 * Time limit for an unclear LOCK, BEAT or RELEASE, on which no finished work depends, and for a
 * RESULT, which the run retries while it polls.
 */
const SHORT_WAIT: Milliseconds = 30_000;

/** What a journal keeps of the ground (protocol M2, M9, M13). */
export interface GroundKeeping {
  /** The GROUND to append first; none where the ledger has it. Throws where a person must record it. */
  readonly due: (memory: Memory) => readonly Leaseless[];
  /** Throws where the records say that the ledger is elsewhere. */
  readonly check: (memory: Memory) => void;
  /** Looks once more whether the ledger is at its place, after the lease was taken. */
  readonly confirm?: () => Promise<void>;
}

export interface JournalOptions
  extends Self, Pick<LedgerClientOptions, 'store' | 'clock' | 'fingerprint' | 'tool' | 'memory'> {
  /** Absent in a rehearsal. */
  readonly ground?: GroundKeeping;
  readonly random: Random;
  /** Life of the lease; default: that of a directory. */
  readonly leaseTtl?: Milliseconds;
  /** Aborted at shutdown. */
  readonly hurry?: AbortSignal;
  /**
   * Told once when the store stops taking what the holder of the lease writes, with the failure, and
   * once when it takes it again.
   */
  readonly onOutage?: (failure: WorldError | undefined) => void;
  /** Told once when a ledger of an earlier format has this version's: older ones no longer write (protocol J17). */
  readonly onFormat?: () => void;
}

/**
 * Opens a ledger and reads it from its newest checkpoint on; writes nothing until `take`. A ledger with records of a newer
 * version is read-only. Throws `ledgerForeign`, `ledgerBroken`, `ledgerRolledBack` or
 * `storeFailed`.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const journal = new LedgerJournal(options);
  await journal.refresh();
  return journal;
}

class LedgerJournal implements Journal {
  readonly nonce: string;
  readonly #options: JournalOptions;
  readonly #ttl: Milliseconds;
  readonly #client: LedgerClient;
  /** The epoch of our lease. Late results carry it even after the lease is lost. */
  #epoch = 0;
  #renewedAt: Milliseconds = 0;
  #beats = 0;
  /** A write failed permanently: results may still be recorded, but nothing new starts. */
  #isUnfit = false;
  /** The store did not take the last write, and that was told. */
  #isOut = false;
  #turn: Promise<unknown> = Promise.resolve();
  needsLease = false;

  constructor(options: JournalOptions) {
    const { ground, ...more } = options;
    const { leaseTtl = LEASE_TTL.directory } = options;
    this.#options = options;
    this.#ttl = leaseTtl;
    const onAnswer = (failure: WorldError | undefined): void => this.#noteAnswer(failure);
    const refuse = ground?.check;
    this.#client = new LedgerClient({ ...more, onAnswer, refuse });
    this.nonce = randomText(options.random, 16);
  }

  get memory(): Memory {
    return this.#client.memory;
  }

  get since(): readonly LedgerRecord[] {
    return this.#client.since;
  }

  append(bodies: readonly RecordBody[]): Promise<'acknowledged' | 'lost'> {
    if (bodies.length === 0) return Promise.resolve('acknowledged');
    // What recovery concludes of an attempt without an answer is no answer: its heir concludes it.
    const isLate = bodies.every((one) => one.type === 'RESULT' && one.row !== ROW_WITHOUT_RESULT);
    return this.#inTurn(() => (isLate ? this.#appendResults(bodies) : this.#appendOurs(bodies)));
  }

  declare(decide: (memory: Memory) => readonly Leaseless[]): Promise<readonly Leaseless[]> {
    return this.#inTurn(() =>
      this.#declare((memory) => {
        const bodies = decide(memory);
        return bodies.length === 0 ? [] : [...this.#dueGround(), ...bodies];
      }),
    );
  }

  async stand(): Promise<void> {
    await this.#inTurn(() => this.#declare(() => this.#dueGround()));
  }

  async refresh(): Promise<void> {
    await this.#inTurn(() => this.#client.refresh()).catch((error: unknown) => {
      if (error instanceof WorldError && error.code === 'storeFailed') this.#noteAnswer(error);
      throw error;
    });
  }

  take(options: Parameters<Journal['take']>[0]): Promise<Lease | undefined> {
    return this.#inTurn(async () => {
      await this.#prepare();
      const followed = await this.#takeWithin(options);
      await this.#confirmGround();
      return followed;
    });
  }

  unlock(author: Parameters<Journal['unlock']>[0]): Promise<Lease | undefined> {
    return this.#inTurn(async () => {
      await this.#prepare();
      await this.#client.refresh();
      const { epoch } = this.memory;
      for (;;) {
        const held = this.memory.lease;
        if (held && held.epoch !== epoch) throw locked(held);
        const isIdle = !held && !author.lost && !author.rejected;
        if (isIdle || (await this.#lock(author, [{ type: 'RELEASE' }]))) return held;
      }
    });
  }

  renew(): Promise<void> {
    if (this.#epoch === 0) return Promise.resolve();
    return this.#inTurn(async () => {
      if (!this.#isOurs()) throw this.#leaseLost();
      while (this.#sinceRenewal() >= this.#ttl / 3) {
        const written = await this.#beat();
        if (written === 'acknowledged') this.#beats += 1;
        if (written === 'later') return;
      }
    });
  }

  mayAttempt(): boolean {
    if (this.#epoch === 0) throw this.#leaseLost();
    return this.#isOurs() && !this.#isUnfit && this.#sinceRenewal() < this.#ttl / 2;
  }

  isHeld(): boolean {
    return this.#isOurs() && this.#sinceRenewal() < this.#ttl;
  }

  isFit(): boolean {
    return !this.#isUnfit;
  }

  release(end: () => RunEnd = () => ({})): Promise<void> {
    return this.#inTurn(async () => {
      while (this.#isOurs()) {
        const { store, hurry } = this.#options;
        const isKept = store.readLatest !== undefined && hurry?.aborted !== true;
        const checkpoint = isKept ? dueCheckpoint(this.memory) : undefined;
        const first = checkpoint ? [checkpoint.body] : [];
        const bodies = [...first, { type: 'RELEASE', ...end() } as const];
        await this.#write(bodies, SHORT_WAIT, checkpoint);
      }
    });
  }

  async #declare(decide: (memory: Memory) => readonly Leaseless[]): Promise<readonly Leaseless[]> {
    await this.#prepare();
    await this.#client.refresh();
    const { random, fingerprint } = this.#options;
    for (;;) {
      const { memory } = this;
      const bodies = decide(memory);
      if (bodies.length === 0) return bodies;
      const isFirst = memory.head.seq === 0;
      const format = formatRecords(memory);
      const first = isFirst ? [genesisRecord(random, fingerprint)] : format;
      const answer = await this.#client.write([...first, ...bodies], memory.epoch, SHORT_WAIT);
      if (answer === 'lost') continue;
      if (format.length > 0) this.#options.onFormat?.();
      return bodies;
    }
  }

  async #prepare(): Promise<void> {
    this.#client.refuseNewer();
    await this.#options.store.probe();
  }

  /** Takes the lease within `waitMs`. Returns the lease that it replaces. */
  async #takeWithin(options: Parameters<Journal['take']>[0]): Promise<Lease | undefined> {
    const { clock } = this.#options;
    const unchangedFor = watchLease(clock);
    const started = clock.monotonic();
    await this.#client.refresh();
    const found = this.memory.epoch;
    for (;;) {
      const { lease } = this.memory;
      const left = options.waitMs - (clock.monotonic() - started);
      const isFree = lease === undefined || isAbandoned(lease, unchangedFor(lease), this.#options);
      if (isFree || (options.takeOver && lease.epoch === found)) {
        if (await this.#lock(options)) await this.#client.readBack();
        if (this.#isOurs()) return lease;
      } else if (left <= 0 || options.signal?.aborted === true) throw locked(lease);
      else {
        await clock.sleep(Math.min(LEASE_POLL, left), options.signal).catch(() => undefined);
        await this.#client.refresh();
      }
    }
  }

  /** A copy of a ledger has the same records until the first of them stands in one place alone. */
  async #confirmGround(): Promise<void> {
    try {
      await this.#options.ground?.confirm?.();
    } catch (error) {
      await this.#write([{ type: 'RELEASE' }], SHORT_WAIT);
      throw error;
    }
  }

  #dueGround(): readonly Leaseless[] {
    return this.#options.ground?.due(this.memory) ?? [];
  }

  /** Raises the epoch. Returns false if another run did so first. */
  async #lock(writer: LockedBy, more: readonly RecordBody[] = []): Promise<boolean> {
    const { random, fingerprint } = this.#options;
    const lock = lockRecord(this.#options, { ...writer, nonce: this.nonce, ttl: this.#ttl });
    const isFirst = this.memory.head.seq === 0;
    const first = isFirst ? [genesisRecord(random, fingerprint)] : [];
    const format = formatRecords(this.memory);
    const bodies = [...first, lock, ...format, ...this.#dueGround(), ...more];
    const before = this.#epoch;
    this.#epoch = this.memory.epoch + 1;
    if ((await this.#write(bodies, SHORT_WAIT)) === 'lost') {
      this.#epoch = before;
      return false;
    }
    if (format.length > 0) this.#options.onFormat?.();
    return true;
  }

  /**
   * A remote that cannot be reached may be back for the next beat; until then no attempt starts.
   */
  async #beat(): Promise<'acknowledged' | 'lost' | 'later'> {
    try {
      return await this.#appendOurs([{ type: 'BEAT', n: this.#beats + 1 }], SHORT_WAIT);
    } catch (error) {
      if (isPassing(error)) return 'later';
      throw error;
    }
  }

  async #appendOurs(
    bodies: readonly RecordBody[],
    patience?: Milliseconds,
  ): Promise<'acknowledged' | 'lost'> {
    if (!this.#isOurs()) throw this.#leaseLost();
    const answer = await this.#write(bodies, patience);
    if (answer === 'lost' && !this.#isOurs()) throw this.#leaseLost();
    return answer;
  }

  /** A run without its lease still records results, on whatever the head is (protocol Q1). */
  async #appendResults(bodies: readonly RecordBody[]): Promise<'acknowledged' | 'lost'> {
    if (this.#epoch === 0) throw this.#leaseLost();
    let answer: 'acknowledged' | 'lost' = 'lost';
    while (answer === 'lost') {
      const isTooLate = this.#isOurs() ? () => false : this.#isClosed();
      const said = bodies.map((body) => (isTooLate(body) ? lateResultRecord(body) : body));
      answer = await this.#write(said, SHORT_WAIT);
      if (answer === 'acknowledged' && bodies.some(isTooLate)) throw this.#leaseLost();
    }
    return answer;
  }

  /**
   * Returns a test for a RESULT whose attempt was settled without it: it may report a second
   * effect.
   */
  #isClosed(): (body: RecordBody) => boolean {
    const open = new Set(this.memory.open().map((intent) => intent.attemptId));
    return (body) => body.type === 'RESULT' && !open.has(body.attemptId);
  }

  async #write(
    bodies: readonly RecordBody[],
    patience = this.#ttl,
    checkpoint?: CheckpointText,
  ): Promise<'acknowledged' | 'lost'> {
    const before = this.#options.clock.monotonic();
    try {
      const answer = await this.#client.write(bodies, this.#epoch, patience, checkpoint);
      if (answer === 'acknowledged' && this.#isOurs()) this.#renewedAt = before;
      return answer;
    } catch (error) {
      this.#isUnfit ||= !isPassing(error);
      throw error;
    }
  }

  /** Without the lease a failed write ends its command, which reports it. */
  #noteAnswer(failure: WorldError | undefined): void {
    const isOut = failure !== undefined;
    if (isOut === this.#isOut || !this.#isOurs()) return;
    this.#isOut = isOut;
    this.#options.onOutage?.(failure);
  }

  #isOurs(): boolean {
    const { lease } = this.memory;
    return lease?.nonce === this.nonce && lease.epoch === this.#epoch;
  }

  #sinceRenewal(): Milliseconds {
    return this.#options.clock.monotonic() - this.#renewedAt;
  }

  #leaseLost(): WorldError {
    this.needsLease = true;
    const { lease } = this.memory;
    return new WorldError('leaseLost', lease ? { label: lease.label, host: lease.host } : {});
  }

  /** Serializes our own calls, so that they do not compete for the head. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(work);
    this.#turn = run.catch(() => undefined);
    return run;
  }
}
