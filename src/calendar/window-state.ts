import type { TaskType } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import type { StartHeadroom, WindowState } from './starts.ts';

/** Whose windows are asked for: one device and one task, and the room that it needs there. */
export interface WindowQuery extends StartHeadroom {
  /**
   * Names of the policy's windows, `anytime` among them; one that lacks the task does not count.
   */
  readonly windows: readonly string[];
  /** Names of the freezes that select the device; one that lacks the task does not count. */
  readonly freezes: readonly string[];
  /**
   * The zones of the device's sites; empty where one of them has none, or the device has no site.
   */
  readonly zones: readonly string[];
  readonly task: TaskType;
}

/** A freeze that holds, and until when; `to` is absent where that is beyond the horizon. */
export interface ActiveFreeze {
  readonly freeze: string;
  readonly to?: Instant;
}

/**
 * How one device and one task stand to freezes and windows at one moment: steps K6, K7 and K14 to
 * K16 of the decision order.
 */
export interface CalendarState {
  /** A hard freeze holds; of several, the one that ends last. */
  readonly hard?: ActiveFreeze;
  /**
   * What says `timeZone: site` while the sites of the device have no zone; its windows are closed
   * then.
   */
  readonly withoutZone?: { readonly window: string } | { readonly freeze: string };
  readonly soft?: ActiveFreeze;
  /** What the windows leave open after every freeze. */
  readonly window: WindowState;
}
