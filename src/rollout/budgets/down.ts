import { KINDS } from '../../kinds/index.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import { findSighting } from '../../model/ledger/sightings.ts';
import type { Facts, Snapshot } from '../../model/fleet/snapshot.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { numberPairs } from '../../lib/pair-numbers.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

/**
 * A device that reads as online counts as down if it was last seen longer ago than this at the time
 * of the read.
 */
export const STALE_AFTER: Milliseconds = 15 * 60_000;

/** The cool-down between two actions on one device. */
export const GAP: Milliseconds = 30 * 60_000;

/**
 * Whether a device is available. `partial` and `unknown` count as down only in budgets that say so.
 */
export const COVERAGES = ['up', 'partial', 'unknown', 'down'] as const;
export type Coverage = (typeof COVERAGES)[number];

/**
 * The fields that show whether a device is up. If one of them is not understood, the device may be
 * down.
 */
export const SHOWS_UP = ['status', 'maintenanceMode', 'lastSeen'] as const;

/**
 * The coverage of a device by its read alone (semantics B13). An unknown or missing word is
 * `unknown`. The last-seen time is compared with the time of the read, because an old reading shows
 * nothing newer.
 */
export function judgeCoverage(device: Device, readAt: Instant): Coverage {
  if (isUnreadable(device, ...SHOWS_UP)) return 'down';
  if (device.maintenanceMode === true || device.status === 'offline') return 'down';
  if (device.lastSeen !== undefined && readAt - device.lastSeen > STALE_AFTER) return 'down';
  if (device.status === 'online') return 'up';
  return device.status === 'partial' ? 'partial' : 'unknown';
}

/**
 * `judgeCoverage` of the rows of a fleet as they were listed. It reads nothing but status, maintenance mode, unreadable fields
 * and whether the device was seen lately, so one device of each combination is judged, and no other one is built.
 */
export function rowCoverage({
  devices,
  takenAt,
}: Pick<Snapshot, 'devices' | 'takenAt'>): (row: number) => Coverage {
  const { text, unreadable, lastSeen } = devices;
  const modes = devices.codesOf('maintenanceMode');
  const pairNumber = numberPairs();
  const judged: (Coverage | undefined)[] = [];
  return (row) => {
    const isStale = takenAt - (lastSeen[row] ?? Number.NaN) > STALE_AFTER;
    const seen = pairNumber(text.status.codes[row] ?? 0, Number(isStale));
    const number = pairNumber(pairNumber(seen, modes[row] ?? 0), unreadable.codes[row] ?? 0);
    return (judged[number] ??= judgeCoverage(devices.at(row), takenAt));
  };
}

/** The known state besides the device itself. */
export interface Sight {
  readonly facts: (deviceId: string) => Facts;
  readonly now: Instant;
}

/**
 * Whether the ledger keeps a device down, whatever it reads: an intent is open, or ended unverified
 * and the device has since neither shown its target nor been read online twice, ten minutes apart.
 */
export function heldDown(memory: Memory, device: Device, sight: Sight): boolean {
  if (memory.intentsOf(device.id).some(mayBeRunning)) return true;
  const unverified = unverifiedOn(memory, device.id);
  if (!unverified || shown(unverified, device, sight)) return false;
  return !wasOnlineTwice(memory, unverified);
}

/** The intent that left a device unverified, unless a later one was settled on it. */
export function unverifiedOn(memory: Memory, deviceId: string): IntentState | undefined {
  const newest = newestSettled(memory.intentsOf(deviceId));
  return newest?.verdict === 'unverified' ? newest : undefined;
}

/**
 * SEEN of a device that reads online after an intent on it ended unverified. The subject is the
 * intent; the value is `once`, and `twice` after the second read.
 */
export const ONLINE_AGAIN = 'onlineAgain' as const;
export const ONLINE_APART: Milliseconds = 10 * 60_000;

function wasOnlineTwice(memory: Memory, { id }: IntentState): boolean {
  const seen = findSighting(memory, ONLINE_AGAIN, id);
  return seen?.value === 'twice' && seen.lastAt - seen.firstAt >= ONLINE_APART;
}

export function mayBeRunning(intent: IntentState): boolean {
  return intent.phase === 'open' || intent.phase === 'running' || intent.phase === 'inDoubt';
}

/**
 * Whether the service has the task or is about to get it. A device in doubt is down, but blocks no
 * other limit.
 */
export function isInFlight(intent: IntentState): boolean {
  return intent.phase === 'open' || intent.phase === 'running';
}

/** Whether a task takes its device down for a while. */
export function isDisruptive(task: TaskType): boolean {
  return KINDS[task].disruptive;
}

/** The intent of these that was settled last. */
export function newestSettled(intents: readonly IntentState[]): IntentState | undefined {
  let newest: IntentState | undefined;
  for (const intent of intents)
    if (intent.settledAt !== undefined && intent.settledAt >= (newest?.settledAt ?? 0))
      newest = intent;
  return newest;
}

/** Whether the device is online and its read shows the target of an unverified intent. */
function shown(intent: IntentState, device: Device, { facts }: Sight): boolean {
  const { showsLater } = KINDS[intent.task];
  if (!showsLater) return true;
  return device.status === 'online' && showsLater(intent, device, facts(device.id));
}
