import { CALENDAR_KINDS, type CalendarEntry, type CalendarView } from '../model/plan/calendar.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Documents } from '../model/documents/policy.ts';
import type { Snapshot } from '../model/fleet/snapshot.ts';
import { compareTexts } from '../lib/text-order.ts';
import { type Instant, type Milliseconds, DAY } from '../lib/time.ts';
import { clockEntries, type ClockInput } from './clock-entries.ts';
import type { Device, Ref } from '../model/fleet/device.ts';
import { TASKS, TASK_OF, TASK_TYPES, type Credential } from '../model/fleet/task.ts';
import type { OpenSpan } from '../model/documents/window.ts';
import { isIn } from '../calendar/intervals.ts';
import { sharedZone } from '../calendar/site-zone.ts';
import { placeOnly } from '../model/documents/source.ts';
import { getOrAdd } from '../lib/maps.ts';
import { pick } from '../lib/objects.ts';
import { openZone, type Zone } from '../calendar/zones.ts';

/** The input of a calendar; `outlooks` is walked once, the rest comes from the plan. */
interface CalendarInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly outlooks: Iterable<Outlook>;
  readonly now: Instant;
  /** At most `LONGEST_HORIZON`. */
  readonly horizon: Milliseconds;
}

/**
 * The dates until the horizon that need no commit: due dates, ends of credentials and exceptions,
 * openings of windows, freezes, and DST changes. Nothing is simulated: each date follows from the
 * current state.
 */
export function buildCalendar(input: CalendarInput): CalendarView {
  const { documents, snapshot, now } = input;
  const within = { open: now, close: now + input.horizon };
  const outlooks = [...input.outlooks];
  const entries = [
    ...deviceEntries({ documents, snapshot, outlooks, within }),
    ...clockEntries({ documents, outlooks, within }),
  ];
  return { from: within.open, to: within.close, entries: entries.sort(inOrder) };
}

function inOrder(a: CalendarEntry, b: CalendarEntry): number {
  return (
    a.at - b.at ||
    CALENDAR_KINDS.indexOf(a.kind) - CALENDAR_KINDS.indexOf(b.kind) ||
    compareTexts(a.name ?? '', b.name ?? '') ||
    compareTexts(a.task ?? '', b.task ?? '') ||
    compareTexts(a.zone ?? '', b.zone ?? '')
  );
}

interface Input extends ClockInput {
  readonly snapshot: Snapshot;
}

/**
 * Dates that concern devices: due dates, ends of credentials, firmware deadlines, and ends of
 * exceptions with their devices. Overdue work is listed at the beginning.
 */
function deviceEntries(input: Input): readonly CalendarEntry[] {
  const fold = createFold(input.within);
  for (const outlook of input.outlooks) enterOutlook(outlook, input.documents.sites, fold);
  enterUngoverned(input, fold);
  return [...fold.entries(), ...exceptionEnds(input)];
}

function enterOutlook(outlook: Outlook, sites: Documents['sites'], fold: Fold): void {
  const { task, device, at, dueAt, expiresAt, breachesAt, since } = outlook;
  const shared = {
    name: at.policy,
    task,
    place: placeOnly(at),
    device,
    ...zoneIn(sites, device.sites),
  };
  if (dueAt !== undefined)
    fold.add({ ...shared, kind: 'due', at: dueAt, ...(since !== undefined && { since }) });
  if (expiresAt !== undefined) fold.add({ ...shared, kind: 'expiry', at: expiresAt });
  if (task === TASK_OF.firmware && breachesAt !== undefined)
    fold.add({ ...shared, kind: 'deadline', at: breachesAt });
}

/** The zone of a device, if its sites share one. */
function zoneIn(sites: Documents['sites'], refs: readonly Ref[]): { readonly zone?: string } {
  const { timeZone: zone } = sharedZone(sites, refs);
  return zone === undefined ? {} : { zone };
}

/** Credentials expire whether or not a policy replaces them. */
function enterUngoverned({ documents, snapshot: { devices }, outlooks }: Input, fold: Fold): void {
  const governed = new Set(outlooks.map(({ task, device }) => `${task}/${device.id}`));
  for (let row = 0; row < devices.length; row++) {
    const device = devices.at(row);
    for (const [task, expiry] of EXPIRIES) {
      const at = expiry(device);
      if (at === undefined || governed.has(`${task}/${device.id}`)) continue;
      fold.add({ kind: 'expiry', at, task, device, ...zoneIn(documents.sites, device.sites) });
    }
  }
}

