import { existsSync } from 'node:fs';
import { hashRecord, isSameHead } from '../../ledger/chain.ts';
import { WorldError } from '../../model/error.ts';
import { isSamePlace, isShared, placeText, type GroundTerms } from '../../model/ledger/ground.ts';
import type { LedgerRecord } from '../../model/ledger/record.ts';
import type { LedgerStore } from '../../model/ports.ts';
import type { Shell } from '../../shell/shell.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import type { RequiredHead } from '../../store/head-pin.ts';
import { isCi } from '../../lib/ci.ts';
import { openDatabase, sayHeadsUnkept, type LedgerReading, isFirst } from './open-store.ts';
import type { GroundParts } from './parts.ts';
import { isPinned, ledgerPin } from './pins.ts';
import { type FoundPlace, foundText, ledgerKey, recordedPlace } from './places.ts';
import { directoryStore } from '../../store/directory.ts';
import { gitStore } from '../../store/git-store.ts';
import { postgresStore } from '../../store/postgres-store.ts';
import { ledgerRemote } from '../../git/ledger-remote.ts';
import { printMessages } from '../../shell/messages.ts';
import type { LinePlace } from './service-line.ts';
import { addressAt } from '../../git/remote-place.ts';

/** A ledger that documents have left, and where they went from there. */
export interface LeftPlace {
  readonly place: FoundPlace;
  /** The first commit that named another one; empty for documents that are not committed. */
  readonly leftBy: string;
  /** Every place that documents named since. */
  readonly later: readonly FoundPlace[];
  /** No commit named it: what it has counts only where the present ledger has nothing. */
  readonly isImplied: boolean;
}

/** The places of a line, oldest first, and the commit that chose each. */
export type PlacesOfLine = readonly {
  readonly place: FoundPlace;
  readonly commit: string;
  readonly isImplied?: true;
}[];

/** The places that a line has left for the last one, each with what came after its last use. */
export function leftPlaces(line: PlacesOfLine): readonly LeftPlace[] {
  const present = line.at(-1);
  if (!present) return [];
  const last = new Map(line.map(({ place }, index) => [ledgerKey(place), index]));
  last.delete(ledgerKey(present.place));
  const all = [...last.values()].flatMap((index) => {
    const [left, next] = [line[index], line[index + 1]];
    const later = line.slice(index + 1).map(({ place }) => place);
    if (!left || !next) return [];
    const { place, isImplied = false } = left;
    return [{ place, isImplied, leftBy: next.commit, later }];
  });
  // What no commit named is asked last: only then the present ledger is read for it.
  return all.sort((a, b) => Number(a.isImplied) - Number(b.isImplied));
}

export type LeftLedger = LeftPlace & {
  readonly store: LedgerStore;
  readonly records: readonly LedgerRecord[];
  readonly gone?: WorldError;
};

/** Reads a ledger that was left, without any check of what this machine remembers of it. */
export async function readLeft(
  { shell, folder }: { readonly shell: Shell; readonly folder: string },
  left: LeftPlace,
): Promise<LeftLedger> {
  const store = await storeAt(shell, folder, left.place);
  if (isDiskLost(shell, left)) {
    const gone = new WorldError('storeFailed', { place: store.place, cause: 'ENOENT' });
    return { ...left, store, records: [], gone };
  }
  try {
    return { ...left, store, records: (await store.read(0)).records };
  } catch (error) {
    if (!(error instanceof WorldError) || !GONE.has(error.code)) throw error;
    return { ...left, store, records: [], gone: error };
  }
}

/** The directory of another runner: what it has cannot be seen from here. */
function isDiskLost({ env }: Shell, { place, isImplied }: LeftPlace): boolean {
  return place.store === 'directory' && !isImplied && isCi(env) && !existsSync(place.path);
}

const GONE: ReadonlySet<string> = new Set(['storeFailed', 'ledgerUnfit']);

/** The store of a place, by the address that it was found at. */
export async function storeAt(
  shell: Shell,
  folder: string,
  place: FoundPlace,
): Promise<LedgerStore> {
  if (place.store === 'directory') {
    return directoryStore(place.path);
  }
  if (place.store === 'postgres') return postgresStore(openDatabase(shell), place.branch);
  const { address, remote, branch } = place;
  const onUnkept = (...said: [string, string]): void => void sayHeadsUnkept(shell, said);
  const heads = { isMoved: true, onUnkept };
  const options = { folder, env: shell.env, remote: address ?? remote, branch, heads };
  return gitStore(ledgerRemote(options), shell.random);
}

/**
 * Whether nothing can be appended to a ledger any more that a later one lacks: it has no records, or ends with
 * the GROUND of a later place (protocol M1), or `present` goes on where it ends.
 */
export function hasEnded(
  { place, records, later, isImplied }: LeftLedger,
  present: readonly LedgerRecord[],
): boolean {
  const last = records.at(-1);
  if (!last || (isImplied && present.length > 0)) return true;
  if (last.body.type === 'GROUND') {
    const { ledger } = last.body;
    // Records name no directory: that of one may be of the directory itself.
    const isElsewhere = isShared(place) || isShared(ledger);
    if (isElsewhere && later.some((one) => leadsTo({ place, records }, one))) return true;
  }
  const same = present[last.seq - 1];
  return same !== undefined && hashRecord(same) === hashRecord(last);
}

/**
 * Whether the last GROUND of a ledger names a place. One in the repository of the ledger itself is named by its branch: the
 * repository may have another name since (protocol M13).
 */
