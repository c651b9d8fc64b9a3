import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import { canonical } from '../../lib/canonical.ts';
import { type Change, type Changes, isWanted } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { isAsApproved } from '../approved-fields.ts';
import type { Planned } from '../input.ts';

/**
 * What became of an approved change. `same`: still wanted, and all that was approved
 * is the same. `stale`: something of it moved. `converged`: right already. `left`: no policy selects the
 * device any more. `gone`: the service no longer shows it.
 */
export type Standing = 'same' | 'stale' | 'converged' | 'left' | 'gone';

/** An approved change beside what the planner says about its device and task now, if anything. */
export interface Approved {
  readonly approved: Change;
  readonly standing: Standing;
  readonly current?: Change;
}

/**
 * The approved changes of a plan and what became of each; what the planner wants now and nobody
 * approved is not in it (protocol X12). In the order of the approved plan.
 */
export function intersect(
  approved: Plan,
  current: Planned & { readonly snapshot: Snapshot },
): readonly Approved[] {
  const changes = byId(current.plan.changes);
  const compared: Approved[] = [];
  for (const change of approved.changes) {
    if (!isWanted(change)) continue;
    const now = changes.get(change.id);
    compared.push(
      now
        ? { approved: change, standing: isAsApproved(change, now) ? 'same' : 'stale', current: now }
        : { approved: change, standing: standingOf(change, current) },
    );
  }
  return compared;
}

function byId(changes: Changes): ReadonlyMap<string, Change> {
  const found = new Map<string, Change>();
  for (const change of changes) found.set(change.id, change);
  return found;
}

function standingOf(
  change: Change,
  { noted, snapshot }: Planned & { readonly snapshot: Snapshot },
): Standing {
  const { task, device } = change;
  const isManaged = snapshot.devices.rowOf(device.id) !== undefined;
  if (noted(task, device.id) !== undefined)
    return runsAsBefore(change, snapshot) ? 'stale' : 'converged';
  if (task !== TASK_OF.onboarding) return isManaged ? 'left' : 'gone';
  if (isManaged) return 'converged';
  return snapshot.discovered.some(({ id }) => id === device.id) ? 'left' : 'gone';
}

/** Nothing is wanted of it any more, and not because it got there: its target was withdrawn. */
function runsAsBefore({ task, device, before }: Change, { devices }: Snapshot): boolean {
  const row = devices.rowOf(device.id);
  if (row === undefined) return false;
  const shown = KINDS[task].shows?.(devices.at(row));
  return shown !== undefined && canonical(shown) === canonical(before);
}
