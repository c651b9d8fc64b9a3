import { Refusal, type Call } from '../call.ts';

/** Turns a filter's text into a predicate; undefined if the text is invalid. */
export type ItemFilter<T> = (textFilter: string, call: Call) => ((item: T) => boolean) | undefined;

export type ItemFilters<T> = Readonly<Record<string, ItemFilter<T>>>;

type Value<T, V> = (item: T, call: Call) => V;

const NOT_FILTERS = new Set(['limit', 'offset', 'includeSteps']);

/**
 * The items that pass every filter in the query. Throws a 400 `Refusal` for an invalid value, and
 * for an unknown filter if the twin's manners say so.
 */
export function filtered<T>(
  call: Call,
  items: readonly T[],
  filters: ItemFilters<T>,
): readonly T[] {
  if (call.faults.some(({ type }) => type === 'filterIgnored')) return items;
  const tests = [...call.query].flatMap(([name, text]) => {
    if (NOT_FILTERS.has(name)) return [];
    if (!Object.hasOwn(filters, name)) return unknownFilter(call, name);
    const test = filters[name]?.(text, call);
    if (test === undefined) throw new Refusal(400, `${name} has no value ${JSON.stringify(text)}`);
    return [test];
  });
  return tests.length === 0 ? items : items.filter((item) => tests.every((test) => test(item)));
}

/** A filter for one of a closed set of words. */
export function wordFilter<T>(
  allowed: readonly string[],
  value: Value<T, string | undefined>,
): ItemFilter<T> {
  return (text, call) =>
    allowed.includes(text) ? (item) => value(item, call) === text : undefined;
}

export function text<T>(value: Value<T, string | undefined>): ItemFilter<T> {
  return (wanted, call) => (item) => value(item, call) === wanted;
}

export function flagFilter<T>(value: Value<T, boolean>): ItemFilter<T> {
  return (text, call) => {
    const wanted = parseBoolean(text);
    return wanted === undefined ? undefined : (item) => value(item, call) === wanted;
  };
}

/** A filter for one whole number among those of an item. */
export function numberFilter<T>(values: Value<T, readonly number[]>): ItemFilter<T> {
  return (text, call) =>
    /^(?:0|[1-9]\d{0,8})$/.test(text)
      ? (item) => values(item, call).includes(Number(text))
      : undefined;
}

/**
 * The filters `<name>Before` and `<name>After`, both exclusive; an item without the date matches
 * neither.
 */
export function dateFilters<T>(name: string, value: Value<T, number | undefined>): ItemFilters<T> {
  const compare =
    (holds: (at: number, limit: number) => boolean): ItemFilter<T> =>
    (text, call) => {
      const limit = parseTime(text);
      if (limit === undefined) return undefined;
      return (item) => {
        const at = value(item, call);
        return at !== undefined && holds(at, limit);
      };
    };
  return {
    [`${name}Before`]: compare((at, limit) => at < limit),
    [`${name}After`]: compare((at, limit) => at > limit),
  };
}

/** Booleans may be sent as 1 and 0. */
export function parseBoolean(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true;
  return text === '0' || text === 'false' ? false : undefined;
}

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(T(?:[01]\d|2[0-3]):\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

function parseTime(text: string): number | undefined {
  const [, year, month, day] = ISO_8601.exec(text) ?? [];
  if (year === undefined || !isDay(Number(year), Number(month), Number(day))) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** `Date.parse` reads 31 February as a day in March. */
function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function unknownFilter({ manners }: Call, name: string): (() => false)[] {
  if (manners.unknownFilters === 'ignore') return [];
  if (manners.unknownFilters === 'empty') return [() => false];
  throw new Refusal(400, `unknown parameter ${JSON.stringify(name)}`);
}