function leadsTo(
  { place, records }: Pick<LeftLedger, 'place' | 'records'>,
  to: FoundPlace,
): boolean {
  const grounds = records.flatMap(({ body }) => (body.type === 'GROUND' ? [body.ledger] : []));
  const [before, named] = grounds.slice(-2);
  const last = named ?? before;
  if (!last) return false;
  if (isSamePlace(last, to)) return true;
  if (!before || !named || place.store !== 'git' || to.store !== 'git') return false;
  const isOneRepository = before.at !== undefined && before.at === named.at && place.at === to.at;
  return isOneRepository && named.store === 'git' && named.branch === to.branch;
}

/**
 * Whether each ledger that the documents have left ends with the record of its move (protocol M1).
 * @returns the heads of those that were closed for the last place of the line
 */
export async function checkLeft(
  { shell, folder, settings }: GroundParts,
  line: PlacesOfLine,
  present: () => Promise<LedgerReading>,
): Promise<readonly RequiredHead[]> {
  const here = line.at(-1)?.place;
  const closing: RequiredHead[] = [];
  for (const left of leftPlaces(line)) {
    const ledger = await readLeft({ shell, folder }, left);
    if (ledger.gone) {
      if (!isPinned(shell, settings.ledger)) throw goneError(left, ledger.gone, settings.ledger);
      continue;
    }
    const last = ledger.records.at(-1);
    if (!last) continue;
    const isOver =
      hasEnded(ledger, []) || (mayGoOn(shell, left, here) && (await goesOn(ledger, present)));
    if (!isOver) throw leftError(left);
    if (last.body.type === 'GROUND' && here && leadsTo(ledger, here))
      closing.push({ seq: last.seq, hash: hashRecord(last), from: 'note' });
  }
  return closing;
}

/** Whether the present ledger counts instead of one that no commit named, or goes on where another one ends. */
async function goesOn(left: LeftLedger, present: () => Promise<LedgerReading>): Promise<boolean> {
  const { memory, all } = await present();
  return left.isImplied ? memory.head.seq > 0 : hasEnded(left, await all());
}

/** The refusal of a place that was left without a record. */
export function leftError({ place, leftBy, later }: LeftPlace): WorldError {
  const [next] = later;
  return new WorldError('groundChanged', {
    what: 'service.ledger',
    from: foundText(place),
    ...(next && { to: foundText(next) }),
    ...(leftBy !== '' && { commit: leftBy.slice(0, 12) }),
  });
}

/** Whether a later ledger may simply go on where this one ends: that of a disk which nobody else may write to. */
export function mayGoOn(
  { env }: Pick<Shell, 'env'>,
  { place, isImplied }: LeftPlace,
  here: FoundPlace | undefined,
): boolean {
  return isImplied || (place.store === 'directory' && (here?.store === 'directory' || !isCi(env)));
}

function goneError(
  { place }: LeftPlace,
  { params }: WorldError,
  ledger: LedgerSettings | undefined,
): WorldError {
  const { why, cause = '' } = params;
  const said = why === undefined ? { cause } : { why };
  return new WorldError('placeGone', { place: foundText(place), ...said, pin: ledgerPin(ledger) });
}

/** A ledger that was found at another place than the one that its ground names. */
export interface FoundElsewhere {
  readonly ground: GroundTerms;
  readonly place: FoundPlace;
}

/**
 * Whether the two places of a ledger are one repository with another name or server: both lead to one head. So a
 * fresh copy does, too; a run looks again once it has the lock (protocol M13).
 *
 * | The recorded place | Pinned, and the heads here match | |
 * | --- | --- | --- |
 * | leads to the head of this one | | one repository |
 * | leads to another head, or has no such branch | | a copy |
 * | cannot be reached | yes | one repository, with a warning |
 * | cannot be reached | no | a copy |
 */
export async function isRenamed(
  parts: Pick<GroundParts, 'shell' | 'folder' | 'settings'>,
  git: LinePlace,
  { ground, place }: FoundElsewhere,
): Promise<boolean> {
  const { ledger } = ground;
  const found = await recordedPlace(place);
  if (place.store !== 'git' || place.address === undefined || ledger.at === undefined) return false;
  if (isSamePlace(ledger, found) || ledger.branch !== place.branch) return false;
  const root = (await git.git('rev-parse', '--show-toplevel')).out.trim();
  const { shell, folder } = parts;
  const tips = [place.address, addressAt(ledger.at, place.address, root)].map((remote) =>
    ledgerRemote({ folder, env: shell.env, remote, branch: place.branch }).tip(),
  );
  const [here, there] = await Promise.allSettled(tips);
  if (here?.status !== 'fulfilled' || !there) return false;
  if (there.status === 'fulfilled') return here.value === there.value;
  const isAway = there.reason instanceof WorldError && there.reason.code === 'storeFailed';
  return isAway && (await isVouched(parts, { ground, place }));
}

/** Whether the pin of the job and the heads beside the ledger say that it belongs here; a warning tells it. */
async function isVouched(
  { shell, folder, settings }: Pick<GroundParts, 'shell' | 'folder' | 'settings'>,
  { ground, place }: FoundElsewhere,
): Promise<boolean> {
  if (!isPinned(shell, settings.ledger)) return false;
  const { head, kept } = await (await storeAt(shell, folder, place)).read(0);
  if (!kept || !isSameHead(kept, head)) return false;
  const named = placeText(ground.ledger);
  if (!isFirst(shell, `unreached ${named}`)) return true;
  const { placeUnreachedWords } = await import('../../render/words/ground-words.ts');
  const found = placeText(await recordedPlace(place));
  printMessages(shell, [placeUnreachedWords({ named, found })]);
  return true;
}
