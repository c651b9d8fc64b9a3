/**
 * A broken invariant of fleetform itself. Only `main.ts` catches it, and asks the user to report
 * it.
 */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/**
 * Marks a case that the types rule out, so that a new union member is a compile error. Throws a
 * `Bug`.
 */
export function unreachable(value: never): never {
  throw new Bug(`unreachable case: ${JSON.stringify(value)}`);
}
