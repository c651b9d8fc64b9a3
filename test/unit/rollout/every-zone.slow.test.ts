import {
  array,
  assert,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  property,
  record,
  subarray,
  uniqueArray,
  type Arbitrary,
} from 'fast-check';
import { expect, test } from 'vitest';
import { WEEKDAYS, type Span } from '../../../src/model/documents/window.ts';
import { openSpans } from '../../../src/calendar/windows.ts';
import { TASK_TYPES } from '../../../src/model/fleet/task.ts';
import {
  changes,
  follow,
  watch,
  type Watch,
  type WatchedRule,
} from '../../support/rollout-minutes.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Zone data before this has offsets of seconds and odd minutes. */
const OLDEST = Date.UTC(1976, 0, 1);
const NEWEST = Date.UTC(2026, 9, 1);

const ZONES = Intl.supportedValuesOf('timeZone');

/** A rule for the code under test, and the same rule for somebody with a clock in hand. */
interface Pair {
  readonly span: Span;
  readonly watched: WatchedRule;
}

const minuteOfDay = integer({ min: 0, max: 287 }).map((five) => five * 5);
const nightly = integer({ min: 0, max: 47 }).map((five) => five * 5);
const someDays = subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 });

const dayForm: Arbitrary<Pair> = record({
  days: someDays,
  from: oneof(nightly, minuteOfDay),
  to: oneof(nightly, minuteOfDay),
})
  .filter(({ from, to }) => from !== to)
  .map((rule) => ({
    span: {
      is: 'days',
      days: WEEKDAYS.filter((_, index) => rule.days.includes(index)),
      from: rule.from,
      to: rule.to,
    },
    watched: rule,
  }));

/** A field for the day of the week, and which days it means. */
const dayOfWeek = oneof(
  constant({ field: '*', matches: () => true }),
  someDays.map((days) => ({
    field: days.map((day) => (day === 0 ? '7' : WEEKDAYS[day])).join(),
    matches: (day: Date) => days.includes(day.getUTCDay()),
  })),
  record({ day: nat(6), nth: integer({ min: 1, max: 5 }) }).map(({ day, nth }) => ({
    field: `${WEEKDAYS[day]}#${nth}`,
    matches: (date: Date) => date.getUTCDay() === day && Math.ceil(date.getUTCDate() / 7) === nth,
  })),
  nat(6).map((day) => ({
    field: `${WEEKDAYS[day]?.toUpperCase()}L`,
    matches: (date: Date) =>
      date.getUTCDay() === day &&
      new Date(date.getTime() + 7 * DAY).getUTCMonth() !== date.getUTCMonth(),
  })),
);

const cronForm: Arbitrary<Pair> = record({
  hours: uniqueArray(integer({ min: 0, max: 23 }), { minLength: 1, maxLength: 3 }),
  minute: constantFrom(0, 15, 30, 45, 59),
  day: dayOfWeek,
  minutes: integer({ min: 1, max: 1_439 }),
}).map(({ hours, minute, day, minutes }) => ({
  span: {
    is: 'cron',
    cron: `${minute} ${hours.join()} * * ${day.field}`,
    duration: minutes * MINUTE,
  },
  watched: { matches: day.matches, starts: hours.map((hour) => hour * 60 + minute), minutes },
}));

const rules = (minLength: number) => array(oneof(dayForm, cronForm), { minLength, maxLength: 2 });
const aWindow = record({ allow: rules(1), deny: rules(0) });
type Rules = typeof aWindow extends Arbitrary<infer R> ? R : never;

/**
 * The two latest changes of each zone's clock; a zone without that many is looked at where it
 * stands still.
 */
function momentsOf(zone: string): readonly { readonly zone: string; readonly moment: number }[] {
  const moments = [...changes(zone, NEWEST, OLDEST), NEWEST, OLDEST].slice(0, 2);
  return moments.map((moment) => ({ zone, moment }));
}

/**
 * The days around a moment that are compared, and the days watched, so that every span of the
 * former is whole.
 */
const COMPARED = 36 * 60;
const WATCHED = 3 * 1_440;

/**
 * Open when the allows of every zone are and no deny of any zone is: the same rules, minute by
 * minute.
 */
function byTheClock(watches: readonly Watch[], { allow, deny }: Rules): readonly number[] {
  const allows = watches.map((one) => allow.map((pair) => follow(one, pair.watched, 'narrow')));
  const denies = watches.flatMap((one) => deny.map((pair) => follow(one, pair.watched, 'wide')));
  return Array.from({ length: 2 * COMPARED }, (_, index) => {
    const minute = index + WATCHED - COMPARED;
    const open = allows.every((sets) => sets.some((set) => set[minute] === 1));
    return Number(open && denies.every((set) => set[minute] === 0));
  });
}

function byTheCode(zones: readonly string[], moment: number, rules: Rules): readonly number[] {
  const window = {
    timeZone: 'site',
    allow: rules.allow.map(({ span }) => span),
    deny: rules.deny.map(({ span }) => span),
    cutoff: 0,
    tasks: TASK_TYPES,
  };
  const interval = { open: moment - COMPARED * MINUTE, close: moment + COMPARED * MINUTE };
  const minutes = Array.from({ length: 2 * COMPARED }, () => 0);
  for (const { open, close } of openSpans([window], zones, interval))
    minutes.fill(1, (open - interval.open) / MINUTE, (close - interval.open) / MINUTE);
  return minutes;
}

/** Where the set begins and ends, so that a difference is short to read. */
function turns(minutes: readonly number[], moment: number): readonly string[] {
  return minutes.flatMap((is, minute) =>
    is === (minutes[minute - 1] ?? 0)
      ? []
      : [new Date(moment + (minute - COMPARED) * MINUTE).toISOString() + (is ? ' open' : ' shut')],
  );
}

/** Every third moment is looked at by a device with a second site, somewhere else. */
const CASES = ZONES.flatMap(momentsOf).map(({ zone, moment }, index) => ({
  moment,
  seed: index,
  zones: index % 3 === 0 ? [zone, ZONES[(index * 7) % ZONES.length] ?? zone] : [zone],
}));

test('windows open as for somebody with a clock, at two changes of every zone', () => {
  expect(CASES.length).toBeGreaterThan(800);
  for (const { zones, moment, seed } of CASES) {
    const start = moment - WATCHED * MINUTE;
    const watches = zones.map((zone) => watch(zone, start, 2 * WATCHED));
    assert(
      property(aWindow, (rules) => {
        const expected = turns(byTheClock(watches, rules), moment);
        expect(turns(byTheCode(zones, moment, rules), moment), zones.join()).toEqual(expected);
      }),
      { numRuns: 1, seed },
    );
  }
});
