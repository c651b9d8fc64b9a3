import { WorldError } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Plan, PlanBase } from '../../model/plan/plan.ts';
import {
  MOST_TRAILERS,
  type JudgedTrailer,
  type OutsideScope,
  type PlanScope,
  type ScopeProblem,
  type ScopeTrailer,
} from '../../model/plan/scope.ts';
import { partMembership } from '../part/membership.ts';
import { isPart, resolvePart, type PartFlags } from '../part/resolve-part.ts';
import { unmentioned } from './counterfactual.ts';
import { parseScope } from './parse-scope.ts';

/** The trailers of a request, and what they are judged with. */
export interface ScopeInput {
  readonly trailers: readonly ScopeTrailer[];
  /** The changes of the base, for those that the plan no longer has. */
  readonly earlier: Iterable<Change>;
  /** The documents of both sides, for the addresses of policies. */
  readonly sides: readonly Documents[];
  readonly snapshot: Snapshot;
}

/**
 * Compares what a request causes with the scopes that its commits name (semantics G9). Parts add
 * up: a change is outside if no trailer includes it. Limits do not: each holds for all devices in
 * its own trailer, and without a part for the whole request.
 */
export function judgeScope(plan: Plan & { readonly base: PlanBase }, input: ScopeInput): PlanScope {
  const isOfPart = plan.part !== undefined;
  const isUnrelated = plan.base.behind?.is === 'unrelated';
  const scopes = input.trailers.map((trailer, index) =>
    index < MOST_TRAILERS ? openScope(trailer, input) : refusedScope(trailer),
  );
  const outside = createTally();
  const all = createTally();
  const isBounded = scopes.some(({ isBare }) => !isBare);
  for (const change of caused(plan, input.earlier)) {
    all.add(change);
    const inside = scopes.filter((scope) => scope.takes(change));
    if (isBounded && inside.every(({ isBare }) => isBare)) outside.add(change);
  }
  const trailers = scopes.map(({ judged }) => {
    const trailer = judged(isOfPart);
    const noHistory: ScopeProblem = { code: 'noHistory', params: { base: plan.base.ref } };
    return isUnrelated ? { ...trailer, problems: [noHistory, ...trailer.problems] } : trailer;
  });
  const passed = outside.changes === 0 && trailers.every(({ problems }) => problems.length === 0);
  const { changes, devices } = all;
  const left = { changes: outside.changes, devices: outside.devices, classes: outside.classes() };
  return { trailers, changes, devices, outside: left, passed };
}

/** The changes that a request causes: its own, those that it drops, and those that it removes. */
function* caused(plan: Plan, earlier: Iterable<Change>): Generator<Change> {
  for (const change of plan.changes)
    if (change.group === 'branch' || change.group === 'dropped') yield change;
  yield* unmentioned(earlier, plan.changes);
}

interface OpenScope {
  /** It names a limit alone, for the whole request. */
  readonly isBare: boolean;
  /** Whether the change is in it; then its device counts. */
  takes(change: Change): boolean;
  judged(isOfPart: boolean): JudgedTrailer;
}

function openScope(trailer: ScopeTrailer, { sides, snapshot }: ScopeInput): OpenScope {
  const { part, atMost, problems } = parseScope(trailer.text);
  const { known, unknown } = sortKnown(part, sides, snapshot);
  const isBare = !isPart(part);
  const isWhole = isBare && atMost !== undefined && problems.length === 0;
  const resolved = resolvePart(known, sides, snapshot) ?? {};
  // A list of which nothing is known includes nothing, where an absent one would include all.
  const members = partMembership(
    {
      ...resolved,
      ...(part.only.length > 0 && { policies: resolved.policies ?? [] }),
      ...(part.site.length > 0 && { sites: resolved.sites ?? [] }),
      ...(part.device.length > 0 && { devices: resolved.devices ?? [] }),
    },
    snapshot,
  );
  const devices = new Set<string>();
  return {
    isBare,
    takes({ policy, device }) {
      const isIn = isBare ? isWhole : members.has(policy, device.id);
      if (isIn) devices.add(device.id);
      return isIn;
    },
    judged(isOfPart) {
      const found = [...problems, ...unknown];
      const count = devices.size;
      const isEmpty = count === 0 && !isBare && !isOfPart && found.length === 0;
      if (isEmpty) found.push({ code: 'nothing', params: {} });
      if (atMost !== undefined && count > atMost)
        found.push({ code: 'overLimit', params: { devices: count, limit: atMost } });
      return { ...trailer, devices: count, problems: found };
    },
  };
}

/** One trailer too many, which includes nothing. */
function refusedScope(trailer: ScopeTrailer): OpenScope {
  const problem: ScopeProblem = { code: 'malformed', params: { why: 'tooMany', item: '' } };
  return {
    isBare: true,
    takes: () => false,
    judged: () => ({ ...trailer, devices: 0, problems: [problem] }),
  };
}

/** The values that fit something, and a problem for each that fits nothing. */
function sortKnown(
  part: Required<PartFlags>,
  sides: readonly Documents[],
  snapshot: Snapshot,
): { readonly known: PartFlags; readonly unknown: readonly ScopeProblem[] } {
  const unknown: ScopeProblem[] = [];
  const fits = (key: keyof PartFlags, value: string): boolean => {
    try {
      resolvePart({ [key]: [value] }, sides, snapshot);
      return true;
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      const { flag: _flag, ...params } = error.params;
      unknown.push({ code: 'unknown', params: { what: KINDS[key], ...params } });
      return false;
    }
  };
  const known = {
    only: part.only.filter((value) => fits('only', value)),
    site: part.site.filter((value) => fits('site', value)),
    device: part.device.filter((value) => fits('device', value)),
  };
  return { known, unknown };
}

const KINDS: Readonly<Record<keyof PartFlags, string>> = {
  only: 'policy',
  site: 'site',
  device: 'device',
};

/** How many devices of a class are named. */
const NAMED = 3;

/** Counts changes and their devices, by policy and task. */
function createTally() {
  const devices = new Set<string>();
  const classes = new Map<string, OutsideScope>();
  let changes = 0;
  return {
    get changes() {
      return changes;
    },
    get devices() {
      return devices.size;
    },
    add({ policy, task, device }: Change): void {
      changes += 1;
      devices.add(device.id);
      const key = `${task} ${policy}`;
      const { count, devices: named } = classes.get(key) ?? { count: 0, devices: [] };
      const labels = named.length < NAMED ? [...named, device] : named;
      classes.set(key, { policy, task, count: count + 1, devices: labels });
    },
    classes: (): readonly OutsideScope[] => [...classes.values()].sort((a, b) => b.count - a.count),
  };
}
