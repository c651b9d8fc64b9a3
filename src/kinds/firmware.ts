import type { Device } from '../model/fleet/device.ts';
import type { FirmwarePolicy, VersionSpec } from '../model/documents/policy.ts';
import type { ApprovedFirmware } from '../model/fleet/snapshot.ts';
import { compareVersions, inRange } from '../lib/version-order.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import { shortId } from '../lib/canonical.ts';
import type { Reason } from '../model/plan/reason.ts';
import { findSighting } from '../model/ledger/sightings.ts';
import { type Instant, formatDuration } from '../lib/time.ts';

/** The approved version that a policy selects for one device, or why there is none. */
export type Target =
  | { readonly is: 'found'; readonly approved: ApprovedFirmware }
  | { readonly is: 'satisfied' }
  | { readonly is: 'none' }
  | { readonly is: 'notComparable'; readonly a: string; readonly b: string };

/** A device with a known firmware version, and the order of versions that its policy states (semantics M21). */
export type Running = Pick<Device, 'vendor' | 'model'> & {
  readonly firmwareVersion: string;
  readonly stated?: readonly string[] | undefined;
};

/** Below, equal to or above 0 if a version is older, equal or newer on this device; undefined where that is unclear. */
export function compareOn(
  { vendor, stated }: Pick<Running, 'vendor' | 'stated'>,
  a: string,
  b: string,
): number | undefined {
  return compareVersions(vendor, a, b, stated);
}

/**
 * Chooses the target version (semantics F9). An exact version selects itself if the service
 * approves it. `approved` selects the newest approved version, and a range selects the newest
 * approved version in the range. A device whose version is in the range is satisfied if nothing
 * newer is approved.
 */
export function chooseTarget(
  spec: VersionSpec,
  device: Running,
  list: readonly ApprovedFirmware[],
): Target {
  if (spec.is === 'approved') return findNewest(list, device);
  if (spec.is === 'range') return newestIn(spec.text, device, list);
  if (spec.is === 'floor') return { is: 'satisfied' };
  const approved = list.find(({ version }) => sameVersion(device, version, spec.version));
  return approved ? { is: 'found', approved } : { is: 'none' };
}

/** Whether two versions are the same: equal text, or equal in the vendor's order, such as `6.50` and `6.50.0`. */
export function sameVersion(device: Pick<Device, 'vendor'>, a: string, b: string): boolean {
  return compareVersions(device.vendor, a, b) === 0;
}

function newestIn(range: string, device: Running, list: readonly ApprovedFirmware[]): Target {
  const isIn = (version: string) => inRange(device.vendor, version, range, device.stated);
  const runs = isIn(device.firmwareVersion);
  const fitting = list.filter(({ version }) => isIn(version) === true);
  if (fitting.length > 0)
    return unlessNewerRuns(findNewest(fitting, device), device, runs === true);
  if (runs === true) return { is: 'satisfied' };
  const unclear =
    runs === undefined
      ? device.firmwareVersion
      : list.find(({ version }) => isIn(version) === undefined)?.version;
  return unclear === undefined ? { is: 'none' } : { is: 'notComparable', a: unclear, b: range };
}

/** A device that already runs a version in the range only moves to a newer one. */
function unlessNewerRuns(newest: Target, device: Running, runsInRange: boolean): Target {
  if (newest.is !== 'found' || !runsInRange) return newest;
  const { version } = newest.approved;
  const order = compareOn(device, version, device.firmwareVersion);
  if (order === undefined) return { is: 'notComparable', a: device.firmwareVersion, b: version };
  return order > 0 ? newest : { is: 'satisfied' };
}

