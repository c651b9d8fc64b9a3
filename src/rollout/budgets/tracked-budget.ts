import type { Budget } from '../../model/documents/budget.ts';
import { lastRead, type BudgetInput, type Refusal, type Wanted } from './budget-tracker.ts';
import type { BudgetSet } from './division.ts';
import type { Coverage } from './down.ts';
import { COVERAGES, isInFlight } from './down.ts';
import { atOnce, roomOf, type Known, type Room } from './headroom.ts';
import { allowedDown, divide } from './sets.ts';
import { allowedAlone, type Approves } from './singletons.ts';

/** One budget with what is down and in flight in each of its sets. */
export interface TrackedBudget {
  refuses(wanted: Wanted, row: number | undefined): Refusal | undefined;
  count(wanted: Wanted, row: number | undefined): void;
}

/** A budget in force, and what it is called where one of its sets has no room. */
export interface NamedBudget {
  readonly budget: Budget;
  nameOf(set: BudgetSet): string;
}

/**
 * The fleet as a budget sees it: `coverage[row]` is the place of a device's coverage in the list of
 * all.
 */
export type CoveredFleet = BudgetInput & {
  readonly coverage: Uint8Array;
  readonly approves: Approves;
};

/** Opens the account of one budget; what is down or in flight already is counted. */
export function trackBudget({ budget, nameOf }: NamedBudget, fleet: CoveredFleet): TrackedBudget {
  const { devices } = fleet.snapshot;
  const setsOf = divide(budget, fleet);
  const down = Uint8Array.from(fleet.coverage, (code) => Number(isDown(COVERAGES[code], budget)));
  const rowsDown = new Map<BudgetSet, number[]>();
  for (let row = 0; row < down.length; row++)
    if (down[row] === 1) for (const set of setsOf(row)) takeDown(rowsDown, set, row);
  for (const intent of fleet.memory.open())
    if (isInFlight(intent)) for (const set of setsOf(devices.rowOf(intent.device))) set.inFlight++;

  const known: Known = { ...fleet, deviceAt: (row) => lastRead(fleet, row) };
  const rooms = new Map<BudgetSet, Room>();
  const roomIn = (set: BudgetSet, limit: number): Room => {
    const last = rooms.get(set);
    const total = downIn(set);
    if (last && 'limit' in last && last.limit === limit && last.down + last.given === total)
      return last;
    const rows = [set, set.open].flatMap((one) => (one && rowsDown.get(one)) ?? []);
    const room = roomOf({ members: set.members, down: total, limit }, rows, known);
    rooms.set(set, room);
    return room;
  };

  const takesDown = (wanted: Wanted, row: number | undefined): row is number =>
    wanted.disruptive && row !== undefined && down[row] === 0;
  return {
    refuses(wanted, row) {
      for (const set of setsOf(row)) {
        const refused = { budget: nameOf(set), scope: budget.per };
        if (set.inFlight + (set.open?.inFlight ?? 0) >= (budget.maxInFlight ?? Infinity))
          return { ...refused, ...(budget.maxInFlight === 0 ? NEVER : { room: atOnce(budget) }) };
        if (!takesDown(wanted, row)) continue;
        const allowed = allowedFor({ budget, set, row }, wanted, fleet);
        if (allowed === 'approval') return { ...refused, blocked: allowed };
        if (downIn(set) >= allowed)
          return { ...refused, ...(allowed === 0 ? NEVER : { room: roomIn(set, allowed) }) };
      }
      return undefined;
    },
    count(wanted, row) {
      const goesDown = takesDown(wanted, row);
      if (goesDown) down[row] = 1;
      for (const set of setsOf(row)) {
        set.inFlight++;
        if (goesDown) set.down++;
      }
    },
  };
}

/** What is down in a set, or may be: of some devices only the kind of set is known. */
function downIn({ down, open }: BudgetSet): number {
  return down + (open?.down ?? 0);
}

function takeDown(rowsDown: Map<BudgetSet, number[]>, set: BudgetSet, row: number): void {
  set.down++;
  const rows = rowsDown.get(set);
  if (rows) rows.push(row);
  else rowsDown.set(set, [row]);
}

const NEVER = { blocked: 'never' } as const;

interface Place {
  readonly budget: Budget;
  readonly set: BudgetSet;
  readonly row: number;
}

function allowedFor(
  { budget, set, row }: Place,
  { task }: Wanted,
  { snapshot, approves }: CoveredFleet,
): number | 'approval' {
  if (set.members !== 1) return allowedDown(budget, set);
  const { deviceType } = snapshot.devices.at(row);
  return allowedAlone(budget, set, { deviceType, approved: approves(row, task) });
}

function isDown(coverage: Coverage | undefined, budget: Budget): boolean {
  if (coverage === 'partial') return budget.partialIsDown;
  if (coverage === 'unknown') return budget.unknownIsDown;
  return coverage !== 'up';
}
