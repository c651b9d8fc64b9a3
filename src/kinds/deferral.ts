import { shortId } from '../lib/canonical.ts';
import type { Device } from '../model/fleet/device.ts';
import type { Memory } from '../model/ledger/memory.ts';
import type { FirmwarePolicy } from '../model/documents/policy.ts';
import type { Reason } from '../model/plan/reason.ts';
import { sightingOf } from '../model/ledger/sightings.ts';
import { formatDuration, type Instant } from '../lib/time.ts';
import { compareVersions } from '../lib/version-order.ts';

/** What a SEEN record of an approved version is about: its subject is `approvalOf`. */
export const APPROVED = 'approved';

type Model = Pick<Device, 'vendor' | 'model'>;
type Seen = Pick<Memory, 'sightings'>;

/** The subject of SEEN records: one version, approved for one model. */
export function approvalOf({ vendor = '', model = '' }: Model, version: string): string {
  return shortId([vendor, model, version]);
}

/** When an apply first saw a version approved for a model; undefined where none has. */
export function approvedAt(device: Model, version: string, seen: Seen): Instant | undefined {
  return sightingOf(seen, APPROVED, approvalOf(device, version))?.firstAt;
}

/**
 * Why a version has to wait: it has not been approved for as long as the policy defers, or nobody
 * knows for how long (semantics F7).
 */
export function deferralOf(
  { deferral }: FirmwarePolicy,
  since: Instant | undefined,
  now: Instant,
): Reason | undefined {
  if (deferral === 0) return undefined;
  const params = { deferral: formatDuration(deferral) };
  if (since === undefined)
    return { code: 'notDue', why: 'deferral', params: { ...params, unseen: 'approval' } };
  const next = since + deferral;
  return now < next ? { code: 'notDue', why: 'deferral', since, next, params } : undefined;
}

/** Whether a version is below the policy's floor; undefined where the two have no order. */
export function isBelowFloor(
  { minVersion }: FirmwarePolicy,
  vendor: string | undefined,
  version: string,
): boolean | undefined {
  if (minVersion === undefined) return false;
  const order = compareVersions(vendor, version, minVersion);
  return order === undefined ? undefined : order < 0;
}

/**
 * When a device that still runs another version becomes late: after the deferral, which a device
 * below the floor does not have. It skips no rule; it is only said.
 * @param wanted the version that the policy wants of it
 */
export function deadlineOf(
  policy: FirmwarePolicy,
  device: Model & { readonly firmwareVersion: string },
  { wanted, sightings }: { readonly wanted: string } & Seen,
): Instant | undefined {
  const { deferral, deadline } = policy;
  const since = deadline === undefined ? undefined : approvedAt(device, wanted, seenIn(sightings));
  if (since === undefined || deadline === undefined) return undefined;
  const isBelow = isBelowFloor(policy, device.vendor, device.firmwareVersion) === true;
  return since + (isBelow ? 0 : deferral) + deadline;
}

function seenIn(sightings: Memory['sightings']): Seen {
  return sightings ? { sightings } : {};
}
