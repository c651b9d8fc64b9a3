import type { Verdict } from '../model/plan.ts';
import type { Guardrail } from '../model/policy.ts';
import { GUARDRAIL_LIMITS } from '../model/policy.ts';
import type { Place } from '../model/source.ts';
import { compareTexts } from '../model/text.ts';
import type { AllowanceInput } from './allowances.ts';
import { allowancesFor } from './allowances.ts';
import type { CountInput } from './counted.ts';
import { countedOf } from './counted.ts';
import { RULES } from './rules.ts';

export type GuardInput = CountInput & AllowanceInput;

/**
 * In force unless an entry called `default` replaces it. In a fleet of up to so many devices it
 * sleeps.
 */
const BUILT_IN: Guardrail = { maxPercentOfFleet: 30 };
const SLEEPS_UP_TO = 20;
const ASLEEP: Guardrail = { maxPercentOfFleet: 100 };

/**
 * Judges a plan by every limit of every guardrail entry and reports each, passed or not: all
 * entries hold, and no rule hides another. Counted are wanted changes that no running rollout
 * covers yet (semantics, guardrails).
 */
export function judge(input: GuardInput): readonly Verdict[] {
  const counted = countedOf(input);
  return entriesOf(input).flatMap(({ name, at, limits }) =>
    GUARDRAIL_LIMITS.flatMap((limit) => {
      const written = limits[limit];
      if (written === undefined) return [];
      const allowances = allowancesFor(limit, input);
      const findings = RULES[limit]({ ...input, limit: written, allowances, counted });
      return findings.map((finding) => ({ guardrail: name, limit, ...finding, ...(at && { at }) }));
    }),
  );
}

interface Entry {
  readonly name: string;
  readonly limits: Guardrail;
  readonly at?: Place;
}

/**
 * The entries in force, by name. A sleeping built-in allows the whole fleet, which is what 100 %
 * says.
 */
function entriesOf({ documents, snapshot }: GuardInput): readonly Entry[] {
  const written = [...documents.guardrails.values()].map(({ name, value, at }): Entry => ({
    name,
    limits: value,
    at,
  }));
  if (documents.guardrails.has('default')) return written.sort(byName);
  const asleep = snapshot.devices.length <= SLEEPS_UP_TO;
  const limits = asleep ? ASLEEP : BUILT_IN;
  return [{ name: 'default', limits }, ...written].sort(byName);
}

function byName(a: Entry, b: Entry): number {
  return compareTexts(a.name, b.name);
}
