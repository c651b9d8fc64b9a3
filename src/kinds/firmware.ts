import type { Device } from '../model/fleet/device.ts';
import type { FirmwarePolicy, VersionSpec } from '../model/documents/policy.ts';
import type { ApprovedFirmware } from '../model/fleet/snapshot.ts';
import { compareVersions, inRange } from '../lib/version-order.ts';
import type { Values } from '../model/plan/change.ts';
import type { IntentState, Memory } from '../model/ledger/memory.ts';
import { shortId } from '../lib/canonical.ts';
import type { Reason } from '../model/plan/reason.ts';
import { findSighting } from '../model/ledger/sightings.ts';
import { type Instant, formatDuration } from '../lib/time.ts';

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
  spec: VersionSpec,
  device: Running,
  list: readonly ApprovedFirmware[],
): Target {
  if (spec.is === 'approved') return findNewest(list, device);
  if (spec.is === 'range') return newestIn(spec.text, device, list);
  const approved = list.find(({ version }) => sameVersion(device, version, spec.version));
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
  if (fitting.length > 0)
    return unlessNewerRuns(findNewest(fitting, device), device, runs === true);
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

function findNewest(list: readonly ApprovedFirmware[], device: Running): Target {
  let [newest] = list;
  if (!newest) return { is: 'none' };
  for (const approved of list.slice(1)) {
    const order = compareVersions(device.vendor, approved.version, newest.version);
    if (order === undefined) return { is: 'notComparable', a: approved.version, b: newest.version };
    if (order > 0) newest = approved;
  }
  return { is: 'found', approved: newest };
}

/** The way of one device to its wanted version, which is the last of the hops. */
interface Way {
  readonly running: Running;
  /** Those that are left; none is the version that runs. */
  readonly hops: readonly string[];
  /** The service counts the version that runs among the hops: the way has begun. */
  readonly begun: boolean;
}

/** The next hop, and where it is not the last one the versions between and the one in the end. */
export function afterHop([hop = '', ...later]: readonly string[]): Values {
  const final = later.at(-1);
  if (final === undefined) return { firmwareVersion: hop };
  const between = later.slice(0, -1).join(', ');
  return { firmwareVersion: hop, ...(between && { via: between }), finalVersion: final };
}

/**
 * How many hops must fit before the window closes, where that is not the next one alone. With
 * `restAtIntermediate: forbid` the first one waits until all of them do. A device that rests on its way
 * already has to go on (semantics F8): the service says so, or the ledger that our last hop was one.
 */
export function hopsTogether(
  { restAtIntermediate }: Pick<FirmwarePolicy, 'restAtIntermediate'>,
  { running, hops, begun }: Way,
  past: readonly IntentState[],
): { readonly together?: number } {
  if (restAtIntermediate === 'allow' || hops.length < 2) return {};
  return begun || rests(running, past) ? {} : { together: hops.length };
}

/** What was done last brought it here, on the way to another version. */
function rests(running: Running, past: readonly IntentState[]): boolean {
  const isHere = ({ target }: IntentState): boolean =>
    sameVersion(running, target, running.firmwareVersion);
  const last = past.findLast((intent) => intent.verdict === 'done' || isHere(intent));
  return last?.towards !== undefined && isHere(last);
}

/** What a SEEN record of an approved version is about: its subject is `approvalSubject`. */
export const APPROVED = 'approved';

type Model = Pick<Device, 'vendor' | 'model'>;
type Seen = Pick<Memory, 'sightings'>;

/** The subject of SEEN records: one version, approved for one model. */
export function approvalSubject({ vendor = '', model = '' }: Model, version: string): string {
  return shortId([vendor, model, version]);
}

/** When an apply first saw a version approved for a model; undefined where none has. */
export function approvedAt(device: Model, version: string, seen: Seen): Instant | undefined {
  return findSighting(seen, APPROVED, approvalSubject(device, version))?.firstAt;
}

/**
 * Why a version has to wait: it has not been approved for as long as the policy defers, or nobody
 * knows for how long (semantics F7).
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
export function firmwareDeadline(
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
