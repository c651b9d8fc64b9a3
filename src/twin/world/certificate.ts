import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { Issue } from './state.ts';

/**
 * Returns a self-signed X.509 certificate as PEM text. It depends only on subject and issue, so one
 * issue always reads the same and no two issues share a fingerprint. Ed25519 signatures contain no
 * randomness.
 */
export function certificatePem(subject: string, issue: Issue): string {
  const known = WRITTEN.get(issue);
  if (known?.subject === subject) return known.pem;
  const pem = write(subject, issue);
  WRITTEN.set(issue, { subject, pem });
  return pem;
}

/** Cached certificates: a signature costs more than the rest of an answer. */
const WRITTEN = new WeakMap<Issue, { readonly subject: string; readonly pem: string }>();

function write(subject: string, issue: Issue): string {
  const key = deriveKey(subject, issue);
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const tbs = sequence(
    tlv(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.from(issue.serial, 'hex')),
    ED25519,
    name(subject),
    sequence(time(issue.notBefore), time(issue.notAfter)),
    name(subject),
    spki,
  );
  const signature = Buffer.concat([Buffer.from([0]), sign(null, tbs, key)]);
  const base64 = sequence(tbs, ED25519, tlv(0x03, signature)).toString('base64');
  const lines = base64.match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

/** PKCS #8 around a 32-byte Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

function deriveKey(subject: string, issue: Issue): ReturnType<typeof createPrivateKey> {
  const seed = createHash('sha256').update(`${subject} ${issue.serial}`).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

/**
 * Encodes a positive integer; a leading zero keeps a set first bit from meaning a negative number.
 */
function integer(bytes: Buffer): Buffer {
  const isHigh = (bytes[0] ?? 0) >= 0x80;
  return tlv(0x02, isHigh ? Buffer.concat([Buffer.from([0]), bytes]) : bytes);
}

function name(commonName: string): Buffer {
  const oid = tlv(0x06, Buffer.from([0x55, 0x04, 0x03]));
  return sequence(tlv(0x31, sequence(oid, tlv(0x0c, Buffer.from(commonName, 'utf8')))));
}

/** GeneralizedTime, to the second. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return tlv(0x18, Buffer.from(`${digits}Z`, 'ascii'));
}

const ED25519 = sequence(tlv(0x06, Buffer.from([0x2b, 0x65, 0x70])));
