import type { Change } from '../../model/plan/change.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { At, Sourced } from '../../model/documents/source.ts';
import type { Exemption } from '../../model/plan/desired-state.ts';
import type { Health } from '../health.ts';
import type { Ports } from '../ports.ts';
import type { Reading } from '../reading.ts';

/**
 * A change that may be attempted in this run, with the desired state that its last look decides
 * from again.
 */
export interface Candidate {
  /** Its place in the plan's order. */
  readonly order: number;
  readonly change: Change;
  readonly policy: Sourced<Policy>;
  /** The policy's location; the change itself may have the line that makes it due now. */
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
  /**
   * The rollout of its policy; a policy without one uses `batch` and `maxInFlight` of `default`.
   */
  readonly rollout: RolloutSpec;
}

/** The part of a run that choosing a batch and its last look need. */
export interface Looking extends Ports {
  readonly reading: Reading;
  readonly health: Health;
}
