import type { Budget } from '../../model/documents/budget.ts';
import {
  lastRead,
  type BudgetInput,
  type BudgetRefusal,
  type BudgetRequest,
} from './budget-tracker.ts';
import type { BudgetSet, SetsOf } from './division.ts';
import type { Coverage } from './down.ts';
import { COVERAGES, isInFlight } from './down.ts';
import {
  atOnce,
  measureHands,
  measureHeadroom,
  type HeadroomContext,
  type Headroom,
} from './headroom.ts';
import { leavesInService } from './in-service.ts';
import { raisedBudget, type RaisedBudget } from './raised-limits.ts';
import { allowedDown, allowedInHands, divide } from './sets.ts';
import { allowedAlone, type Approves } from './singletons.ts';

/** One budget, with the devices that are down and in flight in each of its sets. */
export interface TrackedBudget {
  refuses(request: BudgetRequest, row: number | undefined): BudgetRefusal | undefined;
  count(request: BudgetRequest, row: number | undefined): void;
}

/** A budget in force, and the name to report for each of its sets. */
export interface NamedBudget {
  readonly budget: Budget;
  /** The name that exceptions may raise it by; absent for redundancy groups. */
  readonly name?: string;
  nameOf(set: BudgetSet): string;
}

/**
 * The fleet as a budget needs it: `coverage[row]` is the index of a device's coverage in
 * `COVERAGES`.
 */
export type CoveredFleet = BudgetInput & {
  readonly coverage: Uint8Array;
  /** 1 in the row of a device in our hands (semantics N45). */
  readonly hands: Uint8Array;
  readonly approves: Approves;
};

/** Starts to track one budget; devices that are already down or in flight are counted. */
export function trackBudget(
  { budget, name, nameOf }: NamedBudget,
  fleet: CoveredFleet,
): TrackedBudget {
  const counts = openCounts(budget, fleet);
  const { setsOf, down, hands } = counts;
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
    leavesInService(policy, lastRead(fleet, row).device);
  return {
    refuses(request, row) {
      const looser = row === undefined ? undefined : raised(row, request.task);
      const atMost = looser ?? budget;
      for (const set of setsOf(row)) {
        const refused = { budget: nameOf(set), scope: budget.per };
        if (set.inFlight + (set.open?.inFlight ?? 0) >= (atMost.maxInFlight ?? Infinity))
          return { ...refused, ...fullAt(atMost.maxInFlight, () => atOnce(atMost)) };
        if (row === undefined || !request.disruptive) continue;
        const place = { set, row, ...(looser && { looser }) };
        const full = limits[staysUp(request, place) ? 'hands' : 'down'](place, request);
        if (full) return { ...refused, ...full };
      }
      return undefined;
    },
    count(request, row) {
      const isOurs = request.disruptive && row !== undefined;
      const goesDown = isOurs && down[row] === 0;
      const isTaken = isOurs && hands[row] === 0;
      if (goesDown) down[row] = 1;
      if (isTaken) hands[row] = 1;
      for (const set of setsOf(row)) {
        set.inFlight++;
        if (goesDown) set.down++;
        if (isTaken) set.inHands++;
      }
    },
  };
}

/** What is down, in our hands and in flight, in each set of a budget. */
interface Counts {
  readonly setsOf: SetsOf;
  readonly down: Uint8Array;
  readonly hands: Uint8Array;
  readonly rowsDown: RowsBySet;
  readonly rowsInHands: RowsBySet;
}

function openCounts(budget: Budget, fleet: CoveredFleet): Counts {
  const { devices } = fleet.snapshot;
  const setsOf = divide(budget, fleet);
  const down = Uint8Array.from(fleet.coverage, (code) => Number(isDown(COVERAGES[code], budget)));
  const hands = Uint8Array.from(fleet.hands);
  const rowsDown = rowsBySet(down, setsOf);
  const rowsInHands = rowsBySet(hands, setsOf);
  for (const [set, rows] of rowsDown) set.down = rows.length;
  for (const [set, rows] of rowsInHands) set.inHands = rows.length;
  for (const intent of fleet.memory.open())
    if (isInFlight(intent)) for (const set of setsOf(devices.rowOf(intent.device))) set.inFlight++;
  return { setsOf, down, hands, rowsDown, rowsInHands };
}

