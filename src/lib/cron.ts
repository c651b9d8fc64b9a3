import { DAY } from './time.ts';

/** A cron expression in wall-clock terms: times of day on matching days. It knows no zone. */
export interface Cron {
  /** Minutes since midnight. */
  readonly times: readonly number[];
  /** The midnights of the matching days in `[from, to)`, all in wall-clock milliseconds. */
  days(from: number, to: number): readonly number[];
  /** Whether any day matches; false for 30 February. */
  readonly everMatches: boolean;
}

export interface UnreadableCron {
  readonly problem: 'fields' | 'value' | 'range' | 'bothDays';
}

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
  /** How many values it has, where Sunday is two. */
  readonly count?: number;
  /** `L` for the last day, and `#3` or `L` after a day of the week. */
  readonly special?: RegExp;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

const FIELDS: readonly Field[] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31, special: /^L$/ },
  { from: 1, to: 12, names: ['', ...MONTHS] },
  {
    from: 0,
    to: 7,
    names: DAYS,
    count: 7,
    special: /^([0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(#[1-5]|L)$/,
  },
];

/** The days of a month and of a week repeat after 28 years, as long as no century ends. */
const [EPOCH, CYCLE] = [Date.UTC(2000, 0, 1), 28 * 366 * DAY];

/**
 * Reads a cron expression (semantics W25): five fields, names in any case, Sunday 0 or 7, no `@` words, no backward
 * range, a step only after `*` or a range and no longer than it, and not both day fields, which other readers combine
 * with "or".
 */
export function parseCron(text: string): Cron | UnreadableCron {
  const fields = text.trim().toUpperCase().split(/\s+/);
  if (fields.length !== FIELDS.length) return { problem: 'fields' };
  const sets: (readonly Value[])[] = [];
  for (const [index, field] of FIELDS.entries()) {
    const items = (fields[index] ?? '').split(',').map((item) => readItem(field, item));
    const wrong = items.find((item) => 'problem' in item);
    if (wrong) return wrong;
    sets.push(items.flatMap((item) => ('problem' in item ? [] : item)));
  }
  if (fields[2] !== '*' && fields[4] !== '*') return { problem: 'bothDays' };
  const [minutes = [], hours = [], ...days] = sets;
  const matches = dayTest(days.map((values) => new Set(values)));
  return {
    times: inOrder(hours).flatMap((hour) => inOrder(minutes).map((minute) => hour * 60 + minute)),
    days: (from, to) => daysIn(from, to, matches),
    get everMatches() {
      return daysIn(EPOCH, EPOCH + CYCLE, matches, 1).length > 0;
    },
  };
}

/** A number, or a special form with the number of its day of the week: `6#3`, `6L`, `L`. */
type Value = number | string;

/** The midnights in `[from, to)` of the days that match, the first few of them. */
export function daysIn(
  from: number,
  to: number,
  matches: (day: Date) => boolean,
  most = Infinity,
): readonly number[] {
  const days: number[] = [];
  for (let day = Math.ceil(from / DAY) * DAY; day < to && days.length < most; day += DAY)
    if (matches(new Date(day))) days.push(day);
  return days;
}

function inOrder(values: readonly Value[]): readonly number[] {
  return [...new Set(values)].map(Number).sort((a, b) => a - b);
}

function dayTest([ofMonth, ofYear, ofWeek]: readonly ReadonlySet<Value>[]) {
  return (day: Date): boolean => {
    const [date, month, weekday] = [day.getUTCDate(), day.getUTCMonth(), day.getUTCDay()];
    const isLast = (length: number): boolean =>
      new Date(day.getTime() + length * DAY).getUTCMonth() !== month;
    const week = [
      weekday,
      `${weekday}#${Math.ceil(date / 7)}`,
      isLast(7) ? `${weekday}L` : weekday,
    ];
    return (
      ofYear?.has(month + 1) === true &&
      (ofMonth?.has(date) === true || (ofMonth?.has('L') === true && isLast(1))) &&
      week.some((each) => ofWeek?.has(each) === true)
    );
  };
}

/** The values of an item of a list, or its one special form. */
function readItem(field: Field, item: string): readonly Value[] | UnreadableCron {
  const { special, count = field.to - field.from + 1 } = field;
  if (special?.test(item))
    return [item.replace(/^[0-7A-Z]+(?=[#L])/, (day) => String((valueOf(field, day) ?? 0) % 7))];
  const match = ITEM.exec(item);
  if (!match) return { problem: 'value' };
  const [, one, first = one, last = one, step = '1'] = match;
  const from = first === undefined ? field.from : valueOf(field, first);
  const to = last === undefined ? field.to : valueOf(field, last);
  if (from === undefined || to === undefined) return { problem: 'value' };
  // Sunday is 0 and 7, so that `FRI-SUN` does not run backward.
  const end = match[3] === 'SUN' ? 7 : to;
  if (end < from) return { problem: 'range' };
  if (Number(step) > count) return { problem: 'value' };
  const length = Math.floor((end - from) / Number(step)) + 1;
  return Array.from({ length }, (_, at) => (from + at * Number(step)) % (field.count ?? 100));
}

/** A value, or all of them or a range, with a step. */
const ITEM = /^(?:([A-Z0-9]+)|(?:\*|([A-Z0-9]+)-([A-Z0-9]+))(?:\/([1-9]\d?))?)$/;

function valueOf({ from, to, names }: Field, text: string): number | undefined {
  const named = names?.indexOf(text) ?? -1;
  const value = named >= 0 ? named : Number(/^\d{1,2}$/.test(text) ? text : NaN);
  return value >= from && value <= to ? value : undefined;
}
