import { DATE_FIELDS } from '../model/fleet/unreadable.ts';
import type { CertificateFacts, ReadProblem } from '../model/fleet/snapshot.ts';
import { formatInstant, type Instant } from '../lib/time.ts';
import { DATE_SLACK_MS } from '../model/fleet/change-date.ts';
import { isNeverShown, onlineDevice, proof, resultOnly } from './evidence.ts';
import type { Attempted, Case, Finding, Kind, Readback, Proof } from './kind.ts';
import { riskOn } from './judgements.ts';
import { type CredentialDates, rotationKind, type Rotation } from './rotation.ts';

/** The maximum lag of the clock that dates a certificate behind ours. */
const SKEW_MS = 60_000;

type Pair = Pick<Attempted, 'marker' | 'attemptedAt'>;

/** The marker of a device that has no certificate yet. */
const NO_CERTIFICATE = 'none';

const CERTIFICATE: Rotation = {
  task: 'rotateSslCertificate',
  read: 'certificates',
  listed: ({ device }) => ({ expiresAt: device.sslCertificateExpiresAt }),
  readBack,
};

/** Replaces the SSL certificate of a device. The fingerprint shows which certificate is in place. */
export const rotateSslCertificate: Kind = {
  ...rotationKind(CERTIFICATE, DATE_FIELDS.certificate),
  rank: 2,
  retriedAfterFailure: 'always',
  settledByRead: true,
  showsLater: (attempt, _, { certificates }) =>
    typeof certificates === 'object' && attempt.marker !== '' && isNewer(attempt, certificates),
  risk: (device) => riskOn(device, 'low'),
  hidesEffect: (_, { certificates }) => certificates === 'forbidden',
  prove,
  settlesDoubt,
  weakSigns,
  showsBefore,
};

function readBack({ facts }: Case): CredentialDates | ReadProblem {
  const read = facts.certificates ?? 'notRead';
  if (read === 'none') return { marker: NO_CERTIFICATE };
  if (typeof read === 'string') return read;
  return { changedAt: read.notBefore, expiresAt: read.notAfter, marker: read.fingerprint };
}

/** The proof is a newer certificate than before on a device that is online again (protocol V3). */
function prove(attempted: Attempted, seen: Readback): Proof {
  const device = onlineDevice(seen);
  if ('is' in device) return device;
  const read = seen.facts.certificates ?? 'notRead';
  if (isNeverShown(attempted, read)) return resultOnly(attempted, seen);
  if (read === 'none') return proof('other', seen, fingerprint(NO_CERTIFICATE));
  if (typeof read === 'string') return { is: 'notYet', why: 'unreadable' };
  const shows = isNewer(attempted, read) ? 'shown' : 'other';
  return proof(shows, seen, fingerprint(read.fingerprint));
}

/** Another client may have replaced the certificate before our attempt, so the new one must be issued after it. */
function settlesDoubt(attempted: Attempted, seen: Readback): readonly Finding[] {
  const read = seen.facts.certificates;
  if (typeof read !== 'object') return [];
  const isOurs = isAnother(attempted, read) && madeAfter(attempted, read);
  return isOurs ? [fingerprint(read.fingerprint)] : [];
}

/** Another certificate that nothing dates after the attempt, or a changed expiry date. */
function weakSigns(attempted: Attempted, seen: Readback, first: Readback): readonly Finding[] {
  const read = seen.facts.certificates;
  const isOther = typeof read === 'object' && attempted.marker !== '' && isAnother(attempted, read);
  const expiry = findExpiry(seen);
  const hasMoved = expiry !== undefined && expiry !== (findExpiry(first) ?? expiry);
  return [
    ...(isOther ? [fingerprint(read.fingerprint)] : []),
    ...(hasMoved
      ? [{ source: 'device', field: 'sslCertificateExpiry', value: formatInstant(expiry) }]
      : []),
  ];
}

function findExpiry({ device }: Readback): Instant | undefined {
  return device?.sslCertificateExpiresAt;
}

function showsBefore({ marker }: Attempted, { device, facts }: Readback): readonly Finding[] {
  const read = facts.certificates;
  const found = typeof read === 'object' ? read.fingerprint : read;
  const isBefore = device?.status === 'online' && marker !== '' && found === marker;
  return isBefore ? [fingerprint(marker)] : [];
}

/** If the earlier certificate is unknown, only its date identifies the new one. */
function isAnother(attempted: Pair, read: CertificateFacts): boolean {
  if (attempted.marker === '') return madeAfter(attempted, read);
  return read.fingerprint !== attempted.marker;
}

/**
 * Whether another certificate is in place that the attempt may have made: not one that was issued long before, such as
 * a certificate that was put back, and not the same entry whose certificate can no longer be parsed.
 */
function isNewer(attempted: Pair, read: CertificateFacts): boolean {
  if (!isAnother(attempted, read)) return false;
  if (read.notBefore !== undefined) return madeAfter(attempted, read, DATE_SLACK_MS);
  return isParsed(read.fingerprint) || !isParsed(attempted.marker);
}

/** The fingerprint of a parsed certificate has colons; the digest of an entry has none. */
function isParsed(marker: string): boolean {
  return marker.includes(':');
}

function madeAfter(
  { attemptedAt }: Pair,
  { notBefore }: CertificateFacts,
  slack = SKEW_MS,
): boolean {
  return notBefore !== undefined && notBefore >= attemptedAt - slack;
}

function fingerprint(value: string): Finding {
  return { source: 'certificates', field: 'fingerprint', value };
}
