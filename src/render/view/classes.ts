import { pick } from '../../lib/objects.ts';
import { sha256 } from '../../lib/canonical.ts';
import { once } from '../../lib/compute-once.ts';
import {
  passedKey,
  type Change,
  type ChangeRow,
  type DeviceLabel,
  type Values,
  type WindowRef,
} from '../../model/plan/change.ts';
import { type MaybeColumns, rowsIn, kindsIn } from '../../model/plan/change-rows.ts';
import { findColumn } from '../../model/plan/actor.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { comparePlaces, type At, type SourceLocation } from '../../model/documents/source.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { momentText } from '../words/moment.ts';

type Value = Values[string];

/** One field over all changes of a class: one value, or the range of its values. */
interface Spread {
  readonly least: Value;
  readonly most: Value;
  readonly differs: boolean;
}

export type Spreads = Readonly<Record<string, Spread>>;

/** A device of a class, with its own values of the fields that differ. */
export interface ClassDevice extends DeviceLabel {
  readonly own: Values;
  /** Since when its own reason holds. */
  readonly since?: Instant | undefined;
  /** The origin of its change: an entry of a list has a line of its own. */
  readonly at: At;
}

/** Changes that look the same to a reviewer, folded into one. */
export interface ChangeClass extends Pick<
  Change,
  'task' | 'action' | 'cause' | 'risk' | 'at' | 'wave' | 'group' | 'passes'
> {
  /** The earliest opening if windows of several zones open at different times. */
  readonly window?: WindowRef;
  /** Oldest `since`, earliest `next`; without parameters that differ inside the class. */
  readonly reason: Reason;
  /** The devices have different `since`; the reason has the oldest. */
  readonly sinceDiffers: boolean;
  /** When the last one may continue, if that is later than the first. */
  readonly lastNext?: Instant;
  readonly before: Spreads;
  readonly after: Spreads;
  /** The policies that it wins over, each on so many of its devices; most first. */
  readonly losers: readonly (At & { readonly count: number })[];
  /** The distinct places of the changes; the first one is `at`. */
  readonly places: readonly At[];
  /** The changed lines behind any of the changes; empty without a base. */
  readonly lines: readonly SourceLocation[];
  readonly count: number;
  /**
   * Start of the sha256 of the device IDs, in the order of the plan, each followed by a line end.
   * It identifies the class in other renderings of the same plan.
   */
  readonly digest: string;
  /** Largest first; devices without a site have the empty name. */
  readonly sites: readonly { readonly name: string; readonly count: number }[];
  /** All of them, or the first few in the order of the plan. */
  readonly devices: readonly ClassDevice[];
}

/**
 * Folds equal changes into classes, in the same order for equal plans. Walks the changes twice; what a class shows of
 * changes of one kind is looked at once.
 */
export function foldClasses(changes: MaybeColumns, most: number): readonly ChangeClass[] {
  const { keyOf, orderOf } = classKeys(kindsIn(changes).map(({ change }) => change));
  const found = new Map<string, Draft>();
  const byKind: (Draft | undefined)[] = [];
  const draftFor = ({ kind, like: change }: ChangeRow): Draft => {
    const key = keyOf(change);
    const draft = getOrAdd(found, key, () => startDraft(change, orderOf(change)));
    draft.places.set(`${change.at.file}:${change.at.line}:${change.at.column}`, change.at);
    for (const line of change.lines ?? []) draft.lines.set(`${line.file}:${line.line}`, line);
    draft.opens = earlier(draft.opens, change.window?.opens);
    eachField(change, (part, field, value) => {
      const known = draft.fields[part].get(field);
      if (known) widen(known, value);
      else draft.fields[part].set(field, { least: value, most: value, differs: false });
    });
    byKind[kind] = draft;
    return draft;
  };
  for (const row of rowsIn(changes)) addTo(byKind[row.kind] ?? draftFor(row), row, most);
  return [...found.values()].sort((a, b) => compareOrders(a.order, b.order)).map(finish);
}

/** With more distinct values of a field in one group, the class shows their range. */
const DISTINCT_VALUES = 20;

/** The parts of a change with fields that may differ inside a class, and something for each of these fields. */
type Part = 'before' | 'after' | 'params';
type ByField<T> = Readonly<Record<Part, Map<string, T>>>;

