import { Bug } from '../lib/bug.ts';
import { inRange } from '../lib/version-order.ts';
import type { Cause, Values } from '../model/plan/change.ts';
import type { Device } from '../model/fleet/device.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { FirmwarePolicy, Policy, VersionSpec } from '../model/documents/policy.ts';
import { isPassed } from '../model/documents/passes.ts';
import type { Reason, ReasonWhy } from '../model/plan/reason.ts';
import type { ApprovedFirmware, Facts } from '../model/fleet/snapshot.ts';
import type { Payload } from '../model/fleet/task.ts';
import { isUnreadable } from '../model/fleet/unreadable.ts';
import { afterHop, findPathAhead } from '../model/plan/upgrade-path.ts';
import {
  approvedAt,
  firmwareDeadline,
  deferralReason,
  isBelowFloor,
  hopsTogether,
  chooseTarget,
  compareOn,
  sameVersion,
  type Running,
} from './firmware.ts';
import { freshDevice, proof } from './evidence.ts';
import {
  converged,
  notComparable,
  notRead,
  offers,
  unsupported,
  whyNotOffered,
  isRetry,
  timesDone,
  riskOn,
} from './judgements.ts';
import type { Attempted, CaseOf, Finding, Judgement, Kind, Readback, Proof } from './kind.ts';

/** The service's word for a device that receives no more firmware. */
const END_OF_SUPPORT = 'eos';

const FIELDS = [
  'vendor',
  'model',
  'firmwareVersion',
  'lifeCycle',
  'available',
  'unreadable',
] as const;
const PAST = ['target', 'towards', 'generation', 'phase', 'verdict'] as const;

/** Its judgement depends on no more than this, so that devices of one model and version share it. */
type Case = CaseOf<
  Pick<Device, (typeof FIELDS)[number]>,
  Pick<IntentState, (typeof PAST)[number]>,
  Pick<Facts, 'targetFirmware' | 'sampled'>
>;

/** Brings a device to its target firmware. Each step is an intent of its own (semantics F2). */
export const upgradeFirmware: Kind = {
  task: 'upgradeFirmware',
  rank: 3,
  initialCause: 'config',
  disturbsSoak: false,
  retriedAfterFailure: 'always',
  triesAfterNotDone: 1,
  oncePerWindow: false,
  settledByRead: true,
  endsUnknown: false,
  showsLater: ({ target }, device) =>
    device.firmwareVersion !== undefined && sameVersion(device, device.firmwareVersion, target),
  available: 'upgradeFirmware',
  disruptive: true,
  actsOffline: false,
  decidingFields: () => ['firmwareVersion'],
  judgedBy: { fields: FIELDS, past: PAST, read: 'targetFirmware' },
  reads: (theCase) => (withoutReads(theCase) ? [] : ['targetFirmware']),
  proofReads: [],
  shows: describeBefore,
  judge: (theCase) => withoutReads(theCase) ?? judgeApproved(theCase),
  payloadAsWritten: (_policy, { upgradeMembers }) => upgradeMembers,
  payload: (_policy, target, { upgradeMembers, upgradeVersionField }) =>
    withMember(upgradeMembers, upgradeVersionField.split('.'), target),
  risk: (device) => riskOn(device, 'medium'),
  prove,
  settlesDoubt: ({ target, marker }, { device }) =>
    device?.firmwareVersion !== undefined &&
    sameVersion(device, device.firmwareVersion, target) &&
    !sameVersion(device, marker, target)
      ? [version(device.firmwareVersion)]
      : [],
  weakSigns,
  showsBefore: ({ marker }, { device }) =>
    device?.status === 'online' &&
    device.firmwareVersion !== undefined &&
    sameVersion(device, device.firmwareVersion, marker)
      ? [version(device.firmwareVersion)]
      : [],
};

