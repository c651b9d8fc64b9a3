import type { Firmware } from '../world/firmware.ts';
import type { SeededRandom } from '../world/random.ts';
import type { DeviceEffect, DeviceState, DiscoveredState, TaskResult } from '../world/state.ts';

/**
 * What a task type looks at when it plans its work on one device, at the moment the work starts.
 */
export interface Situation {
  readonly device: DeviceState;
  /** Set where the device is discovered and not yet managed. */
  readonly discovered?: DiscoveredState;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly firmware: Firmware;
  readonly random: SeededRandom;
}

/** One named step. Times are in seconds of the device's own life; the time scale comes later. */
export interface PlannedStep {
  readonly name: string;
  readonly seconds: number;
  readonly onStart?: readonly DeviceEffect[];
  readonly onEnd?: readonly DeviceEffect[];
  readonly fails?: boolean;
  readonly stuck?: boolean;
  readonly message?: string;
}

/**
 * The steps to come and how they will end. A step that fails skips those after it but for a
 * roll-back.
 */
export interface Program {
  readonly steps: readonly PlannedStep[];
  readonly result: TaskResult;
}

/** One task type: the steps of its work on a device. */
export type Effect = (situation: Situation) => Program;

export function succeeding(steps: readonly PlannedStep[]): Program {
  return { steps, result: 'succeeded' };
}

/** Work that ends at its first step, with nothing done. */
export function refused(name: string, message: string): Program {
  return { steps: [{ name, seconds: 2, fails: true, message }], result: 'failed' };
}
