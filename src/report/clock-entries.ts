import type { CalendarEntry } from '../model/plan/calendar.ts';
import type { Outlook } from '../model/plan/outlook.ts';
import type { Documents } from '../model/documents/policy.ts';
import { formatWall, type OpenSpan } from '../model/documents/window.ts';
import { createCalendar, type Calendar } from '../calendar/calendar.ts';
import { needsZone, freezeOccurrences } from '../calendar/freezes.ts';
import { isIn } from '../calendar/intervals.ts';
import { clockChanges, openZone } from '../calendar/zones.ts';
import {
  frozenDevices,
  siteZones,
  listWindowUses,
  zonesInUse,
  type WindowUse,
} from './window-uses.ts';
import { entryValues } from '../calendar/calendar-of-day.ts';

export interface ClockInput {
  readonly documents: Documents;
  readonly outlooks: readonly Outlook[];
  readonly within: OpenSpan;
}

/**
 * Dates that depend on the clock alone: openings and closes of each window in each zone, freezes,
 * and DST changes in every zone in use. A freeze of every device is subtracted from the windows;
 * one with a selector is listed separately.
 */
export function clockEntries(input: ClockInput): readonly CalendarEntry[] {
  const { documents, within } = input;
  const { windows, freezes } = documents;
  const calendar = createCalendar({
    windows: entryValues(windows),
    freezes: entryValues(freezes),
    now: within.open,
  });
  return [
    ...listWindowUses(input).flatMap((use) => openings(use, { ...input, calendar })),
    ...[...freezes.values()].flatMap((freeze) => frozen(freeze, input)),
    ...zonesInUse(documents).flatMap((zone) => changes(zone, within)),
  ];
}

function openings(
  use: WindowUse,
  { documents, within, calendar }: ClockInput & { readonly calendar: Calendar },
): readonly CalendarEntry[] {
  const { entry, zones, devices } = use;
  const [task] = entry.value.tasks;
  if (task === undefined) return [];
  const freezes = [...documents.freezes.values()].flatMap(({ name, value: { select, tasks } }) =>
    !select && entry.value.tasks.every((each) => tasks.includes(each)) ? [name] : [],
  );
  const shared = {
    name: `windows.${entry.name}`,
    place: entry.at,
    zone: zones.join(', '),
    devices,
  };
  const opens = calendar.open({ windows: [entry.name], freezes, zones, task, autoCutoff: 0 });
  const lost = zones.flatMap((zone) => lostIn(zone, { ...use, calendar, within }));
  const edges = opens.flatMap(({ open, close }): readonly CalendarEntry[] => [
    { ...shared, kind: 'windowOpens', at: open, ...finite('until', close) },
    { ...shared, kind: 'windowCloses', at: close, ...finite('since', open) },
  ]);
  return [
    ...lost.map((one) => ({ ...shared, ...one })),
    ...edges.filter(({ at }) => isIn(within, at)),
  ];
}

/** Openings that a DST change skips: nothing may start that day, which is otherwise invisible. */
function lostIn(
  zone: string,
  {
    entry,
    calendar,
    within,
  }: Pick<WindowUse, 'entry'> & Pick<ClockInput, 'within'> & { readonly calendar: Calendar },
): readonly CalendarEntry[] {
  return calendar.lost(entry.name, zone).flatMap((wall) => {
    const [at] = openZone(zone, within).occurrences(wall);
    if (at === undefined || !isIn(within, at)) return [];
    return [{ kind: 'openingLost' as const, at, zone, wall: formatWall(wall) }];
  });
}

function frozen(
  { name, at: place, value }: NonNullable<ReturnType<Documents['freezes']['get']>>,
  input: ClockInput,
): readonly CalendarEntry[] {
  const { documents, within } = input;
  const named = value.timeZone === 'site' ? 'UTC' : value.timeZone;
  const zones = needsZone(value) ? siteZones(documents.sites) : [named];
  return zones.flatMap((zone) => {
    const shared = {
      name: `freezes.${name}`,
      place,
      ...(needsZone(value) && { zone }),
      devices: frozenDevices(name, needsZone(value) ? zone : undefined, input),
    };
    return freezeOccurrences(value, openZone(zone, within), within)
      .flatMap(({ open, close }): readonly CalendarEntry[] => [
        { ...shared, kind: 'freezeBegins', at: open, until: close },
        { ...shared, kind: 'freezeEnds', at: close, since: open },
      ])
      .filter(({ at }) => isIn(within, at));
  });
}

function changes(zone: string, within: OpenSpan): readonly CalendarEntry[] {
  return clockChanges(zone, within)
    .filter(({ at }) => isIn(within, at))
    .map(({ at, before, after }) => ({
      kind: 'clockChange',
      at,
      zone,
      offsets: { before: before / 60_000, after: after / 60_000 },
    }));
}

function finite<K extends 'until' | 'since'>(key: K, at: number): Partial<Record<K, number>> {
  return Number.isFinite(at) ? ({ [key]: at } as Record<K, number>) : {};
}
