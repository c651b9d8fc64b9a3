import type { Change } from '../../model/plan/change.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { Wanted } from '../../model/plan/desired-state.ts';
import type { Health } from '../health.ts';
import type { Ports } from '../ports.ts';
import type { Reading } from '../reading.ts';

/**
 * A change that this run may attempt, with the desired state that the last look uses to decide
 * again.
 */
export interface Candidate {
  /** The position in the plan's order. */
  readonly order: number;
  readonly change: Change;
  /** Devices that the same entries of the documents select share it. */
  readonly wanted: Wanted;
  /**
   * The rollout of the policy. A policy without one uses `batch` and `maxInFlight` of `default`.
   */
  readonly rollout: RolloutSpec;
}

/** The part of a run that the choice of a batch and its last look need. */
export interface Looking extends Ports {
  readonly reading: Reading;
  readonly health: Health;
}
