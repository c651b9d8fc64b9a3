import type { GuardrailVerdict } from '../model/plan/plan.ts';
import type { Allowance } from './allowances.ts';
import type { CountedChange } from './counted.ts';

/** The load on one limit: units such as devices or sites, each with the changes that touch it. */
export interface Load {
  readonly units: Iterable<readonly CountedChange[]>;
  /** The authored limit. */
  readonly limit: number;
  /** Exceptions that raise the limit, lowest value first. */
  readonly allowances: readonly Allowance[];
  /** The number of units that a limit of this value allows. */
  readonly allowed: (value: number) => number;
}

export type Weight = Pick<GuardrailVerdict, 'value' | 'number' | 'allowed' | 'passed' | 'raisedBy'>;

/**
 * Weighs a load against a limit and its exceptions. A raised limit applies only to the changes that
 * its exception covers, so each level counts the units that may not exceed it. One unit too many
 * refuses the plan.
 */
export function weigh(load: Load): Weight {
  const ceilings = [...load.units].map((changes) => lowestCeiling(changes, load));
  const { limit, allowances } = load;
  const levels = [{ value: limit }, ...allowances.filter(({ value }) => value > limit)];
  const all = ceilings.length;
  let verdict: Weight = { value: limit, number: all, allowed: load.allowed(limit), passed: true };
  for (const level of levels) {
    const { value } = level;
    const number = ceilings.filter((ceiling) => ceiling <= value).length;
    const allowed = load.allowed(value);
    const raisedBy = 'by' in level ? { raisedBy: level.by } : {};
    if (number > allowed) return { value, number, allowed, passed: false, ...raisedBy };
    if (all > verdict.allowed) verdict = { value, number: all, allowed, passed: true, ...raisedBy };
  }
  return verdict;
}

/** The highest limit for a unit: an exception must cover every change that touches it. */
function lowestCeiling(changes: readonly CountedChange[], { limit, allowances }: Load): number {
  const heights = changes.map((change) =>
    Math.max(limit, ...allowances.filter(({ covers }) => covers(change)).map(({ value }) => value)),
  );
  return Math.min(...heights);
}
