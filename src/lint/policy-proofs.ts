import { policiesOf } from '../model/documents/policies.ts';
import type { Documents, Policy } from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import type { Instant } from '../lib/time.ts';
import { ANYTIME } from '../model/documents/window.ts';
import type { Calendar } from '../calendar/calendar.ts';
import { calendarOfDay } from '../calendar/calendar-of-day.ts';
import { proveStarts, type StartProof } from '../calendar/satisfiable.ts';
import type { WindowQuery } from '../calendar/window-state.ts';

/** What there is to look at: the documents alone, and the time. */
export interface LintInput {
  readonly documents: Documents;
  readonly now: Instant;
}

/** A policy whose windows the documents know. */
export interface ProvablePolicy {
  readonly policy: Sourced<Policy>;
  /**
   * What can be proved of it in each zone that the documents name: where something holds in all of
   * these, it holds for every device. Without a twist no cutoff is known, and the freezes are those
   * that concern all of its devices for sure.
   */
  readonly prove: (
    overrides?: Partial<Pick<WindowQuery, 'freezes' | 'autoCutoff'>>,
  ) => readonly StartProof[];
}

/** The policies of which something can be proved without the live fleet (semantics W30). */
export function provablePolicies(input: LintInput): readonly ProvablePolicy[] {
  const { documents, now } = input;
  const calendar = calendarOfDay(documents, now);
  return policiesOf(documents)
    .filter(({ value }) => isProvable(value, documents))
    .map((policy) => {
      const { windows, task } = policy.value;
      const query = { windows, task, autoCutoff: 0, freezes: sureFreezes(policy.value, documents) };
      const known = new Map<string, readonly StartProof[]>();
      return {
        policy,
        prove(overrides) {
          const wanted = { ...query, ...overrides };
          const key = `${wanted.freezes.join()};${wanted.autoCutoff}`;
          const proofs = known.get(key) ?? proofsOf(calendar, wanted, input);
          known.set(key, proofs);
          return proofs;
        },
      };
    });
}

function proofsOf(
  calendar: Calendar,
  query: Omit<WindowQuery, 'zones'>,
  { documents, now }: LintInput,
): readonly StartProof[] {
  return zonesOf(documents).map((zone) => proveStarts(calendar, { ...query, zones: [zone] }, now));
}

function isProvable({ windows }: Policy, documents: Documents): boolean {
  const isAlways = windows.includes(ANYTIME) && documents.freezes.size === 0;
  return !isAlways && windows.every((name) => name === ANYTIME || documents.windows.has(name));
}

/** A freeze without a selector, or with the very one of the policy. */
function sureFreezes(policy: Policy, { freezes }: Documents): readonly string[] {
  const selected = policy.section === 'onboarding' ? undefined : JSON.stringify(policy.select);
  return [...freezes.values()]
    .filter(({ value }) => !value.select || JSON.stringify(value.select) === selected)
    .map(({ name }) => name);
}

/** The zones that the documents name; without any, one stands for all. */
function zonesOf({ sites }: Documents): readonly string[] {
  const named = [...sites.values()].flatMap(({ value }) => value.timeZone ?? []);
  return named.length === 0 ? ['UTC'] : [...new Set(named)].sort();
}
