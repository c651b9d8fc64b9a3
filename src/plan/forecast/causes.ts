import { findActor, isDecided } from '../../model/plan/actor.ts';
import type { ChangeRow } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import { groupBy } from '../../lib/group-by.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import type { Runner, Stuck } from './course.ts';
import type { Placed } from './placed.ts';
import type { Stages } from './stages.ts';

/** A change of the plan in the course of time. */
export interface Entry extends Placed {
  readonly runner: Runner;
}

/** Why a change has no end: the reason of the changes at the root of it, and these. */
export interface Cause {
  readonly reason: Reason;
  readonly of: readonly ChangeRow[];
  /** The same for all of these. */
  readonly key: string;
  /** Nothing but its own device keeps it, or it is not due yet: the others of its policy have their dates. */
  readonly isOwn: boolean;
  /** The wave of these that it waits for; absent where it is one of them. */
  readonly behind?: string;
}

/** Why these changes have no end, by their place in the plan. What waits for a wave has the cause of that wave. */
export function findCauses(
  entries: readonly Entry[],
  all: readonly Placed[],
  {
    whyStuck,
    stages,
  }: { readonly whyStuck: (runner: Runner) => Stuck; readonly stages: ReadonlyMap<string, Stages> },
): ReadonlyMap<number, Cause> {
  const causes = new Map<number, Cause>();
  const open = entries.flatMap((entry) =>
    entry.runner.endedAt === undefined ? [{ entry, stuck: whyStuck(entry.runner) }] : [],
  );
  const roots = open.flatMap(({ entry, stuck }) =>
    stuck.is === 'wave' ? [] : [{ entry, stuck, reason: rootReason(entry, stuck) }],
  );
  for (const [key, alike] of groupBy(roots, ({ entry, reason }) => causeKey(entry, reason))) {
    const of = alike.map(({ entry }) => entry.row);
    for (const { entry, stuck, reason } of alike) {
      const isOwn = stuck.is === 'own' || reason.code === 'notDue';
      causes.set(entry.index, { reason, of, key, isOwn });
    }
  }
  const rooted = roots.map(({ entry }) => entry);
  const causeOfWave = causesOfWaves(rooted, all, causes);
  for (const { entry, stuck } of open) {
    if (stuck.is !== 'wave') continue;
    const { policy } = entry.like;
    const behind = stages.get(policy)?.names[stuck.wave] ?? '';
    const found = causeOfWave(policy, behind);
    const cause = found
      ? { ...found, behind }
      : { reason: entry.row.change().reason, of: [entry.row], key: '' };
    causes.set(entry.index, { ...cause, isOwn: false });
  }
  return causes;
}

/** What keeps a wave of a policy: found once for all that wait for it. */
function causesOfWaves(
  roots: readonly Entry[],
  all: readonly Placed[],
  causes: ReadonlyMap<number, Cause>,
): (policy: string, wave: string | undefined) => Cause | undefined {
  const keyOf = (policy: string, wave = ''): string => `${policy}\t${wave}`;
  const byWave = <P extends Placed>(placed: readonly P[]) =>
    groupBy(placed, ({ like }) => keyOf(like.policy, like.wave));
  const firstRoots = byWave(roots);
  let changes: ReadonlyMap<string, readonly Placed[]> | undefined;
  const known = new Map<string, Cause | undefined>();
  return (policy, wave) => {
    const key = keyOf(policy, wave);
    if (known.has(key)) return known.get(key);
    const [root] = firstRoots.get(key) ?? [];
    changes ??= byWave(all);
    const [found] = root ? [causes.get(root.index)] : causesOf(changes.get(key) ?? []);
    known.set(key, found);
    return found;
  };
}

/** The causes of these changes that need a person, that of most of them first. */
export function causesOf(changes: readonly Placed[]): readonly Cause[] {
  const needs = changes.filter(({ column }) => column === 'person');
  const groups = groupBy(needs, (each) => causeKey(each, each.like.reason));
  return [...groups]
    .map(([key, alike]) => ({ key, of: alike.map(({ row }) => row), isOwn: false }))
    .toSorted((a, b) => b.of.length - a.of.length)
    .flatMap((cause) =>
      cause.of.slice(0, 1).map((row) => ({ ...cause, reason: row.change().reason })),
    );
}

/** Whether this keeps a change until a person acts, though the change has a reason of its own. */
export function needsPerson({ like: { action } }: Placed, cause: Cause | undefined): boolean {
  return action !== 'run' && cause?.isOwn === false && findActor(cause.reason) === 'person';
}

/** The reason of a waiting change that needs a person because of its cause; undefined where it keeps its own. */
export function reasonBehind(placed: Placed, cause: Cause | undefined): Reason | undefined {
  if (!cause || !needsPerson(placed, cause)) return undefined;
  const { reason } = placed.row.change();
  const { behind: before } = cause;
  if (before === undefined)
    return reason.code === 'budgetExhausted' ? cause.reason : { ...cause.reason, next: 'never' };
  if (cause.reason.code === 'rolloutPaused' && isDecided(cause.reason))
    return behindPause(reason, { ...cause, behind: before });
  if (reason.code !== 'waveNotOpen' || reason.why !== undefined)
    return { ...reason, next: 'never' };
  return { ...reason, why: 'behindBlocked', next: 'never', params: { ...reason.params, before } };
}

/** A change of a later wave waits for what a person paused in an earlier one (semantics N68). */
function behindPause(
  { params: { wave } = {} }: Reason,
  { reason, of, behind }: Cause & { readonly behind: string },
): Reason {
  const { rule: _, ...pause } = reason.params ?? {};
  const params = {
    ...pause,
    ...(wave !== undefined && { wave }),
    before: behind,
    count: of.length,
  };
  return { code: 'waveNotOpen', why: 'behindPause', next: 'never', params };
}

/** Budgets are full in one set and free in another: who is down in it tells them apart. */
function causeKey({ row, like }: Placed, { code, why, params = {} }: Reason): string {
  const { budget, scope, devices } = params;
  return [like.policy, code, why, budget, scope === 'site' ? row.site : budget && devices].join(
    '\t',
  );
}

function rootReason({ row }: Placed, stuck: Stuck): Reason {
  if (stuck.is === 'budget') return toReason(stuck.refusal);
  return stuck.is === 'hours' ? { code: 'windowClosed', next: 'never' } : row.change().reason;
}
