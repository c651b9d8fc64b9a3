import { discoveredRows } from '../../desired/discovered.ts';
import { deviceFacets, ungroupedFacets } from '../../desired/facets.ts';
import { createMatcher } from '../../desired/matcher.ts';
import { internBy } from '../../lib/intern.ts';
import { numberTuples } from '../../lib/pair-numbers.ts';
import type { WindowRef } from '../../model/plan/change.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Documents, Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { formatInstant, type Instant } from '../../lib/time.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { ANYTIME } from '../../model/documents/window.ts';
import type { Calendar } from '../../calendar/calendar.ts';
import { calendarOfDay } from '../../calendar/calendar-of-day.ts';
import { GAP } from '../../rollout/budgets/down.ts';
import { siteZone } from '../../calendar/site-zone.ts';
import type { WindowQuery, CalendarState } from '../../calendar/window-state.ts';
import type { Judged } from '../input.ts';
import { learnDurations } from './durations.ts';

/** One device, one task and its policy, whose windows apply. */
export interface Timed {
  readonly task: TaskType;
  readonly policy: Policy;
  readonly device: Pick<Device, 'id' | 'sites'> & { readonly model?: string | undefined };
  /** The number of consecutive starts that must fit into its window; absent: one. */
  readonly together?: number;
}

/** The windows and freezes of a device and a task at one moment. */
export interface Timing {
  readonly window: WindowRef;
  /** Absent where it may always start. */
  readonly judged?: {
    readonly query: WindowQuery;
    readonly at: Instant;
    readonly state: CalendarState;
    readonly calendar: Calendar;
    /** The number of consecutive starts that must fit. */
    readonly together: number;
    /** The first of its sites without a zone. */
    readonly zoneless?: string;
  };
}

/** Windows and freezes of the documents, for the devices of one reading. */
export interface Schedule {
  of(timed: Timed, at: Instant): Timing;
  /** Numbers the rows of the fleet: where a task has one policy, rows with equal numbers have equal windows and freezes. */
  alike(): Uint32Array;
  /** Whether it is unclear of a freeze if it selects the device (semantics M20). */
  mayBeFrozen(deviceId: string): boolean;
}

/**
 * Reads the windows and freezes, and how long tasks took, once for all devices of a reading; each zone is computed on
 * first use.
 */
export function openSchedule(input: Omit<Judged, 'now'>): Schedule {
  const { documents } = input;
  const { windows, sites } = documents;
  const durationOf = learnDurations(input);
  const { freezesOf, mayBeFrozen, codeOf } = matchFreezes(input);
  const zones = internBy<SiteZones>({ zones: [] }, JSON.stringify);
  const zoneCodes = new WeakMap<Device['sites'], number>();
  const zoneCodeOf = (refs: Device['sites']): number =>
    getOrAdd(zoneCodes, refs, () => zones.codeOf(siteZones(sites, refs)));
  // Devices of one policy in the same zones share their windows.
  let shared = new Map<Policy, Map<string, Timing>>();
  let sharedAt: Instant | undefined;
  const find = (
    { task, policy, device, together = 1 }: Timed,
    { at, frozen, autoCutoff }: Pick<WindowQuery, 'autoCutoff'> & Frozen,
  ): Timing => {
    const names = policy.windows.toSorted();
    if (frozen.length === 0 && names.every((name) => name === ANYTIME))
      return { window: { name: names.join(', ') } };
    const { zoneless, ...inZones } = siteZones(sites, device.sites);
    const query = {
      windows: names,
      freezes: frozen,
      ...inZones,
      task,
      autoCutoff,
      ...(together > 1 && { lead: (together - 1) * (autoCutoff + GAP) }),
    };
    const calendar = calendarOfDay(documents, at);
    const state = calendar.stateAt(query, at);
    return {
      window: toWindowRef(query, state, windows),
      judged: {
        query,
        at,
        state,
        calendar,
        together,
        ...(zoneless !== undefined && { zoneless }),
      },
    };
  };
  return {
    mayBeFrozen,
    of(timed, at) {
      const { task, policy, device, together = 1 } = timed;
      const frozen = freezesOf(device.id);
      const autoCutoff =
        durationOf(task, device.model) ??
        rolloutOrDefault(documents.rollouts, policy.rollout).timeouts.running[task];
      if (at !== sharedAt) shared = new Map();
      sharedAt = at;
      const known = getOrAdd(shared, policy, () => new Map<string, Timing>());
      const key = `${task} ${zoneCodeOf(device.sites)} ${together} ${autoCutoff} ${frozen.join(' ')}`;
      return getOrAdd(known, key, () => find(timed, { at, frozen, autoCutoff }));
    },
    alike() {
      const { length, sites: refs, text } = input.snapshot.devices;
      return numberTuples(length, [
        (row) => zoneCodeOf(refs.values[refs.codes[row] ?? 0] ?? []),
        (row) => text.model.codes[row] ?? 0,
        codeOf,
      ]);
    },
  };
}

