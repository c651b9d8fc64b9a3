/** Whether a value is an object with members: no list and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A part of an object: these members, and of them those that are there. */
export function pick<T extends object, K extends keyof T>(
  from: T,
  ...names: readonly K[]
): Pick<T, K> {
  const found = names.filter((name) => from[name] !== undefined);
  return Object.fromEntries(found.map((name) => [name, from[name]])) as Pick<T, K>;
}
