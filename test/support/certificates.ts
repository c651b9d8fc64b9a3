import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A certificate and its key, both PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Somebody who issues certificates for tests on loopback: his own is the one to trust. */
export interface Authority extends Pair {
  issue(options?: IssueOptions): Pair;
}

export interface IssueOptions {
  /** DNS names; `localhost`, with 127.0.0.1, by default. */
  readonly names?: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
}

const YEAR_MS = 365 * 86_400_000;

/** A fresh private authority: nothing but this process has ever seen it. */
export function createAuthority(name = 'Test Authority'): Authority {
  const keys = newKeys();
  const subject = nameOf(name);
  const from = new Date(Date.now() - YEAR_MS);
  const own = { issuer: subject, subject, from, until: yearsFrom(10), publicKey: keys.publicKey };
  const cert = certificate({ ...own, extensions: [CA], signer: keys.privateKey });
  return {
    cert,
    key: pemOfKey(keys.privateKey),
    issue({ names = ['localhost'], from: begins = from, until = yearsFrom(1) } = {}) {
      const { publicKey, privateKey } = newKeys();
      const body = { issuer: subject, subject: nameOf(names[0] ?? 'nobody'), publicKey };
      const extensions = [alternativeNames(names)];
      const dates = { from: begins, until };
      return {
        cert: certificate({ ...body, ...dates, extensions, signer: keys.privateKey }),
        key: pemOfKey(privateKey),
      };
    },
  };
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function yearsFrom(years: number): Date {
  return new Date(Date.now() + years * YEAR_MS);
}

function pemOfKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface Body {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly from: Date;
  readonly until: Date;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly signer: KeyObject;
}

/** X.509 version 3 in DER, signed with ECDSA and SHA-256, as PEM. */
function certificate({
  issuer,
  subject,
  from,
  until,
  publicKey,
  extensions,
  signer,
}: Body): string {
  const body = sequence(
    der(0xa0, integer(2)),
    der(0x02, Buffer.concat([Buffer.of(0x01), randomBytes(15)])),
    ECDSA_SHA256,
    issuer,
    sequence(time(from), time(until)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, signer);
  const whole = sequence(body, ECDSA_SHA256, der(0x03, Buffer.of(0), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const bytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.of(value));
}

function time(at: Date): Buffer {
  const text = at.toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x18, Buffer.from(text));
}

const ECDSA_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));
const TRUE = der(0x01, Buffer.of(0xff));
/** Basic constraints, critical: may issue. */
const CA = sequence(der(0x06, Buffer.from('551d13', 'hex')), TRUE, der(0x04, sequence(TRUE)));

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) => der(0x82, Buffer.from(name)));
  const addresses = names.includes('localhost') ? [der(0x87, Buffer.of(127, 0, 0, 1))] : [];
  const list = sequence(...entries, ...addresses);
  return sequence(der(0x06, Buffer.from('551d11', 'hex')), der(0x04, list));
}