/** The freezes of a device at an instant. */
interface Frozen {
  readonly at: Instant;
  readonly frozen: readonly string[];
}

/** The zones of a device, or the first of its sites without one. */
type SiteZones = Pick<WindowQuery, 'zones'> & Pick<NonNullable<Timing['judged']>, 'zoneless'>;

function siteZones(known: Documents['sites'], sites: Device['sites']): SiteZones {
  const zones = sites.map((site) => siteZone(known, site));
  const zoneless = sites[zones.indexOf(undefined)];
  if (zoneless) return { zones: [], zoneless: zoneless.name ?? zoneless.id };
  return { zones: distinct(zones.filter((zone) => zone !== undefined)) };
}

interface MatchedFreezes extends Pick<Schedule, 'mayBeFrozen'> {
  /** The names of the freezes that apply, or may apply, to a device, managed or only discovered. */
  freezesOf(deviceId: string): readonly string[];
  /** A number that managed devices share for which all of that is equal. */
  codeOf(row: number): number;
}

/** The freezes of each device: what is unclear protects it, too (semantics M20). */
export function matchFreezes({
  documents,
  snapshot,
}: Pick<Judged, 'documents' | 'snapshot'>): MatchedFreezes {
  const entries = [...documents.freezes.values()];
  const always = entries
    .filter(({ value }) => !value.select)
    .map(({ name }) => name)
    .sort();
  const names = entries.filter(({ value }) => value.select).map(({ name }) => name);
  const selectors = entries.flatMap(({ value }) => (value.select ? [value.select] : []));
  const managed = createMatcher(selectors, deviceFacets(documents, snapshot.devices));
  const found = discoveredRows(snapshot.discovered);
  const discovered = createMatcher(selectors, ungroupedFacets(documents, found));
  const rows = new Map(snapshot.discovered.map(({ id }, row) => [id, row]));
  const matchedOf = (deviceId: string): ReturnType<typeof managed> | undefined => {
    if (selectors.length === 0) return undefined;
    const row = snapshot.devices.rowOf(deviceId);
    if (row !== undefined) return managed(row);
    const other = rows.get(deviceId);
    return other === undefined ? undefined : discovered(other);
  };
  const matches = internBy<ReturnType<typeof managed> | undefined>(undefined, JSON.stringify);
  return {
    codeOf: (row) => (selectors.length === 0 ? 0 : matches.codeOf(managed(row))),
    mayBeFrozen: (deviceId) => (matchedOf(deviceId)?.unclear.length ?? 0) > 0,
    freezesOf(deviceId) {
      const { sure = [], unclear = [] } = matchedOf(deviceId) ?? {};
      const matching = [...sure, ...unclear];
      if (matching.length === 0) return always;
      return [...always, ...matching.map((index) => names[index] ?? '')].sort();
    },
  };
}

/** The approval covers the window with its zone; its next opening is for information only. */
function toWindowRef(
  { windows: names, zones }: WindowQuery,
  { window }: CalendarState,
  windows: Documents['windows'],
): WindowRef {
  const meant = names.flatMap((name) => {
    const timeZone = windows.get(name)?.value.timeZone;
    if (timeZone === undefined) return [];
    return timeZone === 'site' ? zones : [timeZone];
  });
  const zone = distinct(meant).join(', ');
  const opens = window.is === 'open' ? undefined : window.opens;
  return {
    name: names.join(', '),
    ...(zone !== '' && { zone }),
    ...(opens !== undefined && { opens: formatInstant(opens) }),
  };
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