const EXPIRY: Readonly<Record<Credential, (device: Device) => Instant | undefined>> = {
  password: ({ passwordExpiresAt }) => passwordExpiresAt,
  certificate: ({ sslCertificateExpiresAt }) => sslCertificateExpiresAt,
};

/** What replaces a credential, and when the one in place ends. Passwords come first. */
const EXPIRIES = TASK_TYPES.flatMap((task) => {
  const { credential } = TASKS[task];
  return credential === undefined ? [] : [[task, EXPIRY[credential]] as const];
}).toReversed();

/** An exception ends for all its devices at once. */
function exceptionEnds({ documents, outlooks, within }: Input): readonly CalendarEntry[] {
  const fold = createFold(within);
  const ended = new Set<string>();
  for (const { device, exceptions } of outlooks)
    for (const name of exceptions) {
      const entry = documents.exceptions.get(name);
      if (!entry) continue;
      ended.add(name);
      fold.add({ ...exceptionEnd(name, entry), device });
    }
  const idle = [...documents.exceptions]
    .filter(([name, { value }]) => !ended.has(name) && isIn(within, value.until))
    .map(([name, entry]) => exceptionEnd(name, entry));
  return [...fold.entries(), ...idle];
}

function exceptionEnd(
  name: string,
  { value, at }: NonNullable<ReturnType<Documents['exceptions']['get']>>,
) {
  const place = placeOnly(at);
  return { kind: 'exceptionEnds' as const, name: `exceptions.${name}`, place, at: value.until };
}

/** How many devices are named; the rest is counted. */
const NAMED = 3;

type DeviceEvent = Pick<
  CalendarEntry,
  'kind' | 'at' | 'name' | 'task' | 'place' | 'since' | 'zone'
> & {
  readonly device: { readonly id: string; readonly name?: string };
};

/** Entries with counts, for any number of devices. */
interface Fold {
  /**
   * Counts one device; an event outside the span is ignored, and a device counts once in an entry.
   */
  add(event: DeviceEvent): void;
  entries(): readonly CalendarEntry[];
}

interface Group {
  readonly event: DeviceEvent;
  readonly ids: Set<string>;
  readonly examples: { readonly id: string; readonly name?: string }[];
  first: Instant;
  last: Instant;
  since: Instant | undefined;
}

/**
 * Folds equal events of several devices on one local day of one time zone into one entry. Overdue
 * work, at the very beginning of the span, stays separate from work that falls due later that day.
 */
function createFold({ open, close }: OpenSpan): Fold {
  const zones = new Map<string, Zone>();
  const dayOf = (at: Instant, name = 'UTC'): number => {
    const zone = getOrAdd(zones, name, () => openZone(name, { open, close }));
    return Math.floor(zone.wallAt(at) / DAY);
  };
  const groups = new Map<string, Group>();
  return {
    add(event) {
      const { kind, at, name = '', task = '', zone } = event;
      if (at < open || at >= close) return;
      const day = at === open ? 'now' : `${zone ?? ''} ${dayOf(at, zone)}`;
      const key = `${kind} ${name} ${task} ${day}`;
      const group = getOrAdd(groups, key, () => startGroup(event));
      enter(group, event);
    },
    entries: () => [...groups.values()].map((group) => toEntry(group, open)),
  };
}

function startGroup(event: DeviceEvent): Group {
  const { at, since } = event;
  return { event, ids: new Set(), examples: [], first: at, last: at, since };
}

function enter(group: Group, { at, since, device }: DeviceEvent): void {
  group.first = Math.min(group.first, at);
  group.last = Math.max(group.last, at);
  if (since !== undefined) group.since = Math.min(group.since ?? since, since);
  if (group.ids.has(device.id)) return;
  group.ids.add(device.id);
  if (group.examples.length >= NAMED) return;
  group.examples.push(pick(device, 'id', 'name'));
}

function toEntry(
  { event, ids, examples, first, last, since }: Group,
  open: Instant,
): CalendarEntry {
  const { kind, zone } = event;
  return {
    kind,
    at: first,
    ...(last !== first && { last }),
    ...pick(event, 'name', 'task', 'place'),
    ...(zone !== undefined && first > open && { zone }),
    ...(since !== undefined && { since }),
    devices: ids.size,
    examples,
  };
}
