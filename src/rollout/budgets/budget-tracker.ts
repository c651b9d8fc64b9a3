import type { Memory } from '../../model/ledger/memory.ts';
import type { BudgetScope } from '../../model/documents/budget.ts';
import type { Documents, Policy, Selector } from '../../model/documents/policy.ts';
import type { Membership } from '../../model/documents/selector.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import type { ReadDevice, Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import { cellOf } from '../../lib/columns.ts';
import type { Headroom } from './headroom.ts';

export interface BudgetInput {
  readonly documents: Documents;
  readonly snapshot: Snapshot;
  readonly memory: Memory;
  readonly now: Instant;
  /** Devices read later than the snapshot, by ID. */
  readonly reads?: Pick<ReadonlyMap<string, ReadDevice>, 'get'>;
  /** Which devices a selector selects, or may select. */
  readonly members: (selector: Selector) => (row: number) => Membership;
}

/** The fleet of a budget book: it stays, while the ledger and the reads go on. */
export type BudgetFleet = Pick<BudgetInput, 'documents' | 'snapshot' | 'members'>;

/** The state that budgets count at one instant. */
export interface BudgetMoment extends Pick<BudgetInput, 'memory' | 'now' | 'reads'> {
  /** The devices whose latest read changed since the moment before, by ID; absent: none did. */
  readonly readAgain?: Iterable<string>;
}

/** A request to start one action. */
export interface BudgetRequest {
  readonly task: TaskType;
  readonly deviceId: string;
  /** The row of a managed device; absent: it is found by the ID. */
  readonly row?: number | undefined;
  readonly policy: Policy;
  /** Rollout of the policy; a policy without one uses the limits of `default`. */
  readonly rollout: Pick<RolloutSpec, 'maxInFlight'>;
  /** The device is down while the task runs. */
  readonly disruptive: boolean;
}

/** What limits count of a task that ends. */
export type Released = Pick<BudgetRequest, 'deviceId' | 'row' | 'disruptive'> & {
  readonly policy: Pick<Policy, 'address'>;
};

/** The limit that refuses a request. */
export interface BudgetRefusal {
  readonly budget: string;
  readonly scope: BudgetScope | 'rollout';
  /**
   * Set if waiting does not help. `approval`: the device is alone in its set, and no exception
   * approves that it goes down. `never`: the limit is 0.
   */
  readonly blocked?: 'approval' | 'never';
  /** The device is the only one of its set, whose limit no exception raises. */
  readonly isAlone?: boolean;
  /** The devices and tasks that use the limit now, if waiting may help. */
  readonly headroom?: Headroom;
}

/**
 * Tracks how many devices may be down and in flight, on the assumption that every admitted device
 * fails.
 */
export interface BudgetTracker {
  /** The first limit without headroom for the request; counts nothing. */
  refuses(request: BudgetRequest): BudgetRefusal | undefined;
  /** What has no headroom for the request: a set of devices, or the address of its policy; undefined where all has. */
  fullIn(request: BudgetRequest): object | string | undefined;
  /** Every budget without headroom for the request; counts nothing. */
  refusals(request: BudgetRequest): readonly BudgetRefusal[];
  /** Counts the request, whatever headroom is left. */
  count(request: BudgetRequest): void;
  /** The task of a counted request, or one that was in flight before, ended, and its device is up. */
  release(request: Released): void;
  /** Visits all that the limits know of a request besides its device: equal ones get the same answers. */
  eachLimit(request: BudgetRequest, visit: (part: unknown) => void): void;
  /**
   * Admits and counts the request, and returns undefined; or returns the first limit without
   * headroom and counts nothing.
   */
  take(request: BudgetRequest): BudgetRefusal | undefined;
}

/** The latest read of the device in a row. */
export function lastRead(
  { snapshot, reads }: Pick<BudgetInput, 'snapshot' | 'reads'>,
  row: number,
): ReadDevice {
  const { devices, takenAt } = snapshot;
  return reads?.get(devices.idAt(row)) ?? { device: devices.at(row), readAt: takenAt };
}

/** The type of the device in a row, by its latest read. */
export function typeAt(
  { snapshot: { devices }, reads }: Pick<BudgetInput, 'snapshot' | 'reads'>,
  row: number,
): string | undefined {
  const { id, deviceType } = devices.text;
  const read = reads?.get(cellOf(id, row) ?? '');
  return read ? read.device.deviceType : cellOf(deviceType, row);
}
