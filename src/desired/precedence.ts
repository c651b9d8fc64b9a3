import { ruleText } from '../kinds/due-rule.ts';
import { canonical, type Json } from '../lib/canonical.ts';
import { leavesOf, meant, policyForm } from '../model/documents/written-form.ts';
import { seedOf, type Policy, type VersionSpec } from '../model/documents/policy.ts';
import type { At, Sourced } from '../model/documents/source.ts';
import { computeOnce } from '../lib/compute-once.ts';
import { formatInstant } from '../lib/time.ts';
import { compareTexts } from '../lib/text-order.ts';

/** The winning claim on a device for one task, the losing ones, and ties. */
export interface Ranking<C extends PolicyClaim> {
  readonly winner: C;
  readonly losers: readonly At[];
  /** Pairs with equal priority and different outcomes. */
  readonly ties: readonly (readonly [C, C])[];
}

/** A policy that selects a device, and the location that says so. */
export interface PolicyClaim {
  readonly policy: Sourced<Policy>;
  readonly at: At;
  /** It is unclear whether the policy selects the device. */
  readonly isUnclear?: true;
}

/**
 * Ranks claims: the highest priority wins. With equal priority and equal outcome the first address
 * wins, which has no effect; with different outcomes it is a tie. There is no hidden rule such as
 * "more specific wins" (semantics E1). An unclear claim that could win does, so that nothing starts (semantics M20).
 */
export function rank<C extends PolicyClaim>(claims: readonly [C, ...C[]]): Ranking<C> {
  const ranked = claims.toSorted(byPrecedence) as [C, ...C[]];
  const [{ policy: highest }] = ranked;
  const { priority } = highest.value;
  const top = ranked.filter(({ policy }) => policy.value.priority === priority);
  const winner = top.find(({ isUnclear }) => isUnclear) ?? ranked[0];
  const losers = ranked.filter((claim) => claim !== winner && !claim.isUnclear);
  const sure = top.filter(({ isUnclear }) => !isUnclear);
  return {
    winner,
    losers: losers.map(({ at }) => at),
    ties: sure.length > 1 ? findTies(sure) : [],
  };
}

/** The target of a policy as a short phrase for messages; undefined if no phrase describes it. */
export function wantText(policy: Policy): string | undefined {
  if (policy.section === 'firmware') return versionText(policy.version);
  if (policy.section !== 'rotations') return undefined;
  const { due, incident } = policy;
  if (incident) return `incident since ${formatInstant(incident.since)}`;
  return due.is === 'never' ? 'maxAge never' : ruleText(due);
}

function byPrecedence(a: PolicyClaim, b: PolicyClaim): number {
  const [first, second] = [a.policy.value, b.policy.value];
  return second.priority - first.priority || compareTexts(seedOf(first), seedOf(second));
}

function findTies<C extends PolicyClaim>(top: readonly C[]): readonly (readonly [C, C])[] {
  const outcomes = top.map(({ policy }) => outcomeText(policy.value));
  return top.flatMap((one, first) =>
    top.flatMap((other, second) =>
      second > first && outcomes[first] !== outcomes[second] ? [[one, other] as const] : [],
    ),
  );
}

/** The keys in which two policies differ, as documents write them, in order of the text. */
export function differingParts(one: Policy, other: Policy): readonly string[] {
  const [mine, theirs] = [one, other].map((policy) => new Map(leavesOf(policyOutcome(policy))));
  const paths = [...new Set([...(mine?.keys() ?? []), ...(theirs?.keys() ?? [])])];
  const textOf = (path: string, outcome = mine): string => canonical(outcome?.get(path) ?? null);
  return paths
    .filter((path) => textOf(path) !== textOf(path, theirs))
    .map((path) => path.slice(1))
    .sort(compareTexts);
}

/** What of a policy affects a device, by the keys of the documents: all but who it is, what it selects, and what people say of it. */
function policyOutcome(policy: Policy): Json {
  const said = Object.entries(policyForm(policy)).filter(
    ([key]) => !ASIDE.has(key) && (key !== 'after' || policy.section === 'onboarding'),
  );
  return meant(Object.fromEntries(said));
}

const outcomeText = computeOnce((policy: Policy) => canonical(policyOutcome(policy)));

const ASIDE: ReadonlySet<string> = new Set(
  'address earlier renamedFrom section select devices priority approval ticket rationale'.split(
    ' ',
  ),
);

/** As documents write it; a floor by its key. */
function versionText(spec: VersionSpec): string {
  if (spec.is === 'approved') return spec.is;
  if (spec.is === 'range') return spec.text;
  return spec.is === 'floor' ? `minVersion ${spec.version}` : spec.version;
}
