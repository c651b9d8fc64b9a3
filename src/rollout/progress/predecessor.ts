import type { Policy } from '../../model/documents/policy.ts';
import type { After } from '../../model/documents/values.ts';
import type { ReadDevice } from '../../model/fleet/snapshot.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { FollowInput } from './follow.ts';
import type { Followed } from './followed.ts';

/** A device of a policy that others come after, and why it holds them or is left out. */
export interface Standing {
  readonly id: string;
  readonly is: 'done' | 'leftOut' | 'holds';
  readonly reason: Reason;
}

/** The devices that come before others, at their sites or in the whole fleet (semantics K29). */
export interface Before {
  /** One without an ID stands for those that an inconsistent list may lack. */
  readonly holds: readonly Standing[];
  readonly leftOut: readonly Standing[];
  readonly count: number;
}

/** An entry of `after` that holds a device now, and what does. */
export interface HeldAfter {
  readonly after: After;
  readonly before: Before;
}

/** How the devices stand that come before others. No sites: those of the device are not known, so all of them count. */
export interface Predecessors {
  of(after: After, sites: readonly string[]): Before;
  /** The first entry of `after` that holds a device of a policy at these sites; undefined if none does. */
  holding(policy: Policy, sites: readonly string[]): HeldAfter | undefined;
}

/** The ledger and what is known of the fleet at an instant, which may be later than the reading. */
export interface Moment extends FollowInput {
  /** Absent before the rollouts are known: no pause and no stop holds anything then. */
  readonly followed?: ReadonlyMap<string, Followed>;
  /** Reads of single devices after the reading. */
  readonly newer?: Pick<ReadonlyMap<string, ReadDevice>, 'get'>;
  /** Whether the newest list shows a device as down; absent: the reading is the newest. */
  readonly isDown?: (deviceId: string) => boolean;
}

/** Why a change waits for the devices of another policy, the same for all that wait for it. */
export function orderReason({ policy: after, per }: After, isTorn: boolean): Reason {
  const params = { after, ...(per === 'fleet' && { per }) };
  return { code: 'orderPending', ...(isTorn && { why: 'listTorn' }), params };
}
