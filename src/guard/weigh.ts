import { groupBy } from '../lib/group-by.ts';
import { TASKS } from '../model/fleet/task.ts';
import type { GuardrailVerdict, PolicyShare } from '../model/plan/plan.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Allowance } from './allowances.ts';
import type { CountedChange } from './counted.ts';

/** The load on one limit: units such as devices or sites, each with the changes that touch it. */
export interface Load {
  readonly units: Iterable<Unit>;
  /** The authored limit. */
  readonly limit: number;
  /** Exceptions that raise the limit, lowest value first. */
  readonly allowances: readonly Allowance[];
  /** The number of units that a limit of this value allows. */
  readonly allowed: (value: number) => number;
}

export type Weight = Pick<
  GuardrailVerdict,
  | 'value'
  | 'number'
  | 'allowed'
  | 'passed'
  | 'raisedBy'
  | 'unlisted'
  | 'inParts'
  | 'policies'
  | 'waits'
>;

/**
 * Weighs a load against a limit and its exceptions. A raised limit applies only to the changes that
 * its exception covers, so each level counts the units that may not exceed it. One unit too many
 * refuses the plan.
 */
export function weigh(load: Load): Weight {
  const all = [...load.units];
  const ceilings = all.map((changes) => lowestCeiling(changes, load));
  const { limit, allowances } = load;
  const levels = [{ value: limit }, ...allowances.filter(({ value }) => value > limit)];
  const every = { number: all.length, ...unlistedIn(all) };
  let verdict: Weight = { value: limit, ...every, allowed: load.allowed(limit), passed: true };
  for (const level of levels) {
    const { value } = level;
    const units = all.filter((_, index) => (ceilings[index] ?? 0) <= value);
    const number = units.length;
    const allowed = load.allowed(value);
    const raisedBy = 'by' in level ? { raisedBy: level.by } : {};
    if (number > allowed) {
      const numbers = { value, number, ...unlistedIn(units), allowed, passed: false };
      return { ...numbers, ...raisedBy, ...sharesIn(units) };
    }
    if (all.length > verdict.allowed)
      verdict = { value, ...every, allowed, passed: true, ...raisedBy };
  }
  return verdict;
}

type Unit = readonly CountedChange[];

/** Units that count without any change of the plan, and those of them that other parts have counted. */
function unlistedIn(units: readonly Unit[]): Pick<Weight, 'unlisted' | 'inParts'> {
  const unlisted = units.filter((unit) => unit.every(({ change }) => !change));
  const inParts = unlisted.filter((unit) => unit.every(({ isOfPart }) => isOfPart)).length;
  if (unlisted.length === 0) return {};
  return { unlisted: unlisted.length, ...(inParts > 0 && { inParts }) };
}

/** How many policies a refusal names (semantics N52). */
const NAMED = 3;

/** The policies that count most, and what most of their changes wait for (semantics N52). */
function sharesIn(units: readonly Unit[]): Pick<Weight, 'policies' | 'waits'> {
  const changes = units.flat();
  const policies = [...groupBy(changes, ({ policy }) => policy)]
    .map(([policy, counted]) => ({ policy, number: devicesIn(counted), ...explainShare(counted) }))
    .sort((a, b) => b.number - a.number || compareTexts(a.policy, b.policy));
  const waiting = changes.filter(({ change }) => change?.action === 'wait');
  const [waits] = [...groupBy(waiting, ({ change }) => change?.reason.code ?? 'act')]
    .map(([reason, counted]) => ({ reason, number: devicesIn(counted) }))
    .sort((a, b) => b.number - a.number || compareTexts(a.reason, b.reason));
  return { policies: policies.slice(0, NAMED), ...(waits && { waits }) };
}

function devicesIn(changes: readonly CountedChange[]): number {
  return new Set(changes.map(({ deviceId }) => deviceId)).size;
}

/** Neither the selector nor the age of a policy shows a raised generation, so a refusal names it. */
function explainShare(changes: readonly CountedChange[]): Pick<PolicyShare, 'why'> {
  const isRaised = changes.some(
    ({ task, change }) => TASKS[task].credential && change?.cause === 'config',
  );
  return isRaised ? { why: 'generationRaised' } : {};
}

/** The highest limit for a unit: an exception must cover every change that touches it. */
function lowestCeiling(changes: Unit, { limit, allowances }: Load): number {
  if (allowances.length === 0) return limit;
  const heights = changes.map((change) =>
    Math.max(limit, ...allowances.filter(({ covers }) => covers(change)).map(({ value }) => value)),
  );
  return Math.min(...heights);
}
