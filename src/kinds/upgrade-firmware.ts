import { Bug } from '../model/bug.ts';
import type { Cause } from '../model/change.ts';
import type { FirmwarePolicy, Policy, VersionWish } from '../model/policy.ts';
import type { ReasonWhy } from '../model/reason.ts';
import type { ApprovedFirmware } from '../model/snapshot.ts';
import { compareVersions } from '../model/versions.ts';
import { freshDevice, proof } from './evidence.ts';
import { chooseTarget, sameVersion, type Running } from './firmware-target.ts';
import { converged, notComparable, offers, unsupported } from './judgements.ts';
import type { Attempted, Case, Judgement, Kind, Observation, Proof } from './kind.ts';
import { isRetry, timesDone } from './past.ts';
import { riskOn } from './risk.ts';

/** Brings a device to the wished firmware; each hop is an intent of its own (semantics 4.12). */
export const upgradeFirmware: Kind = {
  task: 'upgradeFirmware',
  available: 'upgradeFirmware',
  disruptive: true,
  edge: false,
  runningLimit: 60 * 60_000,
  verifyLimit: 30 * 60_000,
  actsOffline: false,
  reads: (theCase) => (withoutReads(theCase) ? [] : ['targetFirmware']),
  proofReads: [],
  judge: (theCase) => withoutReads(theCase) ?? judgeApproved(theCase),
  payload: (_policy, target, dialect) => ({ [String(dialect.upgradeVersionField)]: target }),
  risk: (device) => riskOn(device, 'medium'),
  prove,
  settlesDoubt: ({ target, marker }, { device }) =>
    device?.firmwareVersion !== undefined &&
    sameVersion(device, device.firmwareVersion, target) &&
    !sameVersion(device, marker, target),
};

/**
 * What can be said from the device list alone; undefined where the approved versions must be known.
 */
function withoutReads(theCase: Case): Judgement | undefined {
  const { device } = theCase;
  const { firmwareVersion } = device;
  const before = firmwareVersion === undefined ? {} : { firmwareVersion };
  if (!offers(theCase, 'upgradeFirmware')) return unsupported('taskUnavailable', before);
  if (firmwareVersion === undefined)
    return unsupported('valueUnknown', before, { field: 'firmwareVersion' });
  const wish = wishOf(theCase);
  if (wish.is !== 'exact') return undefined;
  if (sameVersion(device, firmwareVersion, wish.version))
    return converged(before, isExternal(theCase, firmwareVersion));
  return forbidden(theCase, { ...device, firmwareVersion }, wish.version);
}

function judgeApproved(theCase: Case): Judgement {
  const { device, facts } = theCase;
  const firmwareVersion = device.firmwareVersion ?? '';
  const before = { firmwareVersion };
  const list = facts.targetFirmware ?? 'notRead';
  if (typeof list === 'string')
    return unsupported('valueUnknown', before, { field: 'targetFirmware', problem: list });
  const wish = wishOf(theCase);
  const running = { ...device, firmwareVersion };
  const target = chooseTarget(wish, running, list);
  if (target.is === 'found') return towards(theCase, running, target.approved);
  if (target.is === 'notComparable') return notComparable(target.a, target.b, before);
  if (target.is === 'satisfied') return satisfied(theCase, running);
  // The list names what a device can go to: at the newest, to which we brought it, it may be empty.
  const ours = wish.is === 'approved' && !isExternal(theCase, firmwareVersion);
  return ours ? converged(before, false) : unsupported('noTargetFirmware', before, wanted(wish));
}

/** In the range with nothing newer to go to: converged, unless that is below the policy's floor. */
function satisfied(theCase: Case, running: Running): Judgement {
  const { firmwareVersion } = running;
  const floor = isBelowFloor(theCase, running);
  const { minVersion = '' } = policyOf(theCase.policy);
  if (floor === undefined) return notComparable(firmwareVersion, minVersion, { firmwareVersion });
  if (floor) return unsupported('noTargetFirmware', { firmwareVersion }, { minVersion });
  return converged({ firmwareVersion }, isExternal(theCase, firmwareVersion));
}

