import { isChanging, PLAN_COLUMNS } from '../../model/plan/actor.ts';
import { addTallies, type ColumnTally, type PolicyRow } from './review.ts';

/** Several policies in one row of a table: how many, and the sums of exactly these. */
interface FoldedPolicies {
  readonly policies: number;
  readonly tally: ColumnTally;
}

/** The rows of a table of policies. Listed rows and folded rows add up to the totals. */
export interface PolicyList {
  readonly listed: readonly PolicyRow[];
  /** Policies that change something, beyond those that are listed. */
  readonly more?: FoldedPolicies;
  /** Policies without anything to do, now or later. */
  readonly unchanged?: FoldedPolicies;
}

/** Up to this number, policies that change nothing have rows of their own. */
const UNCHANGED = 3;

/**
 * What a table lists of the policies of a plan: first those that change something, at most `most`.
 * Many that change nothing are one row, so that they do not hide the others.
 */
export function foldPolicies(policies: readonly PolicyRow[], most: number): PolicyList {
  const active = policies.filter(isActive);
  const idle = policies.filter((row) => !isActive(row));
  const isFolded = idle.length > UNCHANGED || active.length + idle.length > most;
  const rows = isFolded ? active : [...active, ...idle];
  const more = rows.slice(most);
  return {
    listed: rows.slice(0, most),
    ...(more.length > 0 && { more: fold(more) }),
    ...(isFolded && idle.length > 0 && { unchanged: fold(idle) }),
  };
}

/** Whether something of it starts, runs, waits or needs a person. */
function isActive(row: PolicyRow): boolean {
  return PLAN_COLUMNS.some((column) => isChanging(column) && row[column] > 0);
}

function fold(rows: readonly PolicyRow[]): FoldedPolicies {
  return { policies: rows.length, tally: addTallies(rows) };
}
