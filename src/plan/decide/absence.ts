import type { Reason } from '../../model/plan/reason.ts';
import { sightingOf, sightingsOf } from '../../model/ledger/sightings.ts';
import type { Observer } from '../observer.ts';
import type { Evaluation } from './question.ts';

/**
 * SEEN of an overdue device that was offline: its subject is the device, its value `away` at first
 * and `back` once it was seen to be reachable again.
 */
const BACK = 'back';

/**
 * An overdue device that was away is left alone for the `offlineGrace` of its policy once it is back
 * (semantics R13). Nobody knows since when it is back until apply has seen it.
 */
export function settlesIn({ judgement, memory, case: theCase }: Evaluation): Reason | undefined {
  const { policy, device, now } = theCase;
  if (policy.section !== 'rotations' || policy.offlineGrace === 0) return undefined;
  if (judgement.is !== 'due' || !isReachable(device.status)) return undefined;
  const seen = sightingOf(memory, BACK, device.id);
  if (!seen) return undefined;
  if (seen.value === 'away') {
    const params = { unseen: 'return' };
    return { code: 'notDue', why: 'offlineGrace', next: now + policy.offlineGrace, params };
  }
  const { since } = seen;
  const next = since + policy.offlineGrace;
  return now < next ? { code: 'notDue', why: 'offlineGrace', since, next } : undefined;
}

/** Devices whose rotation is overdue while they are offline. */
export const absences: Observer = function* ({ documents, memory, changes, now }) {
  const found = new Set<string>();
  const waiting = new Set([...documents.rotations.values()].map(({ value }) => value.address));
  for (const { policy, device, reason } of changes) {
    if (reason.code !== 'offline' || !waiting.has(policy) || found.has(device.id)) continue;
    found.add(device.id);
    if (sightingOf(memory, BACK, device.id)?.value === 'away') continue;
    yield { what: BACK, subject: device.id, value: 'away', seenAt: reason.since ?? now };
  }
};

/** Devices that were away and can be reached again. */
export const returns: Observer = function* ({ snapshot: { devices }, memory, now }) {
  for (const [subject, { value }] of sightingsOf(memory, BACK)) {
    if (value !== 'away') continue;
    const row = devices.rowOf(subject);
    if (row === undefined || !isReachable(devices.at(row).status)) continue;
    yield { what: BACK, subject, value: 'back', seenAt: now };
  }
};

function isReachable(status: string | undefined): boolean {
  return status === 'online' || status === 'partial';
}
