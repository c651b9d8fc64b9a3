import { UNREADABLE, type Unreadable } from './dates.ts';
import { isObject } from '../../lib/objects.ts';

/** An unvalidated object of an answer. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Throws `unexpectedShape` with the path of the unreadable field. */
export type Fail = (name: string) => never;

/** An own member of a row; prototype members do not count. */
export function member(row: JsonRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/**
 * A reader for a dotted path. The empty path means that the service lacks the field. A value on the
 * path that is not an object makes the field unreadable, not absent.
 */
export function field(path: string): (row: JsonRow) => unknown {
  if (path === '') return () => undefined;
  if (!path.includes('.')) return (row) => member(row, path);
  const names = path.split('.');
  return (row) => {
    let value: unknown = row;
    for (const name of names) {
      if (!isObject(value)) return value === undefined || value === null ? undefined : UNREADABLE;
      value = member(value, name);
    }
    return value;
  };
}

/** A reader for a part of an answer. The empty path selects the whole value. */
export function part(path: string): (value: unknown) => unknown {
  if (path === '') return (value) => value;
  const read = field(path);
  return (value) => (isObject(value) ? read(value) : undefined);
}

/**
 * Builds the object to send. Dots in a name create nested objects; names with the same prefix share
 * one.
 */
export function nested(members: readonly (readonly [path: string, value: unknown])[]): JsonRow {
  const top: Record<string, unknown> = {};
  for (const [path, value] of members) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let into = top;
    for (const name of names) {
      const below = { ...(Object.hasOwn(into, name) && isObject(into[name]) ? into[name] : {}) };
      into[name] = below;
      into = below;
    }
    into[last] = value;
  }
  return top;
}

/** The value of a field, undefined if it is absent, or `UNREADABLE` if it was not understood. */
export type Shown<T> = T | Unreadable | undefined;

/** The value if it is known, else undefined. */
export function known<T>(shown: Shown<T>): T | undefined {
  return shown === UNREADABLE ? undefined : shown;
}

/** Reads a string; an empty one is absent. */
export function shownText(value: unknown): Shown<string> {
  if (isAbsent(value)) return undefined;
  return typeof value === 'string' ? value : UNREADABLE;
}

/** Reads a name; one without anything to see names nothing, and its ID is shown. */
export function shownName(value: unknown): Shown<string> {
  return typeof value === 'string' && value.trim() === '' ? undefined : shownText(value);
}

/**
 * Reads an ID, which may come as a number. A number that JSON cannot hold exactly is unreadable.
 */
export function shownId(value: unknown): Shown<string> {
  return Number.isSafeInteger(value) ? String(value) : shownText(value);
}

/** Reads a boolean, also as 1 or 0. */
export function shownFlag(value: unknown): Shown<boolean> {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  return value === 1 || value === 0 ? value === 1 : UNREADABLE;
}

/** A flag that lets a task start: only a plain `true` sets it (protocol X8). */
export function plainFlag(value: unknown): Shown<boolean> {
  return value === 1 ? UNREADABLE : shownFlag(value);
}

/** Whether a value is absent: undefined, null or the empty text. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

export type PartialRow<T> = { -readonly [K in keyof T]: T[K] };

/** Sets a known value. An absent value leaves the member out instead of setting it to undefined. */
export function put<T, K extends keyof T>(
  draft: PartialRow<T>,
  name: K,
  value: T[K] | undefined,
): void {
  if (value !== undefined) draft[name] = value;
}
