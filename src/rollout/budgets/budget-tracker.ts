import type { Memory } from '../../model/ledger/memory.ts';
import type { BudgetScope } from '../../model/documents/budget.ts';
import type { Documents, Policy, Selector } from '../../model/documents/policy.ts';
import type { Membership } from '../../model/documents/selector.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { ReadDevice, Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import type { Headroom } from './headroom.ts';

export interface BudgetInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly now: Instant;
  /** Devices read later than the snapshot, by id. */
  readonly reads?: ReadonlyMap<string, ReadDevice>;
  /** Who a selector selects, or may. */
  readonly members: (selector: Selector) => (row: number) => Membership;
}

/** One action that wants to start. */
export interface BudgetRequest {
  readonly task: TaskType;
  readonly deviceId: string;
  readonly policy: Policy;
  /** Of its policy; a policy without one keeps to the limits of `default`. */
  readonly rollout: Pick<RolloutSpec, 'maxInFlight'>;
  /** The device is down while the task runs. */
  readonly disruptive: boolean;
}

/** The limit that leaves no room. */
export interface BudgetRefusal {
  readonly budget: string;
  readonly scope: BudgetScope | 'rollout';
  /**
   * Waiting does not help. `approval`: the device is the only one of its set, and nobody has
   * approved that it goes down. `never`: the limit leaves no room for anything.
   */
  readonly blocked?: 'approval' | 'never';
  /** What takes up the room, where waiting may help. */
  readonly headroom?: Headroom;
}

/** Gives out what may be down and in flight, as if everything it gave out were to die. */
export interface BudgetTracker {
  /** The first limit without headroom for it; nothing is taken. */
  refuses(request: BudgetRequest): BudgetRefusal | undefined;
  /** Takes its share, whatever there is left. */
  count(request: BudgetRequest): void;
  /**
   * Undefined: admitted, and its share is taken. Otherwise the first limit without headroom;
   * nothing is taken.
   */
  take(request: BudgetRequest): BudgetRefusal | undefined;
}

/** The device of a row as it was last read. */
export function lastRead(
  { snapshot, reads }: Pick<BudgetInput, 'snapshot' | 'reads'>,
  row: number,
): ReadDevice {
  const device = snapshot.devices.at(row);
  return reads?.get(device.id) ?? { device, readAt: snapshot.takenAt };
}
