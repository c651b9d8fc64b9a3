import type { HoursSpan, PlanHours, WindowHours, PlanWave } from '../../model/plan/plan.ts';
import {
  DAY,
  formatInstant,
  parseDuration,
  type Instant,
  type Milliseconds,
} from '../../lib/time.ts';
import type { OpenSpan } from '../../model/documents/window.ts';
import type { Calendar } from '../../calendar/calendar.ts';
import type { WindowQuery } from '../../calendar/window-state.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { Evaluation } from '../decide/decision-input.ts';
import type { Timing } from '../decide/schedule.ts';
import { passesWindows } from '../decide/timing.ts';

/** The minimum and maximum horizon for the hours of a plan. */
const NEAR: Milliseconds = 14 * DAY;
const FAR: Milliseconds = 60 * DAY;

/** The maximum of listed spans per window: a month of nights, or two days of an hourly window. */
const LISTED = 48;

/** Collects the windows of a plan's due changes. */
export interface HoursTable {
  /** For a change that runs or waits; one that may ignore its windows has none. */
  observe(evaluation: Evaluation): void;
  /** Undefined where every change may start at any time. */
  hoursFor(waves: readonly PlanWave[]): PlanHours | undefined;
}

/** Changes that share their windows, zones, freezes and task. */
interface Group {
  readonly name: string;
  readonly zone?: string;
  readonly query: WindowQuery;
  readonly calendar: Calendar;
  changes: number;
}

/** Starts empty. Devices with the same windows, zones and freezes are computed once. */
export function openHours({ now }: { readonly now: Instant }): HoursTable {
  const groups = new Map<string, Group>();
  const groupOf = computeOnce(({ judged, window: { name, zone } }: Timing): Group | undefined => {
    if (!judged) return undefined;
    const { query, calendar } = judged;
    const key = `${query.task};${name};${query.freezes.join()};${query.zones.join()}`;
    const made = { name, ...(zone && { zone }), query, calendar, changes: 0 };
    return getOrAdd(groups, key, () => made);
  });
  return {
    observe(evaluation) {
      const group = evaluation.timing && groupOf(evaluation.timing);
      if (group && !passesWindows(evaluation)) group.changes += 1;
    },
    hoursFor(waves) {
      const span = { open: now, close: now + previewSpan(waves) };
      const windows = merged(
        [...groups.values()].flatMap((group) => (group.changes > 0 ? listHours(group, span) : [])),
      );
      return windows.length > 0 ? { until: formatInstant(span.close), windows } : undefined;
    },
  };
}

/** Twice the longest soak of a rollout, because its waves wait for windows too. */
function previewSpan(waves: readonly PlanWave[]): Milliseconds {
  const soaks = new Map<string, Milliseconds>();
  for (const { policy, soak } of waves)
    soaks.set(policy, (soaks.get(policy) ?? 0) + (parseDuration(soak ?? '') ?? 0));
  return Math.min(FAR, Math.max(NEAR, 2 * Math.max(0, ...soaks.values())));
}

function listHours({ name, zone, query, calendar, changes }: Group, span: OpenSpan): WindowHours {
  const coming = calendar.open(query).filter(({ close }) => close > span.open);
  const near = coming.filter(({ open }) => open < span.close);
  const spans = (near.length > 0 ? near : coming.slice(0, 1)).map(spanText);
  return {
    name,
    ...(zone !== undefined && { zone }),
    changes,
    spans: spans.slice(0, LISTED),
    ...(spans.length > LISTED && { more: spans.length - LISTED }),
  };
}

/** A span as a plan has it; without the ends that are unknown. */
export function spanText({ open, close }: OpenSpan): HoursSpan {
  return {
    ...(Number.isFinite(open) && { opens: formatInstant(open) }),
    ...(Number.isFinite(close) && { closes: formatInstant(close) }),
  };
}

/**
 * One entry for all groups with the same open times, in a fixed order, so that equal plans are
 * equal.
 */
function merged(hours: readonly WindowHours[]): readonly WindowHours[] {
  const byText = new Map<string, WindowHours>();
  for (const each of hours) {
    const { changes, ...rest } = each;
    const key = JSON.stringify(rest);
    byText.set(key, { ...each, changes: changes + (byText.get(key)?.changes ?? 0) });
  }
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
