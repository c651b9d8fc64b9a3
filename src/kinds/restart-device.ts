import { Bug } from '../model/bug.ts';
import type { Values } from '../model/change.ts';
import type { IntentState } from '../model/memory.ts';
import type { Policy, RestartPolicy } from '../model/policy.ts';
import type { Reason } from '../model/reason.ts';
import { formatInstant, type Instant, type Milliseconds } from '../model/time.ts';
import { freshDevice, proof } from './evidence.ts';
import { offers, unsupported } from './judgements.ts';
import type { Attempted, Case, Judgement, Kind, Observation, Proof } from './kind.ts';
import { isRetry, mayHaveRun } from './past.ts';
import { riskOn } from './risk.ts';

const TARGET = 'restart';

/** Restarts a device that has shown a declared symptom for long enough (semantics 4.12). */
export const restartDevice: Kind = {
  task: 'restartDevice',
  available: 'restartDevice',
  disruptive: true,
  edge: true,
  runningLimit: 15 * 60_000,
  verifyLimit: 15 * 60_000,
  actsOffline: true,
  reads: () => [],
  proofReads: [],
  judge,
  payload: () => undefined,
  risk: (device) => riskOn(device, 'low'),
  prove,
  // That a device is up again shows a restart no more than it shows none: only a person settles it.
  settlesDoubt: () => false,
};

/**
 * Restarts of a device in the time before `now`, for `maxPerDevice`. One in doubt or unknown counts
 * as done; one that was refused, or never sent, does not (apply protocol 3.1).
 */
export function restartsWithin(
  past: readonly IntentState[],
  now: Instant,
  per: Milliseconds,
): number {
  return past.filter((intent) => mayHaveRun(intent) && intent.attemptedAt > now - per).length;
}

function judge(theCase: Case): Judgement {
  const { device, now } = theCase;
  const { heldFor, status: symptoms } = policyOf(theCase.policy);
  const { status, lastSeen } = device;
  const before: Values = status === undefined ? {} : { status };
  if (!offers(theCase, 'restartDevice')) return unsupported('taskUnavailable', before);
  if (status === undefined) return unsupported('valueUnknown', before, { field: 'status' });
  if (!symptoms.includes(status)) return notDue(before, { code: 'notDue', why: 'noSymptom' }, true);
  // `lastSeen` dates the start of offline alone: it moves on in every other state.
  const since = status === 'offline' ? lastSeen : undefined;
  if (since === undefined) return unsupported('valueUnknown', before, { field: 'lastSeen' });
  if (now - since < heldFor) {
    const held: Reason = { code: 'notDue', why: 'symptomNotHeld', since, next: since + heldFor };
    return notDue(before, held, false);
  }
  return cooling(theCase, before) ?? due(theCase, before, since);
}

function cooling(theCase: Case, before: Values): Judgement | undefined {
  const { cooldown } = policyOf(theCase.policy);
  const since = Math.max(...theCase.past.filter(mayHaveRun).map((intent) => intent.attemptedAt));
  const next = since + cooldown;
  if (theCase.now >= next) return undefined;
  return notDue(before, { code: 'notDue', why: 'cooldown', since, next }, false);
}

function due({ past }: Case, before: Values, since: Instant): Judgement {
  const generation = past.filter(({ phase }) => phase === 'closed').length;
  return {
    is: 'due',
    why: 'symptomHeld',
    since,
    cause: isRetry(past, { target: TARGET, generation }) ? 'retry' : 'detection',
    before,
    after: { status: 'online' },
    target: TARGET,
    generation,
    marker: '',
  };
}

function notDue(before: Values, reason: Reason, within: boolean): Judgement {
  return { is: 'notDue', reason, within, before, after: { status: 'online' } };
}

function policyOf(policy: Policy): RestartPolicy {
  if (policy.section !== 'restarts') throw new Bug(`not a restart policy: ${policy.address}`);
  return policy;
}

/** Up and heard of since; whether the symptom stays away is another question. */
function prove(attempted: Attempted, seen: Observation): Proof {
  const device = freshDevice(attempted, seen);
  if ('is' in device) return device;
  const value = formatInstant(device.lastSeen ?? seen.readAt);
  return proof('shown', seen, { source: 'device', field: 'lastSeen', value });
}
