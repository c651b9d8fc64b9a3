import type { PlanScope } from './plan.gen.ts';

export type { PlanScope } from './plan.gen.ts';

/** The value of a `Scope:` trailer, as written, and the first commit of the request that has it. */
export interface ScopeTrailer {
  readonly commit: string;
  readonly text: string;
}

/** How many different trailers a request may have. */
export const MOST_TRAILERS = 100;

/** A trailer with what the request causes in its scope. */
export type JudgedTrailer = PlanScope['trailers'][number];

/** Why a request does not keep to a trailer. */
export type ScopeProblem = JudgedTrailer['problems'][number];

/** Changes of one policy that no trailer includes. */
export type OutsideScope = PlanScope['outside']['classes'][number];
