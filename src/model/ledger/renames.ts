import { policyOfScope } from './scopes.ts';
import { stopKey, withIntents, type IntentState, type Memory, type MemoryState } from './memory.ts';
import { pausedAgain, type PersonPause } from './pauses.ts';
import type { RecordBody } from './record.ts';
import type { Instant } from '../../lib/time.ts';

/** A policy that has another address now. */
export interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The present address of each policy that was renamed, by each of its earlier ones, oldest first. */
export type PresentNames = ReadonlyMap<string, string>;

/** What a memory has by the addresses of policies, beside the intents. */
export type ByAddress = Pick<
  MemoryState,
  'renamed' | 'rollouts' | 'stops' | 'lifts' | 'pauses' | 'resumedAt'
>;

/** A scope under the present address of its policy. */
export function presentScope(scope: string, renamed: PresentNames = new Map()): string {
  const address = policyOfScope(scope);
  const present = renamed.get(address);
  return present === undefined ? scope : present + scope.slice(address.length);
}

/** The addresses after one more rename: a chain leads from each earlier address to the last one. */
export function chainedNames(renamed: PresentNames, { from, to }: Rename): PresentNames {
  const moved = [...renamed].map(
    ([old, present]) => [old, present === from ? to : present] as const,
  );
  return new Map([...moved, [from, to]]);
}

/** The earlier addresses of a policy, oldest first. */
export function earlierNames(address: string, renamed: PresentNames = new Map()): string[] {
  return [...renamed].flatMap(([from, to]) => (to === address ? [from] : []));
}

/** A record with the present addresses: one may have been written under an earlier name (semantics M23). */
export function underPresentAddress(body: RecordBody, renamed: PresentNames): RecordBody {
  if (renamed.size === 0) return body;
  const present = (address: string): string => renamed.get(address) ?? address;
  switch (body.type) {
    case 'ATTEMPT': {
      const intents = body.intents.map((one) => ({ ...one, policy: present(one.policy) }));
      return { ...body, intents };
    }
    case 'ROLLOUT':
      return { ...body, policy: present(body.policy) };
    case 'STOP':
    case 'LIFT':
    case 'PAUSE':
      return { ...body, scope: presentScope(body.scope, renamed) };
    default:
      return body;
  }
}

/**
 * The same with a policy under another address. Where both addresses have something, the later of the two counts, and
 * neither pause ends the other.
 */
export function renamedTo(kept: ByAddress, { from, to }: Rename): ByAddress {
  const one = new Map([[from, to]]);
  const scopeOf = ({ scope }: { readonly scope: string }): string => presentScope(scope, one);
  return {
    renamed: chainedNames(kept.renamed, { from, to }),
    rollouts: merged(
      kept.rollouts,
      (address) => one.get(address) ?? address,
      (one, other) => (one.seq > other.seq ? one : other),
    ),
    stops: merged(inPlace(kept.stops, scopeOf), (_, stop) => stopKey(stop), later),
    lifts: merged(inPlace(kept.lifts, scopeOf), (_, { scope }) => scope, later),
    pauses: merged(inPlace(kept.pauses, scopeOf), (_, { scope }) => scope, bothPaused),
    resumedAt: merged(kept.resumedAt, (scope) => presentScope(scope, one), Math.max),
  };
}

/** A memory in which policies have other addresses, without a record that says so yet. */
export function withRenames(memory: Memory, renames: readonly Rename[]): Memory {
  if (renames.length === 0) return memory;
  const kept = renames.reduce<ByAddress>(renamedTo, memory);
  const present = (address: string): string => kept.renamed.get(address) ?? address;
  const ofNow = (intent: IntentState): IntentState => {
    const policy = present(intent.policy);
    return policy === intent.policy ? intent : { ...intent, policy };
  };
  const begunAs = (policy: string): string => {
    const names = [...earlierNames(policy, kept.renamed), policy];
    const seq = kept.rollouts.get(policy)?.seq;
    return names.find((name) => memory.rollouts.get(name)?.seq === seq) ?? policy;
  };
  return {
    ...withIntents(memory, ofNow),
    ...kept,
    covered: (policy, target) => memory.covered(begunAs(policy), target),
    weighedInParts: (policy, target) => memory.weighedInParts(begunAs(policy), target),
  };
}

function merged<V>(
  map: ReadonlyMap<string, V>,
  keyOf: (key: string, value: V) => string,
  both: (one: V, other: V) => V,
): ReadonlyMap<string, V> {
  const found = new Map<string, V>();
  for (const [key, value] of map) {
    const to = keyOf(key, value);
    const before = found.get(to);
    found.set(to, before === undefined ? value : both(before, value));
  }
  return found;
}

function inPlace<V extends { readonly scope: string }>(
  map: ReadonlyMap<string, V>,
  scopeOf: (value: V) => string,
): ReadonlyMap<string, V> {
  return new Map([...map].map(([key, value]) => [key, { ...value, scope: scopeOf(value) }]));
}

function later<V extends { readonly at: Instant }>(one: V, other: V): V {
  return one.at > other.at ? one : other;
}

function bothPaused(one: PersonPause, other: PersonPause): PersonPause {
  return one.at > other.at ? pausedAgain(other, one) : pausedAgain(one, other);
}
