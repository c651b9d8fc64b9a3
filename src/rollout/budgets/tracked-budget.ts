import type { Budget } from '../../model/documents/budget.ts';
import {
  lastRead,
  type BudgetInput,
  type BudgetRefusal,
  type BudgetRequest,
} from './budget-tracker.ts';
import type { BudgetSet } from './division.ts';
import type { Coverage } from './down.ts';
import { COVERAGES, isInFlight } from './down.ts';
import { atOnce, measureHeadroom, type HeadroomContext, type Headroom } from './headroom.ts';
import { allowedDown, divide } from './sets.ts';
import { allowedAlone, type Approves } from './singletons.ts';

/** One budget, with the devices that are down and in flight in each of its sets. */
export interface TrackedBudget {
  refuses(request: BudgetRequest, row: number | undefined): BudgetRefusal | undefined;
  count(request: BudgetRequest, row: number | undefined): void;
}

/** A budget in force, and the name to report for each of its sets. */
export interface NamedBudget {
  readonly budget: Budget;
  nameOf(set: BudgetSet): string;
}

/**
 * The fleet as a budget needs it: `coverage[row]` is the index of a device's coverage in
 * `COVERAGES`.
 */
export type CoveredFleet = BudgetInput & {
  readonly coverage: Uint8Array;
  readonly approves: Approves;
};

/** Starts to track one budget; devices that are already down or in flight are counted. */
export function trackBudget({ budget, nameOf }: NamedBudget, fleet: CoveredFleet): TrackedBudget {
  const { devices } = fleet.snapshot;
  const setsOf = divide(budget, fleet);
  const down = Uint8Array.from(fleet.coverage, (code) => Number(isDown(COVERAGES[code], budget)));
  const rowsDown = new Map<BudgetSet, number[]>();
  for (let row = 0; row < down.length; row++)
    if (down[row] === 1) for (const set of setsOf(row)) takeDown(rowsDown, set, row);
  for (const intent of fleet.memory.open())
    if (isInFlight(intent)) for (const set of setsOf(devices.rowOf(intent.device))) set.inFlight++;

  const known: HeadroomContext = { ...fleet, deviceAt: (row) => lastRead(fleet, row) };
  const headrooms = new Map<BudgetSet, Headroom>();
  const headroomIn = (set: BudgetSet, limit: number): Headroom => {
    const last = headrooms.get(set);
    const total = downIn(set);
    if (last && 'limit' in last && last.limit === limit && last.down + last.given === total)
      return last;
    const rows = [set, set.open].flatMap((one) => (one && rowsDown.get(one)) ?? []);
    const headroom = measureHeadroom({ members: set.members, down: total, limit }, rows, known);
    headrooms.set(set, headroom);
    return headroom;
  };

  const takesDown = (request: BudgetRequest, row: number | undefined): row is number =>
    request.disruptive && row !== undefined && down[row] === 0;
  return {
    refuses(request, row) {
      for (const set of setsOf(row)) {
        const refused = { budget: nameOf(set), scope: budget.per };
        if (set.inFlight + (set.open?.inFlight ?? 0) >= (budget.maxInFlight ?? Infinity))
          return { ...refused, ...fullAt(budget.maxInFlight, () => atOnce(budget)) };
        if (!takesDown(request, row)) continue;
        const allowed = allowedFor({ budget, set, row }, request, fleet);
        if (allowed === 'approval') return { ...refused, blocked: allowed };
        if (downIn(set) >= allowed)
          return { ...refused, ...fullAt(allowed, () => headroomIn(set, allowed)) };
      }
      return undefined;
    },
    count(request, row) {
      const goesDown = takesDown(request, row);
      if (goesDown) down[row] = 1;
      for (const set of setsOf(row)) {
        set.inFlight++;
        if (goesDown) set.down++;
      }
    },
  };
}

/** Devices of a set that are down, or that may be: some belong to an unknown set of this scope. */
function downIn({ down, open }: BudgetSet): number {
  return down + (open?.down ?? 0);
}

function takeDown(rowsDown: Map<BudgetSet, number[]>, set: BudgetSet, row: number): void {
  set.down++;
  const rows = rowsDown.get(set);
  if (rows) rows.push(row);
  else rowsDown.set(set, [row]);
}

/** A limit of 0 never has headroom; any other limit may have some later. */
function fullAt(
  limit: number | undefined,
  headroom: () => Headroom,
): Pick<BudgetRefusal, 'blocked' | 'headroom'> {
  return limit === 0 ? { blocked: 'never' } : { headroom: headroom() };
}

interface Place {
  readonly budget: Budget;
  readonly set: BudgetSet;
  readonly row: number;
}

function allowedFor(
  { budget, set, row }: Place,
  { task }: BudgetRequest,
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
