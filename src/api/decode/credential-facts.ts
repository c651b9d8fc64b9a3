import { X509Certificate } from 'node:crypto';
import { computeOnce } from '../../lib/compute-once.ts';
import { digest, sha256, type Json } from '../../lib/canonical.ts';
import type { Dialect, DialectKey } from '../../model/fleet/dialect.ts';
import { NO_PASSWORD, undatedMarker } from '../../model/fleet/mark.ts';
import type { CertificateFacts, PasswordFacts } from '../../model/fleet/snapshot.ts';
import type { Instant } from '../../lib/time.ts';
import { decodeInstant, UNREADABLE } from './dates.ts';
import { allRead, Fault, isFault } from './fault.ts';
import {
  field,
  known,
  part,
  put,
  shownText,
  type PartialRow,
  type JsonRow,
  type Shown,
} from './fields.ts';
import { isObject } from '../../lib/objects.ts';

/**
 * A device may have several users, and a rotation may change only one of them. The entry that
 * changed last counts, so that the rotation is detected and not due again at once. The marker
 * covers the time of each user's change, or all metadata without dates. If one date is unreadable,
 * the latest entry is undecided: a fault.
 */
export function passwordFacts(rows: readonly JsonRow[], dialect: Dialect): PasswordFacts | Fault {
  const changeOf = field(dialect.passwordEntryChangedField);
  const expiryOf = field(dialect.passwordEntryExpiryField);
  const userOf = field(dialect.passwordEntryUserField);
  const entries: Record<'changedAt' | 'expiresAt', Shown<Instant>>[] = [];
  for (const row of rows) {
    const changedAt = decodeInstant(changeOf(row), dialect.dateForm);
    const expiresAt = decodeInstant(expiryOf(row), dialect.dateForm);
    if (changedAt === UNREADABLE) return dateFault(row, 'passwordEntryChangedField', dialect);
    if (expiresAt === UNREADABLE) return dateFault(row, 'passwordEntryExpiryField', dialect);
    entries.push({ changedAt, expiresAt });
  }
  const latest = latestBy(entries, ({ changedAt }) => known(changedAt));
  const marked = rows.map((row) =>
    latest === undefined ? pickMetadata(row) : [toJsonText(userOf(row)), toJsonText(changeOf(row))],
  );
  const facts: PartialRow<PasswordFacts> = { marker: '' };
  if (isDated(dialect)) {
    const marker = digest(marked.map((entry) => digest(entry)).sort());
    facts.marker = latest === undefined ? undatedMarker(marker) : marker;
    if (rows.length === 0) facts.marker = NO_PASSWORD;
  }
  put(facts, 'changedAt', known(latest?.changedAt));
  const oldest = known(earliestBy(entries, ({ changedAt }) => known(changedAt))?.changedAt);
  if (oldest !== facts.changedAt) put(facts, 'oldestChangeAt', oldest);
  const isNeverDated = dialect.passwordEntryChangedField === '';
  const earliest = earliestBy(entries, ({ expiresAt }) => known(expiresAt));
  put(facts, 'expiresAt', known((isNeverDated ? earliest : latest)?.expiresAt));
  return facts;
}

function dateFault(
  row: JsonRow,
  key: Extract<DialectKey, `${'password' | 'certificate'}${string}Field`>,
  dialect: Dialect,
): Fault {
  const list = key.startsWith('password') ? 'passwords' : 'certificates';
  return new Fault(`${list}[].${dialect[key]}`, [key, 'dateForm'], field(dialect[key])(row));
}

/** Whether the service shows password dates; without them the metadata shows no change. */
function isDated({ passwordEntryChangedField, passwordEntryExpiryField }: Dialect): boolean {
  return passwordEntryChangedField !== '' || passwordEntryExpiryField !== '';
}

/**
 * The metadata without values. A password, which the service should never send, is not even hashed.
 */
function pickMetadata(row: JsonRow): Json {
  const members = Object.entries(row).filter(
    ([name]) => !/password$|secret|value|hash/i.test(name),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, toJsonText(value)]));
}

function toJsonText(value: unknown): Json {
  return value === undefined ? null : (JSON.stringify(value) ?? null);
}

/**
 * The certificate in use: the newest SSL certificate. A certificate without a readable type is
 * ignored. If the service has no type field, a single certificate counts as SSL, and several are
 * undecided.
 */
