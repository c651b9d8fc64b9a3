import type { CalendarEntry } from '../model/plan/calendar.ts';
import { DAY, type Instant } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';
import { pick } from '../lib/objects.ts';
import { openZone, type Zone } from '../calendar/zones.ts';
import type { OpenSpan } from '../model/documents/window.ts';

/** How many devices are named; the rest is counted. */
const NAMED = 3;

type DeviceEvent = Pick<
  CalendarEntry,
  'kind' | 'at' | 'name' | 'task' | 'place' | 'since' | 'zone'
> & {
  readonly device: { readonly id: string; readonly name?: string };
};

/** Entries with counts, for any number of devices. */
export interface Fold {
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
export function createFold({ open, close }: OpenSpan): Fold {
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
