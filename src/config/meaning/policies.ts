import { toList } from '../../lib/objects.ts';
import type { MeantRotation } from '../../model/documents/meant.gen.ts';
import type {
  DueRule,
  FirmwarePolicy,
  IncidentPolicy,
  OnboardingPolicy,
  RestartPolicy,
  RotationPolicy,
} from '../../model/documents/policy.ts';
import { placeOnly } from '../../model/documents/source.ts';
import { TASK_OF, TASK_TYPES, TASKS, type Payload, type TaskIn } from '../../model/fleet/task.ts';
import { placeIn, type AuthoredEntry } from '../authored.ts';
import { meant, ms, percent } from './read.ts';

/** A firmware policy; its default rollout is `default`. Without `version` it is a floor (semantics F12). */
export function firmware({ value, address }: AuthoredEntry<'firmware'>): FirmwarePolicy {
  const { version, ...policy } = meant('firmwarePolicy', value);
  return {
    rollout: 'default',
    ...policy,
    version: version ?? { is: 'floor', version: policy.minVersion ?? '' },
    address,
    section: 'firmware',
    task: TASK_OF.firmware,
  };
}

/** A rotation policy; its default rollout is `default`. Only a certificate has an expiry guard. */
export function rotation({ value, address }: AuthoredEntry<'rotations'>): RotationPolicy {
  const written = meant('rotation', value);
  const {
    maxAge: _age,
    headStart: _ahead,
    spread: _spread,
    verify,
    expiryGuard,
    ...policy
  } = written;
  return {
    rollout: 'default',
    ...policy,
    address,
    section: 'rotations',
    due: dueRule(written, value.renewBefore),
    payload: policy.payload as Payload,
    ...(value.verify?.within !== undefined && { verify }),
    ...(TASKS[policy.task].credential === 'certificate' && { expiryGuard }),
  };
}

/**
 * Default rules: passwords are at most 180 days old, and certificates are renewed in the last third
 * of their life. With `never` only the generation counts.
 */
function dueRule(
  { task, maxAge, headStart, spread }: MeantRotation,
  renewBefore: string | undefined,
): DueRule {
  const isRenewed = TASKS[task].credential === 'certificate' && maxAge === undefined;
  const before = renewBefore ?? (isRenewed ? '33%' : undefined);
  const spreads = spread === undefined ? {} : { spread };
  if (before?.endsWith('%') === true)
    return { is: 'renewShare', percent: percent(before), ...spreads };
  if (before !== undefined) return { is: 'renewBefore', before: ms(before), ...spreads };
  if (maxAge === 'never') return { is: 'never' };
  const usual = Math.min(ms('14d'), headStart);
  return { is: 'maxAge', maxAge: ms(maxAge ?? '180d'), headStart, spread: spread ?? usual };
}

/**
 * An incident as the rotation that it asks for. Its priority among incidents is `since`: the later
 * one wins (semantics N57).
 */
export function incident({ value, name, address }: AuthoredEntry<'incidents'>): IncidentPolicy {
  const { rotate, select, payload, leavesInService, ...written } = meant('incident', value);
  const { since, until, expect, reason, owner, ticket } = written;
  return {
    address,
    priority: since,
    windows: ['anytime'],
    rollout: address,
    section: 'rotations',
    task: TASK_TYPES.find((task) => TASKS[task].credential === rotate) as TaskIn<'rotations'>,
    select,
    due: { is: 'never' },
    generation: 1,
    payload: payload as Payload,
    offlineGrace: 0,
    unknownAge: 'rotate',
    ...(leavesInService !== undefined && { leavesInService }),
    incident: { name, since, until, expect, reason, owner, ticket },
  };
}

/** An onboarding policy; it has no default rollout. */
export function onboarding(entry: AuthoredEntry<'onboarding'>): OnboardingPolicy {
  const { devices = [], ...policy } = meant('onboardingPolicy', entry.value);
  return {
    ...policy,
    address: entry.address,
    section: 'onboarding',
    task: TASK_OF.onboarding,
    devices: devices.map((device, index) => ({
      ...device,
      at: placeOnly(placeIn(entry, `/devices/${index}`)),
    })),
  };
}

/** A restart policy; it has no default rollout. */
export function restart({ value, address }: AuthoredEntry<'restarts'>): RestartPolicy {
  const { when, ...policy } = meant('restartPolicy', value);
  return {
    ...policy,
    address,
    section: 'restarts',
    task: TASK_OF.restarts,
    when: { ...when, status: toList<string>(value.when.status), probe: when.probe ?? {} },
  };
}
