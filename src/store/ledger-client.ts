import { accept } from '../ledger/acceptor.ts';
import { appendTo, hashOf } from '../ledger/chain.ts';
import { EMPTY_MEMORY, foldMore } from '../ledger/fold.ts';
import { newerIn, readRecord } from '../ledger/records.ts';
import { Bug } from '../lib/bug.ts';
import { canonical, type Json } from '../lib/canonical.ts';
import { WorldError } from '../model/error.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { Clock, LedgerStore } from '../model/ports.ts';
import type { LedgerRecord, RecordBody } from '../model/ledger/record.ts';
import { formatInstant, type Milliseconds } from '../lib/time.ts';

/** Between two looks at an append that had no clear answer. */
const READ_BACK_POLL: Milliseconds = 1_000;

/** How long an append is cleared up at the most in a hurry (protocol Z4). */
const HURRIED: Milliseconds = 3_000;

export interface LedgerClientOptions {
  readonly store: LedgerStore;
  readonly clock: Clock;
  /** sha256 of base origin and organization, in hex: what a ledger is pinned to. */
  readonly fingerprint: string;
  /** Version of this tool, for the records. */
  readonly tool: string;
  /** Aborted when somebody wants this process to end: nothing is cleared up for long any more. */
  readonly hurry?: AbortSignal | undefined;
}

/**
 * A ledger's memory kept in step with its store: reads what is new, appends on the very head it
 * knows.
 */
export class LedgerClient {
  memory: Memory = EMPTY_MEMORY;
  readonly #options: LedgerClientOptions;
  #newer: LedgerRecord | undefined;
  /** An append that threw: nobody knows yet whether it is there. */
  #unclear: { readonly records: readonly LedgerRecord[]; landed: boolean } | undefined;

  constructor(options: LedgerClientOptions) {
    this.#options = options;
  }

  /**
   * Folds in what is new. Throws `ledgerRolledBack` when what was there is not, `ledgerForeign`
   * when it is not ours.
   */
  async refresh(): Promise<readonly LedgerRecord[]> {
    const { store, fingerprint } = this.#options;
    const known = this.memory.head;
    const { records, head } = await store.read(known.seq);
    const before = records[0]?.prev ?? head.hash;
    if (head.seq < known.seq || before !== known.hash) {
      throw new WorldError('ledgerRolledBack', { found: head.seq, seen: known.seq });
    }
    this.memory = foldMore(this.memory, records);
    this.#newer ??= newerIn(records);
    if (this.#unclear && contains(records, this.#unclear.records)) this.#unclear.landed = true;
    if (head.seq > 0 && this.memory.fingerprint !== fingerprint) {
      throw new WorldError('ledgerForeign', { place: store.place });
    }
    return records;
  }

  /**
   * What was just appended must be what a fresh look finds (protocol J7): `ledgerUnfit` where it is not. A
   * remote that is written at one place and read at another shows here.
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

  /** Nothing is written after a record of a newer version: `ledgerNewer`. */
  refuseNewer(): void {
    if (this.#newer === undefined) return;
    const { seq, tool, body } = this.#newer;
    const format = body.type === 'GENESIS' ? { format: body.format } : {};
    throw new WorldError('ledgerNewer', { seq, tool, type: body.type, ...format });
  }

  /**
   * Appends bodies on the head of `memory`. `lost`: somebody else was first, or an earlier append of ours
   * that had seemed to fail, and `memory` has what they wrote. A body that the protocol does not allow
   * there is a `Bug`, found before anything is written. An append without a clear answer is cleared up
   * for as long as `patience`, then it is `storeFailed`.
   */
  async write(
    bodies: readonly RecordBody[],
    epoch: number,
    patience: Milliseconds,
  ): Promise<'acknowledged' | 'lost'> {
    const before = this.memory.head;
    if (await this.#landedBefore(bodies)) return 'acknowledged';
    if (this.memory.head !== before) return 'lost';
    this.refuseNewer();
    const at = formatInstant(this.#options.clock.now());
    const records = appendTo(this.memory.head, bodies, { epoch, at, tool: this.#options.tool });
    // What nobody could read again is not written.
    for (const record of records) readRecord(record, { place: this.#options.store.place });
    const violation = accept(records, this.memory)[0];
    if (violation) throw new Bug(`${violation.rule} ${violation.subject}`);
    this.#unclear = { records, landed: false };
    const answer = await this.#send(records, patience);
    this.#unclear = undefined;
    return answer;
  }

  /**
   * An append that threw may have landed all the same; said once more, it must not be there twice.
   */
  async #landedBefore(bodies: readonly RecordBody[]): Promise<boolean> {
    if (this.#unclear === undefined) return false;
    await this.refresh();
    const { records, landed } = this.#unclear;
    this.#unclear = undefined;
    return landed && isSame(records, bodies);
  }

  /**
   * Without a clear answer the same records are sent onto the same head again (protocol J11): of all children of
   * one head exactly one wins, and only a winner settles whether ours was it. "Not there yet" is
   * not "lost".
   */
  async #send(
    records: readonly LedgerRecord[],
    patience: Milliseconds,
  ): Promise<'acknowledged' | 'lost'> {
    const { store, clock, hurry } = this.#options;
    const onHead = this.memory.head;
    const started = clock.monotonic();
    let answer = await store.append(records, onHead);
    while (answer === 'unknown') {
      const most = hurry?.aborted ? Math.min(HURRIED, patience) : patience;
      if (clock.monotonic() - started >= most) {
        const about = { place: store.place, cause: 'unknown' };
        throw new WorldError('storeFailed', about, { retry: 'safe' });
      }
      await clock.sleep(READ_BACK_POLL);
      answer = await store.append(records, onHead);
    }
    if (answer === 'lost') return contains(await this.refresh(), records) ? 'acknowledged' : 'lost';
    this.memory = foldMore(this.memory, records);
    return 'acknowledged';
  }
}

function contains(read: readonly LedgerRecord[], records: readonly LedgerRecord[]): boolean {
  const last = records.at(-1);
  const there = read.find((record) => record.seq === last?.seq);
  return last !== undefined && there !== undefined && hashOf(there) === hashOf(last);
}

function isSame(records: readonly LedgerRecord[], bodies: readonly RecordBody[]): boolean {
  const text = (value: readonly RecordBody[]) => canonical(value as unknown as Json);
  return text(records.map((record) => record.body)) === text(bodies);
}
