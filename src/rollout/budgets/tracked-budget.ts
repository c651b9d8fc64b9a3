import { getOrAdd } from '../../lib/maps.ts';
import type { Budget } from '../../model/documents/budget.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import {
  lastRead,
  typeAt,
  type BudgetInput,
  type BudgetRefusal,
  type BudgetRequest,
  type Released,
} from './budget-tracker.ts';
import type { BudgetSet, SetCounts } from './division.ts';
import {
  atOnce,
  measureHands,
  measureHeadroom,
  type HeadroomContext,
  type Headroom,
} from './headroom.ts';
import { leavesInService } from './in-service.ts';
import { raisedBudget, type RaisedBudget } from './raised-limits.ts';
import { allowedDown, allowedInHands } from './sets.ts';
import { allowedAlone, type Approves } from './singletons.ts';
import type { RowsBySet, BaseCounts } from './base-counts.ts';

/** One budget, with the devices that are down and in flight in each of its sets. */
export interface TrackedBudget {
  refuses(request: BudgetRequest, row: number | undefined): BudgetRefusal | undefined;
  /** Counts a task that starts, or one that ends and leaves its device up. */
  move(request: Released, row: number | undefined, starts: boolean): void;
  /** The set that has no headroom for the request; undefined where each has. */
  fullIn(request: BudgetRequest, row: number | undefined): BudgetSet | undefined;
  /** Visits what its limits know of a request, besides the row: equal ones meet the same limits. */
  eachLimit(request: BudgetRequest, row: number | undefined, visit: (part: unknown) => void): void;
}

/** A budget in force, and the name to report for each of its sets. */
export interface NamedBudget {
  readonly budget: Budget;
  /** The name that exceptions may raise it by; absent for redundancy groups. */
  readonly name?: string;
  nameOf(set: BudgetSet): string;
}

/** The fleet as requests are judged: the latest reads, the time, and who approved what. */
export interface TrackedFleet extends BudgetInput {
  readonly approves: Approves;
  /** By the row of its device, whether the last that happened to it is the start of a disruptive task, or the end of one. */
  readonly moved: Map<number, boolean>;
}

/**
 * Tracks requests against one budget, on top of what is down and in flight already. The base
 * counts stay as they are: what a request takes is counted in this tracker alone.
 */
export function trackBudget(
  { budget, name, nameOf }: NamedBudget,
  base: BaseCounts,
  fleet: TrackedFleet,
): TrackedBudget {
  const { setsOf } = base;
  const counts = countRequests(base, fleet);
  const known: HeadroomContext = { ...fleet, deviceAt: (row) => lastRead(fleet, row) };
  const raised: RaisedBudget =
    name === undefined ? () => undefined : raisedBudget(name, budget, fleet);
  const limits = {
    down: downLimit(budget, counts, { ...known, fleet }),
    hands: handsLimit(budget, counts, known),
  };
  const staysUp = ({ policy }: BudgetRequest, { set, row }: Place): boolean =>
    set.members !== 1 &&
    budget.maxUnavailable !== undefined &&
    budget.per !== 'redundancyGroup' &&
    leavesInService(policy, typeAt(fleet, row));
  const refusedBy = (set: BudgetSet, request: BudgetRequest, row: number | undefined) => {
    const looser = row === undefined ? undefined : raised(row, request.task);
    const atMost = looser ?? budget;
    if (counts.in(set, 'inFlight') >= (atMost.maxInFlight ?? Infinity))
      return () => fullAt(atMost.maxInFlight, () => atOnce(atMost));
    if (row === undefined || !request.disruptive) return undefined;
    const place = { set, row, looser };
    return limits[staysUp(request, place) ? 'hands' : 'down'](place, request);
  };
  return {
    refuses(request, row) {
      for (const set of setsOf(row)) {
        const full = refusedBy(set, request, row);
        if (full) return { budget: nameOf(set), scope: budget.per, ...full() };
      }
      return undefined;
    },
    fullIn: (request, row) => setsOf(row).find((set) => refusedBy(set, request, row)),
    move: counts.move,
    eachLimit(request, row, visit) {
      for (const set of setsOf(row)) visit(set);
      if (row === undefined) return;
      visit(raised(row, request.task));
      for (const set of setsOf(row)) visit(staysUp(request, { set, row }));
    },
  };
}

type RequestCounts = ReturnType<typeof countRequests>;

