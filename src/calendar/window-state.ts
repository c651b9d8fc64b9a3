import type { TaskType } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import type { StartHeadroom, WindowState } from './starts.ts';

/** A query about the windows of one device and one task, with the headroom that a start needs. */
export interface WindowQuery extends StartHeadroom {
  /** Names of the policy's windows, `anytime` included. A window without the task does not count. */
  readonly windows: readonly string[];
  /** Names of the freezes that select the device. A freeze without the task does not count. */
  readonly freezes: readonly string[];
  /** The zones of the device's sites; empty if the device has no site or one of its sites has no zone. */
  readonly zones: readonly string[];
  readonly task: TaskType;
}

/** An active freeze and its end; `to` is absent if the end is beyond the horizon. */
export interface ActiveFreeze {
  readonly freeze: string;
  readonly to?: Instant;
}

/**
 * The state of freezes and windows for one device and one task at one moment: steps K6, K7 and K14
 * to K16 of the decision order.
 */
export interface CalendarState {
  /** The active hard freeze that ends last. */
  readonly hard?: ActiveFreeze;
  /**
   * The entry that says `timeZone: site` although the device's sites have no zone. The device's
   * windows are then closed.
   */
  readonly withoutZone?: { readonly window: string } | { readonly freeze: string };
  readonly soft?: ActiveFreeze;
  /** The window state after all freezes are subtracted. */
  readonly window: WindowState;
}
