import {
  seedOf,
  type Exception,
  type Incident,
  type OnboardingPolicy,
  type Policy,
} from '../model/documents/policy.ts';
import type { Sourced } from '../model/documents/source.ts';
import { TASK_OF, TASK_TYPES } from '../model/fleet/task.ts';
import type { Instant } from '../lib/time.ts';
import { compareTexts } from '../lib/text-order.ts';
import type { Want, Wanted, Wants } from '../model/plan/desired-state.ts';
import type { DeviceFacets } from './clauses.ts';
import type { ProtectingInput } from './selecting.ts';
import { toConflict, type Conflicts, type Side } from './conflicts.ts';
import { groupRows } from './group-rows.ts';
import { type Pin, exemptionFor, pinTies, exceptionSelector } from './exempt.ts';
import { type PolicyClaim, rank, wantText } from './precedence.ts';
import type { ExplainUnclear } from './select.ts';

/** The desired state of all managed devices, and the entries that select any. */
export interface ResolvedFleet {
  /** Ordered by row, then by `TASK_TYPES`. */
  readonly wants: Wants;
  /** Policies and exceptions that select at least one device. */
  readonly used: ReadonlySet<Sourced<unknown>>;
}

/**
 * Resolves the winning policies of each device. Many devices have the same set of selecting
 * entries, so precedence is resolved once per set and a row stores only its set.
 */
export function resolveFleet(
  input: ProtectingInput & {
    readonly facets: DeviceFacets;
    readonly conflicts: Conflicts;
    readonly explain: ExplainUnclear;
  },
): ResolvedFleet {
  const { exceptions, facets, conflicts, now } = input;
  const { policies, codes, sets } = matchFleet(input);
  const { values: ids, codes: idCodes } = facets.rows.text.id;
  const used = new Set<Sourced<unknown>>();
  const claims = policies.map(toClaim);
  const exceptionsAt = (indexes: readonly number[]) =>
    indexes.flatMap((index) =>
      index < policies.length ? [] : (exceptions[index - policies.length] ?? []),
    );
  const wantsOfSet = sets.map(({ indexes, unclear: unclearAt, firstRow, count }) => {
    const unclear = exceptionsAt(unclearAt);
    const bearing = exceptionsAt(indexes);
    const claiming = [
      ...indexes.flatMap((index) => claims[index] ?? []),
      ...unclearAt.flatMap((index) => unclearClaim(claims[index])),
    ];
    for (const index of [...indexes, ...unclearAt]) {
      const entry = policies[index] ?? exceptions[index - policies.length];
      if (entry) used.add(entry);
    }
    const found = { deviceId: ids[idCodes[firstRow] ?? 0] ?? '', count };
    return settle({ claims: claiming, bearing, unclear, conflicts, found, now });
  });
  const wantsIn = (ofSet: typeof wantsOfSet): Iterable<Want> => ({
    [Symbol.iterator]: () => expandWants(codes, ofSet, input.explain),
  });
  const where: Wants['where'] = (holds) => {
    const some = wantsOfSet.map((set) => set.filter(({ wanted }) => holds(wanted)));
    return some.some(({ length }) => length > 0) ? wantsIn(some) : [];
  };
  return { used, wants: { ...wantsIn(wantsOfSet), where } };
}

/** The policies of managed devices, and the rows by the policies and exceptions that select them. */
export function matchFleet({
  documents: { firmware, rotations, restarts, incidents },
  exceptions,
  facets,
}: Pick<Parameters<typeof resolveFleet>[0], 'documents' | 'exceptions' | 'facets'>) {
  const sections = [firmware, rotations, restarts, incidents];
  const all = sections.flatMap((section): readonly Sourced<Managed>[] => [...section.values()]);
  const policies = all.toSorted((a, b) => compareTexts(seedOf(a.value), seedOf(b.value)));
  const selects = policies.map(({ value }) => value.select);
  return { policies, ...groupRows([...selects, ...exceptions.map(exceptionSelector)], facets) };
}

/** An incident acts, so it takes in only what it surely selects (semantics M20). */
function unclearClaim(claim: PolicyClaim | undefined): readonly PolicyClaim[] {
  if (!claim || incidentOf(claim)) return [];
  return [{ ...claim, isUnclear: true }];
}

