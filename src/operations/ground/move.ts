import { hashRecord } from '../../ledger/chain.ts';
import { fold } from '../../ledger/fold.ts';
import { isSamePlace, type GroundTerms } from '../../model/ledger/ground.ts';
import type { LedgerRecord, RecordBody } from '../../model/ledger/record.ts';
import type { LedgerStore, Journal } from '../../model/ports.ts';
import { fingerprintOf, placesOf } from './ground.ts';
import {
  hasEnded,
  leftPlaces,
  mayGoOn,
  readLeft,
  storeAt,
  type LeftLedger,
} from './left-ledgers.ts';
import { proposeGround, type ProposedGround } from './keeping.ts';
import { isLine, linePlace, readLine, type Line } from './line.ts';
import { serviceOf, type GroundParts } from './parts.ts';
import { checkPins } from './pins.ts';
import { foundText, placeFinder, ledgerKey, type FoundPlace, type PlaceFinder } from './places.ts';
import type { LinePlace } from './service-line.ts';
import { addressAt } from '../../git/remote-place.ts';
import { usage, WorldError } from '../../model/error.ts';
import { openJournalOn, takeLease, type LeaseOptions } from '../ledger.ts';
import { LEASE_TTL } from '../../store/lease.ts';

/** A ledger that a move begins in. */
export interface MovedLedger {
  readonly place: FoundPlace;
  readonly store: LedgerStore;
  readonly records: readonly LedgerRecord[];
}

export interface FoundMove {
  /** The ground until now, as far as it is known. */
  readonly from: Omit<ProposedGround, 'commit'>;
  readonly to: ProposedGround;
  /** Where the ledger is until now; absent where it stays. */
  readonly source?: MovedLedger;
  /** Where it is from now on. */
  readonly present: MovedLedger;
  /** Ledgers that end with it, without being brought along. */
  readonly closes: readonly MovedLedger[];
  /** The record of the move is there already, and only its copy is not. */
  readonly isRecorded: boolean;
}

/**
 * What has to be recorded before the documents of the default branch may run (protocol M2). With `isAdopted` the
 * present ledger is taken as it is, and others that were left without a record end. Undefined where nothing has
 * to be. Throws `usage` where that is not clear.
 */
export async function findMove(
  parts: GroundParts,
  { isAdopted }: { readonly isAdopted: boolean },
): Promise<FoundMove | undefined> {
  const { shell, folder, settings, target } = parts;
  await checkPins(shell, settings);
  const git = await linePlace(shell, folder);
  const { fingerprint } = target;
  const find = placeFinder(git);
  const place = await find(settings.ledger, fingerprint);
  const read = await readLine(git, settings.ledger, { isFetched: true });
  const line = isLine(read) ? read : undefined;
  const places = await placesOf(parts, find, line ?? { services: [] });
  if (line && line.tip !== '') await checkMerged(line, parts, find, place);
  const store = await storeAt(shell, folder, place);
  const present = { place, store, records: (await store.read(0)).records };
  const left = await leftIn(parts, [...places, { place, commit: '' }]);
  const to = await proposeGround({ ...parts, git, place, line });
  const open = left.filter(
    (one) => !hasEnded(one, mayGoOn(shell, one, place) ? present.records : []),
  );
  const found = { parts, git, line, present, left, open, to };
  return isAdopted ? adoption(found) : moveIn(found);
}

interface Found {
  readonly parts: GroundParts;
  readonly git: LinePlace;
  readonly line: Line | undefined;
  readonly present: MovedLedger;
  readonly left: readonly LeftLedger[];
  readonly open: readonly LeftLedger[];
  readonly to: ProposedGround;
}

/** Only what everybody was shown can move: a ground that no merge has brought is refused later anyway. */
async function checkMerged(
  { services, tip }: Line,
  { shell, target }: GroundParts,
  find: PlaceFinder,
  place: FoundPlace,
): Promise<void> {
  const newest = services.at(-1)?.settings;
  const isSame =
    newest !== undefined &&
    fingerprintOf(newest, target, shell) === target.fingerprint &&
    ledgerKey(await find(newest.ledger, target.fingerprint)) === ledgerKey(place);
  if (isSame) return;
  throw usage(
    `commit ${tip.slice(0, 12)}, the newest of the default branch, has another \`service\`: merge this one first`,
  );
}

