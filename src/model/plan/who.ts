import type { DeviceLabel } from './change.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';

/**
 * How an entry applies to a device. `wins`: its target is used. `loses`: another policy's target is
 * used. `exempts`: an exception that changes the target. `uses`: the winning policy uses this
 * window, rollout or freeze. `member`: the device is a member of this site, group or budget.
 */
export const GOVERNING = ['wins', 'exempts', 'uses', 'loses', 'member'] as const;
export type Governing = (typeof GOVERNING)[number];

/** One device that a line applies to; without a task where the entry is about the device itself. */
export interface Governed {
  readonly device: DeviceLabel;
  readonly task?: TaskType;
  readonly how: Governing;
  /** The policy that wins, or that uses the entry. */
  readonly by?: At;
}

/** The entry at a line, and every device that it applies to, in the order of the fleet. */
export interface Who {
  readonly at: At;
  readonly governs: readonly Governed[];
  /** Discovered devices among them are not managed yet. */
  readonly total: number;
}
