import type { Change } from '../../model/plan/change.ts';
import type { Policy } from '../../model/documents/policy.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { At, Sourced } from '../../model/documents/source.ts';
import type { Exemption } from '../../model/plan/desired-state.ts';
import type { Health } from '../health.ts';
import type { Ports } from '../ports.ts';
import type { Reading } from '../reading.ts';

/**
 * A change that may be attempted in this run, with the desired state behind it: what its last look
 * decides on anew.
 */
export interface Candidate {
  /** Its place in the plan's order. */
  readonly order: number;
  readonly change: Change;
  readonly policy: Sourced<Policy>;
  /** Where the documents ask for it; its change may point at the line that makes it act now. */
  readonly at: At;
  readonly exemption: Exemption;
  readonly losers: readonly At[];
  /** Of its policy; a policy without one keeps to `batch` and `maxInFlight` of `default`. */
  readonly rollout: RolloutSpec;
}

/** As much of a run as the choice of a batch and its last look go by. */
export interface Looking extends Ports {
  readonly reading: Reading;
  readonly health: Health;
}
