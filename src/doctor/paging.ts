import { STATUSES } from '../model/fleet/device.ts';
import type { Check } from '../model/report/checkup.ts';
import type { Instant } from '../lib/time.ts';
import { readDate } from './inventory.ts';
import { check, failureCheck, listCheck } from './failure-check.ts';
import {
  devicePath,
  idText,
  isOk,
  probe,
  PROBED_PATHS,
  readPage,
  type AnswerRow,
  type ListRead,
  type Probing,
} from './probing.ts';

/** The devices that every other assessment is about. */
export interface DeviceSample {
  readonly rows: readonly AnswerRow[];
  readonly total: number;
  readonly checks: readonly Check[];
  /** When the online devices were last seen, by the dates that name an instant. */
  readonly seenAt: readonly Instant[];
}

const SMALL = 5;
const OVERLAP = 2;

/** The largest page that fleetform requests, and smaller ones for a service that refuses it. */
const PAGES = [1_000, 100, SMALL];

/**
 * Reads up to 1,000 devices, and two small pages that overlap: whether pages have the requested
 * size, start where they should, and keep their order. Undefined rows mean that nothing was read.
 */
export function* examineDevices(): Probing<DeviceSample> {
  const checks: Check[] = [];
  let page = yield* readPage('devices', { limit: String(PAGES[0]), offset: '0' });
  let size = PAGES[0] ?? SMALL;
  for (const smaller of PAGES.slice(1)) {
    if (page.answer.status !== 400 && page.answer.status !== 422) break;
    size = smaller;
    page = yield* readPage('devices', { limit: String(smaller), offset: '0' });
  }
  checks.push(listCheck('devices', page));
  if (!page.rows) return { rows: [], total: 0, checks, seenAt: [] };
  const { rows, total } = page;
  const first = yield* readPage('devices', { limit: String(SMALL), offset: '0' });
  const next = yield* readPage('devices', {
    limit: String(SMALL),
    offset: String(SMALL - OVERLAP),
  });
  const small = first.rows ?? [];
  const counts = { count: rows.length, total: total ?? rows.length };
  const isLarge = counts.total > (PAGES[0] ?? 0);
  checks.push(...judgeCounts(page, first, size));
  checks.push(...judgeOrder([rows, small, next.rows ?? []].map(listIds), { ...counts, isLarge }));
  checks.push(judgeIds(rows), ...judgeWords(rows));
  checks.push(...judgeZones(rows), ...(yield* examineById(rows)));
  return { rows, total: total ?? rows.length, checks, seenAt: listSeen(rows) };
}

/** What the largest page and a small one say about `total` and `limit`. */
function judgeCounts(
  { rows = [], total }: ListRead,
  { rows: small = [], total: smallTotal }: ListRead,
  size: number,
): readonly Check[] {
  const [count, all] = [rows.length, total ?? rows.length];
  const ignored = { count: small.length };
  if (small.length > SMALL)
    return [
      judgeTotal(count, total, size),
      ...judgePageLimit(count, { size, total: all }),
      check('pageLimit', all > (PAGES[0] ?? 0) ? 'bad' : 'note', 'limitIgnored', ignored),
    ];
  if (smallTotal === small.length && smallTotal !== total)
    return [
      check('total', 'bad', 'totalOfPage', { count: small.length }),
      ...judgePageLimit(count, { size, total: Infinity }),
    ];
  return [judgeTotal(count, total, size), ...judgePageLimit(count, { size, total: all })];
}

function judgeTotal(count: number, total: number | undefined, size: number): Check {
  if (total === undefined) return check('total', 'bad', 'totalAbsent');
  const isShort = count < total && count < size && count !== total;
  const params = { total, count };
  if (isShort) return check('total', 'note', 'pageShort', params);
  return total < count
    ? check('total', 'bad', 'totalTooSmall', params)
    : check('total', 'good', 'totalRight', params);
}

function judgePageLimit(
  count: number,
  { size, total }: { readonly size: number; readonly total: number },
): readonly Check[] {
  if (size < (PAGES[0] ?? 0)) return [check('pageLimit', 'bad', 'limitRefused', { size })];
  if (count > size) return [check('pageLimit', 'bad', 'limitIgnored', { count })];
  if (count < Math.min(size, total)) return [check('pageLimit', 'good', 'limitCut', { count })];
  return [check('pageLimit', 'good', total > size ? 'limitFull' : 'limitTaken', { count })];
}

