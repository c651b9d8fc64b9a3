import type { SourceLocation } from '../documents/source.ts';

/**
 * When the windows of a plan's wanted changes are open, and which freezes close them. For
 * information only: it is not part of what a person approves.
 */
export interface PlanHours {
  /** Lists the spans that begin before this instant, and at least the next span of each window. */
  readonly until: string;
  readonly windows: readonly WindowHours[];
  /** The freezes that block some of these changes before `until`. */
  readonly freezes: readonly FreezeNote[];
}

/** A window for changes with the same zone and the same freezes. */
export interface WindowHours {
  /** The names of all windows of the policy, as in the window of a change. */
  readonly name: string;
  readonly zone?: string;
  /** The number of wanted changes that use it. */
  readonly changes: number;
  /** Open spans without frozen time, in order; one that is open now is first. */
  readonly spans: readonly HoursSpan[];
  /** The number of spans before `until` that are not listed. */
  readonly more?: number;
  /** The freezes that block these changes, by name. */
  readonly freezes?: readonly FreezeHours[];
}

/** `[opens, closes)`; an edge is absent where there is none or it is not known. */
export interface HoursSpan {
  readonly opens?: string;
  readonly closes?: string;
}

export interface FreezeHours {
  readonly name: string;
  readonly spans: readonly HoursSpan[];
}

/** Why a freeze exists, and who owns it. */
export interface FreezeNote {
  readonly name: string;
  readonly hard: boolean;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
  readonly at: SourceLocation;
  /** The number of wanted changes that it blocks. */
  readonly changes: number;
}
