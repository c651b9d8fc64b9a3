import { findActor, findColumn } from '../../model/plan/actor.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { groupBy } from '../../lib/group-by.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import type { Runner, Stuck } from './course.ts';
import type { Stages } from './stages.ts';

/** A change of the plan in the course of time. */
export interface Entry {
  readonly change: Change;
  readonly runner: Runner;
}

/** Why a change has no end: the reason of the changes at the root of it, and these. */
export interface Cause {
  readonly reason: Reason;
  readonly of: readonly Change[];
  /** Nothing but its own device keeps it, or it is not due yet: the others of its policy have their dates. */
  readonly isOwn: boolean;
  /** It waits for these; absent where it is one of them. */
  readonly isBehind?: true;
}

/** Why these changes have no end, by their place in the plan. What waits for a wave has the cause of that wave. */
export function findCauses(
  entries: readonly Entry[],
  all: readonly Change[],
  {
    whyStuck,
    stages,
  }: { readonly whyStuck: (runner: Runner) => Stuck; readonly stages: ReadonlyMap<string, Stages> },
): ReadonlyMap<number, Cause> {
  const causes = new Map<number, Cause>();
  const open = entries
    .filter(({ runner }) => runner.endedAt === undefined)
    .map((entry) => ({ ...entry, stuck: whyStuck(entry.runner) }));
  const roots = open.flatMap((entry) =>
    entry.stuck.is === 'wave' ? [] : [{ ...entry, reason: rootReason(entry.change, entry.stuck) }],
  );
  for (const alike of groupBy(roots, ({ change, reason }) => causeKey(change, reason)).values()) {
    const of = alike.map(({ change }) => change);
    for (const { change, runner, stuck, reason } of alike) {
      const isOwn = stuck.is === 'own' || change.reason.code === 'notDue';
      causes.set(runner.index, { reason, of, isOwn });
    }
  }
  const causeOfWave = causesOfWaves(roots, all, causes);
  for (const { change, runner, stuck } of open) {
    if (stuck.is !== 'wave') continue;
    const found = causeOfWave(change.policy, stages.get(change.policy)?.names[stuck.wave]);
    const cause = found
      ? { ...found, isBehind: true as const }
      : { reason: change.reason, of: [change] };
    causes.set(runner.index, { ...cause, isOwn: false });
  }
  return causes;
}

/** What keeps a wave of a policy: found once for all that wait for it. */
function causesOfWaves(
  roots: readonly Entry[],
  all: readonly Change[],
  causes: ReadonlyMap<number, Cause>,
): (policy: string, wave: string | undefined) => Cause | undefined {
  const keyOf = ({ policy, wave = '' }: Pick<Change, 'policy' | 'wave'>): string =>
    `${policy}\t${wave}`;
  const firstRoots = groupBy(roots, ({ change }) => keyOf(change));
  const changes = groupBy(all, keyOf);
  const known = new Map<string, Cause | undefined>();
  return (policy, wave) => {
    const key = keyOf({ policy, ...(wave !== undefined && { wave }) });
    if (known.has(key)) return known.get(key);
    const [root] = firstRoots.get(key) ?? [];
    const found = root ? causes.get(root.runner.index) : causeOf(changes.get(key) ?? []);
    known.set(key, found);
    return found;
  };
}

/** The cause of most of these changes that need a person. */
export function causeOf(changes: readonly Change[]): Cause | undefined {
  const needs = changes.filter((each) => findColumn(each) === 'person');
  const [of = []] = [...groupBy(needs, (each) => causeKey(each, each.reason)).values()].toSorted(
    (a, b) => b.length - a.length,
  );
  return of[0] && { reason: of[0].reason, of, isOwn: false };
}

/** The reason of a waiting change that needs a person because of its cause; undefined where it keeps its own. */
export function reasonBehind(
  { action, reason }: Change,
  cause: Cause | undefined,
): Reason | undefined {
  if (action === 'run' || !cause || cause.isOwn || findActor(cause.reason) !== 'person')
    return undefined;
  if (!cause.isBehind)
    return reason.code === 'budgetExhausted' ? cause.reason : { ...cause.reason, next: 'never' };
  const isBehind = reason.code === 'waveNotOpen' && reason.why === undefined;
  return { ...reason, ...(isBehind && { why: 'behindBlocked' }), next: 'never' };
}

/** Budgets are full in one set and free in another. */
function causeKey({ policy, device }: Change, { code, why, params = {} }: Reason): string {
  const { budget } = params;
  return [policy, code, why, budget, budget === undefined ? '' : device.site].join('\t');
}

function rootReason({ reason }: Change, stuck: Stuck): Reason {
  if (stuck.is === 'budget') return toReason(stuck.refusal);
  return stuck.is === 'hours' ? { code: 'windowClosed', next: 'never' } : reason;
}
