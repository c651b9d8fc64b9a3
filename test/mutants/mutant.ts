/** One rule switched off, as a patch of the source: `find` stands there exactly once. */
export interface Patch {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/**
 * What is run where a rule is off, and has to fail then: a seed of the simulation, a rehearsal
 * folder, a cell of the fault matrix, a scenario folder, or a file of tests.
 */
export type Killer =
  | { readonly seed: number }
  | { readonly rehearsal: string }
  | { readonly cell: string }
  | { readonly scenario: string }
  | { readonly test: string };

export interface Mutant {
  /** The number in the list of rules, and what is off: `06-5xx-is-rejected`. */
  readonly id: string;
  /** The rules that it switches off by their numbers; absent: the page is cited by the killer. */
  readonly rules?: readonly string[];
  readonly killer: Killer;
  readonly patches: readonly Patch[];
}
