import { DATE_FIELDS } from '../model/fleet/unreadable.ts';
import type { Facts, PasswordFacts } from '../model/fleet/snapshot.ts';
import { isUndated, NO_PASSWORD } from '../model/fleet/mark.ts';
import { formatInstant, type Instant } from '../lib/time.ts';
import { DATE_SLACK_MS, isFuture } from '../model/fleet/change-date.ts';
import { isNeverShown, proof, resultOnly } from './evidence.ts';
import type { Attempted, Finding, Kind, Readback, Proof } from './kind.ts';
import { riskOn } from './judgements.ts';
import { rotationKind, type Rotation } from './rotation.ts';

const PASSWORD: Rotation = {
  task: 'rotatePassword',
  read: 'passwords',
  listed: ({ device }) => ({
    changedAt: device.passwordChangedAt,
    expiresAt: device.passwordExpiresAt,
  }),
  readBack: ({ facts }) => facts.passwords ?? 'notRead',
};

/** Replaces the password of a device. It is an edge task, because only the fact of a change is visible. */
export const rotatePassword: Kind = {
  ...rotationKind(PASSWORD, DATE_FIELDS.password),
  rank: 1,
  retriedAfterFailure: 'unchanged',
  settledByRead: false,
  showsLater: (attempt, _, { passwords }) =>
    typeof passwords === 'object' && hasMoved(attempt, passwords, passwords.changedAt),
  risk: (device) => riskOn(device, 'medium'),
  hidesEffect: ({ passwordChangedAt }, { passwords }) =>
    passwordChangedAt === undefined && (passwords === 'forbidden' || isBare(passwords)),
  prove,
  settlesDoubt,
  weakSigns,
};

/**
 * The proof is a change dated after the attempt, or metadata that has moved since the read just before it. fleetform
 * never tries a login.
 */
function prove(attempted: Attempted, seen: Readback): Proof {
  const read = seen.facts.passwords ?? 'notRead';
  const at = changedAt(seen);
  if (isAfter(attempted, seen, at)) return proof('shown', seen, lastChange(at));
  if (isNeverShown(attempted, read)) return resultOnly(attempted, seen);
  if (typeof read === 'string') return { is: 'notYet', why: 'unreadable' };
  if (attempted.marker !== '') {
    const isShown = hasMoved(attempted, read, at) && !isFuture(at, seen.readAt);
    return proof(isShown ? 'shown' : 'other', seen, markerFinding(read));
  }
  return at === undefined ? resultOnly(attempted, seen) : proof('other', seen, lastChange(at));
}

/**
 * A known time of the last change must be after the attempt. Without one, before and now, the marker must have
 * changed.
 */
function settlesDoubt(attempted: Attempted, seen: Readback): readonly Finding[] {
  const at = changedAt(seen);
  if (at !== undefined) return isAfter(attempted, seen, at) ? [lastChange(at)] : [];
  const read = seen.facts.passwords;
  return typeof read === 'object' && hasMoved(attempted, read) ? [markerFinding(read)] : [];
}

function isAfter(
  { attemptedAt }: Attempted,
  { readAt }: Readback,
  at: Instant | undefined,
): at is Instant {
  return at !== undefined && at > attemptedAt && !isFuture(at, readAt);
}

/**
 * Whether metadata differs from what was read just before the attempt, as only a new password makes it differ. A time
 * of change may be rounded to its day, never older. Metadata that lost its time or its entries shows nothing.
 */
function hasMoved(
  { marker, attemptedAt }: Pick<Attempted, 'marker' | 'attemptedAt'>,
  read: PasswordFacts,
  at?: Instant,
): boolean {
  if (marker === '' || read.marker === marker || read.marker === NO_PASSWORD) return false;
  if (at !== undefined) return at >= attemptedAt - DATE_SLACK_MS;
  return isUndated(marker) && isUndated(read.marker);
}

/** Metadata that a change of the password leaves as it is, as the dialect says. */
function isBare(read: Facts['passwords']): boolean {
  return typeof read === 'object' && read.marker === '' && read.changedAt === undefined;
}

/** A changed expiry date. Nothing ever shows that a password was not changed. */
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
