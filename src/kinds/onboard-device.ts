import { Bug } from '../lib/bug.ts';
import type { Values } from '../model/plan/change.ts';
import type { Device, DiscoveredDevice } from '../model/fleet/device.ts';
import { matchesGlob } from '../lib/glob.ts';
import type { IntentState } from '../model/ledger/memory.ts';
import type { Reason } from '../model/plan/reason.ts';
import type { ListedDevice, OnboardingPolicy, Policy } from '../model/documents/policy.ts';
import { proof } from './evidence.ts';
import { converged, unsupported, isRetry, timesDone, riskOn } from './judgements.ts';
import type { Attempted, Case, Finding, Judgement, Kind, Readback, Proof } from './kind.ts';

const BEFORE: Values = { managed: false };
const AFTER: Values = { managed: true };

/** Brings a discovered device under management (semantics O5). */
export const onboardDevice: Kind = {
  task: 'onboardDevice',
  rank: 5,
  initialCause: 'onboarding',
  disturbsSoak: false,
  retriedAfterFailure: 'always',
  triesAfterNotDone: 2,
  oncePerWindow: false,
  settledByRead: true,
  endsUnknown: false,
  disruptive: false,
  // A discovered device has no status to wait for.
  actsOffline: true,
  reads: () => [],
  proofReads: [],
  judge,
  payload: () => undefined,
  risk: (device) => riskOn(device, 'low'),
  prove,
  settlesDoubt: (_attempted, { device }) => (device ? [idFinding(device)] : []),
  weakSigns: (_, { device, namesake }) =>
    !device && namesake ? [{ source: 'devices', field: 'id', value: namesake.id }] : [],
  showsBefore: (_, { device, discovered }) => {
    const value = device ? '' : (discovered?.onboardingStatus ?? '');
    if (value !== 'readyToOnboard') return [];
    return [{ source: 'discoveredDevices', field: 'onboardingStatus', value }];
  },
};

/** Whether a discovered device matches a list entry: every key of the entry must match. */
export function answersTo(entry: ListedDevice, device: DiscoveredDevice): boolean {
  const { site } = entry;
  return (
    (entry.id ?? device.id) === device.id &&
    (entry.serial === undefined || entry.serial === device.serial) &&
    (entry.name === undefined || entry.name === device.name) &&
    (site === undefined || site === device.site?.name || site === device.site?.id)
  );
}

/**
 * The glob in `blockVendors` that matches the device's vendor, whether the device is listed or not.
 * Devices spell their vendor as they like, so case and blanks around it do not let one through.
 */
export function blockingGlob(
  policy: OnboardingPolicy,
  { vendor = '' }: Pick<DiscoveredDevice, 'vendor'>,
): string | undefined {
  const name = vendor.trim().toLowerCase();
  return policy.blockVendors.find((glob) => matchesGlob(glob.trim().toLowerCase(), name));
}

/** Whether vendors are blocked and the service does not say which one the device is of. */
function isVendorUnknown(policy: OnboardingPolicy, { vendor = '' }: DiscoveredDevice): boolean {
  return policy.blockVendors.length > 0 && vendor.trim() === '';
}

/** A case without a discovered device is about a device that is already managed. */
function judge(theCase: Case): Judgement {
  const { discovered, past } = theCase;
  if (!discovered) return converged(AFTER, timesDone(past, theCase.device.id) === 0);
  const done = lastOnboarded(past, discovered.id);
  if (done && !isDiscoveredAnew(theCase, discovered, done)) return stillDiscovered(done);
  const { onboardingStatus, id: target } = discovered;
  if (onboardingStatus === 'enrichmentRequired' || onboardingStatus === 'archived')
    return unsupported(onboardingStatus, BEFORE);
  if (onboardingStatus !== 'readyToOnboard')
    return unsupported('valueUnknown', BEFORE, { field: 'onboardingStatus' });
  const policy = asOnboardingPolicy(theCase.policy);
  if (isVendorUnknown(policy, discovered))
    return unsupported('valueUnknown', BEFORE, { field: 'vendor' });
  const { onboardSecondField, onboardSecondSource } = theCase.dialect;
  if (onboardSecondField !== '' && discovered.second === undefined)
    return unsupported('valueUnknown', BEFORE, {
      field: onboardSecondSource,
      key: 'onboardSecondSource',
    });
  const generation = timesDone(past, target);
  const isListed = policy.devices.some((entry) => answersTo(entry, discovered));
  return {
    is: 'due',
    why: isListed ? 'listed' : 'matched',
    ...(discovered.discoveredAt !== undefined && { since: discovered.discoveredAt }),
    cause: isRetry(past, { target, generation }) ? 'retry' : 'onboarding',
    before: BEFORE,
    after: AFTER,
    target,
    generation,
    marker: '',
  };
}

/** The last intent that onboarded a discovered device; undefined where none did. */
export function lastOnboarded(
  past: readonly IntentState[],
  target: string,
): IntentState | undefined {
  return past.findLast((intent) => intent.target === target && intent.verdict === 'done');
}

/**
 * Whether a device was discovered again after it was onboarded (semantics O8). The list of discovered
 * devices may lag, so only a later time of discovery counts, and none while its managed device is
 * shown.
 */
function isDiscoveredAnew(
  { stillManaged, now }: Case,
  { discoveredAt }: DiscoveredDevice,
  { settledAt, attemptedAt }: IntentState,
): boolean {
  if (stillManaged || discoveredAt === undefined) return false;
  return discoveredAt > (settledAt ?? attemptedAt) && discoveredAt <= now;
}

function stillDiscovered({ settledAt }: IntentState): Judgement {
  const reason: Reason = {
    code: 'alreadyConverged',
    why: 'stillDiscovered',
    ...(settledAt !== undefined && { since: settledAt }),
    params: { external: false },
  };
  return { is: 'converged', reason, before: AFTER };
}

function asOnboardingPolicy(policy: Policy): OnboardingPolicy {
  if (policy.section !== 'onboarding') throw new Bug(`not an onboarding policy: ${policy.address}`);
  return policy;
}

/**
 * The proof is only that the service returns the device by its ID. That the device is no longer
 * listed as discovered proves nothing.
 */
function prove(_attempted: Attempted, seen: Readback): Proof {
  if (!seen.device) return { is: 'notYet', why: 'unreadable' };
  return proof('shown', seen, idFinding(seen.device));
}

function idFinding({ id: value }: Pick<Device, 'id'>): Finding {
  return { source: 'device', field: 'id', value };
}
