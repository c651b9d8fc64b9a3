import { accept } from '../ledger/acceptor.ts';
import { appendTo, hashRecord } from '../ledger/chain.ts';
import type { CheckpointText } from '../ledger/checkpoint.ts';
import { EMPTY_MEMORY, fold, foldFrom, foldMore } from '../ledger/fold.ts';
import { newerIn, readRecord } from '../ledger/records.ts';
import { Bug } from '../lib/bug.ts';
import { canonical, type Json } from '../lib/canonical.ts';
import { WorldError } from '../model/error.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Clock, LedgerStore } from '../model/ports.ts';
import { LEDGER_FORMAT, type LedgerRecord, type RecordBody } from '../model/ledger/record.ts';
import { formatInstant, type Milliseconds } from '../lib/time.ts';

/** The pause between two reads after an unclear append. */
const READ_BACK_POLL: Milliseconds = 1_000;

/** The time limit for an unclear append during shutdown (protocol Z4). */
const HURRIED: Milliseconds = 3_000;

export interface LedgerClientOptions {
  readonly store: LedgerStore;
  readonly clock: Clock;
  /**
   * The SHA-256 of base origin and organization, in hex. The ledger belongs to this tenant only.
   */
  readonly fingerprint: string;
  /** The version of fleetform, for the records. */
  readonly tool: string;
  /** What the ledger adds up to, if that is known. */
  readonly memory?: Memory | undefined;
  /** Aborted at shutdown. An unclear append is then given up after `HURRIED`. */
  readonly hurry?: AbortSignal | undefined;
  /** Throws where nothing may be appended after these records. */
  readonly refuse?: ((memory: Memory) => void) | undefined;
  /** Told after each write: why the store did not take it, or undefined where it answered. */
  readonly onAnswer?: (failure: WorldError | undefined) => void;
}

/** What a ledger adds up to, and the records at its end: those since a checkpoint, or all, or those of an append. */
export interface LoadedMemory {
  readonly memory: Memory;
  readonly records: readonly LedgerRecord[];
}

/**
 * Reads the memory of a ledger from its newest checkpoint on, or from all records where it has none that this version
 * understands (protocol J21). Throws the errors of the store, and `ledgerBroken` for a checkpoint that is false.
 */
export async function loadMemory(store: LedgerStore): Promise<LoadedMemory> {
  const { records, checkpoint, approving } = (await store.readLatest?.()) ?? (await store.read(0));
  if (checkpoint === undefined) return { memory: fold(records), records };
  const memory = foldFrom(checkpoint, records, approving);
  if (memory) return { memory, records };
  const all = (await store.read(0)).records;
  return { memory: fold(all), records: all };
}

/**
 * Keeps the memory of a ledger up to date with its store. It reads new records, and appends records
 * after the head that it knows.
 */
export class LedgerClient {
  memory: Memory;
  /** What was read or appended after the first reading. */
  readonly since: LedgerRecord[] = [];
  readonly #options: LedgerClientOptions;
  #newer: LedgerRecord | undefined;
  /** An append that threw an error, so that the store may or may not have it. */
  #unclear: { readonly records: readonly LedgerRecord[]; landed: boolean } | undefined;

  constructor(options: LedgerClientOptions) {
    this.#options = options;
    this.memory = options.memory ?? EMPTY_MEMORY;
  }

  /**
   * Reads and folds new records. Throws `ledgerRolledBack` if known records are missing, and
   * `ledgerForeign` if the ledger belongs to another tenant.
   */
  async refresh(): Promise<readonly LedgerRecord[]> {
    const { store, fingerprint } = this.#options;
    const isFirst = this.memory.head.seq === 0 && this.#unclear === undefined;
    const { memory, records } = isFirst ? await loadMemory(store) : await this.#more();
    this.memory = memory;
    if (!isFirst) for (const record of records) this.since.push(record);
    this.#newer ??= newerIn(records);
    if (this.#unclear && contains(records, this.#unclear.records)) this.#unclear.landed = true;
    if (memory.head.seq > 0 && memory.fingerprint !== fingerprint) {
      throw new WorldError('ledgerForeign', { place: store.place });
    }
    return records;
  }

  async #more(): Promise<LoadedMemory> {
    const known = this.memory.head;
    const { records, head } = await this.#options.store.read(known.seq);
    const before = records[0]?.prev ?? head.hash;
    if (head.seq < known.seq || before !== known.hash) {
      throw new WorldError('ledgerRolledBack', { found: head.seq, seen: known.seq });
    }
    return { memory: foldMore(this.memory, records), records };
  }

  /**
   * Checks that a fresh read returns the records just appended (protocol J7). This detects a remote
   * whose reads and writes go to different places. Throws `ledgerUnfit` if the records are missing.
   */
  async readBack(): Promise<void> {
    const { place } = this.#options.store;
    try {
      await this.refresh();
    } catch (error) {
      if (!(error instanceof WorldError) || error.code !== 'ledgerRolledBack') throw error;
      throw new WorldError('ledgerUnfit', { place, why: 'readBack' }, { cause: error });
    }
  }

