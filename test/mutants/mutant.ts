/** One rule switched off, as a patch of the source: `find` stands there exactly once. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Mutant {
  /** The number in the list of rules, and what is off: `06-5xx-is-rejected`. */
  readonly id: string;
  readonly patches: readonly Patch[];
  /** A seed on which the simulation dies of it; absent: simulation cannot see this rule. */
  readonly seed?: number;
  /** The test that dies of it where simulation cannot see it. */
  readonly test?: string;
}

/** A rule that no patch can switch off here, and why. */
export interface Missing {
  readonly id: string;
  readonly why: string;
}
