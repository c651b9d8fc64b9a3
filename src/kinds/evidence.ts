import type { Device } from '../model/fleet/device.ts';
import { READ_DELAY_MS } from '../model/fleet/read-delay.ts';
import type { ResultEvidence } from '../model/ledger/record.ts';
import { formatInstant } from '../lib/time.ts';
import { isUnreadable } from '../model/fleet/unreadable.ts';
import type { Attempted, Finding, Readback, Proof } from './kind.ts';

export function evidence(
  seen: Readback,
  ...findings: readonly Finding[]
): readonly ResultEvidence[] {
  const at = formatInstant(seen.readAt);
  return findings.map((finding) => ({ ...finding, at }));
}

/** The proof that the device shows the target, or something else after the attempt. */
export function proof(shows: 'shown' | 'other', seen: Readback, finding: Finding): Proof {
  return { is: shows, evidence: evidence(seen, finding) };
}

/**
 * Whether the service refuses to show this user what the task changes, now and before the attempt.
 * An answer that was not understood, such as a proxy's page or an outage, is no such sign.
 */
export function isNeverShown({ marker }: Attempted, read: unknown): boolean {
  return marker === '' && read === 'forbidden';
}

/** The service does not show the effect, so only the result of the task counts, once there is one (protocol V5). */
export function resultOnly(attempted: Attempted, seen: Readback): Proof {
  if (attempted.completedAt === undefined) return { is: 'notYet', why: 'unreadable' };
  const finding = { source: 'task', field: 'result', value: 'succeeded' };
  return { is: 'resultOnly', evidence: evidence(seen, finding) };
}

/**
 * Returns the device if the read is fresh, else the reason why it proves nothing yet. A read is
 * fresh if the device reported after the service first showed `completed`: `lastSeen` is later. If
 * either time is missing, equal reads over the read delay V are sufficient (protocol V2).
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

/** Returns the device if it was read and is online, else the reason why it proves nothing yet. */
export function onlineDevice(seen: Readback): Device | Proof {
  if (!seen.device) return { is: 'notYet', why: 'unreadable' };
  if (isUnreadable(seen.device, 'status')) return { is: 'notYet', why: 'unreadable' };
  return seen.device.status === 'online' ? seen.device : { is: 'notYet', why: 'notOnline' };
}
