import { findColumn, type PlanColumn } from '../../model/plan/actor.ts';
import type { Change, ChangeRow, Changes } from '../../model/plan/change.ts';
import { rowsIn } from '../../model/plan/change-rows.ts';

/** A change, and its place in the plan, without an object of its own. */
export interface Placed {
  readonly index: number;
  readonly row: ChangeRow;
  /** The first change of its kind: nothing of it differs but the device, and the instants of its reason. */
  readonly like: Change;
  readonly column: PlanColumn;
}

/** @param order the places of these changes */
export function placeChanges(changes: Changes, order: Uint32Array): readonly Placed[] {
  const kinds: Pick<Placed, 'like' | 'column'>[] = [];
  const placed: Placed[] = [];
  for (const row of rowsIn(changes)) {
    const { like, column } = (kinds[row.kind] ??= kindOf(row.change()));
    placed.push({ index: order[placed.length] ?? 0, row, like, column });
  }
  return placed;
}

function kindOf(like: Change): Pick<Placed, 'like' | 'column'> {
  return { like, column: findColumn(like) };
}
