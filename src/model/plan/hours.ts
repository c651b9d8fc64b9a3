import type { SourceLocation } from '../documents/source.ts';

/**
 * When the windows are open that the wanted changes of a plan go by, and which freezes close them.
 * It tells, and decides nothing: no part of what a person approves.
 */
export interface PlanHours {
  /** Spans that begin before this instant are here; of each window at least the next one is. */
  readonly until: string;
  readonly windows: readonly WindowHours[];
  /** The freezes that hold for some of these changes before `until`. */
  readonly freezes: readonly FreezeNote[];
}

/** A window as changes with the same zone and the same freezes see it. */
export interface WindowHours {
  /** As in the window of a change: the names of all windows that its policy has. */
  readonly name: string;
  readonly zone?: string;
  /** Wanted changes that go by it. */
  readonly changes: number;
  /** When something may start in it, freezes taken off, in order: what is open now comes first. */
  readonly spans: readonly HoursSpan[];
  /** Spans before `until` that are too many to list. */
  readonly more?: number;
  /** The freezes that hold for these changes, by name. */
  readonly freezes?: readonly FreezeHours[];
}

/** `[opens, closes)`; an edge is absent where the span has none that anybody knows. */
export interface HoursSpan {
  readonly opens?: string;
  readonly closes?: string;
}

export interface FreezeHours {
  readonly name: string;
  readonly spans: readonly HoursSpan[];
}

/** Why a freeze is there, and whom to ask. */
export interface FreezeNote {
  readonly name: string;
  readonly hard: boolean;
  readonly reason: string;
  readonly owner: string;
  readonly ticket: string;
  readonly at: SourceLocation;
  /** Wanted changes that it concerns. */
  readonly changes: number;
}