/** The version that is surely at least as new as each other one, wherever the list has it. */
function findNewest([first, ...others]: readonly ApprovedFirmware[], device: Running): Target {
  if (!first) return { is: 'none' };
  const order = (a: ApprovedFirmware, b: ApprovedFirmware) =>
    compareOn(device, a.version, b.version);
  const newest = others.reduce((best, each) => ((order(each, best) ?? 0) > 0 ? each : best), first);
  const unclear = [first, ...others].find((each) => (order(newest, each) ?? -1) < 0);
  if (unclear) return { is: 'notComparable', a: unclear.version, b: newest.version };
  return { is: 'found', approved: newest };
}

/** The upgrade path of one device. The last step is the target version. */
interface UpgradePath {
  readonly running: Running;
  /** The remaining steps, without the running version. */
  readonly hops: readonly string[];
  /** Whether the path has begun: the service lists the running version as one of its steps. */
  readonly begun: boolean;
}

/**
 * The number of steps that must fit before the window closes, if it is more than the next one. With
 * `restAtIntermediate: forbid`, the first step waits until all steps fit. A device that already
 * runs an intermediate version continues (semantics F8): either the service lists its version as a
 * step, or the ledger shows that our last step led to it.
 */
export function hopsTogether(
  { restAtIntermediate }: Pick<FirmwarePolicy, 'restAtIntermediate'>,
  { running, hops, begun }: UpgradePath,
  past: readonly Settled[],
): { readonly together?: number } {
  if (restAtIntermediate === 'allow' || hops.length < 2) return {};
  return begun || rests(running, past) ? {} : { together: hops.length };
}

/** Whether the last completed intent brought the device to this version on the way to another. */
type Settled = Pick<IntentState, 'target' | 'towards' | 'verdict'>;

function rests(running: Running, past: readonly Settled[]): boolean {
  const isHere = ({ target }: Pick<Settled, 'target'>): boolean =>
    sameVersion(running, target, running.firmwareVersion);
  const last = past.findLast((intent) => intent.verdict === 'done' || isHere(intent));
  return last?.towards !== undefined && isHere(last);
}

/** The kind of SEEN records about an approved version. Their subject is `approvalSubject`. */
export const APPROVED = 'approved';

type Model = Pick<Device, 'vendor' | 'model'>;
type Seen = Partial<Pick<Memory, 'sightings'>>;

/** The subject of a SEEN record: one version that is approved for one model. */
export function approvalSubject({ vendor = '', model = '' }: Model, version: string): string {
  return shortId([vendor, model, version]);
}

/** When an apply first saw that a version is approved for a model; undefined if no apply has. */
export function approvedAt(device: Model, version: string, seen: Seen): Instant | undefined {
  return findSighting(seen, APPROVED, approvalSubject(device, version))?.firstAt;
}

/**
 * The reason why a version waits: it has been approved for less time than the policy's deferral, or
 * nothing records since when it is approved (semantics F7).
 */
export function deferralReason(
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

/** Whether a version is below the policy's floor; undefined where that is unclear. */
export function isBelowFloor(
  { minVersion, order: stated }: FirmwarePolicy,
  vendor: string | undefined,
  version: string,
): boolean | undefined {
  if (minVersion === undefined) return false;
  const order = compareVersions(vendor, version, minVersion, stated);
  return order === undefined ? undefined : order < 0;
}

/**
 * When a device that still runs another version becomes overdue: one deadline after the end of the
 * deferral. A device below the floor has no deferral. The deadline skips no rule; it is only
 * reported.
 * @param wanted the target version
 */
export function firmwareDeadline(
  policy: FirmwarePolicy,
  device: Model & { readonly firmwareVersion: string },
  { wanted, ...seen }: { readonly wanted: string } & Seen,
): Instant | undefined {
  const { deferral, deadline } = policy;
  const since = deadline === undefined ? undefined : approvedAt(device, wanted, seen);
  if (since === undefined || deadline === undefined) return undefined;
  const isBelow = isBelowFloor(policy, device.vendor, device.firmwareVersion) === true;
  return since + (isBelow ? 0 : deferral) + deadline;
}
