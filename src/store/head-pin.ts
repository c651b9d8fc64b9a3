import { join } from 'node:path';
import { WorldError } from '../model/error.ts';
import { EMPTY_HEAD, hashRecord, isSameHead } from '../ledger/chain.ts';
import { sha256 } from '../lib/canonical.ts';
import type { LedgerRead, LedgerStore } from '../model/ports.ts';
import type { LedgerHead, LedgerRecord } from '../model/ledger/record.ts';
import { NODE_FILES, type Files } from './files.ts';
import { replaceFile } from './local-file.ts';

/** A head that the ledger must contain, and what names it. */
export interface RequiredHead extends LedgerHead {
  readonly from: 'plan' | 'note';
  /** Who wrote the note, and when in milliseconds. */
  readonly by?: string;
  readonly at?: number;
}

interface CheckedHead extends LedgerHead {
  readonly from?: RequiredHead['from'] | 'heads';
  /** What names it exists and does not name a head: a ledger of unknown length was here. */
  readonly isDamaged?: true;
  /** The file of a pin that cannot be read. */
  readonly path?: string;
}

/** A head that a ledger lacks. A person may say that it is false, unless this machine or a plan has it. */
export interface MissingHead extends LedgerHead {
  readonly mayBeFalse: boolean;
}

export interface HeadPinOptions {
  /** Heads that others name: a saved plan; a note, where the remote keeps no heads beside the ledger. */
  readonly others?: readonly RequiredHead[];
  /** Told of a note whose head the ledger lacks, where the heads beside the ledger match it (protocol M12). */
  readonly onFalseNote?: (note: RequiredHead) => void;
  readonly files?: Files;
  /** Told once if a pin cannot be written after an append; without a place, if there is no folder for one. */
  readonly onUnkept?: (place: string | undefined, error: unknown) => void;
  /** There is no folder of the user's state. */
  readonly isAlone?: boolean;
}

/**
 * A store with head pins: small files, each with the last head that this machine saw. It throws
 * `ledgerRolledBack` for a ledger that is lost, shorter, or does not contain one of these heads
 * (protocol J6). The chain alone cannot show this, since an old copy is valid too, and a pin beside
 * the ledger may go with it: so there is one in the folder of the user's state as well, and a remote keeps
 * heads beside the ledger (M12). A head that a person went on without, or called false (LOCK, `lost` and
 * `rejected`), is no longer required.
 */
export function pinnedStore(
  store: LedgerStore,
  paths: readonly string[],
  { others = [], files = NODE_FILES, onUnkept, onFalseNote, isAlone = false }: HeadPinOptions = {},
): LedgerStore {
  const { place } = store;
  /** No pin outlives the working directory, and that is not reported yet. */
  let isUntold = isAlone;
  /** Pins that could not be written and are reported. */
  const unkept = new Set<string>();
  /** The last seen head of each pin; undefined until they have been checked against the ledger. */
  let seen: Map<string, LedgerHead> | undefined;

  /** The first read requires every pinned head to be in the chain. */
  async function readFirst(afterSeq: number, isLatest = false): Promise<LedgerRead> {
    const pins = await Promise.all(paths.map((path) => readPin(path, files)));
    const named = [...pins, ...others];
    const lowest = Math.min(afterSeq, ...named.map(({ seq }) => seq - 1));
    const latest = isLatest ? await store.readLatest?.() : undefined;
    const read = latest ?? (await store.read(Math.max(lowest, 0)));
    const heads = [...pins, ...requiredOf(others, read.kept)];
    const isWhole = [...heads, ...others].every((each) => holds(read.records, each));
    // A head of long ago, and what a person went on without, are found in all records.
    const { kept: _, ...found } = isWhole ? read : await store.read(0);
    const { records, head } = found;
    const lost = lostIn(records, heads);
    const worst =
      lost.find(({ from, isDamaged }) => from !== 'plan' && isDamaged !== true) ?? lost[0];
    if (worst) throw rolledBack(place, head, worst);
    for (const note of read.kept ? others.filter(({ from }) => from === 'note') : [])
      if (lostIn(records, [note]).length > 0) onFalseNote?.(note);
    const required = pins.map((pin) => (holds(records, pin) && !pin.isDamaged ? pin : EMPTY_HEAD));
    seen = new Map(paths.map((path, index) => [path, required[index] ?? EMPTY_HEAD]));
    await remember(head);
    return { ...found, records: records.filter(({ seq }) => seq > afterSeq) };
  }

  async function readAgain(reading: Promise<LedgerRead>): Promise<LedgerRead> {
    const { kept: _, ...read } = await reading;
    const shorter = [...(seen?.values() ?? [])].find(({ seq }) => read.head.seq < seq);
    if (shorter) throw rolledBack(place, read.head, shorter);
    await remember(read.head);
    return read;
  }

  /** Moves the pins forward. A failed write changes nothing else: the ledger has the records. */
  async function remember(head: LedgerHead, isTold = false): Promise<void> {
    for (const [path, before] of seen ?? []) {
      if (head.seq <= before.seq) continue;
      seen?.set(path, head);
      await replaceFile(path, `${head.seq} ${head.hash}\n`, files).catch((error: unknown) => {
        if (!isTold) return;
        if (!unkept.has(path)) onUnkept?.(path, error);
        unkept.add(path);
      });
    }
  }

  return {
    place,
    read: (afterSeq) =>
      seen === undefined ? readFirst(afterSeq) : readAgain(store.read(afterSeq)),
    ...(store.readLatest && {
      readLatest: () =>
        seen === undefined ? readFirst(0, true) : readAgain(store.readLatest?.() ?? store.read(0)),
    }),
    async append(records, onHead, checkpoint) {
      const answer = await store.append(records, onHead, checkpoint);
      const last = records.at(-1);
      if (isUntold) onUnkept?.(undefined, undefined);
      isUntold = false;
      if (answer === 'acknowledged' && last)
        await remember({ seq: last.seq, hash: hashRecord(last) }, true);
      return answer;
    },
    probe: () => store.probe(),
    mayAttempt: async () => (await store.mayAttempt?.()) === true,
  };
}