function byField<T>(): ByField<T> {
  return { before: new Map(), after: new Map(), params: new Map() };
}

/** Visits every such field, always in one order. */
function eachField(change: Change, visit: (part: Part, field: string, value: Value) => void): void {
  const { before: from, after: to, reason } = change;
  for (const field of Object.keys(from)) visit('before', field, from[field] ?? null);
  for (const field of Object.keys(to)) visit('after', field, to[field] ?? null);
  const { params = {} } = reason;
  for (const field of Object.keys(params)) visit('params', field, params[field] ?? null);
}

/** Texts of a class; the first that differs decides which of two classes comes first. */
type Order = readonly string[];

function compareOrders(a: Order, b: Order): number {
  const place = a.findIndex((text, index) => text !== b[index]);
  return compareTexts(a[place] ?? '', b[place] ?? '');
}

/**
 * A text that is the same for changes of one class, and those in whose order classes are. Walks the changes once to find
 * the fields with too many values for classes.
 */
function classKeys(changes: Iterable<Change>): {
  readonly keyOf: (change: Change) => string;
  readonly orderOf: (change: Change) => Order;
} {
  const fixedText = (change: Change): string => fixedParts(change).join(APART);
  const groups = new Map<string, ByField<Set<Value>>>();
  for (const change of changes) {
    const fixed = fixedText(change);
    const known = getOrAdd(groups, fixed, () => byField());
    eachField(change, (part, field, value) => {
      const values = known[part].get(field);
      if (!values) known[part].set(field, new Set([value]));
      else if (values.size <= DISTINCT_VALUES) values.add(value);
    });
  }
  const eachShown = (
    change: Change,
    fixed: string,
    visit: (name: string, shown: Value) => void,
  ) => {
    const known = groups.get(fixed);
    eachField(change, (part, field, value) => {
      const isMany = (known?.[part].get(field)?.size ?? 0) > DISTINCT_VALUES;
      visit(`${part}.${field}`, isMany || isOwn(part, value) ? '' : value);
    });
  };
  return {
    keyOf(change) {
      const fixed = fixedText(change);
      let key = fixed;
      eachShown(change, fixed, (name, shown) => {
        key += `${APART}${name}${APART}${shown ?? UNKNOWN}`;
      });
      return key;
    },
    orderOf(change) {
      const parts: (readonly [string, Value])[] = [];
      eachShown(change, fixedText(change), (name, shown) => parts.push([name, shown]));
      return [JSON.stringify(fixedParts(change)), JSON.stringify(parts)];
    },
  };
}

/** Between the parts of a key, and a value in it that is not known; no text has them. */
const [APART, UNKNOWN] = ['\0', '\u0001'];

/** Instants, fingerprints and numbers in reasons differ by device and never form a class. */
function isOwn(part: Part, value: Value): boolean {
  if (typeof value === 'number') return part === 'params';
  if (typeof value !== 'string') return false;
  return parseInstant(value) !== undefined || /^[\da-f:]{32,}$/i.test(value);
}

/** What is equal in all changes of a class. */
function fixedParts(change: Change): readonly unknown[] {
  const { task, cause, risk, at, wave, window, reason, group, passes } = change;
  const { name, zone } = window ?? {};
  const what = [group, task, findColumn(change), cause, risk, at.policy, at.file];
  const passed = passes?.map(passedKey).join('\t');
  return [...what, wave, name, zone, reason.code, reason.why, passed];
}

type Draft = ReturnType<typeof startDraft>;

function startDraft(first: Change, order: Order) {
  const { reason, window } = first;
  return {
    first,
    order,
    fields: byField<{ least: Value; most: Value; differs: boolean }>(),
    sites: new Map<string, number>(),
    places: new Map<string, At>(),
    lines: new Map<string, SourceLocation>(),
    losers: new Map<readonly At[], number>(),
    listed: [] as ChangeRow[],
    ids: [] as string[],
    count: 0,
    since: reason.since,
    sinceDiffers: false,
    next: reason.next,
    lastNext: -Infinity,
    opens: window?.opens,
  };
}

const NONE: readonly At[] = [];