  /**
   * Throws `ledgerNewer` if the ledger has a record of a newer version, because nothing may be
   * appended after it.
   */
  refuseNewer(): void {
    const { format: found } = this.memory;
    if (found > LEDGER_FORMAT && !this.#newer)
      throw new WorldError('ledgerNewer', { format: found });
    if (this.#newer === undefined) return;
    const { seq, tool, body } = this.#newer;
    const format = body.type === 'GENESIS' ? { format: body.format } : {};
    throw new WorldError('ledgerNewer', { seq, tool, type: body.type, ...format });
  }

  /**
   * Appends bodies after the head of `memory`. Returns `lost` if another writer was first, or if an
   * earlier unclear append of this client had reached the store; `memory` then includes those
   * records. Throws a `Bug` before any write for a body that the protocol does not allow, and
   * `storeFailed` if an append is still unclear after `patience`.
   * @param checkpoint the CHECKPOINT that is the first of these bodies, made of `memory`
   */
  async write(
    bodies: readonly RecordBody[],
    epoch: number,
    patience: Milliseconds,
    checkpoint?: CheckpointText,
  ): Promise<'acknowledged' | 'lost'> {
    const { onAnswer } = this.#options;
    try {
      const answer = await this.#write(bodies, epoch, patience, checkpoint);
      onAnswer?.(undefined);
      return answer;
    } catch (error) {
      if (error instanceof WorldError && error.code === 'storeFailed') onAnswer?.(error);
      throw error;
    }
  }

  async #write(
    bodies: readonly RecordBody[],
    epoch: number,
    patience: Milliseconds,
    checkpoint: CheckpointText | undefined,
  ): Promise<'acknowledged' | 'lost'> {
    const before = this.memory.head;
    if (await this.#landedBefore(bodies)) return 'acknowledged';
    if (this.memory.head !== before) return 'lost';
    this.refuseNewer();
    this.#options.refuse?.(this.memory);
    const at = formatInstant(this.#options.clock.now());
    const records = appendTo(this.memory.head, bodies, { epoch, at, tool: this.#options.tool });
    // A record that cannot be read back is never written.
    for (const record of records) readRecord(record, { place: this.#options.store.place });
    const { violations, memory } = accept(records, this.memory, checkpoint?.body);
    const [violation] = violations;
    if (violation) throw new Bug(`${violation.rule} ${violation.subject}`);
    this.#unclear = { records, landed: false };
    const answer = await this.#send({ records, memory }, patience, checkpoint?.text);
    this.#unclear = undefined;
    return answer;
  }

  /**
   * Whether an append that threw an error reached the store. If the caller repeats it, the store
   * must not have it twice.
   */
  async #landedBefore(bodies: readonly RecordBody[]): Promise<boolean> {
    if (this.#unclear === undefined) return false;
    await this.refresh();
    const { records, landed } = this.#unclear;
    this.#unclear = undefined;
    return landed && isSame(records, bodies);
  }

  /**
   * Sends records, and repeats the same records after the same head while the answer is unclear
   * (protocol J11). Only one append can follow a head. After `lost`, a read shows whether that
   * append was this one. A record that is not there yet is not lost.
   */
  async #send(
    { records, memory }: LoadedMemory,
    patience: Milliseconds,
    checkpoint: string | undefined,
  ): Promise<'acknowledged' | 'lost'> {
    const { store, clock, hurry, onAnswer } = this.#options;
    const onHead = this.memory.head;
    const started = clock.monotonic();
    let answer = await store.append(records, onHead, checkpoint);
    while (answer === 'unknown') {
      onAnswer?.(new WorldError('storeFailed', { place: store.place }, { retry: 'safe' }));
      const most = hurry?.aborted ? Math.min(HURRIED, patience) : patience;
      if (clock.monotonic() - started >= most) {
        const about = { place: store.place, cause: 'unknown' };
        throw new WorldError('storeFailed', about, { retry: 'safe' });
      }
      await clock.sleep(READ_BACK_POLL);
      answer = await store.append(records, onHead, checkpoint);
    }
    if (answer === 'lost') return contains(await this.refresh(), records) ? 'acknowledged' : 'lost';
    this.memory = memory;
    for (const record of records) this.since.push(record);
    return 'acknowledged';
  }
}

function contains(read: readonly LedgerRecord[], records: readonly LedgerRecord[]): boolean {
  const last = records.at(-1);
  const there = read.find((record) => record.seq === last?.seq);
  return last !== undefined && there !== undefined && hashRecord(there) === hashRecord(last);
}

function isSame(records: readonly LedgerRecord[], bodies: readonly RecordBody[]): boolean {
  const text = (value: readonly RecordBody[]) => canonical(value as unknown as Json);
  return text(records.map((record) => record.body)) === text(bodies);
}
