import type { Change, Values } from '../model/change.ts';
import { parseInstant } from '../model/time.ts';

type Value = Values[string];

/**
 * Above this many different values of a field in one group, the values are told as a spread, not as
 * classes.
 */
const TOLD_APART = 20;

/**
 * Everything about a change that may differ between devices although a reviewer calls it the same.
 */
export function* facetsOf(change: Change): Generator<readonly [string, Value]> {
  for (const [name, value] of Object.entries(change.before)) yield [`before.${name}`, value];
  for (const [name, value] of Object.entries(change.after)) yield [`after.${name}`, value];
  for (const [name, value] of Object.entries(change.reason.params ?? {}))
    yield [`params.${name}`, value];
}

/** The fields whose values are too many to make classes of, by the fixed part of the key. */
export function countValues(changes: Iterable<Change>): ReadonlyMap<string, ReadonlySet<Value>> {
  const seen = new Map<string, Set<Value>>();
  for (const change of changes) {
    const fixed = fixedKey(change);
    for (const [name, value] of facetsOf(change)) {
      const key = `${fixed}\n${name}`;
      const values = seen.get(key) ?? new Set();
      if (values.size <= TOLD_APART) seen.set(key, values.add(value));
    }
  }
  return seen;
}

/** What makes two changes the same to a reviewer: equal keys are one class. */
export function keyOf(change: Change, told: ReadonlyMap<string, ReadonlySet<Value>>): string {
  const fixed = fixedKey(change);
  const parts: [string, Value][] = [];
  for (const [name, value] of facetsOf(change)) {
    const many = (told.get(`${fixed}\n${name}`)?.size ?? 0) > TOLD_APART;
    parts.push([name, many || ownByNature(name, value) ? '' : value]);
  }
  return JSON.stringify([fixed, parts]);
}

/** Instants, fingerprints and numbers in reasons are each device's own and never make a class. */
function ownByNature(name: string, value: Value): boolean {
  if (typeof value === 'number') return name.startsWith('params.');
  if (typeof value !== 'string') return false;
  return parseInstant(value) !== undefined || /^[\da-f:]{32,}$/i.test(value);
}

function fixedKey(change: Change): string {
  const { task, action, cause, risk, at, wave, window, reason, losers, group } = change;
  return JSON.stringify([
    [group, task, action, cause, risk, at.policy, at.file],
    [wave, window?.name, window?.zone, reason.code, reason.why],
    (losers ?? []).map((loser) => loser.policy),
  ]);
}
