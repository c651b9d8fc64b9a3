import type { Policy } from '../../model/documents/policy.ts';
import type { ReadDevice } from '../../model/fleet/snapshot.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { newestSettled } from './down.ts';

/** Whether the type says that the device is a camera, alone or in a longer name. */
export function isCamera(deviceType: string | undefined): boolean {
  return /\bcamera\b/i.test(deviceType ?? '');
}

/**
 * Whether the task of a policy leaves a device of this type in service (semantics N43): as the policy says,
 * else a rotation does so on a camera, and on no other or unknown type.
 */
export function leavesInService(policy: Policy, deviceType: string | undefined): boolean {
  if (policy.section !== 'rotations') return false;
  return policy.leavesInService ?? isCamera(deviceType);
}

/**
 * Whether a device counts as in our hands although the ledger does not hold it down
 * (semantics N45): our last task on it failed, and it has not been read online since.
 */
export function failedInOurHands(memory: Memory, { device, readAt }: ReadDevice): boolean {
  const newest = newestSettled(memory.intentsOf(device.id));
  if (newest?.settledAt === undefined || ENDED_WELL.has(newest.verdict ?? 'done')) return false;
  const isOnlineSince =
    readAt > newest.settledAt && device.status === 'online' && device.maintenanceMode !== true;
  return !isOnlineSince;
}

/** Verdicts after which a device is no longer in our hands; `unverified` has a rule of its own. */
const ENDED_WELL: ReadonlySet<string> = new Set(['done', 'notDone', 'unverified']);
