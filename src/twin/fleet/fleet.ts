import { type SeededRandom, randomFrom } from '../world/random.ts';
import type {
  DeviceState,
  DiscoveredState,
  FleetState,
  SiteState,
  SourceState,
  Time,
  Condition,
} from '../world/state.ts';
import { ACCESS_PRODUCTS } from './access-products.ts';
import { CAMERA_PRODUCTS } from './camera-products.ts';
import {
  type DevicePlace,
  seedDevice,
  DAY,
  LIFE,
  createAccount,
  issueCertificate,
} from './device.ts';
import type { Product } from './product.ts';

const CATALOG: readonly Product[] = [...CAMERA_PRODUCTS, ...ACCESS_PRODUCTS];

interface FleetSize {
  readonly devices: number;
  readonly sites: number;
  readonly seed: number;
  /** The instant that ages and expiry dates count from. */
  readonly now: Time;
}

/**
 * A realistic fleet; the same size, seed and time give the same fleet. Besides managed devices it
 * has at least 24 discovered ones, most of them ready to onboard.
 */
export function seedFleet(size: FleetSize): FleetState & { random: number } {
  const random = randomFrom(size.seed);
  const sites = seedSites(size.sites);
  const name = namer();
  const make = (index: number, id: string): DeviceState => {
    const product = productAt(random);
    const place = placeFor(product, sites, index);
    return seedDevice({ id, index, product, place, name, random, now: size.now });
  };
  const devices = Array.from({ length: size.devices }, (_, index) => {
    const device = age(make(index, `dev-${index + 1}`), { random, now: size.now });
    return addTrouble(device, index, { random, now: size.now });
  });
  const discovered = Array.from(
    { length: Math.max(24, Math.round(size.devices * 0.03)) },
    (_, index) =>
      discover(make(size.devices + index, `disc-${index + 1}`), index, { random, now: size.now }),
  );
  const sources = SOURCES.map((source) => ({ ...source }));
  return { sites, sources, lines: CATALOG, devices, discovered, random: random.state };
}

/** Seven of ten are ready; the others lack credentials or are postponed. */
function discover(
  device: DeviceState,
  index: number,
  { random, now }: { readonly random: SeededRandom; readonly now: Time },
): DiscoveredState {
  const words = ['enrichmentRequired', 'enrichmentRequired', 'archived'] as const;
  const onboardingStatus = words[index % 10] ?? 'readyToOnboard';
  return { device, onboardingStatus, discoveredAt: now - random.between(1, 60 * 24 * 30) * 60_000 };
}

const TOTAL_WEIGHT = CATALOG.reduce((sum, product) => sum + product.weight, 0);

function productAt(random: SeededRandom): Product {
  let left = random.next() * TOTAL_WEIGHT;
  const found = CATALOG.find((product) => (left -= product.weight) < 0);
  return found ?? random.pick(CATALOG);
}

/** Assigns sites in turn; the half that headquarters runs reports through its own video system. */
function placeFor(product: Product, sites: readonly SiteState[], index: number): DevicePlace {
  const [site] = sites.slice(index % sites.length);
  if (site === undefined) throw new RangeError('a fleet needs at least one site');
  if (product.deviceType === 'access control panel') return { site, sourceId: 3 };
  if (product.deviceType === 'other') return { site, sourceId: 4 };
  return { site, sourceId: site.id <= Math.ceil(sites.length / 2) ? 1 : 2 };
}

/** Names such as `lobby-cam-01`, counted per site. */
function namer(): (siteId: number, words: string) => string {
  const counts = new Map<string, number>();
  return (siteId, words) => {
    const count = (counts.get(`${siteId}/${words}`) ?? 0) + 1;
    counts.set(`${siteId}/${words}`, count);
    return `${words}-${String(count).padStart(2, '0')}`;
  };
}

type Town = readonly [name: string, description: string, latitude: number, longitude: number];

const TOWNS: readonly Town[] = [
  ['HQ Berlin', 'Headquarters', 52.52, 13.405],
  ['Campus Munich', 'Research and development', 48.137, 11.575],
  ['Plant Gdansk', 'Assembly', 54.352, 18.646],
  ['Store London Soho', 'Flagship store', 51.513, -0.137],
  ['Store Paris Marais', 'Retail', 48.859, 2.362],
  ['Warehouse Rotterdam', 'Distribution centre', 51.924, 4.478],
  ['Office Madrid', 'Sales', 40.417, -3.704],
  ['HQ Americas New York', 'Regional headquarters', 40.713, -74.006],
  ['Data Centre Dallas', 'Hosting', 32.777, -96.797],
  ['Office Sao Paulo', 'Sales and service', -23.551, -46.633],
  ['Campus Singapore', 'Regional headquarters', 1.352, 103.82],
  ['Office Sydney', 'Sales and service', -33.869, 151.209],
];

