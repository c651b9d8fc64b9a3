import { findColumn } from '../../model/plan/actor.ts';
import type { Change } from '../../model/plan/change.ts';
import type { PlanDates } from '../../model/plan/plan.ts';
import { groupBy } from '../../lib/group-by.ts';
import { formatInstant } from '../../lib/time.ts';
import { causeOf, reasonBehind, type Cause, type Entry } from './causes.ts';

/** The changes of a plan, with their courses, and what keeps them. */
export interface Foretold {
  readonly changes: readonly Change[];
  readonly entries: readonly Entry[];
  readonly causes: ReadonlyMap<number, Cause>;
  /** Policies of which something is not read yet. */
  readonly unread: ReadonlySet<string>;
}

/** The start and the end of each policy and of its waves, or what keeps it from them (semantics N86). */
export function listDates({ changes, entries, causes, unread }: Foretold): readonly PlanDates[] {
  const byPolicy = groupBy(entries, ({ change }) => change.policy);
  return [...groupBy(changes, ({ policy }) => policy)].flatMap(([policy, mine]): PlanDates[] => {
    const timed = byPolicy.get(policy) ?? [];
    const isUnknown = unread.has(policy) || mine.some(({ reason }) => reason.code === 'inDoubt');
    const found = timed.flatMap(({ runner }) => causes.get(runner.index) ?? []);
    const dated = timed.filter(({ runner }) => causes.get(runner.index)?.isOwn !== true);
    const ofPerson = timed.length === 0 && !isUnknown ? causeOf(mine) : undefined;
    const cause =
      found.find(({ isOwn }) => !isOwn) ?? (dated.length === 0 ? found[0] : undefined) ?? ofPerson;
    const left = found.find(({ isOwn, reason }) => isOwn && reason.code !== 'notDue');
    if (timed.length === 0 && !isUnknown && !ofPerson) return [];
    return [
      {
        policy,
        ...spanOf(dated, isUnknown),
        ...(cause && { blocked: describe(cause) }),
        ...(!cause && left && { undated: describe(left) }),
        waves: [...groupBy(timed, ({ change: { wave = '' } }) => wave)].map(([name, some]) =>
          toWave(name, some, causes),
        ),
      },
    ];
  });
}

/** A wave, with the start of those that wait for it: neither what runs nor what passes earlier waves says that. */
function toWave(
  name: string,
  entries: readonly Entry[],
  causes: ReadonlyMap<number, Cause>,
): PlanDates['waves'][number] {
  const bound = entries.filter(
    ({ change, runner }) => findColumn(change) !== 'running' && !runner.passesWaves,
  );
  const started = bound.some(({ runner }) => runner.startedAt !== undefined) ? bound : entries;
  const dated = entries.filter(({ runner }) => causes.get(runner.index)?.isOwn !== true);
  return {
    name,
    changes: entries.filter((each) => mayStart(each, causes)).length,
    ...spanOf(dated),
    ...startOf(started),
  };
}

/** Whether a change starts now or later: it does not run, and no person has to let it go on. */
function mayStart({ change, runner }: Entry, causes: ReadonlyMap<number, Cause>): boolean {
  const isRunning = findColumn(change) === 'running';
  return !isRunning && reasonBehind(change, causes.get(runner.index)) === undefined;
}

/** When the first of these starts, and the last has ended; without an end where one has none. */
function spanOf(entries: readonly Entry[], isUnknown = false): Pick<PlanDates, 'starts' | 'ends'> {
  const last = Math.max(...entries.map(({ runner }) => runner.endedAt ?? Infinity));
  return {
    ...startOf(entries),
    ...(Number.isFinite(last) && !isUnknown && { ends: formatInstant(last) }),
  };
}

function startOf(entries: readonly Entry[]): Pick<PlanDates, 'starts'> {
  const first = Math.min(...entries.map(({ runner }) => runner.startedAt ?? Infinity));
  return first < Infinity ? { starts: formatInstant(first) } : {};
}

/** How many devices are named. */
const NAMED = 3;

function describe({ reason, of }: Cause): NonNullable<PlanDates['blocked']> {
  const site = of[0]?.device.site;
  return {
    count: of.length,
    devices: of.slice(0, NAMED).map(({ device }) => device.id),
    ...(site !== undefined && { site }),
    reason,
  };
}
