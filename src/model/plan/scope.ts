import type { Params } from '../error.ts';
import type { TaskType } from '../fleet/task.ts';
import type { DeviceLabel } from './change.ts';

/** The value of a `Scope:` trailer, as written, and the first commit of the request that has it. */
export interface ScopeTrailer {
  readonly commit: string;
  readonly text: string;
}

/** How many different trailers a request may have. */
export const MOST_TRAILERS = 100;

/**
 * Why a request does not keep to a trailer. `malformed`: an item is not understood. `unknown`: an
 * item fits no policy, site or device. `nothing`: the request causes no change in it. `overLimit`:
 * it causes changes on more devices. `noHistory`: the clone does not show which commits belong to
 * the request.
 */
export const SCOPE_PROBLEMS = [
  'malformed', // item, why (`empty`, `item`, `quote`, `tooLong`, `tooMany`, `twice`)
  'unknown', // what (`policy`, `site`, `device`), value, suggestion?, matches?, ids?
  'nothing', // -
  'overLimit', // devices, limit
  'noHistory', // base
] as const;

export interface ScopeProblem {
  readonly code: (typeof SCOPE_PROBLEMS)[number];
  readonly params: Params;
}

/** A trailer with what the request causes in its scope. */
export interface JudgedTrailer extends ScopeTrailer {
  /** The number of devices with a change in it. */
  readonly devices: number;
  readonly problems: readonly ScopeProblem[];
}

/** Changes of one policy that no trailer includes. */
export interface OutsideScope {
  readonly policy: string;
  readonly task: TaskType;
  readonly count: number;
  /** The first few devices. */
  readonly devices: readonly DeviceLabel[];
}

/** What a request causes, compared with the `Scope:` trailers of its commits (semantics G9). */
export interface PlanScope {
  /** In the order of the commits, oldest first; equal ones once. */
  readonly trailers: readonly JudgedTrailer[];
  /** What the request causes: changes that the plan lists or no longer has, and their devices. */
  readonly changes: number;
  readonly devices: number;
  /** What no trailer includes; zero if the trailers name limits alone. */
  readonly outside: {
    readonly changes: number;
    readonly devices: number;
    /** By policy and task, largest first. */
    readonly classes: readonly OutsideScope[];
  };
  readonly passed: boolean;
}