export function certificateInUse(
  rows: readonly unknown[],
  dialect: Dialect,
): CertificateFacts | 'none' | Fault {
  const typeFault = (row: unknown): Fault =>
    new Fault(
      `certificates[].${dialect.certificateTypeField}`,
      ['certificateTypeField'],
      part(dialect.certificateTypeField)(row),
    );
  if (dialect.certificateTypeField === '') {
    const [one, ...others] = rows.map((row) => certificateFacts(row, dialect));
    return others.length > 0 ? typeFault(undefined) : (one ?? 'none');
  }
  const typeIn = part(dialect.certificateTypeField);
  const typeOf = (row: unknown): string | undefined => known(shownText(typeIn(row)))?.toLowerCase();
  const untyped = rows.findIndex((row) => typeOf(row) === undefined);
  if (untyped >= 0) return typeFault(rows[untyped]);
  const wanted = dialect.certificateTypeSsl.toLowerCase();
  const found = rows.filter((row) => typeOf(row) === wanted);
  const facts = allRead(found.map((row) => certificateFacts(row, dialect)));
  if (isFault(facts)) return facts;
  return latestBy(facts, (fact) => fact.notBefore) ?? facts[0] ?? 'none';
}

/** One entry of certificates; unreadable if it ends before it begins, which no certificate does (semantics D9). */
export function certificateFacts(row: unknown, dialect: Dialect): CertificateFacts | Fault {
  const facts = decodeCertificate(row, dialect);
  if (isFault(facts)) return facts;
  const { notBefore = -Infinity, notAfter = Infinity } = facts;
  if (notAfter > notBefore) return facts;
  return new Fault(
    `certificates[].${dialect.certificateNotAfterField}`,
    ['certificateNotAfterField', 'certificateNotBeforeField'],
    row,
  );
}

/** Unreadable if a date is, or if the entry has no expiry and its certificate cannot be parsed. */
function decodeCertificate(row: unknown, dialect: Dialect): CertificateFacts | Fault {
  const text = shownText(part(dialect.certificateField)(row));
  const parsed = typeof text === 'string' ? parseCertificate(text) : undefined;
  if (parsed) return parsed;
  const own = (...more: readonly DialectKey[]): Fault =>
    new Fault(
      `certificates[].${dialect.certificateField}`,
      ['certificateField', ...more],
      part(dialect.certificateField)(row),
    );
  if (!isObject(row) || text === UNREADABLE) return own();
  const notBefore = decodeInstant(field(dialect.certificateNotBeforeField)(row), dialect.dateForm);
  const notAfter = decodeInstant(field(dialect.certificateNotAfterField)(row), dialect.dateForm);
  if (notBefore === UNREADABLE) return dateFault(row, 'certificateNotBeforeField', dialect);
  if (notAfter === UNREADABLE) return dateFault(row, 'certificateNotAfterField', dialect);
  if (text !== undefined && notAfter === undefined) return own('certificateNotAfterField');
  const facts: PartialRow<CertificateFacts> = { fingerprint: sha256(text ?? JSON.stringify(row)) };
  put(facts, 'notBefore', notBefore);
  put(facts, 'notAfter', notAfter);
  return facts;
}

/**
 * Caches parsed certificates. Every plan reads the same ones, and parsing them costs more than the
 * rest of the answer.
 */
const parseCertificate = computeOnce(read);

function read(text: string): CertificateFacts | undefined {
  try {
    // Any text but PEM is base64 DER, possibly with line breaks.
    const pemOrDer = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64');
    const { fingerprint256, validFrom, validTo } = new X509Certificate(pemOrDer);
    const [notBefore, notAfter] = [Date.parse(validFrom), Date.parse(validTo)];
    const isDated = Number.isFinite(notBefore) && Number.isFinite(notAfter);
    return isDated ? { fingerprint: fingerprint256, notBefore, notAfter } : undefined;
  } catch {
    return undefined;
  }
}

function earliestBy<T>(
  items: readonly T[],
  timeOf: (item: T) => number | undefined,
): T | undefined {
  return latestBy(items, (item) => {
    const time = timeOf(item);
    return time === undefined ? undefined : -time;
  });
}

function latestBy<T>(items: readonly T[], timeOf: (item: T) => number | undefined): T | undefined {
  let latest: T | undefined;
  for (const item of items) {
    const time = timeOf(item);
    const isLater = latest === undefined || (timeOf(latest) ?? 0) < (time ?? 0);
    if (time !== undefined && isLater) latest = item;
  }
  return latest;
}
