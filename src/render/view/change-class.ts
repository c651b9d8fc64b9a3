import type { Change, DeviceLabel, Values, WindowRef } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { At, SourceLocation } from '../../model/documents/source.ts';
import type { Instant } from '../../lib/time.ts';

export type Value = Values[string];

/** One field over all changes of a class: one value, or the range of its values. */
export interface Spread {
  readonly least: Value;
  readonly most: Value;
  readonly differs: boolean;
}

export type Spreads = Readonly<Record<string, Spread>>;

/** A device of a class, with its own values of the fields that differ. */
export interface ClassDevice extends DeviceLabel {
  readonly own: Values;
  /** The origin of its change: an entry of a list has a line of its own. */
  readonly at: At;
}

/** Changes that look the same to a reviewer, folded into one. */
export interface ChangeClass extends Pick<
  Change,
  'task' | 'action' | 'cause' | 'risk' | 'at' | 'wave' | 'group' | 'passes'
> {
  /** The earliest opening if windows of several zones open at different times. */
  readonly window?: WindowRef;
  /** Oldest `since`, earliest `next`; without parameters that differ inside the class. */
  readonly reason: Reason;
  /** The devices have different `since`; the reason has the oldest. */
  readonly sinceDiffers: boolean;
  /** When the last one may continue, if that is later than the first. */
  readonly lastNext?: Instant;
  readonly before: Spreads;
  readonly after: Spreads;
  readonly losers: readonly At[];
  /** The distinct places of the changes; the first one is `at`. */
  readonly places: readonly At[];
  /** The changed lines behind any of the changes; empty without a base. */
  readonly lines: readonly SourceLocation[];
  readonly count: number;
  /**
   * Start of the sha256 of the device IDs, in the order of the plan, each followed by a line end.
   * It identifies the class in other renderings of the same plan.
   */
  readonly digest: string;
  /** Largest first; devices without a site have the empty name. */
  readonly sites: readonly { readonly name: string; readonly count: number }[];
  /** All of them, or the first few in the order of the plan. */
  readonly devices: readonly ClassDevice[];
}
