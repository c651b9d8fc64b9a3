import { Bug } from '../lib/bug.ts';
import { daysIn, parseCron } from '../lib/cron.ts';
import { MINUTE, DAY, type Milliseconds } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';
import { WEEKDAYS, type OpenSpan, type Span, type Wall } from '../model/documents/window.ts';

/** Wall-clock starts of rules, independent of the zone. */
export interface Readings {
  /** The interval that the readings cover. */
  readonly interval: OpenSpan;
  /** The starts whose spans may reach into the interval in some zone, in order. */
  of(rule: TimedSpan): readonly Wall[];
}

/** A rule with times: any rule but `always`. */
export type TimedSpan = Exclude<Span, { is: 'always' }>;

/** Creates readings for an interval and computes those of a rule once for all zones. */
export function createReadings(interval: OpenSpan): Readings {
  const known = new Map<TimedSpan, readonly Wall[]>();
  return {
    interval,
    of(rule) {
      return getOrAdd(known, rule, () => listStarts(rule, interval));
    },
  };
}

/** No span exceeds a day and no two clocks differ by more than a day; plus one day. */
const MARGIN: Milliseconds = 3 * DAY;

function listStarts(rule: TimedSpan, { open, close }: OpenSpan): readonly Wall[] {
  const from = Math.floor((open - MARGIN) / DAY) * DAY;
  const to = close + MARGIN;
  if (rule.is === 'days') {
    const weekdays = rule.days.map((day) => WEEKDAYS.indexOf(day));
    const days = daysIn(from, to, (day) => weekdays.includes(day.getUTCDay()));
    return days.map((day) => day + rule.from * MINUTE);
  }
  const cron = parseCron(rule.cron);
  if ('problem' in cron) throw new Bug(`the loader let a cron expression pass: ${rule.cron}`);
  return cron.days(from, to).flatMap((day) => cron.times.map((time) => day + time * MINUTE));
}
