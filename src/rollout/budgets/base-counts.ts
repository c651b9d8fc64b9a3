import { getOrAdd } from '../../lib/maps.ts';
import type { Budget } from '../../model/documents/budget.ts';
import type { BudgetSet, Divided, SetsOf } from './division.ts';
import type { Coverage } from './down.ts';
import { divide } from './sets.ts';

/** The marked rows of each set. */
export type RowsBySet = ReadonlyMap<BudgetSet, ReadonlySet<number>>;

/** How one device counts: its coverage, and whether it is in our hands (semantics N45). */
export interface RowMark {
  readonly coverage: Coverage;
  readonly inHands: boolean;
}

/**
 * The devices down, in our hands and in flight in each set of a budget, before any request. The counts
 * follow the ledger and the reads: only a row or an intent that changed is counted again.
 */
export interface BaseCounts {
  readonly setsOf: SetsOf;
  /** 1 in the row of a device that is down for this budget. */
  readonly down: Uint8Array;
  /** 1 in the row of a device in our hands. */
  readonly hands: Uint8Array;
  readonly rowsDown: RowsBySet;
  readonly rowsInHands: RowsBySet;
  /** Counts a device by this mark in place of its earlier one. */
  mark(row: number, mark: RowMark): void;
  /** Adds so many tasks in flight on a device; one that is not managed has no row. */
  fly(row: number | undefined, more: number): void;
}

/** The counts of a budget in a fleet in which everything is up; `mark` and `fly` say what is not. */
export function openBaseCounts(budget: Budget, fleet: Divided): BaseCounts {
  const setsOf = divide(budget, fleet);
  const { length } = fleet.snapshot.devices;
  const down = new Uint8Array(length);
  const hands = new Uint8Array(length);
  const rowsDown = new Map<BudgetSet, Set<number>>();
  const rowsInHands = new Map<BudgetSet, Set<number>>();
  return {
    setsOf,
    down,
    hands,
    rowsDown,
    rowsInHands,
    mark(row, { coverage, inHands }) {
      const isNowDown = isDown(coverage, budget);
      if (isNowDown !== (down[row] === 1)) {
        down[row] = Number(isNowDown);
        for (const set of setsOf(row)) set.down += keepRow(rowsDown, set, { row, isIn: isNowDown });
      }
      if (inHands === (hands[row] === 1)) return;
      hands[row] = Number(inHands);
      for (const set of setsOf(row))
        set.inHands += keepRow(rowsInHands, set, { row, isIn: inHands });
    },
    fly(row, more) {
      for (const set of setsOf(row)) set.inFlight += more;
    },
  };
}

/** Enters a row of a set, or removes it. Returns by how many the set grew. */
function keepRow(
  rowsOf: Map<BudgetSet, Set<number>>,
  set: BudgetSet,
  { row, isIn }: { readonly row: number; readonly isIn: boolean },
): 1 | -1 {
  const rows = getOrAdd(rowsOf, set, () => new Set());
  if (isIn) rows.add(row);
  else rows.delete(row);
  return isIn ? 1 : -1;
}

function isDown(coverage: Coverage, budget: Budget): boolean {
  if (coverage === 'partial') return budget.treatPartialAs === 'unavailable';
  if (coverage === 'unknown') return budget.treatUnknownAs === 'unavailable';
  return coverage !== 'up';
}