/** Judges by the device list alone; undefined if the approved versions are needed. */
function withoutReads(theCase: Case): Judgement | undefined {
  const { device } = theCase;
  const { firmwareVersion } = device;
  const before = describeBefore(device);
  const spec = wantedVersion(theCase);
  // Nothing starts for a floor, so that it is all the same whether the service offers the task.
  if (spec.is === 'floor' && firmwareVersion !== undefined)
    return satisfied(theCase, toRunning(theCase));
  if (!offers(theCase, 'upgradeFirmware')) {
    if (wasBrought(theCase, spec)) return converged(before, false);
    if (isOver(device)) return unsupported('endOfSupport', before);
    const [why, params] = whyNotOffered(theCase, 'upgradeFirmware');
    return unsupported(why, before, params);
  }
  if (firmwareVersion === undefined)
    return unsupported('valueUnknown', before, { field: 'firmwareVersion' });
  if (spec.is !== 'exact') return undefined;
  if (sameVersion(device, firmwareVersion, spec.version))
    return converged(before, isExternal(theCase, firmwareVersion));
  return isOlder(theCase, toRunning(theCase), spec.version) === true
    ? goingBack(firmwareVersion, spec.version)
    : undefined;
}

/** Whether a device shows what it was brought to: a service may offer no task for the newest version (semantics K3). */
function wasBrought({ device, past }: Case, spec: VersionSpec): boolean {
  const { firmwareVersion = '', vendor } = device;
  const isWanted =
    spec.is === 'exact'
      ? sameVersion(device, firmwareVersion, spec.version)
      : spec.is !== 'range' || inRange(vendor, firmwareVersion, spec.text) === true;
  const isOurs = ({ verdict, target, towards: last = target }: Case['past'][number]): boolean =>
    verdict === 'done' && sameVersion(device, last, firmwareVersion);
  return isWanted && past.some(isOurs);
}

function describeBefore({ firmwareVersion }: Pick<Device, 'firmwareVersion'>): Values {
  return firmwareVersion === undefined ? {} : { firmwareVersion };
}

function judgeApproved(theCase: Case): Judgement {
  const { device, facts, now } = theCase;
  const policy = asFirmwarePolicy(theCase.policy);
  const running = toRunning(theCase);
  const list = facts.targetFirmware ?? 'notRead';
  if (list === 'notRead') return notRead('targetFirmware', describeBefore(device));
  if (typeof list === 'string') {
    const read = { field: 'targetFirmware', problem: list, ...facts.sampled };
    return unsupported('valueUnknown', describeBefore(device), read);
  }
  const judgement = judgeFrom(list, theCase, running);
  if (judgement.is !== 'due' || policy.deferral === 0) return judgement;
  if (isPassed('deferral', theCase.passer)) return judgement;
  if (isBelowFloor(policy, device.vendor, running.firmwareVersion)) return judgement;
  const deferred = ({ version }: ApprovedFirmware): Reason | undefined =>
    deferralReason(policy, approvedAt(device, version, theCase), now);
  const newest = list.find(({ version }) => version === judgement.finalTarget);
  const reason = newest && deferred(newest);
  if (!reason) return judgement;
  const seasoned = list.filter((approved) => !deferred(approved));
  const earlier = judgeFrom(seasoned, theCase, running);
  if (earlier.is === 'due') return earlier;
  const { before, after, finalTarget } = judgement;
  const goal = finalTarget === undefined ? {} : { finalTarget };
  return { is: 'notDue', reason, within: earlier.is === 'converged', before, after, ...goal };
}

function judgeFrom(list: readonly ApprovedFirmware[], theCase: Case, running: Running): Judgement {
  const { firmwareVersion } = running;
  const before = { firmwareVersion };
  const spec = wantedVersion(theCase);
  const target = chooseTarget(spec, running, list);
  if (target.is === 'found') return towards(theCase, running, target.approved);
  if (target.is === 'notComparable') return notComparable(target.a, target.b, theCase);
  if (target.is === 'satisfied') return satisfied(theCase, running);
  // Only here the end of support decides: elsewhere there is a target, or none is needed.
  if (isUnreadable(theCase.device, 'lifeCycle'))
    return unsupported('valueUnknown', before, { field: 'lifeCycle', problem: 'unreadable' });
  // The list names the versions that a device can go to, so it is empty for the newest approved
  // one.
  const isNewest = spec.is === 'approved' && !isOver(theCase.device);
  if (isNewest) return satisfied(theCase, running);
  // A device past its end of support receives no more firmware (semantics F10).
  const why = isOver(theCase.device) ? 'endOfSupport' : 'noTargetFirmware';
  return unsupported(why, before, wanted(spec));
}

