import type { ChangeOutcome } from '../../model/ledger/approval.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import { coversOutcome } from '../../model/plan/outcome.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';

/** A plan with its documents, as far as outcomes are concerned. */
export interface PlannedOutcomes {
  readonly changes: Iterable<Change>;
  readonly documents: Documents;
}

/** Every outcome that a plan requires, now or later, in its order: what a person is asked to approve. */
export function wantedOutcomes(changes: Iterable<Change>): readonly ChangeOutcome[] {
  const wanted: ChangeOutcome[] = [];
  for (const change of changes)
    if (isWanted(change) && change.outcome !== undefined) wanted.push([change.id, change.outcome]);
  return wanted;
}

/**
 * The outcomes that were shown and that another plan also requires: the same, or in a later wave
 * (semantics N71).
 */
export function stillWanted(
  shown: readonly ChangeOutcome[],
  { changes, documents }: PlannedOutcomes,
): readonly ChangeOutcome[] {
  const waves = new Map(
    listPolicies(documents).map(({ value }) => {
      const spec = rolloutOrDefault(documents.rollouts, value.rollout);
      return [value.address, spec.waves.map(({ name }) => name)];
    }),
  );
  const wanted = new Map<string, Change>();
  for (const change of changes) if (isWanted(change)) wanted.set(change.id, change);
  return shown.filter(([id, outcome]) => {
    const change = wanted.get(id);
    if (change?.outcome === undefined) return false;
    return coversOutcome(outcome, change.outcome, waves.get(change.policy) ?? []);
  });
}
