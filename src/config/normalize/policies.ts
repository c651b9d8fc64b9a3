import type {
  CountPer,
  DiscoveredSelector,
  DueRule,
  FirmwarePolicy,
  ListedDevice,
  OnboardingPolicy,
  RestartPolicy,
  RotationPolicy,
} from '../../model/documents/policy.ts';
import { TASK_OF, TASKS, type Payload } from '../../model/fleet/task.ts';
import { toList, placeIn, type AuthoredEntry, type Authored } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { parsedInstant, ms, percent, selector, versionSpec } from './values.ts';

/** A firmware policy; its default rollout is `default`. */
export function firmware(entry: AuthoredEntry<'firmware'>): FirmwarePolicy {
  const { version, minVersion, deadline, ticket, select, ...rest } = entry.value;
  return {
    ...shared(entry, 'default'),
    section: 'firmware',
    task: TASK_OF.firmware,
    select: selector(select),
    version: versionSpec(version),
    ...(minVersion !== undefined && { minVersion }),
    ...(rest.order && { order: rest.order }),
    deferral: ms(rest.deferral ?? DEFAULTS.deferral),
    ...(deadline !== undefined && { deadline: ms(deadline) }),
    downgrade: rest.downgrade ?? DEFAULTS.downgrade,
    ...(ticket !== undefined && { ticket }),
    path: rest.path ?? DEFAULTS.path,
    restAtIntermediate: rest.restAtIntermediate ?? DEFAULTS.restAtIntermediate,
  };
}

/** A rotation policy; its default rollout is `default`. */
export function rotation(entry: AuthoredEntry<'rotations'>): RotationPolicy {
  const { task, select, generation, payload, verify, expiryGuard } = entry.value;
  const { leavesInService, rationale } = entry.value;
  const isCertificate = TASKS[task].credential === 'certificate';
  return {
    ...shared(entry, 'default'),
    section: 'rotations',
    task,
    select: selector(select),
    due: dueRule(entry.value),
    generation: generation ?? DEFAULTS.generation,
    payload: (payload ?? {}) as Payload,
    ...(verify?.within !== undefined && { verifyWithin: ms(verify.within) }),
    ...(isCertificate && { expiryGuard: ms(expiryGuard ?? DEFAULTS.expiryGuard) }),
    offlineGrace: ms(entry.value.offlineGrace ?? DEFAULTS.offlineGrace),
    unknownAge: entry.value.unknownAge ?? DEFAULTS.unknownAge,
    ...(leavesInService !== undefined && { leavesInService }),
    ...(rationale !== undefined && { rationale }),
  };
}

/** An onboarding policy; it has no default rollout. */
export function onboarding(entry: AuthoredEntry<'onboarding'>): OnboardingPolicy {
  const { select, devices = [], blockVendors = [], ...rest } = entry.value;
  return {
    ...shared(entry),
    section: 'onboarding',
    task: TASK_OF.onboarding,
    ...(select && { select: discovered(select) }),
    devices: devices.map((device, index) => listed(entry, device, index)),
    blockVendors,
    maxPerDay: rest.maxPerDay ?? DEFAULTS.maxPerDay,
    expectWithin: ms(rest.expectWithin ?? DEFAULTS.expectWithin),
    onDuplicate: rest.onDuplicate ?? DEFAULTS.onDuplicate,
    after: rest.after ?? DEFAULTS.after,
  };
}

/** A restart policy; it has no default rollout. */
export function restart(entry: AuthoredEntry<'restarts'>): RestartPolicy {
  const { when, select, cooldown, escalate } = entry.value;
  const { maxPerDevice, maxPerSite, correlatedOutage: outage } = { ...DEFAULTS, ...entry.value };
  const probes = Object.entries(when.probe ?? {});
  return {
    ...shared(entry),
    section: 'restarts',
    task: TASK_OF.restarts,
    select: selector(select),
    status: toList<string>(when.status),
    probe: Object.fromEntries(probes.map(([name, words]) => [name, toList<string>(words)])),
    heldFor: ms(when.for ?? DEFAULTS.heldFor),
    excludeMaintenanceMode: when.excludeMaintenanceMode ?? true,
    cooldown: ms(cooldown ?? DEFAULTS.cooldown),
    maxPerDevice: countPer(maxPerDevice),
    maxPerSite: countPer(maxPerSite),
    correlatedOutage: { percent: percent(outage.percent), within: ms(outage.within) },
    escalateAfter: escalate?.after ?? DEFAULTS.escalateAfter,
  };
}

/** The earlier names of a policy; none where its author says so. */
function earlierNames(written: string | readonly string[]): readonly string[] {
  return written === 'none' ? [] : toList<string>(written);
}

function countPer({ count, per }: Authored['countPer']): CountPer {
  return { count, per: ms(per) };
}

function shared(
  { address, value }: AuthoredEntry<'firmware' | 'rotations' | 'onboarding' | 'restarts'>,
  rolloutByDefault?: string,
) {
  const rollout = value.rollout ?? rolloutByDefault;
  return {
    address,
    priority: value.priority ?? DEFAULTS.priority,
    windows: toList<string>(value.windows),
    ...(rollout !== undefined && { rollout }),
    ...(value.approval && { approval: value.approval }),
    ...(value.renamedFrom !== undefined && { renamedFrom: earlierNames(value.renamedFrom) }),
  };
}

/**
 * Default rules: passwords are at most 180 days old, and certificates are renewed in the last third
 * of their life. With `never` only the generation counts.
 */
function dueRule(written: Authored['rotation']): DueRule {
  const { task, maxAge, headStart, spread } = written;
  const isRenewed = TASKS[task].credential === 'certificate' && maxAge === undefined;
  const renewBefore = written.renewBefore ?? (isRenewed ? DEFAULTS.renewBefore : undefined);
  if (renewBefore !== undefined) return renewal(renewBefore, spread);
  if (maxAge === 'never') return { is: 'never' };
  const ahead = ms(headStart ?? DEFAULTS.headStart);
  return {
    is: 'maxAge',
    maxAge: ms(maxAge ?? DEFAULTS.passwordMaxAge),
    headStart: ahead,
    spread: spread === undefined ? Math.min(ms(DEFAULTS.spread), ahead) : ms(spread),
  };
}

function renewal(before: string, written: string | undefined): DueRule {
  const spread = written === undefined ? {} : { spread: ms(written) };
  if (before.endsWith('%')) return { is: 'renewShare', percent: percent(before), ...spread };
  return { is: 'renewBefore', before: ms(before), ...spread };
}

function discovered(
  written: NonNullable<Authored['onboardingPolicy']['select']>,
): DiscoveredSelector {
  const { discoveredAfter, discoveredBefore, ...globs } = written;
  const lists = Object.entries(globs).map(([key, value]) => [key, toList<string>(value)] as const);
  return {
    ...Object.fromEntries(lists),
    ...(discoveredAfter !== undefined && { discoveredAfter: parsedInstant(discoveredAfter) }),
    ...(discoveredBefore !== undefined && { discoveredBefore: parsedInstant(discoveredBefore) }),
  };
}

function listed(
  entry: AuthoredEntry<'onboarding'>,
  device: Authored['listedDevice'],
  index: number,
): ListedDevice {
  const { file, line, column } = placeIn(entry, `/devices/${index}`);
  return { ...device, at: { file, line, column } };
}