/** Adds what one change has for itself, and its losers, which many changes share. */
function addTo(draft: Draft, row: ChangeRow, most: number): void {
  const { site, since, next } = row;
  const { losers = NONE } = row.like;
  draft.losers.set(losers, (draft.losers.get(losers) ?? 0) + 1);
  draft.count += 1;
  draft.ids.push(row.deviceId);
  draft.sites.set(site, (draft.sites.get(site) ?? 0) + 1);
  draft.sinceDiffers ||= since !== draft.since;
  draft.since = earlier(draft.since, since);
  draft.next = earlierNext(draft.next, next);
  if (typeof next === 'number') draft.lastNext = Math.max(draft.lastNext, next);
  if (draft.listed.length < most) draft.listed.push(row);
}

function widen(spread: { least: Value; most: Value; differs: boolean }, value: Value): void {
  if (value !== spread.least || value !== spread.most) spread.differs = true;
  if (before(value, spread.least)) spread.least = value;
  if (before(spread.most, value)) spread.most = value;
}

function finish(draft: Draft): ChangeClass {
  const { window } = draft.first;
  const places = [...draft.places.values()].sort(comparePlaces);
  const digest = once(() => sha256(`${draft.ids.join('\n')}\n`).slice(0, 8));
  const losers = once(() => countLosers(draft.losers));
  const devices = once(() => draft.listed.map((row) => toDevice(draft, row.change())));
  return {
    ...pick(draft.first, 'task', 'action', 'cause', 'risk'),
    at: places[0] ?? draft.first.at,
    ...pick(draft.first, 'wave', 'group', 'passes'),
    ...(window && {
      window: { ...window, ...(draft.opens !== undefined && { opens: draft.opens }) },
    }),
    reason: commonReason(draft),
    sinceDiffers: draft.sinceDiffers,
    ...(typeof draft.next === 'number' &&
      draft.lastNext > draft.next && { lastNext: draft.lastNext }),
    before: Object.fromEntries(draft.fields.before),
    after: Object.fromEntries(draft.fields.after),
    get losers() {
      return losers();
    },
    places,
    lines: [...draft.lines.values()].sort(comparePlaces),
    count: draft.count,
    get digest() {
      return digest();
    },
    sites: [...draft.sites]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || (before(a.name, b.name) ? -1 : 1)),
    get devices() {
      return devices();
    },
  };
}

function countLosers(lists: ReadonlyMap<readonly At[], number>): ChangeClass['losers'] {
  const found = new Map<string, At & { count: number }>();
  for (const [losers, count] of lists)
    for (const at of losers) getOrAdd(found, at.policy, () => ({ ...at, count: 0 })).count += count;
  return [...found.values()].sort((a, b) => b.count - a.count);
}

function commonReason({ first, fields, since, next }: Draft): Reason {
  const same = Object.entries(first.reason.params ?? {}).filter(
    ([name]) => fields.params.get(name)?.differs !== true,
  );
  return {
    ...pick(first.reason, 'code', 'why'),
    ...(since !== undefined && { since }),
    ...(next !== undefined && { next }),
    ...(same.length > 0 && { params: Object.fromEntries(same) }),
  };
}

function toDevice({ fields }: Draft, { device, before: from, reason, at }: Change): ClassDevice {
  const own = Object.entries(from).filter(([name]) => fields.before.get(name)?.differs === true);
  return { ...device, own: Object.fromEntries(own), since: reason.since, at };
}

function earlier<T extends string | number>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return b < a ? b : a;
}

function earlierNext(a: Reason['next'], b: Reason['next']): Reason['next'] {
  if (typeof a === 'number' && typeof b === 'number') return Math.min(a, b);
  return typeof a === 'number' ? a : (b ?? a);
}

function before(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  return String(a) < String(b);
}

/** A field of a class as text: one value, the range of dates, or that it differs. */
export function spreadText({ least, most, differs }: Spread): string {
  if (!differs) return valueText(least);
  const areDates = [least, most].every((value) => parseInstant(String(value)) !== undefined);
  return areDates ? `${valueText(least)} to ${valueText(most)}` : 'differs by device';
}

export function valueText(value: Values[string]): string {
  return value === null ? 'unknown' : momentText(String(value));
}