/** The first twelve sites have names of their own; further ones are branches in the same cities. */
function seedSites(count: number): SiteState[] {
  return Array.from({ length: count }, (_, index) => {
    const [name, description, latitude, longitude] = townAt(index);
    return { id: index + 1, name, description, latitude, longitude };
  });
}

/** Four integrations, one of them a CSV file. Each type formats versions in its own way. */
const SOURCES: readonly SourceState[] = [
  { id: 1, name: 'VMS HQ', type: 'genetec', version: '5.12.1.0' },
  { id: 2, name: 'VMS Regions', type: 'milestone', version: '2024 R2' },
  { id: 3, name: 'Access Control', type: 'onguard', version: '8.2 Update 1' },
  { id: 4, name: 'Inventory CSV', type: 'internal', version: 'inventory-2026-09' },
];

function townAt(index: number): Town {
  const [place] = TOWNS.slice(index % TOWNS.length);
  if (place === undefined) throw new RangeError(`no place ${index}`);
  if (index < TOWNS.length) return place;
  const [name, , latitude, longitude] = place;
  const shift = Math.floor(index / TOWNS.length) / 10;
  return [`${name} Branch ${index + 1}`, 'Branch', latitude + shift, longitude + shift];
}

export interface Moment {
  readonly random: SeededRandom;
  readonly now: Time;
}

const RELEASES = new Map(
  [...CAMERA_PRODUCTS, ...ACCESS_PRODUCTS].flatMap((product) =>
    product.models.map((model) => [`${product.vendor}/${model}`, product.releases]),
  ),
);

/**
 * Ages a device as years in the field would: old firmware, old passwords, and certificates that
 * expire soon or have expired.
 */
function age(device: DeviceState, { random, now }: Moment): DeviceState {
  const releases = RELEASES.get(`${device.vendor}/${device.model}`) ?? [device.firmwareVersion];
  const isOld = random.next() < 0.55;
  const changedAt = now - passwordAge(random) * DAY;
  const expiresIn = certificateDaysLeft(random) * DAY;
  return {
    ...device,
    firmwareVersion: isOld ? random.pick(releases) : device.firmwareVersion,
    accounts: device.accounts.map(({ userName }) => createAccount(userName, changedAt)),
    ...(device.ssl && { ssl: issueCertificate(random, now + expiresIn - LIFE) }),
    ...(device.dot1x && { dot1x: issueCertificate(random, now - random.between(10, 340) * DAY) }),
    ...(device.hardenedAt && { hardenedAt: now - random.between(10, 700) * DAY }),
    maintenance: random.next() < 0.01,
    sourceIds: random.next() < 0.005 ? [] : device.sourceIds,
  };
}

/**
 * Gives devices trouble: of every 100, exactly 2 went dark today and 2 have a stuck probe; of every
 * 200, 1 has been dead for months and 1 is unknown. A device that went dark was in order before, so
 * a restart fixes it.
 */
function addTrouble(device: DeviceState, index: number, { random, now }: Moment): DeviceState {
  const condition = CONDITION_BY_TURN[index % 200] ?? 'well';
  const minute = 60_000;
  if (condition === 'dark') {
    const fresh = { ...freshened(device, { random, now }), maintenance: false };
    return { ...fresh, condition, lastSeen: now - random.between(25, 600) * minute };
  }
  if (condition === 'dead') {
    const tasks = device.tasks.filter((task) => task !== 'restartDevice');
    return { ...device, condition, tasks, lastSeen: now - random.between(30, 300) * DAY };
  }
  if (condition === 'unknown') {
    return { ...device, condition, lastSeen: now - random.between(60, 3000) * minute };
  }
  return { ...device, condition };
}

const CONDITION_BY_TURN: Readonly<Record<number, Condition>> = {
  11: 'dark',
  57: 'dark',
  103: 'dark',
  151: 'dark',
  23: 'stuck',
  71: 'stuck',
  119: 'stuck',
  167: 'stuck',
  37: 'dead',
  83: 'unknown',
};

function freshened(device: DeviceState, { random, now }: Moment): DeviceState {
  const releases = RELEASES.get(`${device.vendor}/${device.model}`) ?? [];
  const changedAt = now - random.between(5, 60) * DAY;
  return {
    ...device,
    firmwareVersion: releases.at(-1) ?? device.firmwareVersion,
    accounts: device.accounts.map(({ userName }) => createAccount(userName, changedAt)),
    ...(device.ssl && { ssl: issueCertificate(random, changedAt) }),
  };
}

/** In days: most are under half a year, one in ten is older, one in thirty is over a year. */
function passwordAge(random: SeededRandom): number {
  const draw = random.next();
  if (draw < 0.03) return random.between(366, 480);
  if (draw < 0.12) return random.between(181, 364);
  return random.between(3, 150);
}

/** In days: one in fourteen has less than sixty days left, one in a hundred has expired. */
function certificateDaysLeft(random: SeededRandom): number {
  const draw = random.next();
  if (draw < 0.01) return -random.between(1, 40);
  if (draw < 0.08) return random.between(2, 60);
  return random.between(90, 340);
}
