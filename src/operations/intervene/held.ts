import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import type { Instant } from '../../lib/time.ts';
import { type Params, policyUnknown } from '../../model/error.ts';
import type { Memory, ActiveStop } from '../../model/ledger/memory.ts';
import { type PersonPause, pausesAt } from '../../model/ledger/pauses.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { targetDigestIn } from '../../model/plan/policy-digest.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import { presentScope } from '../../model/ledger/renames.ts';
import { type Known, orphanedRollouts, underPresentNames } from '../../plan/present-names.ts';

/** Something that holds a scope: the pause of a person, the stop of a rule, or a rollout whose address no policy has. */
export type Held =
  | ({ readonly what: 'pause' } & PersonPause)
  | ({ readonly what: 'stop'; readonly orphaned?: true } & ActiveStop)
  | { readonly what: 'rollout'; readonly scope: string };

/** Whether a stop has aborted a rollout that a policy has; only another target ends that. */
export function isAborted(held: Held): boolean {
  return held.what === 'stop' && held.action === 'abort' && held.orphaned !== true;
}

/** The scopes as one parameter of this name, each with its rule or author; empty without any. */
export function scopeParams(name: string, held: readonly Held[]): Params {
  const causeOf = (one: Held): string =>
    one.what === 'pause'
      ? `by ${one.who}`
      : one.what === 'stop'
        ? `rule ${one.rule}`
        : 'unfinished';
  const named = held.map((one) => `${one.scope} (${causeOf(one)})`);
  return named.length === 0 ? {} : { [name]: named.join(', ') };
}

/**
 * The pauses and stops in force, and the rollouts that no policy has: an abort of a target that the documents no longer
 * contain stops nothing, but for one whose policy they do not contain either (semantics M23).
 */
export function heldIn(memory: Memory, documents: Documents, now: Instant): readonly Held[] {
  const present = underPresentNames({ documents, memory });
  const wishes = new Map(
    listPolicies(present.documents).map(({ value }) => [
      value.address,
      targetDigestIn(present.memory, value),
    ]),
  );
  const stops = [...memory.stops.values()].flatMap((stop): readonly Held[] => {
    const address = policyOfScope(presentScope(stop.scope, present.memory.renamed));
    const isOrphaned = address !== FLEET && !wishes.has(address);
    const last = present.memory.rollouts.get(address)?.targetDigest;
    const wish = isOrphaned ? (last ?? stop.wish) : wishes.get(address);
    if (stop.wish !== undefined && stop.wish !== wish) return [];
    return [{ what: 'stop', ...stop, ...(isOrphaned && { orphaned: true }) }];
  });
  return [
    ...pausesAt(memory, now).map((pause) => ({ what: 'pause', ...pause }) as const),
    ...stops,
    ...orphanedRollouts(present, now).map((scope) => ({ what: 'rollout', scope }) as const),
  ];
}

/**
 * Whether a scope is meant by a name: the scope itself, a part of a policy, or a policy of a rollout;
 * `fleet` means the scope of the whole fleet, and an earlier address of a policy means the policy. Throws
 * `policyUnknown` with the nearest known name.
 */
export function scopesMeant(
  { documents, memory }: Known,
  named: string,
  held: readonly Held[],
): (scope: string) => boolean {
  const policies = listPolicies(documents).map(({ value }) => value);
  const { renamed = new Map<string, string>() } = underPresentNames({ documents, memory }).memory;
  const scopes = held.map(({ scope }) => scope);
  const names = policies.flatMap((policy) => [policy.address, policy.rollout ?? []].flat());
  const known = [FLEET, ...names, ...renamed.keys(), ...scopes, ...scopes.map(policyOfScope)];
  if (!known.includes(named)) throw policyUnknown(named, known);
  const meant = presentScope(named, renamed);
  const ofRollout = policies.filter((policy) => policy.rollout === named);
  const whole = new Set([meant, ...ofRollout.map(({ address }) => address)]);
  return (scope) => {
    const present = presentScope(scope, renamed);
    return present === meant || whole.has(policyOfScope(present));
  };
}