/** The base counts of a budget, with those of the requests since. */
function countRequests(base: BaseCounts, { moved }: TrackedFleet) {
  const { setsOf, rowsDown, rowsInHands } = base;
  const given = new Map<BudgetSet, SetCounts>();
  const isDown = (row: number): boolean => moved.get(row) ?? base.down[row] === 1;
  const isInHands = (row: number): boolean => moved.get(row) ?? base.hands[row] === 1;
  const one = (set: BudgetSet, what: keyof SetCounts): number =>
    set[what] + (given.get(set)?.[what] ?? 0);
  return {
    rowsDown,
    rowsInHands,
    isDown,
    isInHands,
    /** How many of a set, and of the set whose devices may belong to it. */
    in: (set: BudgetSet, what: keyof SetCounts): number =>
      one(set, what) + (set.open ? one(set.open, what) : 0),
    move: ({ disruptive }: Released, row: number | undefined, starts: boolean): void => {
      const isOurs = disruptive && row !== undefined;
      const turns = isOurs && isDown(row) !== starts;
      const isTaken = isOurs && isInHands(row) !== starts;
      const step = starts ? 1 : -1;
      for (const set of setsOf(row)) {
        const counts = getOrAdd(given, set, () => ({ down: 0, inHands: 0, inFlight: 0 }));
        counts.inFlight += step;
        counts.down += turns ? step : 0;
        counts.inHands += isTaken ? step : 0;
      }
    },
  };
}

/** Says why a request exceeds a limit; undefined if it does not. */
type Limit = (
  place: Place,
  request: BudgetRequest,
) => (() => Omit<BudgetRefusal, 'budget' | 'scope'>) | undefined;

/** The limit of a task that takes its device down. Every down device counts, whatever the cause. */
function downLimit(
  budget: Budget,
  counts: RequestCounts,
  known: HeadroomContext & { readonly fleet: TrackedFleet },
): Limit {
  const headrooms = new Map<BudgetSet, Headroom>();
  const headroomIn = (set: BudgetSet, limit: number): Headroom => {
    const last = headrooms.get(set);
    const total = counts.in(set, 'down');
    if (last && 'limit' in last && last.limit === limit && last.down + last.given === total)
      return last;
    const { members, missing } = set;
    const perhaps = (set.open && counts.rowsDown.get(set.open)?.size) ?? 0;
    const measured = { members, missing, down: total, limit, perhaps };
    const headroom = measureHeadroom(measured, rowsIn(counts.rowsDown, set), known);
    headrooms.set(set, headroom);
    return headroom;
  };
  const { snapshot, approves } = known.fleet;
  const allowedIn = ({ set, row, looser = budget }: Place, task: TaskType): number | 'approval' => {
    if (set.members !== 1) return Math.max(allowedDown(budget, set), allowedDown(looser, set));
    const { deviceType } = snapshot.devices.at(row);
    return allowedAlone(budget, set, { deviceType, approved: approves(row, task) });
  };
  return (place, { task }) => {
    const { set, row } = place;
    if (counts.isDown(row)) return undefined;
    const allowed = allowedIn(place, task);
    if (allowed === 'approval') return () => ({ blocked: allowed });
    if (counts.in(set, 'down') < allowed) return undefined;
    const isAlone = set.members === 1 && { isAlone: true };
    return () => ({ ...fullAt(allowed, () => headroomIn(set, allowed)), ...isAlone });
  };
}

/** The limit of a task that leaves its device in service: what is in our hands (semantics N44). */
function handsLimit(budget: Budget, counts: RequestCounts, known: HeadroomContext): Limit {
  return ({ set, row, looser = budget }) => {
    const most = Math.max(allowedInHands(budget, set), allowedInHands(looser, set));
    if (counts.isInHands(row) || counts.in(set, 'inHands') < most) return undefined;
    return () => fullAt(most, () => measureHands(most, rowsIn(counts.rowsInHands, set), known));
  };
}

/** The rows of a set, and of the set whose devices may belong to it, each in order. */
function rowsIn(rows: RowsBySet, set: BudgetSet): readonly number[] {
  return [set, set.open].flatMap((one) =>
    [...((one && rows.get(one)) ?? [])].toSorted((a, b) => a - b),
  );
}

/** A limit of 0 never has headroom; any other limit may have some later. */
function fullAt(
  limit: number | undefined,
  headroom: () => Headroom,
): Pick<BudgetRefusal, 'blocked' | 'headroom'> {
  return limit === 0 ? { blocked: 'never' } : { headroom: headroom() };
}

interface Place {
  readonly set: BudgetSet;
  readonly row: number;
  /** The budget with the limit that an exception raises for the device. */
  readonly looser?: Budget | undefined;
}
