/** A promise that our own code broke. Only `main.ts` catches it; it asks the user to report it. */
export class Bug extends Error {
  override readonly name = 'Bug';
}

/** Refuses a case that the types rule out; a new member of a union makes this a compile error. */
export function unreachable(value: never): never {
  throw new Bug(`unreachable case: ${JSON.stringify(value)}`);
}
