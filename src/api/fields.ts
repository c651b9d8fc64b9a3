import type { Dialect } from '../model/dialect.ts';
import { parseInstant, type Instant } from '../model/time.ts';

/** An object of an answer, before anybody believes it. */
export type Row = Readonly<Record<string, unknown>>;

/** Takes one field out of a row; undefined where it is absent, null or of another type. */
export type Reader<T> = (row: Row) => T | undefined;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of a row. Members that an answer lends through prototypes do not count. */
export function member(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/**
 * A reader for the field at a dotted path; the empty path is a field that the service does not
 * have.
 */
export function field(path: string): (row: Row) => unknown {
  if (path === '') return () => undefined;
  if (!path.includes('.')) return (row) => member(row, path);
  const names = path.split('.');
  return (row) =>
    names.reduce<unknown>((value, name) => (isRow(value) ? member(value, name) : undefined), row);
}

/** The same for what an answer or an entry may be as a whole: the empty path is the value itself. */
export function part(path: string): (value: unknown) => unknown {
  if (path === '') return (value) => value;
  const read = field(path);
  return (value) => (isRow(value) ? read(value) : undefined);
}

/** Members as they are sent: dots in a name lead into objects, and names that begin alike share theirs. */
export function nested(members: readonly (readonly [path: string, value: unknown])[]): Row {
  const top: Record<string, unknown> = {};
  for (const [path, value] of members) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let into = top;
    for (const name of names) {
      const below = { ...(Object.hasOwn(into, name) && isRow(into[name]) ? into[name] : {}) };
      into[name] = below;
      into = below;
    }
    into[last] = value;
  }
  return top;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * A text that may come as a number, such as an id. A number that JSON cannot hold exactly is no
 * id.
 */
export function idOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

/** A boolean, also as 1 or 0. */
export function flagOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  return value === 1 || value === 0 ? value === 1 : undefined;
}

/** What a date is that comes as a number. */
export type DateForm = Dialect['dateForm'];

/**
 * A point in time with its offset; a day alone begins in UTC, as ISO 8601 is read everywhere. A
 * number is one only where the dialect says what it counts.
 */
export function instantOf(value: unknown, form: DateForm = 'iso'): Instant | undefined {
  if (form !== 'iso' && isCount(value)) return fromEpoch(Number(value), form);
  if (typeof value !== 'string') return undefined;
  return parseInstant(value.length === 10 ? `${value}T00:00:00Z` : value);
}

/** Also as a text, as some services write large numbers. */
function isCount(value: unknown): boolean {
  return (
    typeof value === 'number' || (typeof value === 'string' && /^\d{1,15}(\.\d+)?$/.test(value))
  );
}

const LATEST: Instant = 8_640_000_000_000_000;

function fromEpoch(count: number, form: 'seconds' | 'milliseconds'): Instant | undefined {
  const at = Math.round(form === 'seconds' ? count * 1_000 : count);
  return Number.isSafeInteger(at) && at >= 0 && at <= LATEST ? at : undefined;
}

/** A value while it is being built. */
export type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** Sets a field that could be read; what could not stays absent, never present and undefined. */
export function put<T, K extends keyof T>(draft: Draft<T>, name: K, value: T[K] | undefined): void {
  if (value !== undefined) draft[name] = value;
}
