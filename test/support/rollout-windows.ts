import { TASK_TYPES } from '../../src/model/fleet/task.ts';
import { parseInstant, type Instant } from '../../src/lib/time.ts';
import {
  parseClock,
  parseWall,
  WEEKDAYS,
  type FreezeSpec,
  type OpenSpan,
  type Span,
  type Weekday,
  type WindowSpec,
} from '../../src/model/documents/window.ts';
import { createCalendar, type Calendar } from '../../src/calendar/calendar.ts';
import type { WindowQuery } from '../../src/calendar/window-state.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** `2026-03-08T07:00Z`, or with seconds. */
export function at(text: string): Instant {
  const instant = parseInstant(text.replace(/T(\d\d:\d\d)Z$/, 'T$1:00Z'));
  if (instant === undefined) throw new Error(`not an instant: ${text}`);
  return instant;
}

/** `2026-03-08T07:00Z..2026-03-08T09:00Z` for each span. */
export function shown(spans: readonly OpenSpan[]): readonly string[] {
  return spans.map(({ open, close }) => `${minute(open)}..${minute(close)}`);
}

/** `sat 23:00-05:00`, `01:00-05:00` (all days), or `30 2 * * SUN + 2h`. */
export function rule(text: string): Span {
  const cron = /^(.+) \+ (\d+)([hm])$/.exec(text);
  if (cron)
    return {
      is: 'cron',
      cron: cron[1] ?? '',
      duration: Number(cron[2]) * (cron[3] === 'h' ? HOUR : 60_000),
    };
  const clock = /^(?:([a-z,]+) )?(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text);
  const days = (clock?.[1]?.split(',') ?? WEEKDAYS) as readonly Weekday[];
  const [from, to] = [parseClock(clock?.[2] ?? ''), parseClock(clock?.[3] ?? '')];
  if (from === undefined || to === undefined) throw new Error(`not a rule: ${text}`);
  return { is: 'days', days, from, to };
}

export function aWindow(
  allow: readonly string[],
  {
    deny = [],
    ...rest
  }: Partial<Omit<WindowSpec, 'allow' | 'deny'>> & { deny?: readonly string[] } = {},
): WindowSpec {
  return {
    timeZone: 'site',
    allow: allow.map(rule),
    deny: deny.map(rule),
    cutoff: 0,
    tasks: TASK_TYPES,
    ...rest,
  };
}

/** From and to as local date-times (`2026-11-23T00:00:00`), or as instants. */
export function aFreeze(from: string, to: string, rest: Partial<FreezeSpec> = {}): FreezeSpec {
  const edge = (text: string) => {
    const wall = parseWall(text);
    return wall === undefined ? { instant: at(text) } : { wall };
  };
  return {
    timeZone: 'site',
    term: { is: 'once', from: edge(from), to: edge(to) },
    hard: false,
    tasks: TASK_TYPES,
    maxLength: 90 * DAY,
    reason: 'black week',
    owner: 'secops',
    ticket: 'CHG-1',
    ...rest,
  };
}

export function aCalendar(
  now: string,
  windows: Readonly<Record<string, WindowSpec>>,
  freezes: Readonly<Record<string, FreezeSpec>> = {},
): Calendar {
  return createCalendar({
    windows: new Map(Object.entries(windows)),
    freezes: new Map(Object.entries(freezes)),
    now: at(now),
  });
}

/** A firmware upgrade on a device in Berlin, through the window `nights`. */
export function asked(rest: Partial<WindowQuery> = {}): WindowQuery {
  return {
    windows: ['nights'],
    freezes: [],
    zones: ['Europe/Berlin'],
    task: 'upgradeFirmware',
    autoCutoff: HOUR,
    ...rest,
  };
}

function minute(instant: Instant): string {
  return new Date(instant).toISOString().replace(':00.000Z', 'Z');
}