function incidentOf({ policy: { value } }: PolicyClaim): Incident | undefined {
  return value.section === 'rotations' ? value.incident : undefined;
}

/**
 * The claims that are ranked: those of incidents that have not ended, else all others, else those of
 * incidents that have (semantics N57, N61). `leftBy`: the last of the ended ones, where a policy
 * takes over what it did not reach.
 */
function byIncidents(
  claims: readonly PolicyClaim[],
  now: Instant,
): {
  readonly ranked: readonly PolicyClaim[];
  readonly losing: readonly PolicyClaim[];
  readonly leftBy?: Incident;
} {
  const usual = claims.filter((claim) => !incidentOf(claim));
  if (usual.length === claims.length) return { ranked: usual, losing: [] };
  const current = claims.filter((claim) => (incidentOf(claim)?.until ?? now) > now);
  if (current.length > 0) return { ranked: current, losing: usual };
  const incidents = claims.flatMap((claim) => incidentOf(claim) ?? []);
  const last = incidents.toSorted((a, b) => b.since - a.since || (a.name < b.name ? -1 : 1))[0];
  if (usual.length > 0) return { ranked: usual, losing: [], ...(last && { leftBy: last }) };
  return { ranked: claims.filter((claim) => incidentOf(claim) === last), losing: [] };
}

/** A claim as one side of a tie. */
export function toSide({ policy, at }: PolicyClaim): Side {
  const { value } = policy;
  return { address: value.address, at, want: wantText(value), policy: value };
}

type Managed = Exclude<Policy, OnboardingPolicy>;

/** What a set of devices shares, and whether it is unclear that the policy selects them. */
type SetWant = Pick<Want, 'wanted'> & Pick<PolicyClaim, 'isUnclear'>;

export function toClaim(policy: Sourced<Policy>): PolicyClaim {
  return { policy, at: { ...policy.at, policy: policy.value.address } };
}

/** One want per task type of the set, in the order of `TASK_TYPES`. */
function settle(input: {
  readonly claims: readonly PolicyClaim[];
  readonly bearing: readonly Sourced<Exception>[];
  readonly unclear: readonly Sourced<Exception>[];
  readonly conflicts: Conflicts;
  readonly found: { readonly deviceId: string; readonly count: number };
  readonly now: Instant;
}): readonly SetWant[] {
  const { claims, bearing, unclear, conflicts, found, now } = input;
  return TASK_TYPES.flatMap((task) => {
    const { ranked, losing, leftBy } = byIncidents(
      claims.filter(({ policy }) => policy.value.task === task),
      now,
    );
    const [first, ...rest] = ranked;
    if (!first) return [];
    const { winner, losers: behind, ties } = rank([first, ...rest]);
    const losers = [...behind, ...losing.map(({ at }) => at)];
    const tied = ties.map(([one, other]) => [toSide(one), toSide(other)] as const);
    if (task === TASK_OF.firmware)
      for (const [one, other] of pinTies(bearing)) tied.push([sideOfPin(one), sideOfPin(other)]);
    for (const sides of tied) conflicts.add(sides, found);
    const { policy, at, isUnclear } = winner;
    const others = isUnclear ? ranked.filter((claim) => claim !== winner) : ties.flat();
    const wanted: Wanted = {
      task,
      policy,
      at,
      exemption: exemptionFor(bearing, unclear, task),
      losers,
      ...(tied[0] && { tied: toConflict(tied[0]) }),
      ...(others.length > 0 && { perhapsOf: others.map((each) => each.policy.value.address) }),
      ...(leftBy && { leftBy }),
    };
    return [{ wanted, ...(isUnclear && { isUnclear }) }];
  });
}

function sideOfPin({ name, at, value }: Pin): Side {
  return { address: `exceptions.${name}`, at, want: value.version };
}

function* expandWants(
  codes: Uint32Array,
  wantsOfSet: readonly (readonly SetWant[])[],
  explain: ExplainUnclear,
): Generator<Want> {
  for (const [row, code] of codes.entries())
    for (const { wanted, isUnclear } of wantsOfSet[code] ?? []) {
      const unclear = isUnclear && explain(wanted.policy.value.select ?? {}, row);
      yield unclear ? { row, wanted, unclear } : { row, wanted };
    }
}
