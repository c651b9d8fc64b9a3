import type { Device } from '../model/fleet/device.ts';
import type { VersionSpec } from '../model/documents/policy.ts';
import type { ApprovedFirmware } from '../model/fleet/snapshot.ts';
import { compareVersions, inRange } from '../lib/version-order.ts';

/** Which approved version a wish means for one device, or why there is none. */
export type Target =
  | { readonly is: 'found'; readonly approved: ApprovedFirmware }
  | { readonly is: 'satisfied' }
  | { readonly is: 'none' }
  | { readonly is: 'notComparable'; readonly a: string; readonly b: string };

/** A device whose running version is known. */
export type Running = Pick<Device, 'vendor' | 'model'> & { readonly firmwareVersion: string };

/**
 * An exact version is itself, if approved. `approved` means the newest approved version; a range or
 * x-range the newest that lies in it, and a device that lies in it with nothing newer to go to is
 * satisfied (semantics F9).
 */
export function chooseTarget(
  wish: VersionSpec,
  device: Running,
  list: readonly ApprovedFirmware[],
): Target {
  if (wish.is === 'approved') return newestOf(list, device);
  if (wish.is === 'range') return newestIn(wish.text, device, list);
  const approved = list.find(({ version }) => sameVersion(device, version, wish.version));
  return approved ? { is: 'found', approved } : { is: 'none' };
}

/**
 * Whether two versions are one: the same text, or equal in the vendor's order (`6.50` and
 * `6.50.0`).
 */
export function sameVersion(device: Pick<Device, 'vendor'>, a: string, b: string): boolean {
  return compareVersions(device.vendor, a, b) === 0;
}

function newestIn(range: string, device: Running, list: readonly ApprovedFirmware[]): Target {
  const runs = inRange(device.vendor, device.firmwareVersion, range);
  const fitting = list.filter(({ version }) => inRange(device.vendor, version, range) === true);
  if (fitting.length > 0) return unlessNewerRuns(newestOf(fitting, device), device, runs === true);
  if (runs === true) return { is: 'satisfied' };
  const unclear =
    runs === undefined
      ? device.firmwareVersion
      : list.find(({ version }) => inRange(device.vendor, version, range) === undefined)?.version;
  return unclear === undefined ? { is: 'none' } : { is: 'notComparable', a: unclear, b: range };
}

/** A device that runs a version of the range is moved only to a newer one. */
function unlessNewerRuns(newest: Target, device: Running, runsInRange: boolean): Target {
  if (newest.is !== 'found' || !runsInRange) return newest;
  const { version } = newest.approved;
  const order = compareVersions(device.vendor, version, device.firmwareVersion);
  if (order === undefined) return { is: 'notComparable', a: device.firmwareVersion, b: version };
  return order > 0 ? newest : { is: 'satisfied' };
}

function newestOf(list: readonly ApprovedFirmware[], device: Running): Target {
  let [newest] = list;
  if (!newest) return { is: 'none' };
  for (const approved of list.slice(1)) {
    const order = compareVersions(device.vendor, approved.version, newest.version);
    if (order === undefined) return { is: 'notComparable', a: approved.version, b: newest.version };
    if (order > 0) newest = approved;
  }
  return { is: 'found', approved: newest };
}
