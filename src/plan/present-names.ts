import type { Documents, EntriesByName, Policy } from '../model/documents/policy.ts';
import { listPolicies } from '../model/documents/policies.ts';
import type { Memory } from '../model/ledger/memory.ts';
import {
  earlierNames,
  type PresentNames,
  type Rename,
  withRenames,
} from '../model/ledger/renames.ts';
import { openOrphans } from '../rollout/progress/orphans.ts';
import type { Instant } from '../lib/time.ts';

/** The ledger, and the documents whose names it is seen under. */
export interface Known {
  readonly documents: Documents;
  readonly memory: Memory;
}

/**
 * The ledger under the names that policies have in the documents, and the policies with their names in the ledger, so
 * that a policy that says `renamedFrom` is the one that it was (semantics M23).
 */
export function underPresentNames<T extends Known>(input: T): T {
  const renames = renamesIn(input);
  if (renames.length + input.memory.renamed.size === 0) return input;
  const memory = withRenames(input.memory, renames);
  return { ...input, memory, documents: withEarlier(input.documents, memory.renamed) };
}

/**
 * The renames that documents tell and the ledger does not, oldest first. An address that the ledger has as one of
 * another policy of the documents is none: `nameFindings` refuses what claims it.
 */
export function renamesIn({ documents, memory }: Known): readonly Rename[] {
  const policies = listPolicies(documents).map(({ value }) => value);
  const addresses = new Set(policies.map(({ address }) => address));
  return policies.flatMap(({ address, renamedFrom = [] }) => {
    const present = renamedFrom.map((name) => memory.renamed.get(name) ?? name);
    const from = new Set(present.filter((name) => !addresses.has(name)));
    return [...from].map((name) => ({ from: name, to: address }));
  });
}

/** The addresses that no policy has, with a rollout that has not finished (semantics M23). */
export function orphanedRollouts({ documents, memory }: Known, now: Instant): readonly string[] {
  const { rollouts = [] } = openOrphans({ documents })({ memory, now }) ?? {};
  return rollouts.map(({ policy }) => policy);
}

function withEarlier(documents: Documents, renamed: PresentNames): Documents {
  return {
    ...documents,
    firmware: named(documents.firmware, renamed),
    rotations: named(documents.rotations, renamed),
    onboarding: named(documents.onboarding, renamed),
    restarts: named(documents.restarts, renamed),
  };
}

function named<P extends Policy>(
  policies: EntriesByName<P>,
  renamed: PresentNames,
): EntriesByName<P> {
  return new Map(
    [...policies].map(([name, { value, ...place }]) => {
      const earlier = earlierNames(value.address, renamed);
      return [name, { ...place, value: earlier.length > 0 ? { ...value, earlier } : value }];
    }),
  );
}
