import { X509Certificate } from 'node:crypto';
import { digest, sha256, type Json } from '../model/canonical.ts';
import type { Dialect } from '../model/dialect.ts';
import type { FirmwarePath } from '../model/ports.ts';
import type {
  ApprovedFirmware,
  CertificateFacts,
  PasswordFacts,
  ReadProblem,
} from '../model/snapshot.ts';
import { field, instantOf, isRow, member, put, textOf, type Draft, type Row } from './fields.ts';

/**
 * Reduces the per-device reads to what a decision needs. Nothing else of their bodies leaves
 * this place.
 */
export interface FactReaders {
  targetFirmware(answer: unknown): readonly ApprovedFirmware[] | ReadProblem;
  passwords(answer: unknown): PasswordFacts | ReadProblem;
  certificates(answer: unknown): CertificateFacts | 'none' | ReadProblem;
  /** One row of firmwarePaths; undefined where it cannot be read. */
  firmwarePath(row: unknown): FirmwarePath | undefined;
}

/** The readers for the names of a dialect. What they cannot read is `unreadable`, never thrown. */
export function createFactReaders(dialect: Dialect): FactReaders {
  return {
    targetFirmware: (answer) => {
      const rows = listIn(answer, dialect.targetFirmwareListField);
      const versions = rows?.map((row) => approvedOf(row, dialect));
      return allOf(versions) ?? 'unreadable';
    },
    passwords: (answer) => {
      const rows = listIn(answer, 'passwords');
      return rows?.every(isRow) ? passwordFacts(rows, dialect) : 'unreadable';
    },
    certificates: (answer) => {
      const rows = listIn(answer, 'certificates');
      return rows?.every(isRow) ? certificateInUse(rows, dialect) : 'unreadable';
    },
    firmwarePath: (row) => (isRow(row) ? pathIn(row) : undefined),
  };
}

/**
 * The list under its name, or the answer itself where it is one. A list that says it is longer
 * is not all of it.
 */
function listIn(answer: unknown, name: string): readonly unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  const list = isRow(answer) ? member(answer, name) : undefined;
  if (!isRow(answer) || !Array.isArray(list)) return undefined;
  const total = member(answer, 'total');
  return typeof total === 'number' && total > list.length ? undefined : list;
}

function allOf<T>(values: readonly (T | undefined)[] | undefined): readonly T[] | undefined {
  const found = values?.filter((value) => value !== undefined);
  return found?.length === values?.length ? found : undefined;
}

/** A version alone, or with the hops to it; the version itself is always the last hop. */
function approvedOf(row: unknown, dialect: Dialect): ApprovedFirmware | undefined {
  if (typeof row === 'string') return { version: row, hops: [row] };
  if (!isRow(row)) return undefined;
  const version = textOf(field(dialect.targetFirmwareVersionField)(row));
  if (version === undefined) return undefined;
  return { version, hops: hopsTo(version, field(dialect.targetFirmwarePathField)(row)) };
}

function hopsTo(version: string, path: unknown): readonly string[] {
  const hops = Array.isArray(path) ? path.filter((hop) => typeof hop === 'string') : [];
  return hops.at(-1) === version ? hops : [...hops, version];
}

function pathIn(row: Row): FirmwarePath | undefined {
  const [vendor, model, from, to] = ['vendor', 'model', 'from', 'to'].map((name) =>
    textOf(member(row, name)),
  );
  if (!vendor || !model || !from || !to) return undefined;
  return { vendor, model, from, to, path: hopsTo(to, member(row, 'path')) };
}

/**
 * A device may have several users, and a rotation may touch one of them alone: the entry that
 * changed last speaks for the device, so that a rotation is seen and the next one is not due at
 * once. The marker covers when which user changed, or all metadata where the service does not
 * say when.
 */
function passwordFacts(rows: readonly Row[], dialect: Dialect): PasswordFacts {
  const changeOf = field(dialect.passwordEntryChangedField);
  const expiryOf = field(dialect.passwordEntryExpiryField);
  const userOf = field(dialect.passwordEntryUserField);
  const latest = latestBy(rows, (row) => instantOf(changeOf(row)));
  const changedAt = latest && instantOf(changeOf(latest));
  const marked = rows.map((row) =>
    changedAt === undefined ? metadataOf(row) : [jsonOf(userOf(row)), jsonOf(changeOf(row))],
  );
  const facts: Draft<PasswordFacts> = {
    marker: digest(marked.map((entry) => digest(entry)).sort()),
  };
  put(facts, 'changedAt', changedAt);
  put(facts, 'expiresAt', instantOf(latest && expiryOf(latest)));
  return facts;
}

/** Should a value be sent against all promises, it is not even digested. */
function metadataOf(row: Row): Json {
  const members = Object.entries(row).filter(
    ([name]) => !/password$|secret|value|hash/i.test(name),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, jsonOf(value)]));
}

function jsonOf(value: unknown): Json {
  return value === undefined ? null : (JSON.stringify(value) ?? null);
}

/**
 * Of several SSL certificates the youngest is in use. Without a word of its type a certificate
 * cannot be judged.
 */
function certificateInUse(
  rows: readonly Row[],
  dialect: Dialect,
): CertificateFacts | 'none' | ReadProblem {
  const typeOf = (row: Row): string | undefined =>
    textOf(field(dialect.certificateTypeField)(row))?.toLowerCase();
  if (rows.some((row) => typeOf(row) === undefined)) return 'unreadable';
  const wanted = dialect.certificateTypeSsl.toLowerCase();
  const found = rows.filter((row) => typeOf(row) === wanted);
  const facts = found.map((row) => certificateFacts(row, dialect));
  return latestBy(facts, (fact) => fact.notBefore) ?? facts[0] ?? 'none';
}

function certificateFacts(row: Row, dialect: Dialect): CertificateFacts {
  const pem = textOf(field(dialect.certificateField)(row));
  const parsed = pem === undefined ? undefined : parseCertificate(pem);
  if (parsed) return parsed;
  const facts: Draft<CertificateFacts> = { fingerprint: sha256(pem ?? JSON.stringify(row)) };
  put(facts, 'notBefore', instantOf(field(dialect.certificateNotBeforeField)(row)));
  put(facts, 'notAfter', instantOf(field(dialect.certificateNotAfterField)(row)));
  return facts;
}

/**
 * What certificates that were read before say: the same one comes again with every plan and every
 * look, and to parse it costs more than the rest of its answer.
 */
const PARSED = new Map<string, CertificateFacts | undefined>();
const MOST_PARSED = 4_096;

function parseCertificate(pem: string): CertificateFacts | undefined {
  if (PARSED.has(pem)) return PARSED.get(pem);
  if (PARSED.size >= MOST_PARSED) PARSED.clear();
  const facts = read(pem);
  PARSED.set(pem, facts);
  return facts;
}

function read(pem: string): CertificateFacts | undefined {
  try {
    const { fingerprint256, validFrom, validTo } = new X509Certificate(pem);
    return {
      fingerprint: fingerprint256,
      notBefore: Date.parse(validFrom),
      notAfter: Date.parse(validTo),
    };
  } catch {
    return undefined;
  }
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
