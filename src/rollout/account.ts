import type { Budget } from '../model/policy.ts';
import type { BookInput, Refusal, Wanted } from './book.ts';
import type { Coverage } from './down.ts';
import { COVERAGES, isInFlight } from './down.ts';
import type { BudgetSet } from './sets.ts';
import { allowedDown, divide } from './sets.ts';

/** One budget with what is down and in flight in each of its sets. */
export interface Account {
  refuses(wanted: Wanted, row: number | undefined): Refusal | undefined;
  count(wanted: Wanted, row: number | undefined): void;
}

/**
 * The fleet as a budget sees it: `coverage[row]` is the place of a device's coverage in the list of
 * all.
 */
type Fleet = BookInput & { readonly coverage: Uint8Array };

/** Opens the account of one budget; what is down or in flight already is counted. */
export function openAccount(name: string, budget: Budget, fleet: Fleet): Account {
  const { devices } = fleet.snapshot;
  const setsOf = divide(budget, fleet.snapshot, budget.select ? fleet.members(budget.select) : all);
  const down = Uint8Array.from(fleet.coverage, (code) => Number(isDown(COVERAGES[code], budget)));
  for (let row = 0; row < down.length; row++)
    if (down[row] === 1) for (const set of setsOf(row)) set.down++;
  for (const intent of fleet.memory.open())
    if (isInFlight(intent)) for (const set of setsOf(devices.rowOf(intent.device))) set.inFlight++;

  const takesDown = (wanted: Wanted, row: number | undefined): row is number =>
    wanted.disruptive && row !== undefined && down[row] === 0;
  return {
    refuses(wanted, row) {
      const full = (set: BudgetSet): boolean =>
        set.inFlight >= (budget.maxInFlight ?? Infinity) ||
        (takesDown(wanted, row) && set.down >= allowedDown(budget, set));
      return setsOf(row).some(full) ? { budget: name, scope: budget.per } : undefined;
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

function all(): boolean {
  return true;
}

function isDown(coverage: Coverage | undefined, budget: Budget): boolean {
  if (coverage === 'partial') return budget.partialIsDown;
  if (coverage === 'unknown') return budget.unknownIsDown;
  return coverage !== 'up';
}
