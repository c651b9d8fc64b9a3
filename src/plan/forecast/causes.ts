import { computeOnce, once } from '../../lib/compute-once.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { findActor, isDecided } from '../../model/plan/actor.ts';
import type { ChangeRow } from '../../model/plan/change.ts';
import type { Reason, ReasonCode } from '../../model/plan/reason.ts';
import { groupBy } from '../../lib/group-by.ts';
import { toReason } from '../../rollout/budgets/budget-reason.ts';
import { orderReason } from '../../rollout/progress/predecessor.ts';
import type { Prepared } from '../decide/decision-input.ts';
import type { Awaited, Placed, Runner, Stuck } from './course.ts';
import type { Stages } from './stages.ts';

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
  /** The devices of another policy that it waits for. */
  readonly awaits?: Awaited;
}

/** Why these changes have no end, by their place in the plan. What waits for a wave has the cause of that wave. */
export function findCauses(
  runners: readonly Runner[],
  all: readonly Placed[],
  {
    whyStuck,
    stages,
    input,
  }: {
    readonly whyStuck: (runner: Runner) => Stuck;
    readonly stages: ReadonlyMap<string, Stages>;
    readonly input: Prepared;
  },
): ReadonlyMap<number, Cause> {
  const open = runners.flatMap((runner) =>
    runner.endedAt === undefined ? [{ runner, stuck: whyStuck(runner) }] : [],
  );
  const roots = open.flatMap(({ runner, stuck }) =>
    stuck.is === 'wave' ? [] : [{ runner, stuck, reason: rootReason(runner, stuck) }],
  );
  const finders = new Map<number, () => Cause>();
  // A cause may be that of a change that it waits for, which no cycle leads back from (semantics K28).
  const causeOf = computeOnce((index: number): Cause | undefined => finders.get(index)?.());
  const whileAwaited = openAwaited(all, causeOf, input);
  for (const [key, alike] of groupBy(roots, ({ runner, reason }) => causeKey(runner, reason))) {
    const of = alike.map(({ runner }) => runner.change);
    for (const { runner, stuck, reason } of alike) {
      const isAfter = stuck.is === 'order' && reason.code === 'orderPending';
      const isOwn = stuck.is === 'own' || isAfter || reason.code === 'notDue';
      const cause = { reason, of, key, isOwn };
      finders.set(runner.index, () =>
        isAfter ? whileAwaited({ ...cause, of: [runner.change] }, stuck.awaits) : cause,
      );
    }
  }
  const rooted = roots.map(({ runner }) => runner);
  const causeOfWave = causesOfWaves(rooted, all, causeOf);
  for (const { runner, stuck } of open) {
    if (stuck.is !== 'wave') continue;
    const { change, index, like } = runner;
    const behind = stages.get(like.policy)?.names[stuck.wave] ?? '';
    const alone = () => ({ reason: change.reason, of: [change], key: '', isOwn: false });
    finders.set(index, () => causeOfWave(like.policy, behind) ?? alone());
  }
  return new Map([...finders.keys()].map((index) => [index, causeOf(index) as Cause]));
}

/** A cause with who has to act for the devices that it waits for, which is found once for all that wait for them. */
function openAwaited(
  all: readonly Placed[],
  causeOf: (index: number) => Cause | undefined,
  { part }: Prepared,
): (cause: Cause, awaits: Awaited) => Cause {
  let upgrades: ReadonlyMap<string, Placed> | undefined;
  const reasonOf = (id: string, known: Reason): Reason | undefined => {
    upgrades ??= new Map(
      all.flatMap((each) =>
        each.like.task === TASK_OF.firmware ? [[each.change.deviceId, each] as const] : [],
      ),
    );
    const placed = upgrades.get(id);
    if (!placed) return findActor(known) === 'person' ? known : undefined;
    const behind = reasonBehind(placed, causeOf(placed.index));
    // Nobody acts on what is out, so that time does not end that it holds.
    const isLeft = placed.column === 'person' || placed.column === 'out';
    return behind ?? (isLeft ? placed.change.reason : undefined);
  };
  const why = computeOnce((awaits: Awaited): Pick<Reason, 'why' | 'next'> => {
    const needed = [...awaits.devices].flatMap(([id, known]) => reasonOf(id, known) ?? []);
    const open = needed.filter((each) => !isDecided(each));
    const isStopped = open.length > 0 && open.every(({ code }) => STOPS.has(code));
    if (isStopped) return { why: 'afterStopped', next: 'never' };
    if (open.length > 0) return { why: 'afterBlocked', next: 'never' };
    if (needed.length > 0) return { why: 'afterDecided', next: 'never' };
    const isOutside =
      part && [...awaits.devices.keys()].some((id) => id !== '' && !upgrades?.has(id));
    return isOutside ? { why: 'afterOutside', next: 'never' } : {};
  });
  return (cause, awaits) => {
    const reason = { ...cause.reason, ...why(awaits) };
    return { ...cause, reason, key: `${cause.key} ${reason.why}`, awaits };
  };
}

