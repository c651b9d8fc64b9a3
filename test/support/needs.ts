import type { Need } from '../../src/model/fleet/snapshot.ts';
import { wantedReads } from '../../src/plan/needed-reads.ts';
import type { PlannerInput } from '../../src/plan/plan.ts';

/** The per-device reads that a plan needs, with nothing known of an earlier run and without a limit. */
export function needs(input: PlannerInput): readonly Need[] {
  return wantedReads(input).filter(({ outside }) => outside !== true);
}
