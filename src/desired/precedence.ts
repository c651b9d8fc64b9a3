import { ruleText } from '../kinds/due-rule.ts';
import { canonical, type Json } from '../lib/canonical.ts';
import { seedOf, type DueRule, type Policy, type VersionSpec } from '../model/documents/policy.ts';
import type { At, Sourced } from '../model/documents/source.ts';
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
  const outcomes = top.map(({ policy }) => canonical(policyOutcome(policy.value)));
  return top.flatMap((one, first) =>
    top.flatMap((other, second) =>
      second > first && outcomes[first] !== outcomes[second] ? [[one, other] as const] : [],
    ),
  );
}

/** The keys in which two policies differ, as documents write them, in order of the text. */
export function differingParts(one: Policy, other: Policy): readonly string[] {
  const [mine, theirs] = [policyOutcome(one), policyOutcome(other)];
  const names = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].sort(compareTexts);
  const partOf = (outcome: Outcome, name: string): string => canonical({ part: outcome[name] });
  return names.filter((name) => partOf(mine, name) !== partOf(theirs, name));
}

type Outcome = Readonly<Record<string, Json | undefined>>;

/** What of a policy affects a device, by the keys of the documents, for comparison. */
function policyOutcome(policy: Policy): Outcome {
  const { windows, rollout } = policy;
  return {
    ...policyWant(policy),
    windows: windows.toSorted(compareTexts),
    rollout: rollout ?? null,
  };
}

function policyWant(policy: Policy): Outcome {
  switch (policy.section) {
    case 'firmware': {
      const { version, minVersion, deferral, deadline, downgrade, path } = policy;
      const { restAtIntermediate, order } = policy;
      return {
        version,
        minVersion,
        order,
        deferral,
        deadline,
        downgrade,
        path,
        restAtIntermediate,
      };
    }
    case 'rotations': {
      const { due, generation, payload, verifyWithin, expiryGuard } = policy;
      const { offlineGrace, unknownAge, leavesInService, incident } = policy;
      const when = { ...dueKeys(due), generation, 'verify.within': verifyWithin, expiryGuard };
      const incidents = incident?.name;
      return { ...when, payload, offlineGrace, unknownAge, leavesInService, incidents };
    }
    case 'restarts': {
      const { status, probe, heldFor, excludeMaintenanceMode, cooldown } = policy;
      const { maxPerDevice, maxPerSite, correlatedOutage, escalateAfter } = policy;
      const when = {
        'when.status': status,
        'when.probe': probe,
        'when.for': heldFor,
        'when.excludeMaintenanceMode': excludeMaintenanceMode,
      };
      const escalate = escalateAfter;
      return { ...when, cooldown, maxPerDevice, maxPerSite, correlatedOutage, escalate };
    }
    case 'onboarding': {
      const { blockVendors, maxPerDay, expectWithin, onDuplicate, after } = policy;
      return { blockVendors, maxPerDay, expectWithin, onDuplicate, after };
    }
  }
}

function dueKeys(due: DueRule): Outcome {
  switch (due.is) {
    case 'maxAge':
      return { maxAge: due.maxAge, headStart: due.headStart, spread: due.spread };
    case 'renewBefore':
      return { renewBefore: due.before, spread: due.spread };
    case 'renewShare':
      return { renewBefore: `${due.percent}%`, spread: due.spread };
    case 'never':
      return { maxAge: 'never' };
  }
}

/** As documents write it; a floor by its key. */
function versionText(spec: VersionSpec): string {
  if (spec.is === 'approved') return spec.is;
  if (spec.is === 'range') return spec.text;
  return spec.is === 'floor' ? `minVersion ${spec.version}` : spec.version;
}
