import type { Verdict } from '../model/plan.ts';
import type { Allowance } from './allowances.ts';
import type { Counted } from './counted.ts';

/** What one limit weighs: units such as devices or sites, each with the changes that touch it. */
export interface Load {
  readonly units: Iterable<readonly Counted[]>;
  /** The number written. */
  readonly limit: number;
  /** Exceptions that raise it, lowest value first. */
  readonly allowances: readonly Allowance[];
  /** How many units a limit of this value allows. */
  readonly allowed: (value: number) => number;
}

export type Weight = Pick<Verdict, 'number' | 'allowed' | 'passed' | 'raisedBy'>;

/**
 * Weighs a load against a limit and what raises it. A raised limit holds for the changes its
 * exception covers, the others keep to the lower ones: so at each level the units that may go no
 * higher are counted against it. Over it, by one even, the plan is refused.
 */
export function weigh(load: Load): Weight {
  const ceilings = [...load.units].map((changes) => ceilingOf(changes, load));
  const { limit, allowances } = load;
  const levels = [{ value: limit }, ...allowances.filter(({ value }) => value > limit)];
  let verdict: Weight = { number: ceilings.length, allowed: load.allowed(limit), passed: true };
  for (const level of levels) {
    const number = ceilings.filter((ceiling) => ceiling <= level.value).length;
    const allowed = load.allowed(level.value);
    const raisedBy = 'by' in level ? { raisedBy: level.by } : {};
    if (number > allowed) return { number, allowed, passed: false, ...raisedBy };
    if (ceilings.length > verdict.allowed)
      verdict = { number: ceilings.length, allowed, passed: true, ...raisedBy };
  }
  return verdict;
}

/** The highest limit that holds for a unit: every change that touches it must be covered. */
function ceilingOf(changes: readonly Counted[], { limit, allowances }: Load): number {
  const heights = changes.map((change) =>
    Math.max(limit, ...allowances.filter(({ covers }) => covers(change)).map(({ value }) => value)),
  );
  return Math.min(...heights);
}

/** How many of `total` a percent allows: rounded up, to at least 1 unless it is written 0. */
export function shareOf(total: number, percent: number): number {
  if (percent === 0) return 0;
  return Math.max(1, Math.ceil(Math.round(total * percent * 100) / 10_000));
}