/** The second small page starts with the last two rows of the first one, if nothing moves. */
function judgeOrder(
  [whole = [], first = [], next = []]: readonly (readonly string[])[],
  {
    count,
    total,
    isLarge,
  }: { readonly count: number; readonly total: number; readonly isLarge: boolean },
): readonly Check[] {
  if (whole.length <= SMALL)
    return [
      check('offset', 'unknown', 'tooFewDevices'),
      check('order', 'unknown', 'tooFewDevices'),
    ];
  const isIgnored = first.length > 0 && next[0] === first[0] && next[1] === first[1];
  if (isIgnored && count < total)
    return [check('offset', 'bad', 'offsetIgnored', { count, total })];
  if (isIgnored) return [check('offset', isLarge ? 'bad' : 'note', 'offsetIgnored')];
  const isSame = first.slice(0, SMALL).every((id, at) => id === whole[at]);
  const isJoined = first.slice(SMALL - OVERLAP).every((id, at) => id === next[at]);
  const offset = isJoined
    ? check('offset', 'good', 'offsetRight')
    : check('offset', 'unknown', 'offsetMoved');
  return isSame && isJoined
    ? [offset, check('order', 'good', 'orderStable')]
    : [offset, check('order', 'note', 'orderChanges')];
}

function judgeIds(rows: readonly AnswerRow[]): Check {
  if (rows.length === 0) return check('ids', 'unknown', 'noDevices');
  const ids = rows.map(({ id }) => id);
  const unusable = ids.filter((id) => idText(id) === undefined).length;
  if (unusable === ids.length) return check('ids', 'bad', 'idsAbsent', { count: unusable });
  if (unusable > 0) return check('ids', 'note', 'idsUnusable', { count: unusable });
  if (new Set(listIds(rows)).size < ids.length) return check('ids', 'bad', 'idsRepeat');
  const isNumber = ids.every((id) => typeof id === 'number');
  return check('ids', 'good', isNumber ? 'idsNumeric' : 'idsText');
}

/** A device with another word is neither up nor down for a budget. */
function judgeWords(rows: readonly AnswerRow[]): readonly Check[] {
  if (rows.length === 0) return [];
  const known: readonly string[] = STATUSES;
  const words = [...new Set(rows.map(({ status }) => status))].filter(
    (word): word is string => typeof word === 'string' && word !== '',
  );
  const other = words.filter((word) => !known.includes(word));
  const isShown = rows.some(({ status }) => status !== undefined && status !== null);
  if (words.length === 0) return isShown ? [] : [check('words', 'note', 'statusAbsent')];
  return other.length > 0
    ? [check('words', 'note', 'statusOther', { words: other.slice(0, 4).join(', ') })]
    : [check('words', 'good', 'statusKnown')];
}

/** A date and a time without a zone name no instant; fleetform reads no such date. */
const ZONELESS = /^\d{4}-?\d\d-?\d\d[T ][\d:.,]+$/;

function judgeZones(rows: readonly AnswerRow[]): readonly Check[] {
  const count = rows.filter(({ lastSeen }) => ZONELESS.test(String(lastSeen))).length;
  return count > 0 ? [check('clock', 'bad', 'datesZoneless', { count })] : [];
}

function listSeen(rows: readonly AnswerRow[]): readonly Instant[] {
  return rows.flatMap(({ status, lastSeen }) => {
    const at = status === 'online' ? readDate(lastSeen) : undefined;
    return at === undefined || ZONELESS.test(String(lastSeen)) ? [] : [at];
  });
}

/** A device is read again by its id before each task. */
function* examineById(rows: readonly AnswerRow[]): Probing<readonly Check[]> {
  const id = rows.map((row) => idText(row['id'])).find((found) => found !== undefined);
  if (id === undefined) return [];
  const answer = yield* probe(devicePath(id));
  if (isOk(answer)) return [];
  return [failureCheck('ids', answer, { path: `${PROBED_PATHS.devices}/{id}` })];
}

function listIds(rows: readonly AnswerRow[]): readonly string[] {
  // An object may have a `toString` of its own; two of them are as different as their JSON.
  return rows.map(({ id }) => idText(id) ?? JSON.stringify(id ?? null));
}
