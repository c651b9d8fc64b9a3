import type { PasswordFacts } from '../model/fleet/snapshot.ts';
import { formatInstant, type Instant } from '../lib/time.ts';
import { isNeverShown, proof, resultOnly } from './evidence.ts';
import type { Attempted, Finding, Kind, Readback, Proof } from './kind.ts';
import { riskOn } from './judgements.ts';
import {
  judgeRotation,
  neededReads,
  rotationPolicy,
  type Rotation,
  writtenPayload,
} from './rotation.ts';

const PASSWORD: Rotation = {
  task: 'rotatePassword',
  read: 'passwords',
  listed: ({ device }) => ({
    changedAt: device.passwordChangedAt,
    expiresAt: device.passwordExpiresAt,
  }),
  readBack: ({ facts }) => facts.passwords ?? 'notRead',
};

/**
 * Replaces the password of a device: an edge task, since only that something changed can be seen.
 */
export const rotatePassword: Kind = {
  task: 'rotatePassword',
  rank: 1,
  setGoingBy: 'clock',
  disturbsSoak: true,
  retriedAfterFailure: 'unchanged',
  triesAfterNotDone: 1,
  oncePerWindow: true,
  settledByRead: false,
  endsUnknown: false,
  showsLater: ({ marker }, _, { passwords }) =>
    typeof passwords === 'object' && marker !== '' && passwords.marker !== marker,
  available: 'rotatePassword',
  disruptive: true,
  edge: true,
  actsOffline: false,
  restsOn: () => ['passwordChangedAt', 'passwordExpiresAt'],
  reads: (theCase) => neededReads(PASSWORD, theCase),
  proofReads: ['passwords'],
  judge: (theCase) => judgeRotation(PASSWORD, theCase),
  payloadAsWritten: (policy) => rotationPolicy(policy).payload,
  payload: writtenPayload,
  risk: (device) => riskOn(device, 'medium'),
  prove,
  settlesDoubt,
  weakSigns,
};

/** Changed after the attempt, or its metadata is not what it was; logins are never tried. */
function prove(attempted: Attempted, seen: Readback): Proof {
  const read = seen.facts.passwords ?? 'notRead';
  const at = changedAt(seen);
  if (at !== undefined && at > attempted.attemptedAt) return proof('shown', seen, lastChange(at));
  if (isNeverShown(attempted, read)) return resultOnly(attempted, seen);
  if (typeof read === 'string') return { is: 'notYet', why: 'unreadable' };
  if (attempted.marker !== '') {
    const shows = read.marker === attempted.marker ? 'other' : 'shown';
    return proof(shows, seen, markerFinding(read));
  }
  return at === undefined ? resultOnly(attempted, seen) : proof('other', seen, lastChange(at));
}

/** A known time of the last change must lie after the attempt; else the marker must have moved. */
function settlesDoubt({ marker, attemptedAt }: Attempted, seen: Readback): readonly Finding[] {
  const at = changedAt(seen);
  if (at !== undefined) return at > attemptedAt ? [lastChange(at)] : [];
  const read = seen.facts.passwords;
  const hasMoved = typeof read === 'object' && marker !== '' && read.marker !== marker;
  return hasMoved ? [markerFinding(read)] : [];
}

/** Its date of expiry moved. Nothing ever shows that a password was not changed. */
function weakSigns(_: Attempted, seen: Readback, first: Readback): readonly Finding[] {
  const expiry = findExpiry(seen);
  const hasMoved = expiry !== undefined && expiry !== (findExpiry(first) ?? expiry);
  if (!hasMoved) return [];
  return [{ source: 'passwords', field: 'expiresAt', value: formatInstant(expiry) }];
}

function findExpiry({ facts, device }: Readback): Instant | undefined {
  const read = facts.passwords;
  const fromRead = typeof read === 'object' ? read.expiresAt : undefined;
  return fromRead ?? device?.passwordExpiresAt;
}

function changedAt({ facts, device }: Readback): Instant | undefined {
  const read = facts.passwords;
  const fromRead = typeof read === 'object' ? read.changedAt : undefined;
  return fromRead ?? device?.passwordChangedAt;
}

function markerFinding({ marker: value }: PasswordFacts): Finding {
  return { source: 'passwords', field: 'marker', value };
}

function lastChange(at: Instant): Finding {
  return { source: 'passwords', field: 'changedAt', value: formatInstant(at) };
}
