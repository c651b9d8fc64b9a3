import { Bug } from '../lib/bug.ts';
import type { Milliseconds } from '../lib/time.ts';
import {
  ANYTIME,
  ANYTIME_WINDOW,
  type FreezeSpec,
  type OpenSpan,
  type Wall,
  type WindowSpec,
} from '../model/documents/window.ts';
import { freezeSpans, needsZone } from './freezes.ts';
import { unite, type Instants } from './intervals.ts';
import { createReadings } from './wall-clock.ts';
import type { Asked, Standing } from './window-state.ts';
import { openings, panesOf, zonesFor, type Opening, type Panes, type Placed } from './windows.ts';
import { openZone, type Zone } from './zones.ts';

/** When one freeze holds for a device. */
export interface FreezeLine {
  readonly freeze: string;
  readonly spans: Instants;
}

/** All that windows and freezes mean for devices that share them, their zones and the task. */
export interface Timeline {
  readonly withoutZone?: NonNullable<Standing['withoutZone']>;
  readonly hard: readonly FreezeLine[];
  readonly soft: readonly FreezeLine[];
  readonly openings: readonly Opening[];
}

export interface Timelines {
  of(asked: Asked): Timeline;
  lost(window: string, zone: string): readonly Wall[];
}

/**
 * How much farther than its horizon a calendar looks, so that a window which is open there is known by its
 * own close: as long as it seems to have none something could start in it that never fits.
 */
const BEYOND: Milliseconds = 32 * 86_400_000;

interface Source {
  readonly windows: ReadonlyMap<string, WindowSpec>;
  readonly freezes: ReadonlyMap<string, FreezeSpec>;
  readonly span: OpenSpan;
}

/**
 * Timelines, each worked out when it is first asked for; a window in one zone is worked out once
 * for all of them.
 */
export function createTimelines(source: Source): Timelines {
  const { span } = source;
  const looked = { open: span.open, close: span.close + BEYOND };
  const parts = createParts({ ...source, looked });
  const known = new Map<string, Timeline>();
  return {
    of(asked) {
      const key = keyOf(asked);
      const timeline = known.get(key) ?? timelineOf(asked, parts, { span, looked });
      known.set(key, timeline);
      return timeline;
    },
    lost: (window, zone) => parts.panes(window, zone).lost,
  };
}

/** Names hold neither commas nor semicolons. */
function keyOf({ windows, freezes, zones, task }: Asked): string {
  return `${task};${windows.join()};${freezes.join()};${zones.join()}`;
}

/** The entries by name, and what each means in one zone. */
interface Parts {
  window(name: string): WindowSpec;
  freeze(name: string): FreezeSpec;
  panes(window: string, zone: string): Panes;
  frozen(freeze: string, zone: string): Instants;
}

function createParts(source: Source & { readonly looked: OpenSpan }): Parts {
  const { windows, freezes, span, looked } = source;
  const readings = createReadings(looked);
  const zoneOf = remember((name: string): Zone => openZone(name, looked));
  const panes = remember((window: string) => {
    const spec = window === ANYTIME ? ANYTIME_WINDOW : named(windows, window);
    return remember((zone: string) => panesOf(spec, zoneOf(zone), readings));
  });
  const frozen = remember((freeze: string) => {
    const spec = named(freezes, freeze);
    return remember((zone: string) => unbounded(freezeSpans(spec, zoneOf(zone), looked), span));
  });
  return {
    window: (name) => (name === ANYTIME ? ANYTIME_WINDOW : named(windows, name)),
    freeze: (name) => named(freezes, name),
    panes: (window, zone) => panes(window)(zone),
    frozen: (freeze, zone) => frozen(freeze)(zone),
  };
}

function timelineOf(
  asked: Asked,
  parts: Parts,
  { span, looked }: { readonly span: OpenSpan; readonly looked: OpenSpan },
): Timeline {
  const concerns = ({ tasks }: WindowSpec | FreezeSpec): boolean => tasks.includes(asked.task);
  const windows = asked.windows.filter((name) => concerns(parts.window(name)));
  const freezes = asked.freezes.filter((name) => concerns(parts.freeze(name)));
  const withoutZone = asked.zones.length === 0 ? inNeed(windows, freezes, parts) : undefined;
  const lines = freezes.map((freeze) => ({
    freeze,
    spans: unite(
      freezeZones(parts.freeze(freeze), asked.zones).map((zone) => parts.frozen(freeze, zone)),
    ),
  }));
  const placed = windows.map((name) => placedIn(name, asked.zones, parts));
  const closed = unite(lines.map(({ spans }) => spans));
  const open = withoutZone ? [] : unbounded(openings(placed, closed), looked);
  return {
    ...(withoutZone && { withoutZone }),
    hard: lines.filter(({ freeze }) => parts.freeze(freeze).hard),
    soft: lines.filter(({ freeze }) => !parts.freeze(freeze).hard),
    openings: open.filter((opening) => opening.open < span.close),
  };
}

/** The first window or freeze that goes by the zone of the site. */
function inNeed(
  windows: readonly string[],
  freezes: readonly string[],
  parts: Parts,
): Timeline['withoutZone'] {
  const window = windows.find((name) => parts.window(name).timeZone === 'site');
  if (window !== undefined) return { window };
  const freeze = freezes.find((name) => needsZone(parts.freeze(name)));
  return freeze === undefined ? undefined : { freeze };
}

function freezeZones(freeze: FreezeSpec, zones: readonly string[]): readonly string[] {
  if (needsZone(freeze)) return zones;
  return freeze.timeZone === 'site' ? ['UTC'] : [freeze.timeZone];
}

function placedIn(name: string, zones: readonly string[], parts: Parts): Placed {
  const window = parts.window(name);
  const panes = zonesFor(window.timeZone, zones).map((zone) => parts.panes(name, zone));
  return { window, panes };
}

/** A span that reaches the edge of what is known goes on, as far as anybody can tell. */
function unbounded<S extends OpenSpan>(spans: readonly S[], known: OpenSpan): readonly S[] {
  return spans.map((span) => {
    if (span.open > known.open && span.close < known.close) return span;
    return {
      ...span,
      open: span.open <= known.open ? -Infinity : span.open,
      close: span.close >= known.close ? Infinity : span.close,
    };
  });
}

function named<T>(entries: ReadonlyMap<string, T>, name: string): T {
  const entry = entries.get(name);
  if (entry === undefined) throw new Bug(`the loader let an unknown name pass: ${name}`);
  return entry;
}

function remember<T>(work: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const result = work(key);
    known.set(key, result);
    return result;
  };
}