const STOPS: ReadonlySet<ReasonCode> = new Set(['rolloutPaused', 'rolloutAborted']);

/** The cause of what waits for a wave of a policy, found once for all that do; undefined where nothing keeps the wave. */
function causesOfWaves(
  roots: readonly Placed[],
  all: readonly Placed[],
  causeOf: (index: number) => Cause | undefined,
): (policy: string, wave: string) => Cause | undefined {
  const keyOf = (policy: string, wave = ''): string => `${policy}\t${wave}`;
  const byWave = (placed: readonly Placed[]) =>
    groupBy(placed, ({ like }) => keyOf(like.policy, like.wave));
  const firstRoots = byWave(roots);
  const changes = once(() => byWave(all));
  const causeAt = computeOnce((key: string): Cause | undefined => {
    const [root] = firstRoots.get(key) ?? [];
    const [found] = root ? [causeOf(root.index)] : causesOf(changes().get(key) ?? []);
    return found && { ...found, behind: key.slice(key.indexOf('\t') + 1), isOwn: false };
  });
  return (policy, wave) => causeAt(keyOf(policy, wave));
}

/** The causes of these changes that need a person, that of most of them first. */
export function causesOf(changes: readonly Placed[]): readonly Cause[] {
  const needs = changes.filter(({ column }) => column === 'person');
  const groups = groupBy(needs, (each) => causeKey(each, each.like.reason));
  return [...groups]
    .map(([key, alike]) => ({ key, of: alike.map(({ change }) => change), isOwn: false }))
    .toSorted((a, b) => b.of.length - a.of.length)
    .flatMap((cause) => cause.of.slice(0, 1).map(({ reason }) => ({ ...cause, reason })));
}

/** Whether this keeps a change until a person acts, though the change has a reason of its own. */
export function needsPerson({ like: { action } }: Placed, cause: Cause | undefined): boolean {
  const isShared = cause?.isOwn === false || cause?.reason.code === 'orderPending';
  return action !== 'run' && isShared && findActor(cause.reason) === 'person';
}

/** The reason of a waiting change that needs a person because of its cause; undefined where it keeps its own. */
export function reasonBehind(placed: Placed, cause: Cause | undefined): Reason | undefined {
  if (!cause || !needsPerson(placed, cause)) return undefined;
  const { reason } = placed.change;
  const { behind: before } = cause;
  if (before === undefined)
    return reason.code === 'budgetExhausted' ? cause.reason : { ...cause.reason, next: 'never' };
  if (cause.reason.why === 'afterDecided') return cause.reason;
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
function causeKey({ change, like }: Placed, { code, why, params = {} }: Reason): string {
  const { budget, scope, devices } = params;
  return [like.policy, code, why, budget, scope === 'site' ? change.site : budget && devices].join(
    '\t',
  );
}

function rootReason({ change, job }: Runner, stuck: Stuck): Reason {
  if (stuck.is === 'budget') return toReason(stuck.refusal);
  if (stuck.is === 'order' && change.reason.code !== 'notDue')
    return orderReason(stuck.awaits.after, stuck.awaits.devices.has(''));
  const closed = job.zoneless ?? { code: 'windowClosed', next: 'never' };
  return stuck.is === 'hours' ? closed : change.reason;
}
