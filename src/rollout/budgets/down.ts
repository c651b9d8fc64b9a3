import { KINDS } from '../../kinds/index.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import { sightingOf } from '../../model/ledger/sightings.ts';
import type { Facts } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

/** A device that says it is there, yet had not been seen for this long when it was read, counts as down. */
export const STALE_AFTER: Milliseconds = 15 * 60_000;

/** Between two actions on one device. */
export const GAP: Milliseconds = 30 * 60_000;

/**
 * What a device is worth to coverage. `partial` and `unknown` are down only where a budget says so.
 */
export const COVERAGES = ['up', 'partial', 'unknown', 'down'] as const;
export type Coverage = (typeof COVERAGES)[number];

/** What says whether a device is up; one of them not understood, and it may be down. */
export const SHOWS_UP = ['status', 'maintenanceMode', 'lastSeen'] as const;

/**
 * How a device read by itself (semantics B13). A word that is not known, or none, is `unknown`. When it was
 * last seen is held against the moment of the read: a reading that is half an hour old says nothing of
 * what was seen since.
 */
export function coverageOf(device: Device, readAt: Instant): Coverage {
  if (isUnreadable(device, ...SHOWS_UP)) return 'down';
  if (device.maintenanceMode === true || device.status === 'offline') return 'down';
  if (device.lastSeen !== undefined && readAt - device.lastSeen > STALE_AFTER) return 'down';
  if (device.status === 'online') return 'up';
  return device.status === 'partial' ? 'partial' : 'unknown';
}

/** What is known now beside the device itself. */
export interface Sight {
  readonly facts: (deviceId: string) => Facts;
  readonly now: Instant;
}

/**
 * Whether what the ledger remembers keeps a device down, whatever it reads: an intent that is not
 * closed, or one that ended unverified, has not shown its target since and has not been read online
 * twice, ten minutes apart.
 */
export function heldDown(memory: Memory, device: Device, sight: Sight): boolean {
  if (memory.intentsOf(device.id).some(mayBeRunning)) return true;
  const unverified = unverifiedOn(memory, device.id);
  if (!unverified || shown(unverified, device, sight)) return false;
  return !wasOnlineTwice(memory, unverified);
}

/** The intent that left a device unverified, if nothing was settled on the device since. */
export function unverifiedOn(memory: Memory, deviceId: string): IntentState | undefined {
  const newest = newestSettled(memory.intentsOf(deviceId));
  return newest?.verdict === 'unverified' ? newest : undefined;
}

/**
 * SEEN of a device that reads online after an intent on it ended unverified: its subject is the
 * intent, its value `once`, and `twice` so much later.
 */
export const ONLINE_AGAIN = 'onlineAgain' as const;
export const ONLINE_APART: Milliseconds = 10 * 60_000;

function wasOnlineTwice(memory: Memory, { id }: IntentState): boolean {
  const seen = sightingOf(memory, ONLINE_AGAIN, id);
  return seen?.value === 'twice' && seen.lastAt - seen.firstAt >= ONLINE_APART;
}

/** The intent may be running, as far as anybody knows. */
export function mayBeRunning(intent: IntentState): boolean {
  return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';
}

/** The service has, or is about to have, its task. In doubt it is down, but blocks nothing else. */
export function isInFlight(intent: IntentState): boolean {
  return intent.phase === 'open' || intent.phase === 'running';
}

/** A disruptive task on the device ended less than the gap ago. */
export function inGap(intent: IntentState, now: Instant): boolean {
  return (
    isDisruptive(intent.task) && intent.settledAt !== undefined && now - intent.settledAt < GAP
  );
}

/** Whether a task takes its device down for a while. */
export function isDisruptive(task: TaskType): boolean {
  return KINDS[task].disruptive;
}

function newestSettled(intents: readonly IntentState[]): IntentState | undefined {
  let newest: IntentState | undefined;
  for (const intent of intents)
    if (intent.settledAt !== undefined && intent.settledAt >= (newest?.settledAt ?? 0))
      newest = intent;
  return newest;
}

/** The device is online and shows, by what was read anyway, what an unverified intent wanted. */
function shown(intent: IntentState, device: Device, { facts }: Sight): boolean {
  const { showsLater } = KINDS[intent.task];
  if (!showsLater) return true;
  return device.status === 'online' && showsLater(intent, device, facts(device.id));
}