function isOver({ lifeCycle }: Pick<Device, 'lifeCycle'>): boolean {
  return lifeCycle === END_OF_SUPPORT;
}

/**
 * The version is in the range and nothing newer is approved, or none is wanted: up to date, unless it
 * is below the policy's floor (semantics F12).
 */
function satisfied(theCase: Case, running: Running): Judgement {
  const { firmwareVersion } = running;
  const policy = asFirmwarePolicy(theCase.policy);
  const floor = isBelowFloor(policy, running.vendor, firmwareVersion);
  const { minVersion = '' } = policy;
  if (floor === undefined) return notComparable(firmwareVersion, minVersion, theCase);
  const why = wantedVersion(theCase).is === 'floor' ? 'belowFloor' : 'noTargetFirmware';
  if (floor) return unsupported(why, { firmwareVersion }, { minVersion });
  return converged({ firmwareVersion }, isExternal(theCase, firmwareVersion));
}

function towards(theCase: Case, running: Running, approved: ApprovedFirmware): Judgement {
  const { firmwareVersion } = running;
  const before = { firmwareVersion };
  const final = approved.version;
  if (sameVersion(running, final, firmwareVersion))
    return converged(before, isExternal(theCase, firmwareVersion));
  const older = isOlder(theCase, running, final);
  if (older === undefined)
    return notComparable(firmwareVersion, final, theCase, 'downgradeUnclear');
  if (older) return goingBack(firmwareVersion, final);
  const policy = asFirmwarePolicy(theCase.policy);
  const { minVersion = '' } = policy;
  const belowFloor = isBelowFloor(policy, running.vendor, firmwareVersion);
  if (belowFloor === undefined) return notComparable(firmwareVersion, minVersion, theCase);
  const { pin = minVersion, acceptsRisk } = theCase;
  if (!acceptsRisk && isBelowFloor(policy, running.vendor, pin) === undefined)
    return notComparable(pin, minVersion, theCase);
  const way = choosePath(theCase, running, approved);
  if ('is' in way) return way;
  const { hops, begun } = way;
  const [hop] = hops;
  const isLast = sameVersion(running, hop, final);
  const breachesAt = firmwareDeadline(policy, running, { ...theCase, wanted: final });
  const generation = timesDone(theCase.past, hop);
  return {
    is: 'due',
    why: chooseWhy(theCase, { isLast, belowFloor }),
    ...(breachesAt !== undefined && { breachesAt }),
    cause: determineCause(theCase, { hop, generation, final }),
    before,
    after: afterHop(hops),
    target: hop,
    finalTarget: hops.at(-1) ?? final,
    generation,
    marker: firmwareVersion,
    ...hopsTogether(policy, { running, hops, begun }, theCase.past),
  };
}

interface Path {
  readonly hops: readonly [string, ...string[]];
  readonly begun: boolean;
}

/** The steps that the device has still to take, or why it can take none of them (semantics F11). */
function choosePath(theCase: Case, running: Running, approved: ApprovedFirmware): Path | Judgement {
  const { path, downgrade } = asFirmwarePolicy(theCase.policy);
  const { firmwareVersion } = running;
  const { version } = approved;
  const before = { firmwareVersion };
  const ahead = findPathAhead(running, approved.hops);
  const [hop, ...later] = ahead.hops;
  if (hop === undefined) return unsupported('noPath', before, { version });
  const { astray, unordered, begun } = ahead;
  if (unordered && downgrade === 'forbid')
    return notComparable(...unordered, theCase, 'downgradeUnclear');
  const isStepwise = path === 'direct' && !sameVersion(running, hop, version);
  const through = astray ?? (isStepwise ? hop : undefined);
  if (through !== undefined) return unsupported('noPath', before, { version, hop: through });
  return { hops: [hop, ...later], begun };
}

