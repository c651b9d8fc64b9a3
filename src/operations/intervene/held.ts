import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import { nearest } from '../../lib/nearest-name.ts';
import type { Instant } from '../../lib/time.ts';
import { type Params, WorldError } from '../../model/error.ts';
import type { Memory, ActiveStop } from '../../model/ledger/memory.ts';
import { type PersonPause, pausesAt } from '../../model/ledger/pauses.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { policyDigest } from '../../model/plan/policy-digest.ts';
import { listPolicies } from '../../model/documents/policies.ts';

/** Something that holds a scope: the pause of a person, or the stop of a rule. */
export type Held =
  ({ readonly what: 'pause' } & PersonPause) | ({ readonly what: 'stop' } & ActiveStop);

/** Whether a stop has aborted its rollout; a pause never does. */
export function isAborted(held: Held): boolean {
  return held.what === 'stop' && held.action === 'abort';
}

/** The scopes as one parameter of this name, each with its rule or author; empty without any. */
export function scopeParams(name: string, held: readonly Held[]): Params {
  const named = held.map((one) =>
    one.what === 'stop' ? `${one.scope} (rule ${one.rule})` : `${one.scope} (by ${one.who})`,
  );
  return named.length === 0 ? {} : { [name]: named.join(', ') };
}

/** The pauses and stops in force: an abort of a target that the documents no longer contain stops nothing. */
export function heldIn(memory: Memory, documents: Documents, now: Instant): readonly Held[] {
  const digests = new Map(
    listPolicies(documents).map(({ value }) => [value.address, policyDigest(value)]),
  );
  const stops = [...(memory.stops?.values() ?? [])].filter(
    ({ scope, wish }) => wish === undefined || digests.get(policyOfScope(scope)) === wish,
  );
  return [
    ...pausesAt(memory, now).map((pause) => ({ what: 'pause', ...pause }) as const),
    ...stops.map((stop) => ({ what: 'stop', ...stop }) as const),
  ];
}

/**
 * Whether a scope is meant by a name: the scope itself, a part of a policy, or a policy of a rollout;
 * `fleet` means the scope of the whole fleet. Throws `policyUnknown` with the nearest known name.
 */
export function scopesMeant(
  documents: Documents,
  named: string,
  held: readonly Held[],
): (scope: string) => boolean {
  const policies = listPolicies(documents).map(({ value }) => value);
  const scopes = held.map(({ scope }) => scope);
  const names = policies.flatMap((policy) => [policy.address, policy.rollout ?? []].flat());
  const known = [FLEET, ...names, ...scopes, ...scopes.map(policyOfScope)];
  if (!known.includes(named)) {
    const near = nearest(named, known);
    throw new WorldError('policyUnknown', { policy: named, ...(near !== undefined && { near }) });
  }
  const ofRollout = policies.filter((policy) => policy.rollout === named);
  const whole = new Set([named, ...ofRollout.map(({ address }) => address)]);
  return (scope) => scope === named || whole.has(policyOfScope(scope));
}