function towards(theCase: Case, running: Running, approved: ApprovedFirmware): Judgement {
  const { firmwareVersion } = running;
  const before = { firmwareVersion };
  const final = approved.version;
  if (sameVersion(running, final, firmwareVersion))
    return converged(before, isExternal(theCase, firmwareVersion));
  const refusal = forbidden(theCase, running, final);
  if (refusal) return refusal;
  const belowFloor = isBelowFloor(theCase, running);
  if (belowFloor === undefined)
    return notComparable(firmwareVersion, policyOf(theCase.policy).minVersion ?? '', before);
  const here = approved.hops.findIndex((hop) => sameVersion(running, hop, firmwareVersion));
  const hop = approved.hops[here + 1];
  if (hop === undefined) return unsupported('noPath', before, { version: final });
  const isLast = sameVersion(running, hop, final);
  const generation = timesDone(theCase.past, hop);
  return {
    is: 'due',
    why: whyOf(theCase, { isLast, belowFloor }),
    cause: causeOf(theCase, { hop, generation }),
    before,
    after: isLast ? { firmwareVersion: hop } : { firmwareVersion: hop, finalVersion: final },
    target: hop,
    generation,
    marker: firmwareVersion,
  };
}

/** Going back is refused unless the policy allows it; without an order nobody can tell. */
function forbidden(theCase: Case, running: Running, version: string): Judgement | undefined {
  if (policyOf(theCase.policy).downgrade === 'allow') return undefined;
  const { vendor, firmwareVersion } = running;
  const order = compareVersions(vendor, version, firmwareVersion);
  if (order === undefined) return notComparable(firmwareVersion, version, { firmwareVersion });
  return order < 0 ? unsupported('downgrade', { firmwareVersion }, { version }) : undefined;
}

function isBelowFloor(theCase: Case, running: Running): boolean | undefined {
  const { minVersion } = policyOf(theCase.policy);
  if (minVersion === undefined) return false;
  const order = compareVersions(running.vendor, running.firmwareVersion, minVersion);
  return order === undefined ? undefined : order < 0;
}

function whyOf(
  theCase: Case,
  { isLast, belowFloor }: { isLast: boolean; belowFloor: boolean },
): ReasonWhy {
  if (!isLast) return 'nextHop';
  if (theCase.pin !== undefined) return 'pinned';
  return belowFloor ? 'belowMinVersion' : 'versionDiffers';
}

/**
 * Done once and off target again is drift; tried in vain is a retry; else the documents want it.
 */
function causeOf(theCase: Case, intent: { hop: string; generation: number }): Cause {
  const { hop: target, generation } = intent;
  if (isRetry(theCase.past, { target, generation })) return 'retry';
  return generation > 0 ? 'drift' : 'config';
}

function isExternal({ past, device }: Case, version: string): boolean {
  return !past.some(
    ({ verdict, target }) => verdict === 'done' && sameVersion(device, target, version),
  );
}

function wishOf({ pin, policy }: Case): VersionWish {
  return pin === undefined ? policyOf(policy).version : { is: 'exact', version: pin };
}

function wanted(wish: VersionWish): Readonly<Record<string, string>> {
  if (wish.is === 'approved') return { version: 'approved' };
  return { version: wish.is === 'exact' ? wish.version : wish.text };
}

function policyOf(policy: Policy): FirmwarePolicy {
  if (policy.task !== 'upgradeFirmware') throw new Bug(`not a firmware policy: ${policy.address}`);
  return policy;
}

function prove(attempted: Attempted, seen: Observation): Proof {
  const device = freshDevice(attempted, seen);
  if ('is' in device) return device;
  const { firmwareVersion: value } = device;
  if (value === undefined) return { is: 'notYet', why: 'unreadable' };
  const is = sameVersion(device, value, attempted.target) ? 'shown' : 'other';
  return proof(is, seen, { source: 'device', field: 'firmwareVersion', value });
}