/**
 * Whether the policy forbids a version because it is older than the running one; undefined if the
 * two cannot be compared.
 */
function isOlder(theCase: Case, running: Running, version: string): boolean | undefined {
  if (asFirmwarePolicy(theCase.policy).downgrade === 'allow') return false;
  const order = compareOn(running, version, running.firmwareVersion);
  return order === undefined ? undefined : order < 0;
}

function toRunning({ device, policy }: Case): Running {
  const { order: stated } = asFirmwarePolicy(policy);
  return { ...device, firmwareVersion: device.firmwareVersion ?? '', stated };
}

function goingBack(firmwareVersion: string, version: string): Judgement {
  return unsupported('downgrade', { firmwareVersion }, { version });
}

function chooseWhy(
  theCase: Case,
  { isLast, belowFloor }: { isLast: boolean; belowFloor: boolean },
): ReasonWhy {
  if (!isLast) return 'nextHop';
  if (theCase.pin !== undefined) return 'pinned';
  return belowFloor ? 'belowMinVersion' : 'versionDiffers';
}

/**
 * A device that reached the target before and left it drifted, at every step of the way back. An
 * attempt without effect is a retry. Otherwise the documents are the cause.
 */
function determineCause(
  theCase: Case,
  intent: { hop: string; generation: number; final: string },
): Cause {
  const { hop: target, generation, final } = intent;
  if (isRetry(theCase.past, { target, generation })) return 'retry';
  return generation > 0 || timesDone(theCase.past, final) > 0 ? 'drift' : 'config';
}

function isExternal({ past, device }: Case, version: string): boolean {
  return !past.some(
    ({ verdict, target }) => verdict === 'done' && sameVersion(device, target, version),
  );
}

function wantedVersion({ pin, policy }: Case): VersionSpec {
  return pin === undefined ? asFirmwarePolicy(policy).version : { is: 'exact', version: pin };
}

function wanted(spec: VersionSpec): Readonly<Record<string, string>> {
  if (spec.is === 'approved') return { version: 'approved' };
  return { version: spec.is === 'range' ? spec.text : spec.version };
}

function asFirmwarePolicy(policy: Policy): FirmwarePolicy {
  if (policy.task !== 'upgradeFirmware') throw new Bug(`not a firmware policy: ${policy.address}`);
  return policy;
}

function prove(attempted: Attempted, seen: Readback): Proof {
  const device = freshDevice(attempted, seen);
  if ('is' in device) return device;
  const { firmwareVersion: value } = device;
  if (value === undefined) return { is: 'notYet', why: 'unreadable' };
  const shows = sameVersion(device, value, attempted.target) ? 'shown' : 'other';
  return proof(shows, seen, version(value));
}

/** The device went offline, as it does while it flashes, or it runs neither the old nor the new version. */
function weakSigns({ target, marker }: Attempted, { device }: Readback): readonly Finding[] {
  const { firmwareVersion, status } = device ?? {};
  const dip = { source: 'device', field: 'status', value: 'offline' };
  const isThird =
    device !== undefined &&
    firmwareVersion !== undefined &&
    ![target, marker].some((known) => sameVersion(device, firmwareVersion, known));
  return [...(status === 'offline' ? [dip] : []), ...(isThird ? [version(firmwareVersion)] : [])];
}

function version(value: string): Finding {
  return { source: 'device', field: 'firmwareVersion', value };
}

/** Adds the version to the payload at its path; other members stay. */
function withMember(
  members: Payload,
  [name = '', ...below]: readonly string[],
  version: string,
): Payload {
  if (below.length === 0) return { ...members, [name]: version };
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  const isMap = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return { ...members, [name]: withMember(isMap ? (inner as Payload) : {}, below, version) };
}
