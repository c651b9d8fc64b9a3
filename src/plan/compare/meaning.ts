import { canonical, type Json } from '../../lib/canonical.ts';
import { listEntries } from '../../model/documents/entries.ts';
import type { Documents, RotationPolicy } from '../../model/documents/policy.ts';
import {
  DEFAULT_NAME,
  DEFAULT_ROLLOUT,
  rolloutOrDefault,
} from '../../model/documents/rollout-defaults.ts';
import type { Milliseconds } from '../../lib/time.ts';
import { resolveDialect } from '../../model/fleet/dialect.ts';
import { BUILT_IN_BUDGETS } from '../../rollout/budgets/budgets.ts';

/** Lists whose order says something; every other list is a set. */
const ORDERED = /\.(?:order|renamedFrom|waves|stopOn|payload|dialect)\b/;

/** The members of a list by a path: in their order where that says something, else each once, sorted. */
export function membersOf<T extends Json>(list: readonly T[], at: string): readonly T[] {
  if (ORDERED.test(at)) return list;
  const byText = new Map(list.map((each) => [canonical(each), each]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** What each entry means, by its address, as a text: with its defaults and without its places. Built-in ones are there. */
export function meaningsOf(documents: Documents): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (address: string, value: unknown): void =>
    void found.set(address, canonical(meant(value as Json, address)));
  for (const [name, budget] of Object.entries(BUILT_IN_BUDGETS))
    add(`budgets.${name}`, { value: budget });
  add(`rollouts.${DEFAULT_NAME}`, { value: DEFAULT_ROLLOUT });
  for (const { address, of } of listEntries(documents))
    // The rollout of an incident is part of its entry.
    add(address, { value: of.value, rollout: documents.rollouts.get(address)?.value });
  for (const { value } of documents.rotations.values()) {
    const { verifyWithin: most } = value;
    if (most === verifiesWithin(documents, value))
      add(value.address, { value: { ...value, verifyWithin: undefined } });
  }
  const { dialect, notifications = [], ...service } = documents.service.value;
  add('service', { ...service, dialect: resolveDialect(dialect) });
  add('service.notifications', notifications);
  return found;
}

/** How long a policy without `verify.within` waits for the effect of its task. */
export function verifiesWithin(documents: Documents, policy: RotationPolicy): Milliseconds {
  return rolloutOrDefault(documents.rollouts, policy.rollout).timeouts.verify[policy.task];
}

function meant(value: Json, at: string): Json {
  if (Array.isArray(value)) {
    const members = (value as readonly Json[]).map((each) => meant(each, at));
    return membersOf(members, at);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined || (key === 'at' && Object(member).line !== undefined)
        ? []
        : [[key, meant(member, `${at}.${key}`)]],
    ),
  );
}
