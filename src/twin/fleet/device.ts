import type { SeededRandom } from '../world/random.ts';
import type { Account, DeviceState, Issue, SiteState, Time } from '../world/state.ts';
import type { Product } from './product.ts';

export const DAY = 86_400_000;
/** Lifetime of a password and of a certificate. */
export const LIFE = 365 * DAY;

export interface DevicePlace {
  readonly site: SiteState;
  readonly sourceId: number;
}

interface DeviceSeed {
  readonly id: string;
  readonly index: number;
  readonly product: Product;
  readonly place: DevicePlace;
  readonly name: (siteId: number, words: string) => string;
  readonly random: SeededRandom;
  readonly now: Time;
}

const AREAS = ['lobby', 'entrance', 'parking', 'dock', 'hall', 'stairs', 'roof', 'server-room'];

/** A new device: latest firmware, new credentials, online. Aging comes later. */
export function seedDevice(seed: DeviceSeed): DeviceState {
  const { id, product, place, random, now } = seed;
  const model = random.pick(product.models);
  const name = seed.name(place.site.id, `${random.pick(AREAS)}-${product.kind}`);
  const madeAt = now - random.between(5, 60) * DAY;
  const isCamera = product.deviceType === 'camera';
  return {
    id,
    name,
    vendor: product.vendor,
    model,
    serial: random.hex(12).toUpperCase(),
    deviceType: product.deviceType,
    firmwareVersion: product.approved.at(-1) ?? random.pick(product.releases),
    siteId: place.site.id,
    sourceIds: [place.sourceId],
    ...address(seed, name),
    onboardedAt: now - random.between(90, 1200) * DAY,
    ...(product.tasks.includes('hardenDevice') && { hardenedAt: madeAt }),
    maintenance: false,
    ...(isCamera && { storageServer: `rec-${place.site.id}-0${random.between(1, 3)}` }),
    monitored: product.monitored,
    condition: 'well',
    silent: false,
    lastSeen: now,
    tasks: product.tasks,
    accounts: product.accounts.map((userName) => createAccount(userName, madeAt)),
    ...(product.tasks.includes('rotateSslCertificate') && {
      ssl: issueCertificate(random, madeAt),
    }),
    ...(product.tasks.includes('rotate8021xCertificate') &&
      random.next() < 0.4 && { dot1x: issueCertificate(random, madeAt) }),
  };
}

/** An account whose password was set at a moment; it expires after a year. */
export function createAccount(userName: string, lastChanged: Time): Account {
  return { userName, lastChanged, expiry: lastChanged + LIFE };
}

/** A certificate issued at a moment, to the second; it expires after a year. */
export function issueCertificate(random: SeededRandom, at: Time): Issue {
  const notBefore = Math.floor(at / 1000) * 1000;
  return { serial: random.hex(16), notBefore, notAfter: notBefore + LIFE };
}

function address(
  { index, place, product, random }: DeviceSeed,
  name: string,
): Pick<DeviceState, 'host' | 'ipAddress' | 'macAddress'> {
  const mac = random.hex(6).toUpperCase();
  return {
    host: `${name}.site-${place.site.id}.acme.example`,
    ipAddress: `10.${place.site.id % 256}.${(index >> 8) % 256}.${index % 256}`,
    macAddress: `${product.oui}:${mac.slice(0, 2)}:${mac.slice(2, 4)}:${mac.slice(4)}`,
  };
}
