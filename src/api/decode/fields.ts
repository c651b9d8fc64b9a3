import { UNREADABLE, type Unreadable } from './dates.ts';

/** An object of an answer, before anybody believes it. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Takes one field out of a row; undefined where it is absent, null or of another type. */
export type FieldReader<T> = (row: JsonRow) => T | undefined;

export function isJsonRow(value: unknown): value is JsonRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own member of a row. Members that an answer lends through prototypes do not count. */
export function member(row: JsonRow, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

/**
 * A reader for the field at a dotted path; the empty path is a field that the service does not
 * have. What stands where an object should be on the way is not understood, and is not absence.
 */
export function field(path: string): (row: JsonRow) => unknown {
  if (path === '') return () => undefined;
  if (!path.includes('.')) return (row) => member(row, path);
  const names = path.split('.');
  return (row) =>
    names.reduce<unknown>((value, name) => {
      if (isJsonRow(value)) return member(value, name);
      return value === undefined || value === null ? undefined : UNREADABLE;
    }, row);
}

/** The same for what an answer or an entry may be as a whole: the empty path is the value itself. */
export function part(path: string): (value: unknown) => unknown {
  if (path === '') return (value) => value;
  const read = field(path);
  return (value) => (isJsonRow(value) ? read(value) : undefined);
}

/** Members as they are sent: dots in a name lead into objects, and names that begin alike share theirs. */
export function nested(members: readonly (readonly [path: string, value: unknown])[]): JsonRow {
  const top: Record<string, unknown> = {};
  for (const [path, value] of members) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let into = top;
    for (const name of names) {
      const below = { ...(Object.hasOwn(into, name) && isJsonRow(into[name]) ? into[name] : {}) };
      into[name] = below;
      into = below;
    }
    into[last] = value;
  }
  return top;
}

/** What a field shows: its value, nothing, or something that was not understood. */
export type Shown<T> = T | Unreadable | undefined;

/** The same where only a value is of use. */
export function known<T>(shown: Shown<T>): T | undefined {
  return shown === UNREADABLE ? undefined : shown;
}

/** A text; an empty one says no more than one that is not there. */
export function shownText(value: unknown): Shown<string> {
  if (isAbsent(value)) return undefined;
  return typeof value === 'string' ? value : UNREADABLE;
}

/**
 * A text that may come as a number, such as an id. A number that JSON cannot hold exactly is no
 * id.
 */
export function shownId(value: unknown): Shown<string> {
  return Number.isSafeInteger(value) ? String(value) : shownText(value);
}

/** A boolean, also as 1 or 0. */
export function shownFlag(value: unknown): Shown<boolean> {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  return value === 1 || value === 0 ? value === 1 : UNREADABLE;
}

/** Whether nothing is said: an empty text says no more than a field that is not there. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A value while it is being built. */
export type PartialRow<T> = { -readonly [K in keyof T]: T[K] };

/** A row that names those of its fields that are there and were not understood. */
interface Marked {
  readonly unreadable?: readonly string[];
}

/** Sets a field that is known; what is not stays absent, never present and undefined. */
export function put<T, K extends keyof T>(
  draft: PartialRow<T>,
  name: K,
  value: T[K] | undefined,
): void {
  if (value !== undefined) draft[name] = value;
}

/** The same in a row, which remembers what was not understood. */
export function putShown<T extends Marked, K extends keyof T & string>(
  draft: PartialRow<T>,
  name: K,
  shown: Shown<T[K]>,
): void {
  if (shown === UNREADABLE) markUnreadable(draft, name);
  else put(draft, name, shown);
}

/** Remembers that a field was not understood. */
export function markUnreadable<T extends Marked>(draft: PartialRow<T>, name: string): void {
  const marked: { unreadable?: readonly string[] | undefined } = draft;
  marked.unreadable = [...(marked.unreadable ?? []), name].sort();
}
