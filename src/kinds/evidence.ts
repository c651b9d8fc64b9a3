import type { Device } from '../model/fleet/device.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import type { ResultEvidence } from '../model/ledger/record.ts';
import { formatInstant } from '../lib/time.ts';
import { isUnreadable } from '../model/fleet/unreadable.ts';
import type { Attempted, Finding, Readback, Proof } from './kind.ts';

/** The evidence of one observation, dated with its read. */
export function evidence(
  seen: Readback,
  ...findings: readonly Finding[]
): readonly ResultEvidence[] {
  const at = formatInstant(seen.readAt);
  return findings.map((finding) => ({ ...finding, at }));
}

/** The target is there, or after the attempt something else is. */
export function proof(shows: 'shown' | 'other', seen: Readback, finding: Finding): Proof {
  return { is: shows, evidence: evidence(seen, finding) };
}

/**
 * The service refuses to show this user what the task changes, and did so before. An answer that was not
 * understood (a page of a proxy, an outage) is no sign of that.
 */
export function isNeverShown({ marker }: Attempted, read: unknown): boolean {
  return marker === '' && read === 'forbidden';
}

/** The service does not show the effect; what is left is the task's result, once there is one (protocol V5). */
export function resultOnly(attempted: Attempted, seen: Readback): Proof {
  if (attempted.completedAt === undefined) return { is: 'notYet', why: 'unreadable' };
  const finding = { source: 'task', field: 'result', value: 'succeeded' };
  return { is: 'resultOnly', evidence: evidence(seen, finding) };
}

/**
 * The device read back, or why it proves nothing yet. Fresh is what the device itself reported
 * after the service first showed `completed`: `lastSeen` later than that. Where either time is
 * missing, equal reads that are V apart will do (protocol V2).
 */
export function freshDevice(attempted: Attempted, seen: Readback): Device | Proof {
  const device = onlineDevice(seen);
  if ('is' in device) return device;
  if (isUnreadable(device, 'lastSeen')) return { is: 'notYet', why: 'unreadable' };
  const since = attempted.completedAt ?? attempted.attemptedAt;
  const isFresh =
    device.lastSeen === undefined || attempted.undated === true
      ? (seen.steadyFor ?? 0) >= READ_DELAY_MS
      : device.lastSeen > since;
  return isFresh ? device : { is: 'notYet', why: 'stale' };
}

/** The device read back, if it is there and online. */
export function onlineDevice(seen: Readback): Device | Proof {
  if (!seen.device) return { is: 'notYet', why: 'unreadable' };
  if (isUnreadable(seen.device, 'status')) return { is: 'notYet', why: 'unreadable' };
  return seen.device.status === 'online' ? seen.device : { is: 'notYet', why: 'notOnline' };
}