/** Why a request exceeds a limit; undefined if it does not. */
type Limit = (
  place: Place,
  request: BudgetRequest,
) => Pick<BudgetRefusal, 'blocked' | 'headroom'> | undefined;

/** The limit of a task that takes its device down. Every down device counts, whatever the cause. */
function downLimit(
  budget: Budget,
  { down, rowsDown }: Counts,
  known: HeadroomContext & { readonly fleet: CoveredFleet },
): Limit {
  const headrooms = new Map<BudgetSet, Headroom>();
  const headroomIn = (set: BudgetSet, limit: number): Headroom => {
    const last = headrooms.get(set);
    const total = downIn(set);
    if (last && 'limit' in last && last.limit === limit && last.down + last.given === total)
      return last;
    const { members } = set;
    const perhaps = (set.open && rowsDown.get(set.open)?.length) ?? 0;
    const measured = { members, down: total, limit, perhaps };
    const headroom = measureHeadroom(measured, rowsIn(rowsDown, set), known);
    headrooms.set(set, headroom);
    return headroom;
  };
  return (place, request) => {
    const { set, row } = place;
    if (down[row] === 1) return undefined;
    const allowed = allowedFor({ budget, ...place }, request, known.fleet);
    if (allowed === 'approval') return { blocked: allowed };
    return downIn(set) < allowed ? undefined : fullAt(allowed, () => headroomIn(set, allowed));
  };
}

/** The limit of a task that leaves its device in service: what is in our hands (semantics N44). */
function handsLimit(budget: Budget, { hands, rowsInHands }: Counts, known: HeadroomContext): Limit {
  return ({ set, row, looser = budget }) => {
    const most = Math.max(allowedInHands(budget, set), allowedInHands(looser, set));
    if (hands[row] === 1 || set.inHands + (set.open?.inHands ?? 0) < most) return undefined;
    return fullAt(most, () => measureHands(most, rowsIn(rowsInHands, set), known));
  };
}

type RowsBySet = ReadonlyMap<BudgetSet, readonly number[]>;

/** The marked rows of each set. */
function rowsBySet(marks: Uint8Array, setsOf: SetsOf): RowsBySet {
  const rowsOf = new Map<BudgetSet, number[]>();
  for (let row = 0; row < marks.length; row++) {
    if (marks[row] === 0) continue;
    for (const set of setsOf(row)) {
      const rows = rowsOf.get(set);
      if (rows) rows.push(row);
      else rowsOf.set(set, [row]);
    }
  }
  return rowsOf;
}

/** Devices of a set that are down, or that may be: some belong to an unknown set of this scope. */
function downIn({ down, open }: BudgetSet): number {
  return down + (open?.down ?? 0);
}

/** The rows of a set, and of the set whose devices may belong to it. */
function rowsIn(rows: RowsBySet, set: BudgetSet): readonly number[] {
  return [set, set.open].flatMap((one) => (one && rows.get(one)) ?? []);
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
  readonly looser?: Budget;
}

function allowedFor(
  { budget, looser = budget, set, row }: Place & { readonly budget: Budget },
  { task }: BudgetRequest,
  { snapshot, approves }: CoveredFleet,
): number | 'approval' {
  if (set.members !== 1) return Math.max(allowedDown(budget, set), allowedDown(looser, set));
  const { deviceType } = snapshot.devices.at(row);
  return allowedAlone(budget, set, { deviceType, approved: approves(row, task) });
}

function isDown(coverage: Coverage | undefined, budget: Budget): boolean {
  if (coverage === 'partial') return budget.partialIsDown;
  if (coverage === 'unknown') return budget.unknownIsDown;
  return coverage !== 'up';
}
