import * as layout from './layout.ts';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { EMPTY_HEAD, checkChain, isSameHead } from '../ledger/chain.ts';
import { WorldError } from '../model/error.ts';
import type { LedgerRead, LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import { type Files, NODE_FILES, asStoreFailure, fileErrorCode, writeNew } from './files.ts';
import { probeFolder } from './folder-probe.ts';

/** Appends read in parallel: enough to keep a disk busy without too many open files. */
const AT_ONCE = 64;

/**
 * A ledger as files in a folder (protocol J4), one append per file, for runs on one machine. A
 * writer claims an append by linking a finished file to its number, which succeeds for exactly one
 * writer. Reading creates nothing.
 */
export function directoryStore(path: string, files: Files = NODE_FILES): LedgerStore {
  return new DirectoryStore(path, files);
}

interface Position {
  readonly append: number;
  readonly head: LedgerHead;
}

const START: Position = { append: 0, head: EMPTY_HEAD };

class DirectoryStore implements LedgerStore {
  readonly place: string;
  readonly #files: Files;
  /**
   * How far this process has read or written, so that a refresh does not start at the first file.
   */
  #known = START;
  #prepared = '';

  constructor(place: string, files: Files) {
    this.place = resolve(place);
    this.#files = files;
  }

  async read(afterSeq: number) {
    const from = afterSeq >= this.#known.head.seq ? this.#known : START;
    try {
      await this.#refuseVanished();
      const { records, head } = await this.#readFrom(from);
      return { records: records.filter(({ seq }) => seq > afterSeq), head };
    } catch (error) {
      throw asStoreFailure(error, this.place);
    }
  }

  /** A text that another process is replacing, or that a crash left out, costs the reading of all records. */
  async readLatest(): Promise<LedgerRead> {
    try {
      await this.#refuseVanished();
      for (const append of await this.#checkpoints()) {
        const text = await this.#files.read(layout.checkpointFile(this.place, append));
        const bytes = await this.#bytesOf(append);
        if (text === undefined || bytes === undefined) continue;
        const file = layout.appendFile('', append);
        const first = layout.parseAppend(bytes, { place: this.place, file });
        if (first.records[0]?.body.type !== 'CHECKPOINT') continue;
        const at = { append, head: first.head };
        const { records, head } = await this.#readFrom(at);
        return {
          records: [...first.records, ...records],
          head,
          checkpoint: new TextDecoder().decode(text),
        };
      }
    } catch (error) {
      throw asStoreFailure(error, this.place);
    }
    return this.read(0);
  }

  async append(records: readonly LedgerRecord[], onHead: LedgerHead, checkpoint?: string) {
    if (!isSameHead(this.#known.head, onHead)) await this.read(onHead.seq);
    if (!isSameHead(this.#known.head, onHead)) return 'lost';
    const chained = checkChain(records, onHead);
    const at = { append: this.#known.append + 1, head: chained.head };
    try {
      await this.#refuseVanished();
      if (!(await this.#claim(at.append, layout.appendText(chained)))) return 'lost';
    } catch (error) {
      throw asStoreFailure(error, this.place);
    }
    this.#known = at;
    if (checkpoint !== undefined) await this.#keep(at.append, checkpoint).catch(() => undefined);
    return 'acknowledged';
  }

  async probe(): Promise<void> {
    const { append } = this.#known;
    try {
      await this.#prepare(append + 1);
      await probeFolder(layout.appendFolder(this.place, append + 1), this.#files);
      for (const near of [append, append - 1_000])
        await this.#sweep(layout.appendFolder(this.place, Math.max(near, 0)));
      await this.#sweep(layout.checkpointFolder(this.place));
    } catch (error) {
      throw asStoreFailure(error, this.place);
    }
  }

  /**
   * What this process has read must still exist; otherwise the ledger was replaced or truncated.
   */
  async #refuseVanished(): Promise<void> {
    const { append, head } = this.#known;
    if (append === 0 || (await this.#bytesOf(append)) !== undefined) return;
    throw new WorldError('ledgerRolledBack', { place: this.place, seen: head.seq });
  }

  async #readFrom(from: Position): Promise<LedgerRead> {
    const records: LedgerRecord[] = [];
    let at = from;
    do at = await this.#readOn(at, records);
    while (await this.#hasMore(at));
    this.#known = at;
    return { records, head: at.head };
  }

  /** The appends that have the text of a checkpoint, the newest first. */
  async #checkpoints(): Promise<readonly number[]> {
    const names = await this.#files.list(layout.checkpointFolder(this.place));
    const appends = names.flatMap((name) => layout.appendNumber(name) ?? []);
    return appends.sort((a, b) => b - a);
  }

  /**
   * Keeps the text of a checkpoint whose record is there, and of the ones before only the last: no text is needed, and
   * nobody reads an older one.
   */
  async #keep(append: number, text: string): Promise<void> {
    const folder = layout.checkpointFolder(this.place);
    await this.#files.makeFolder(folder);
    await this.#link(layout.checkpointFile(this.place, append), text);
    for (const old of (await this.#checkpoints()).slice(2))
      await this.#files.remove(layout.checkpointFile(this.place, old));
  }

  /** Reads appends into `records` until there is no further file. */
  async #readOn(from: Position, records: LedgerRecord[]): Promise<Position> {
    let at = from;
    for (let size = 1; ; size = Math.min(size * 2, AT_ONCE)) {
      const first = at.append + 1;
      const numbers = Array.from({ length: size }, (_, i) => first + i);
      const found = await Promise.all(numbers.map((n) => this.#bytesOf(n)));
      for (const bytes of found) {
        if (bytes === undefined) return at;
        const file = layout.appendFile('', at.append + 1);
        const next = layout.parseAppend(bytes, { place: this.place, file }, at.head);
        for (const record of next.records) records.push(record);
        at = { append: at.append + 1, head: next.head };
      }
    }
  }

  /**
   * Whether the next file has appeared meanwhile. A later file without it is a gap, which means
   * `ledgerBroken`.
   */
  async #hasMore({ append, head }: Position): Promise<boolean> {
    const highest = await this.#highest(append);
    if (highest <= append) return false;
    if ((await this.#bytesOf(append + 1)) !== undefined) return true;
    const where = { place: this.place, file: layout.appendFile('', append + 1) };
    throw new WorldError('ledgerBroken', { ...where, seq: head.seq + 1, why: 'hole' });
  }

  async #highest(append: number): Promise<number> {
    const root = join(this.place, 'records');
    const own = layout.appendFolder('', append);
    let highest = 0;
    for (const folder of await this.#files.list(root)) {
      if (!layout.isFolder(folder) || join('records', folder) < own) continue;
      const names = await this.#files.list(join(root, folder));
      for (const name of names) highest = Math.max(highest, layout.appendNumber(name) ?? 0);
    }
    return highest;
  }

  /** Stores an append durably under its number; false if another writer has that number. */
  async #claim(append: number, text: string): Promise<boolean> {
    await this.#prepare(append);
    try {
      await this.#link(layout.appendFile(this.place, append), text);
      return true;
    } catch (error) {
      if (await this.#isTaken(error, append)) return false;
      throw error;
    }
  }

  /** Writes a file under a name of its own, then gives it a name that nothing has yet. */
  async #link(target: string, text: string): Promise<void> {
    const temporary = layout.temporaryFile(target, randomUUID());
    try {
      await writeNew(temporary, [text], this.#files);
      await this.#files.link(temporary, target);
      await this.#files.syncFolder(dirname(target));
    } finally {
      await this.#files.remove(temporary).catch(() => undefined);
    }
  }

  /**
   * The winner may remove our temporary file before we link it; the number is then taken as well.
   */
  async #isTaken(error: unknown, append: number): Promise<boolean> {
    if (fileErrorCode(error) === 'EEXIST') return true;
    return fileErrorCode(error) === 'ENOENT' && (await this.#bytesOf(append)) !== undefined;
  }

  /**
   * Creates the folder of an append, and syncs every folder above it, including folders that
   * another program created: otherwise a power failure could lose an acknowledged append together
   * with its folder. The previous folder is synced first.
   */
  async #prepare(append: number): Promise<void> {
    const folder = layout.appendFolder(this.place, append);
    if (this.#prepared === folder) return;
    const made = await this.#files.makeFolder(folder);
    const topmost = dirname(made ?? this.place);
    for (let above = dirname(folder); ; above = dirname(above)) {
      await this.#files.syncFolder(above);
      if (above.length <= Math.min(topmost.length, dirname(this.place).length)) break;
    }
    const before = layout.appendFolder(this.place, Math.max(append - 1, 0));
    if (before !== folder) await this.#files.syncFolder(before);
    this.#prepared = folder;
  }

  /**
   * Removes temporary files that a crash left for settled appends. That of a free number may be in
   * use.
   */
  async #sweep(folder: string): Promise<void> {
    for (const name of await this.#files.list(folder)) {
      const temporary = layout.temporaryAppendNumber(name);
      if (temporary === undefined || temporary > this.#known.append) continue;
      await this.#files.remove(join(folder, name)).catch(() => undefined);
    }
  }

  #bytesOf(append: number): Promise<Uint8Array | undefined> {
    return this.#files.read(layout.appendFile(this.place, append));
  }
}
