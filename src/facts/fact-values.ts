import type { Facts, DeviceRead } from '../model/fleet/snapshot.ts';
import { markAsMarker, toMark } from '../model/fleet/mark.ts';
import type { FactValue } from './fact.ts';

type Read = NonNullable<Facts[DeviceRead]>;

/**
 * What is kept of one read: dates, versions and a mark (semantics N2); undefined for a read that was not made.
 */
export function toFactValue(deviceId: string, read: Read): FactValue | undefined {
  if (read === 'notRead') return undefined;
  if (read === 'none') return { is: 'none' };
  if (typeof read === 'string') return { is: 'problem', problem: read };
  if (isVersions(read)) return { is: 'versions', versions: read.map(wholePath) };
  if ('marker' in read) {
    const { changedAt: changed, oldestChangeAt: oldest, expiresAt: expires, marker } = read;
    return {
      is: 'password',
      ...defined({ changed, oldest, expires }),
      ...marked(toMark(deviceId, marker)),
    };
  }
  const { notBefore, notAfter, fingerprint } = read;
  return {
    is: 'certificate',
    ...defined({ notBefore, notAfter }),
    ...marked(toMark(deviceId, fingerprint)),
  };
}

/**
 * The read that a fact stands for. A marker that the ledger holds takes the place of its mark, so that an
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
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { readonly [K in keyof T]?: number };
}
