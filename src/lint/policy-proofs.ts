import { listPolicies } from '../model/documents/policies.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Instant } from '../lib/time.ts';
import { getOrAdd } from '../lib/maps.ts';
import { ANYTIME } from '../model/documents/window.ts';
import { calendarOfDay } from '../calendar/calendar-of-day.ts';
import { proveStarts, type StartProof } from '../calendar/satisfiable.ts';
import type { WindowQuery } from '../calendar/window-state.ts';

export interface LintInput {
  readonly documents: Documents;
  readonly now: Instant;
}

export interface ProvablePolicy {
  readonly policy: Sourced<Policy>;
  /**
   * Proves starts in each zone that the documents name; what is true in all of them is true for
   * every device. Without `overrides` an `auto` cutoff is 0, and only freezes that surely apply to all
   * devices of the policy count.
   */
  readonly prove: (
    overrides?: Partial<Pick<WindowQuery, 'freezes' | 'autoCutoff'>>,
  ) => readonly StartProof[];
}

/** The policies that allow a proof without the live fleet (semantics W30). */
export function provablePolicies(input: LintInput): readonly ProvablePolicy[] {
  const { documents, now } = input;
  const calendar = calendarOfDay(documents, now);
  const zones = listZones(documents);
  const known = new Map<string, readonly StartProof[]>();
  return listPolicies(documents)
    .filter(({ value }) => isProvable(value, documents))
    .map((policy) => {
      const { windows, task } = policy.value;
      const query = { windows, task, autoCutoff: 0, freezes: sureFreezes(policy.value, documents) };
      return {
        policy,
        prove(overrides) {
          const wanted = { ...query, ...overrides };
          return getOrAdd(known, JSON.stringify(wanted), () =>
            zones.map((zone) => proveStarts(calendar, { ...wanted, zones: [zone] }, now)),
          );
        },
      };
    });
}

function isProvable({ windows }: Policy, documents: Documents): boolean {
  const isAlways = windows.includes(ANYTIME) && documents.freezes.size === 0;
  return !isAlways && windows.every((name) => name === ANYTIME || documents.windows.has(name));
}

/** Freezes that surely apply: those without a selector or with the policy's own selector. */
function sureFreezes(policy: Policy, { freezes }: Documents): readonly string[] {
  const selected = policy.section === 'onboarding' ? undefined : JSON.stringify(policy.select);
  return [...freezes.values()]
    .filter(({ value }) => !value.select || JSON.stringify(value.select) === selected)
    .map(({ name }) => name);
}

/** The zones that the documents name. Without any, UTC represents all zones. */
function listZones({ sites }: Documents): readonly string[] {
  const named = [...sites.values()].flatMap(({ value }) => value.timeZone ?? []);
  return named.length === 0 ? ['UTC'] : [...new Set(named)].sort();
}