/**
 * The pin in the folder of the user's state. It belongs to one tenant and one place: a ledger that
 * is moved takes the pin beside it along, and a second one elsewhere is another ledger.
 */
export function userPin(stateFolder: string, fingerprint: string, place: string): string {
  return join(stateFolder, 'heads', `${sha256(`${fingerprint}\n${place}`).slice(0, 24)}.head`);
}

/** The heads that this machine or others saw and that a ledger lacks, the newest first. */
export async function missingHeads(
  store: LedgerStore,
  paths: readonly string[],
  { others = [], files = NODE_FILES }: HeadPinOptions = {},
): Promise<readonly MissingHead[]> {
  const pins = await Promise.all(paths.map((path) => readPin(path, files)));
  const { records, kept } = await store.read(0);
  const missing = lostIn(records, [...pins, ...requiredOf(others, kept)]);
  const byHash = new Map<string, MissingHead>();
  for (const { seq, hash, from } of missing) {
    const mayBeFalse =
      (from === 'note' || from === 'heads') && (byHash.get(hash)?.mayBeFalse ?? true);
    byHash.set(hash, { seq, hash, mayBeFalse });
  }
  return [...byHash.values()].sort((a, b) => b.seq - a.seq);
}

/**
 * The heads that others name and that the ledger must have. Anybody may push a note, so notes count only
 * where the remote keeps no heads beside the ledger (protocol M12).
 */
function requiredOf(
  others: readonly RequiredHead[],
  kept: LedgerRead['kept'],
): readonly CheckedHead[] {
  if (kept === undefined) return others;
  return [...others.filter(({ from }) => from !== 'note'), { ...kept, from: 'heads' }];
}

/**
 * The heads that the records do not contain and that nobody went on without. A damaged pin of this machine
 * counts unless another head shows the ledger: what was not understood is no reason to go on without it.
 */
function lostIn(
  records: readonly LedgerRecord[],
  heads: readonly CheckedHead[],
): readonly CheckedHead[] {
  const known = heads.filter(({ seq, isDamaged }) => seq > 0 && isDamaged !== true);
  const isShown = known.some((head) => holds(records, head));
  const named = records.flatMap(({ body }) =>
    body.type === 'LOCK' ? [...(body.lost ?? []), ...(body.rejected ?? [])] : [],
  );
  const accepted = new Set(named.map(({ hash }) => hash));
  return heads.filter(
    (head) =>
      !holds(records, head) &&
      !(head.isDamaged && isShown && head.from === undefined) &&
      !accepted.has(head.hash),
  );
}

/** A pin that is absent names the empty head; one that cannot be read is as a damaged one. */
async function readPin(path: string, files: Files): Promise<CheckedHead> {
  const bytes = await files.read(path).catch(() => 'unreadable' as const);
  if (bytes === undefined) return EMPTY_HEAD;
  if (bytes === 'unreadable') return { seq: 1, hash: sha256(path), isDamaged: true, path };
  const text = new TextDecoder().decode(bytes);
  const match = /^(\d{1,15}) ([0-9a-f]{64})\n$/.exec(text);
  if (match) return { seq: Number(match[1]), hash: match[2] ?? '' };
  return { seq: 1, hash: sha256(text), isDamaged: true };
}

function rolledBack(
  place: string,
  found: LedgerHead,
  { seq, from, isDamaged, path }: CheckedHead,
): WorldError {
  if (path !== undefined)
    return new WorldError('ledgerRolledBack', { place, why: 'unreadablePin', pin: path });
  const isRejectable = from === 'note' || from === 'heads';
  const reject = isRejectable ? { reject: 'unlock --reject-head' } : {};
  if (isDamaged) {
    const why = from === 'heads' ? 'damagedHeads' : 'damagedPin';
    return new WorldError('ledgerRolledBack', { place, why, ...reject });
  }
  const why = from === 'plan' ? { why: from } : found.seq === 0 ? { why: 'lost' } : {};
  return new WorldError('ledgerRolledBack', {
    place,
    found: found.seq,
    seen: seq,
    ...why,
    ...reject,
  });
}

/** The first of the records says what the head before it was. */
function holds(records: readonly LedgerRecord[], seen: LedgerHead): boolean {
  if (seen.seq === 0) return true;
  const [first] = records;
  if (first && isSameHead(seen, { seq: first.seq - 1, hash: first.prev })) return true;
  const record = records.find(({ seq }) => seq === seen.seq);
  return record !== undefined && hashRecord(record) === seen.hash;
}
