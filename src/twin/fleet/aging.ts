import type { SeededRandom } from '../world/random.ts';
import type { Condition, DeviceState, Time } from '../world/state.ts';
import { CAMERA_PRODUCTS } from './camera-products.ts';
import { ACCESS_PRODUCTS } from './access-products.ts';
import { DAY, LIFE, createAccount, issueCertificate } from './device.ts';

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
export function age(device: DeviceState, { random, now }: Moment): DeviceState {
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
export function addTrouble(
  device: DeviceState,
  index: number,
  { random, now }: Moment,
): DeviceState {
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
