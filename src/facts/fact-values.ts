import type { Facts, DeviceRead } from '../model/fleet/snapshot.ts';
import { markAsMarker, toMark } from '../model/fleet/mark.ts';
import type { Instant } from '../lib/time.ts';
import type { Device } from '../model/fleet/device.ts';
import type { FactValue } from './fact.ts';

type Read = NonNullable<Facts[DeviceRead]>;

/** The ends of credentials that the list shows of a device. */
export type ListedEnds = Pick<Device, 'passwordExpiresAt' | 'sslCertificateExpiresAt'>;

/**
 * What is kept of one read: dates, versions and a mark (semantics N2); undefined for a read that was not made.
 * @param listed what the list showed before the read: where that is another end, it is kept beside it
 */
export function toFactValue(
  deviceId: string,
  read: Read,
  listed: ListedEnds = {},
): FactValue | undefined {
  if (read === 'notRead') return undefined;
  if (read === 'none') return { is: 'none' };
  if (typeof read === 'string') return { is: 'problem', problem: read };
  if (isVersions(read)) return { is: 'versions', versions: read.map(wholePath) };
  if ('marker' in read) {
    const { changedAt: changed, oldestChangeAt: oldest, expiresAt: expires, marker } = read;
    return {
      is: 'password',
      ...defined({ changed, oldest, expires, listed: otherEnd(expires, listed.passwordExpiresAt) }),
      ...marked(toMark(deviceId, marker)),
    };
  }
  const { notBefore, notAfter, fingerprint } = read;
  return {
    is: 'certificate',
    ...defined({
      notBefore,
      notAfter,
      listed: otherEnd(notAfter, listed.sslCertificateExpiresAt),
    }),
    ...marked(toMark(deviceId, fingerprint)),
  };
}

function otherEnd(read: Instant | undefined, listed: Instant | undefined): Instant | undefined {
  const isOther = read !== undefined && listed !== undefined && !isSameSecond(read, listed);
  return isOther ? Math.floor(listed / SECOND) * SECOND : undefined;
}

const SECOND = 1_000;

function isSameSecond(a: Instant, b: Instant): boolean {
  return Math.floor(a / SECOND) === Math.floor(b / SECOND);
}

/**
 * The read that a fact replaces. A marker that the ledger holds takes the place of its mark, so that an
 * attempt on this credential is recognized; every other marker stays unknown until the last look.
 * @param recorded the marker with this mark in the ledger, if there is one
 */
export function toRead(value: FactValue, recorded: (mark: string) => string | undefined): Read {
  const marker = (mark: string | undefined): string =>
    (mark === undefined ? undefined : recorded(mark)) ?? markAsMarker(mark);
  switch (value.is) {
    case 'password': {
      const { changed: changedAt, oldest: oldestChangeAt, expires: expiresAt, mark } = value;
      return { ...defined({ changedAt, oldestChangeAt, expiresAt }), marker: marker(mark) };
    }
    case 'certificate': {
      const { notBefore, notAfter, mark } = value;
      return { ...defined({ notBefore, notAfter }), fingerprint: marker(mark) };
    }
    case 'none':
      return 'none';
    case 'versions':
      return value.versions.map((path) => ({ version: path.at(-1) ?? '', hops: path }));
    case 'problem':
      return value.problem;
  }
}

function isVersions(read: Exclude<Read, string>): read is Extract<Read, readonly unknown[]> {
  return Array.isArray(read);
}

/** The version is the last hop; some answers have it there already. */
function wholePath({
  version,
  hops,
}: Extract<Read, readonly unknown[]>[number]): readonly string[] {
  return hops.at(-1) === version ? hops : [...hops, version];
}

function marked(mark: string): { readonly mark?: string } {
  return mark === '' ? {} : { mark };
}

function defined<T extends Readonly<Record<string, number | undefined>>>(
  fields: T,
): { readonly [K in keyof T]?: number } {
  const known: Record<string, number> = {};
  for (const name in fields) if (fields[name] !== undefined) known[name] = fields[name];
  return known as { readonly [K in keyof T]?: number };
}
