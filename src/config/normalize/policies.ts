import type {
  DiscoveredSelector,
  DueRule,
  FirmwarePolicy,
  ListedDevice,
  OnboardingPolicy,
  RestartPolicy,
  RotationPolicy,
} from '../../model/policy.ts';
import type { Payload } from '../../model/task.ts';
import { listOf, placeIn, type Entry, type Written } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { instant, ms, selector, versionWish } from './values.ts';

/** A firmware policy; without a name its rollout is `default`. */
export function firmware(entry: Entry<'firmware'>): FirmwarePolicy {
  const { version, minVersion, downgrade, ticket, select } = entry.value;
  return {
    ...shared(entry, 'default'),
    section: 'firmware',
    task: 'upgradeFirmware',
    select: selector(select),
    version: versionWish(version),
    ...(minVersion !== undefined && { minVersion }),
    downgrade: downgrade ?? DEFAULTS.downgrade,
    ...(ticket !== undefined && { ticket }),
  };
}

/** A rotation policy; without a name its rollout is `default`. */
export function rotation(entry: Entry<'rotations'>): RotationPolicy {
  const { task, select, generation, payload } = entry.value;
  return {
    ...shared(entry, 'default'),
    section: 'rotations',
    task,
    select: selector(select),
    due: dueRule(entry.value),
    generation: generation ?? DEFAULTS.generation,
    payload: (payload ?? {}) as Payload,
  };
}

/** An onboarding policy; without a name it has no rollout. */
export function onboarding(entry: Entry<'onboarding'>): OnboardingPolicy {
  const { select, devices = [], blockVendors = [], maxPerDay, onDuplicate } = entry.value;
  return {
    ...shared(entry),
    section: 'onboarding',
    task: 'onboardDevice',
    ...(select && { select: discovered(select) }),
    devices: devices.map((device, index) => listed(entry, device, index)),
    blockVendors,
    maxPerDay: maxPerDay ?? DEFAULTS.maxPerDay,
    onDuplicate: onDuplicate ?? DEFAULTS.onDuplicate,
  };
}

/** A restart policy; without a name it has no rollout. */
export function restart(entry: Entry<'restarts'>): RestartPolicy {
  const { when, select, cooldown, maxPerDevice = DEFAULTS.maxPerDevice } = entry.value;
  return {
    ...shared(entry),
    section: 'restarts',
    task: 'restartDevice',
    select: selector(select),
    status: listOf<string>(when.status),
    heldFor: ms(when.for ?? DEFAULTS.heldFor),
    cooldown: ms(cooldown ?? DEFAULTS.cooldown),
    maxPerDevice: { count: maxPerDevice.count, per: ms(maxPerDevice.per) },
  };
}

function shared(
  { address, value }: Entry<'firmware' | 'rotations' | 'onboarding' | 'restarts'>,
  rolloutByDefault?: string,
) {
  const rollout = value.rollout ?? rolloutByDefault;
  return {
    address,
    priority: value.priority ?? DEFAULTS.priority,
    windows: listOf<string>(value.windows),
    ...(rollout !== undefined && { rollout }),
  };
}

/** Passwords without a rule grow 180 days old at the most; `never` leaves the generation alone to decide. */
function dueRule({ maxAge, renewBefore, headStart }: Written['rotation']): DueRule {
  if (renewBefore !== undefined) return { is: 'renewBefore', before: ms(renewBefore) };
  if (maxAge === 'never') return { is: 'never' };
  return {
    is: 'maxAge',
    maxAge: ms(maxAge ?? DEFAULTS.passwordMaxAge),
    headStart: ms(headStart ?? DEFAULTS.headStart),
  };
}

function discovered(
  written: NonNullable<Written['onboardingPolicy']['select']>,
): DiscoveredSelector {
  const { discoveredAfter, discoveredBefore, ...globs } = written;
  const lists = Object.entries(globs).map(([key, value]) => [key, listOf<string>(value)] as const);
  return {
    ...Object.fromEntries(lists),
    ...(discoveredAfter !== undefined && { discoveredAfter: instant(discoveredAfter) }),
    ...(discoveredBefore !== undefined && { discoveredBefore: instant(discoveredBefore) }),
  };
}

function listed(
  entry: Entry<'onboarding'>,
  device: Written['listedDevice'],
  index: number,
): ListedDevice {
  const { file, line, column } = placeIn(entry, `/devices/${index}`);
  return { ...device, at: { file, line, column } };
}
