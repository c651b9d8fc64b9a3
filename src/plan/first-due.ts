import type { Coverage } from '../model/plan/coverage.ts';
import { formatInstant, type Instant } from '../lib/time.ts';
import type { Evaluation } from './decide/decision-input.ts';
import { nextStart } from './decide/timing.ts';

interface Candidate {
  readonly evaluation: Evaluation;
  readonly at: Instant;
}

export type FirstDue = ReturnType<typeof createFirstDue>;

/**
 * The first start of what is not due yet, or left out until an instant (semantics M31). Devices of one policy on the
 * same sites share their windows: of these only the first to be due counts.
 */
export function createFirstDue() {
  const first = new Map<object, Candidate>();
  return {
    /** Adds an instant from which a device may start, without regard to its windows. */
    add(evaluation: Evaluation, at: Instant): void {
      const key = evaluation.timing ?? evaluation.policy;
      if (at < (first.get(key)?.at ?? Infinity)) first.set(key, { evaluation, at });
    },
    find(): Coverage['due'] {
      let due: Candidate | undefined;
      for (const { evaluation, at } of first.values()) {
        if (due && at >= due.at) continue;
        const start = nextStart(evaluation, at);
        if (!due || start < due.at) due = { evaluation, at: start };
      }
      if (!due) return undefined;
      const { policy, timing } = due.evaluation;
      const zone = timing?.window.zone;
      const at = formatInstant(due.at);
      return { policy: policy.value.address, at, ...(zone !== undefined && { zone }) };
    },
  };
}
