import type { DeviceLabel } from './change.ts';
import type { At } from '../documents/source.ts';
import type { TaskType } from '../fleet/task.ts';

/**
 * How an entry bears on a device. `wins`: its want holds. `loses`: another policy's does. `exempts`:
 * an exception that changes the want. `uses`: the winning policy uses this window, rollout or freeze.
 * `member`: the device is of this site, group or budget.
 */
export const GOVERNING = ['wins', 'exempts', 'uses', 'loses', 'member'] as const;
export type Governing = (typeof GOVERNING)[number];

/** One device that a line governs; without a task where the entry is about the device itself. */
export interface Governed {
  readonly device: DeviceLabel;
  readonly task?: TaskType;
  readonly how: Governing;
  /** The policy that wins, or whose want uses the entry. */
  readonly by?: At;
}

/** What stands at a line, and every device that it governs, in the order of the fleet. */
export interface Who {
  readonly at: At;
  readonly governs: readonly Governed[];
  /** Discovered devices among them are not managed yet. */
  readonly total: number;
}