async function leftIn(
  { shell, folder }: GroundParts,
  line: Parameters<typeof leftPlaces>[0],
): Promise<readonly LeftLedger[]> {
  const all = leftPlaces(line).map((left) => readLeft({ shell, folder }, left));
  return (await Promise.all(all)).filter(({ gone }) => gone === undefined);
}

/** The move from the one ledger that the present one is to continue. */
async function moveIn(found: Found): Promise<FoundMove | undefined> {
  const { present, left, open, to } = found;
  const here = fold(present.records).ground;
  const isHere = here === undefined || isSamePlace(here.ledger, to.ledger);
  const elsewhere = isHere ? undefined : await ledgerOf(found, here);
  const isOther =
    elsewhere && left.every(({ place }) => ledgerKey(place) !== ledgerKey(elsewhere.place));
  const unfinished = left.filter((one) => {
    const last = fold(one.records).ground;
    return (
      !open.includes(one) &&
      last &&
      isSamePlace(last.ledger, to.ledger) &&
      !holds(present.records, one.records)
    );
  });
  const sources = [...open, ...(isOther ? [elsewhere] : []), ...unfinished];
  const [source, ...others] = sources;
  if (others.length > 0) throw usage(`${namesOf(sources)} have records: ${ADOPT}`);
  if (source && !isStart(present.records, source.records))
    throw usage(`${namesOf([source])} and the present ledger have records of their own: ${ADOPT}`);
  if (!isHere && !source)
    throw usage(`the ledger at the place that it names cannot be read: ${ADOPT}`);
  if (source)
    return withTerms(found, { source, present, closes: [], isRecorded: unfinished.length > 0 });
  if (present.records.length === 0) return undefined;
  if (!here) throw usage(`no ledger has the record of a ground: ${ADOPT}`);
  const move = withTerms(found, { present, closes: [], isRecorded: false });
  return isSameGround(move) ? undefined : move;
}

const ADOPT = 'add --adopt to take the present one as it is';

function adoption(found: Found): FoundMove | undefined {
  const { present, open } = found;
  if (present.records.length > 0)
    return withTerms(found, { present, closes: open, isRecorded: false });
  if (open.length === 0) return undefined;
  throw usage(
    `the present ledger is empty, and ${namesOf(open)} has records: leave out --adopt to bring them along`,
  );
}

/** A ledger at the place that a ground names, on the way by which the present one was reached. */
async function ledgerOf(
  { parts: { shell, folder }, git, present: { place } }: Found,
  { ledger }: GroundTerms,
): Promise<MovedLedger | undefined> {
  const { store: kind, at, branch } = ledger;
  if (kind !== 'git' || place.store !== 'git' || at === undefined || branch === undefined)
    return undefined;
  const root = (await git.git('rev-parse', '--show-toplevel')).out.trim();
  const address = addressAt(at, place.address ?? '', root);
  const named = { store: 'git', remote: address, address, at, branch } as const;
  const left = { place: named, leftBy: '', later: [], isImplied: false };
  const found = await readLeft({ shell, folder }, left);
  return found.gone || found.records.length === 0 ? undefined : found;
}

function withTerms(
  { parts, line, to }: Found,
  move: Pick<FoundMove, 'source' | 'present' | 'closes' | 'isRecorded'>,
): FoundMove {
  const { place, records } = move.source ?? move.present;
  const from = termsOf(parts, line, { place, records });
  const approval = from.approval === 'plan' ? 'plan' : to.approval;
  return { ...move, from, to: { ...to, approval } };
}

/**
 * The ground of a ledger; where it has none, what its records and the documents before show of it: plans that were
 * ever to be approved are until a gate says otherwise.
 */
function termsOf(
  { shell, target }: GroundParts,
  line: Line | undefined,
  { place, records }: Pick<MovedLedger, 'place' | 'records'>,
): FoundMove['from'] {
  const { ground, fingerprint } = fold(records);
  if (ground) return ground;
  const named = line?.services.findLast(
    ({ settings }) => fingerprintOf(settings, target, shell) === fingerprint,
  );
  const isGated =
    records.some(({ body }) => body.type === 'APPROVED') ||
    line?.services.some(({ settings }) => settings.approval.is === 'plan');
  return {
    service: named ? serviceOf(named.settings) : serviceOf(target),
    ledger: place,
    approval: isGated === true ? 'plan' : 'commit',
    gate: 'none',
  };
}

