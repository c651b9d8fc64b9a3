import { TASK_OF } from '../../model/fleet/task.ts';
import { KINDS } from '../../kinds/index.ts';
import { canonical } from '../../lib/canonical.ts';
import { type Change, isWanted } from '../../model/plan/change.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { isAsApproved, isLaterStep } from '../approved-fields.ts';
import type { Planned } from '../input.ts';

/**
 * The state of an approved change. `same`: still required, with all approved fields unchanged.
 * `nextStep`: the next step of an upgrade whose first steps are ours and verified. `stale`: one of
 * them changed. `converged`: up to date. `left`: no policy selects the device any
 * more. `gone`: the service no longer returns it. `notRead`: this run did not read the values that it needs.
 * `unreadable`: this run could not read or understand one of them, so it may be unchanged.
 */
export type ApprovedState =
  'same' | 'nextStep' | 'stale' | 'converged' | 'left' | 'gone' | 'notRead' | 'unreadable';

/**
 * An approved change with the planner's current change for its device and task, if there is one.
 */
export interface Approved {
  readonly approved: Change;
  readonly state: ApprovedState;
  readonly current?: Change;
}

/** A plan of now, with the reading that it is of. */
type Current = Pick<Planned, 'plan' | 'noted'> & { readonly snapshot: Snapshot };

/** The ledger's state of the devices. */
type Past = Pick<Memory, 'intentsOf'>;

/**
 * The approved changes of a plan with their states, in the order of the approved plan, and those of its other changes
 * that may start by now, as stale. Changes that it does not have are not included (protocol X12).
 */
export function intersect(approved: Plan, current: Current, memory: Past): readonly Approved[] {
  const changes = new Map(Array.from(current.plan.changes, (change) => [change.id, change]));
  const compared: Approved[] = [];
  for (const change of approved.changes) {
    const now = changes.get(change.id);
    // A plan within another one refuses no policy, so what the file has as refused is left as it is.
    const mayStart = now && isWanted(now) && change.reason.code !== 'refused';
    if (!isWanted(change) && !mayStart) continue;
    compared.push(
      now
        ? { approved: change, state: compareChanges(change, now, memory), current: now }
        : { approved: change, state: approvedState(change, current) },
    );
  }
  return compared;
}

function compareChanges(approved: Change, now: Change, memory: Past): ApprovedState {
  if (!isWanted(approved)) return 'stale';
  if (isAsApproved(approved, now)) return 'same';
  if (now.action === 'skip' && now.reason.why === 'valueUnknown') return 'unreadable';
  const past = memory.intentsOf(now.device.id, now.task);
  return isLaterStep(approved, now, past) ? 'nextStep' : 'stale';
}

function approvedState(change: Change, { noted, snapshot }: Current): ApprovedState {
  const { task, device } = change;
  const isManaged = snapshot.devices.rowOf(device.id) !== undefined;
  const note = noted(task, device.id);
  if (note === 'notRead') return 'notRead';
  if (note !== undefined) return runsAsBefore(change, snapshot) ? 'stale' : 'converged';
  if (task !== TASK_OF.onboarding) return isManaged ? 'left' : 'gone';
  if (isManaged) return 'converged';
  return snapshot.discovered.some(({ id }) => id === device.id) ? 'left' : 'gone';
}

/** The change is no longer required, and not because it is done: its target was withdrawn. */
function runsAsBefore({ task, device, before }: Change, { devices }: Snapshot): boolean {
  const row = devices.rowOf(device.id);
  if (row === undefined) return false;
  const shown = KINDS[task].shows?.(devices.at(row));
  return shown !== undefined && canonical(shown) === canonical(before);
}
