import { Bug } from '../lib/bug.ts';
import type { Policy, RestartPolicy } from '../model/documents/policy.ts';
import type { Reason } from '../model/plan/reason.ts';
import { formatInstant, type Instant, type Milliseconds } from '../lib/time.ts';
import { freshDevice, proof } from './evidence.ts';
import { offers, unsupported, whyNotOffered, isRetry, mayHaveRun, riskOn } from './judgements.ts';
import type { Attempted, Case, Finding, Judgement, Kind, Readback, Proof } from './kind.ts';
import {
  heldSince,
  isDatedByLastSeen,
  showing,
  symptomFields,
  symptomValues,
  wellValues,
} from './symptom.ts';

const TARGET = 'restart';

/** A device that goes offline within this time after an attempt does so because of our restart (protocol Q2). */
export const DIP_MS: Milliseconds = 10 * 60_000;

const DIP: Finding = { source: 'device', field: 'status', value: 'offline' };

/** Restarts a device that has shown a declared symptom for long enough (semantics S4). */
export const restartDevice: Kind = {
  task: 'restartDevice',
  rank: 4,
  initialCause: 'detection',
  disturbsSoak: true,
  retriedAfterFailure: 'never',
  triesAfterNotDone: 1,
  oncePerWindow: false,
  settledByRead: false,
  endsUnknown: true,
  showsLater: ({ settledAt = Infinity }, { lastSeen }) =>
    lastSeen !== undefined && lastSeen > settledAt,
  available: 'restartDevice',
  disruptive: true,
  showsWithin: (marker) => (mayDip(marker) ? DIP_MS : 0),
  actsOffline: true,
  decidingFields: (policy) => symptomFields(asRestartPolicy(policy)),
  reads: () => [],
  proofReads: [],
  judge,
  payload: () => undefined,
  risk: (device) => riskOn(device, 'low'),
  prove,
  // That a device is online shows neither a restart nor its absence. That it goes offline shows a
  // restart.
  settlesDoubt: (attempted, seen) => (wentDown(attempted, seen) ? [DIP] : []),
  weakSigns: (attempted, seen) => (wentDown(attempted, seen) ? [DIP] : []),
};

function judge(theCase: Case): Judgement {
  const { device, now } = theCase;
  const policy = asRestartPolicy(theCase.policy);
  const heldFor = policy.when.for;
  const before = symptomValues(policy, device);
  if (!offers(theCase, 'restartDevice')) {
    const [why, params] = whyNotOffered(theCase, 'restartDevice');
    return unsupported(why, before, params);
  }
  const shows = showing(policy, device);
  if (shows.is === 'unknown') return unsupported('valueUnknown', before, { field: shows.field });
  if (shows.is === 'absent')
    return { is: 'converged', reason: { code: 'notDue', why: 'noSymptom' }, before };
  if (theCase.lastSeenOff && isDatedByLastSeen(policy, device))
    return unsupported('lastSeenOff', before);
  const since = heldSince(policy, device, theCase);
  if (since === undefined) return undated(theCase);
  if (now - since < heldFor) {
    const held: Reason = { code: 'notDue', why: 'symptomNotHeld', since, next: since + heldFor };
    return notDue(theCase, held);
  }
  return cooling(theCase) ?? due(theCase, since);
}

/** Only the ledger can date this symptom, and no run of apply has seen it yet. */
function undated(theCase: Case): Judgement {
  const { device } = theCase;
  const policy = asRestartPolicy(theCase.policy);
  if (isDatedByLastSeen(policy, device))
    return unsupported('valueUnknown', symptomValues(policy, device), { field: 'lastSeen' });
  const params = { unseen: 'start' };
  return notDue(theCase, { code: 'notDue', why: 'symptomNotHeld', params });
}

function cooling(theCase: Case): Judgement | undefined {
  const { cooldown } = asRestartPolicy(theCase.policy);
  const since = Math.max(...theCase.past.filter(mayHaveRun).map((intent) => intent.attemptedAt));
  const next = since + cooldown;
  if (theCase.now >= next) return undefined;
  return notDue(theCase, { code: 'notDue', why: 'cooldown', since, next });
}

function due({ past, device, policy: written }: Case, since: Instant): Judgement {
  const policy = asRestartPolicy(written);
  const generation = past.filter(({ phase }) => phase === 'closed').length;
  return {
    is: 'due',
    why: 'symptomHeld',
    since,
    cause: isRetry(past, { target: TARGET, generation }) ? 'retry' : 'detection',
    before: symptomValues(policy, device),
    after: wellValues(policy),
    target: TARGET,
    generation,
    marker: device.status ?? '',
  };
}

function notDue({ policy: written, device }: Case, reason: Reason): Judgement {
  const policy = asRestartPolicy(written);
  const before = symptomValues(policy, device);
  return { is: 'notDue', reason, within: false, before, after: wellValues(policy) };
}

function asRestartPolicy(policy: Policy): RestartPolicy {
  if (policy.section !== 'restarts') throw new Bug(`not a restart policy: ${policy.address}`);
  return policy;
}

/**
 * Whether the device was online at the attempt and went offline soon after. A device that was
 * already offline shows nothing.
 */
function wentDown({ marker, attemptedAt }: Attempted, { device, readAt }: Readback): boolean {
  const isSoon = readAt > attemptedAt && readAt <= attemptedAt + DIP_MS;
  return mayDip(marker) && device?.status === 'offline' && isSoon;
}

/** Whether a device with this status at its attempt can be seen to go offline. */
function mayDip(marker: string): boolean {
  return marker === 'online' || marker === 'partial';
}

/** The proof is that the device is online and has reported since. Whether the symptom returns is another question. */
function prove(attempted: Attempted, seen: Readback): Proof {
  const device = freshDevice(attempted, seen);
  if ('is' in device) return device;
  const { lastSeen } = device;
  const up = { source: 'device', field: 'status', value: 'online' };
  const seenAgain = { source: 'device', field: 'lastSeen', value: formatInstant(lastSeen ?? 0) };
  return proof('shown', seen, lastSeen === undefined ? up : seenAgain);
}