function isSameGround({ from, to }: FoundMove): boolean {
  const { service, ledger, approval, gate } = to;
  return (
    from.service.origin === service.origin &&
    from.service.organization === service.organization &&
    isSamePlace(from.ledger, ledger) &&
    from.approval === approval &&
    from.gate === gate
  );
}

/** Whether the records of a ledger are the first of another one. */
function isStart(records: readonly LedgerRecord[], of: readonly LedgerRecord[]): boolean {
  return records.length <= of.length && holds(of, records);
}

/** Whether a ledger has all records of another one. */
function holds(records: readonly LedgerRecord[], others: readonly LedgerRecord[]): boolean {
  const last = others.at(-1);
  const same = last && records[last.seq - 1];
  return last === undefined || (same !== undefined && hashRecord(same) === hashRecord(last));
}

function namesOf(ledgers: readonly Pick<MovedLedger, 'place'>[]): string {
  return ledgers.map(({ place }) => foundText(place)).join(', ');
}

export interface MoveOrder extends LeaseOptions {
  readonly who: string;
  readonly why: string;
  /** Told how many records were copied before the move is recorded, which may be refused. */
  readonly onCopied?: (records: number) => void;
}

/**
 * Records a move as the last record of the ledger that it leaves, when no run is at work there, and copies the
 * chain (protocol M2). What is there is copied first: a move that is interrupted leaves a ledger that no run
 * uses, and the same command completes it. Throws `locked`.
 * @returns the number of records that were copied
 */
export async function recordMove(
  parts: GroundParts,
  move: FoundMove,
  order: MoveOrder,
): Promise<number> {
  const { source, present, closes, isRecorded, to } = move;
  let copied = source ? await copyRecords(source.store, present.store) : 0;
  order.onCopied?.(copied);
  const { who, why } = order;
  const body: RecordBody = { type: 'GROUND', ...to, who, why };
  if (!isRecorded) await endWith(parts, source ?? present, { body, order });
  for (const left of closes) await endWith(parts, left, { body, order });
  if (source) copied += await copyRecords(source.store, present.store);
  return copied;
}

/** Appends a GROUND as the last record of a ledger, once its lock is ours, and gives the lock back with it. */
async function endWith(
  { shell, target }: GroundParts,
  { place, store, records }: MovedLedger,
  { body, order }: { readonly body: RecordBody; readonly order: MoveOrder },
): Promise<void> {
  const fingerprint = fold(records).fingerprint || target.fingerprint;
  const leaseTtl = LEASE_TTL[place.store];
  const journal = await openJournalOn(
    { store, leaseTtl },
    { shell, target: { ...target, fingerprint } },
  );
  await takeLease(journal, order, shell);
  await appendLast(journal, body).catch(async (error: unknown) => {
    await journal.release();
    throw error;
  });
}

async function appendLast(journal: Journal, body: RecordBody): Promise<void> {
  for (;;) if ((await journal.append([{ type: 'RELEASE' }, body])) === 'acknowledged') return;
}

/** How often a copy without a clear answer is tried again. */
const TRIES = 5;

/** Appends what a ledger lacks of another one, in one append. Throws `storeFailed` if somebody else appends there. */
async function copyRecords(from: LedgerStore, to: LedgerStore): Promise<number> {
  const { records } = await from.read(0);
  await to.probe();
  const { head: before } = await to.read(0);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const { head } = await to.read(0);
    const rest = records.slice(head.seq);
    if (rest.length === 0) return records.length - before.seq;
    const whole = head.seq === 0 ? to.importChain?.(rest) : undefined;
    const answer = await (whole ?? to.append(rest, head));
    if (answer === 'acknowledged') return records.length - before.seq;
    if (answer === 'lost') break;
  }
  throw new WorldError('storeFailed', { place: to.place, cause: 'overtaken' }, { retry: 'safe' });
}
