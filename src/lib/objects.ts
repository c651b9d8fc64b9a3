/** Whether a value is an object with members: no list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects in a list; none where it is no list. */
export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A value or a list as a list; empty for undefined. */
export function toList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** What objects in each other have below these names; undefined where one has no such member. */
export function memberAt(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** A part of an object: these members, and of them those that are there. */
export function pick<T extends object, K extends keyof T>(
  from: T,
  ...names: readonly K[]
): Pick<T, K> {
  const found = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, from[name]])) as Pick<T, K>;
}
