import type { PolicyResult, PolicyResultKind } from '../../model/report/policy-result.ts';
import type { State } from '../../model/report/fleet-report.ts';
import type { Instant } from '../../lib/time.ts';
import { isFuture } from '../../model/fleet/change-date.ts';
import { endState, missing, readProblem, wholeDays, type DeviceCase } from './device-case.ts';
import type { Cells } from './device-states.ts';

/** What a policy says of a credential whose dates are good: without its word for it, none is. */
const SAID: Readonly<Partial<Record<PolicyResultKind, State>>> = {
  due: 'overdue',
  blocked: 'unknown',
  excepted: 'excepted',
  notRead: 'notRead',
  unknown: 'unknown',
};

/** Age and end of the password. A policy that is due makes it overdue, whatever its end. */
export function passwordCells(theCase: DeviceCase): Cells {
  const { device, facts, now } = theCase;
  const read = typeof facts.passwords === 'object' ? facts.passwords : undefined;
  const shownAt = read?.changedAt ?? device.passwordChangedAt;
  const isAhead = isFuture(shownAt, now);
  const changedAt = isAhead ? undefined : shownAt;
  const expiresAt = read?.expiresAt ?? device.passwordExpiresAt;
  const result = theCase.result('password');
  return {
    passwordState: passwordState(theCase, result, { changedAt, expiresAt, isAhead }),
    passwordAgeDays: changedAt === undefined ? null : wholeDays(changedAt, now),
    passwordChangedAt: changedAt ?? null,
    passwordExpiresAt: expiresAt ?? null,
    passwordPolicy: result?.policy ?? null,
    passwordReason: result?.reason ?? null,
  };
}

interface CredentialDates {
  readonly changedAt?: Instant | undefined;
  readonly expiresAt?: Instant | undefined;
  /** The date of the change lies in the future, so that the age is not known. */
  readonly isAhead: boolean;
}

/** A date alone says nothing of an age that no policy limits. */
function passwordState(
  theCase: DeviceCase,
  result: PolicyResult | undefined,
  { changedAt, expiresAt, isAhead }: CredentialDates,
): State {
  const end = expiresAt === undefined ? undefined : endState(expiresAt, theCase);
  const said = result && SAID[result.is];
  if (end === 'expired') return 'expired';
  if (said === 'overdue') return 'overdue';
  if (end === 'expiresSoon') return 'expiresSoon';
  if (isAhead) return 'unreadable';
  if (end === 'valid' || result?.is === 'met') return said ?? 'current';
  if (changedAt !== undefined) return said ?? 'noPolicy';
  return undatedState(theCase);
}

/** Why nothing is known of a password. */
function undatedState(theCase: DeviceCase): State {
  const { facts } = theCase;
  if (typeof facts.passwords === 'string') return readProblem(facts.passwords);
  const field = missing(theCase, 'passwordExpiresAt');
  return field === 'unreadable' || typeof facts.passwords === 'object' ? field : 'notRead';
}

/** The end of the SSL certificate: of the certificate itself where it was read, else of the row. */
export function sslCells(theCase: DeviceCase): Cells {
  const { device, facts, now } = theCase;
  const read = typeof facts.certificates === 'object' ? facts.certificates.notAfter : undefined;
  const expiresAt = read ?? device.sslCertificateExpiresAt;
  const result = theCase.result('certificate');
  return {
    sslCertificateState: sslState(theCase, result, expiresAt),
    sslDaysLeft: expiresAt === undefined ? null : wholeDays(now, expiresAt),
    sslExpiresAt: expiresAt ?? null,
    sslPolicy: result?.policy ?? null,
    sslReason: result?.reason ?? null,
  };
}

function sslState(
  theCase: DeviceCase,
  result: PolicyResult | undefined,
  expiresAt?: Instant,
): State {
  const { device, facts } = theCase;
  const end = expiresAt === undefined ? undefined : endState(expiresAt, theCase);
  const said = result && SAID[result.is];
  if (end !== undefined && end !== 'valid') return end;
  if (isNonCompliant(device.sslCertificateStatus)) return 'nonCompliant';
  if (said === 'overdue') return said;
  if (end) return said ?? end;
  if (facts.certificates === 'none') return 'none';
  if (typeof facts.certificates === 'string') return readProblem(facts.certificates);
  return missing(theCase, 'sslCertificateExpiresAt');
}

function isNonCompliant(status: string | undefined): boolean {
  return status?.toLowerCase().replaceAll(/[^a-z]/g, '') === 'noncompliant';
}

/** 802.1X and hardening, as the service shows them; no policy asks for either. */
export function securityCells(theCase: DeviceCase): Cells {
  const { device, now } = theCase;
  const { dot1xCertificateExpiresAt: expiresAt, lastHardenedAt, available } = device;
  return {
    dot1xCertificateState: dot1xState(theCase),
    dot1xDaysLeft: expiresAt === undefined ? null : wholeDays(now, expiresAt),
    dot1xExpiresAt: expiresAt ?? null,
    dot1xRotatable: available.rotate8021xCertificate ?? null,
    hardeningState: hardeningState(theCase),
    hardeningAgeDays: lastHardenedAt === undefined ? null : wholeDays(lastHardenedAt, now),
    lastHardenedAt: lastHardenedAt ?? null,
    hardenable: available.hardenDevice ?? null,
    orphaned: device.orphaned ?? null,
  };
}

function dot1xState(theCase: DeviceCase): State {
  const { dot1xCertificateExpiresAt: expiresAt, dot1xCertificateStatus: status } = theCase.device;
  const end = expiresAt === undefined ? undefined : endState(expiresAt, theCase);
  if (end !== undefined && end !== 'valid') return end;
  if (isNonCompliant(status)) return 'nonCompliant';
  return end ?? missing(theCase, 'dot1xCertificateExpiresAt');
}

function hardeningState(theCase: DeviceCase): State {
  const { device, now, limits } = theCase;
  const { lastHardenedAt } = device;
  if (lastHardenedAt === undefined) return missing(theCase, 'lastHardenedAt');
  return now - lastHardenedAt > limits.hardenedAge ? 'outdated' : 'hardened';
}
