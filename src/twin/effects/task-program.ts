import type { Firmware } from '../world/firmware.ts';
import type { SeededRandom } from '../world/random.ts';
import type { DeviceEffect, DeviceState, DiscoveredState, TaskResult } from '../world/state.ts';

/** The input that a task type plans its work from, at the moment the work starts. */
export interface Situation {
  readonly device: DeviceState;
  /** Set if the device is discovered and not managed yet. */
  readonly discovered?: DiscoveredState;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly firmware: Firmware;
  readonly random: SeededRandom;
}

/** One named step. `seconds` are on the device's own clock, before the time scale. */
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
 * The planned steps and their result. A failing step skips the steps after it, except a rollback.
 */
export interface Program {
  readonly steps: readonly PlannedStep[];
  readonly result: TaskResult;
}

/** Plans the steps of one task type on a device. */
export type Effect = (situation: Situation) => Program;

export function succeeding(steps: readonly PlannedStep[]): Program {
  return { steps, result: 'succeeded' };
}

/** A program that fails at its first step and changes nothing. */
export function refused(name: string, message: string): Program {
  return { steps: [{ name, seconds: 2, fails: true, message }], result: 'failed' };
}
