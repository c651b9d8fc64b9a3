import type { CountPer, Policy } from '../../model/documents/policy.ts';
import type { Sourced } from '../../model/documents/source.ts';
import { formatDuration, readableDuration } from '../../lib/time.ts';

/** The fields that a policy omits, with their defaults as they are written in YAML. */
export function listDefaults(policy: Sourced<Policy>): Readonly<Record<string, string>> {
  const fields = Object.entries(policyFields(policy.value));
  const isWritten = (field: string): boolean => policy.places.has(`/${field.replaceAll('.', '/')}`);
  return Object.fromEntries(fields.filter(([field]) => !isWritten(field)));
}

function policyFields(policy: Policy): Readonly<Record<string, string>> {
  const { priority, rollout } = policy;
  const shared = { priority: String(priority), ...(rollout !== undefined && { rollout }) };
  switch (policy.section) {
    case 'firmware':
      return {
        ...shared,
        deferral: formatDuration(policy.deferral),
        downgrade: policy.downgrade,
        path: policy.path,
        restAtIntermediate: policy.restAtIntermediate,
      };
    case 'rotations':
      return { ...shared, ...rotationFields(policy) };
    case 'onboarding':
      return {
        ...shared,
        maxPerDay: String(policy.maxPerDay),
        expectWithin: formatDuration(policy.expectWithin),
        onDuplicate: policy.onDuplicate,
        after: policy.after.join(', '),
      };
    case 'restarts':
      return { ...shared, ...restartFields(policy) };
  }
}

function restartFields(policy: Policy & { section: 'restarts' }): Record<string, string> {
  const { heldFor, excludeMaintenanceMode, cooldown, correlatedOutage, escalateAfter } = policy;
  return {
    'when.for': formatDuration(heldFor),
    'when.excludeMaintenanceMode': String(excludeMaintenanceMode),
    cooldown: formatDuration(cooldown),
    maxPerDevice: countText(policy.maxPerDevice),
    maxPerSite: countText(policy.maxPerSite),
    correlatedOutage: `${correlatedOutage.percent}% within ${formatDuration(correlatedOutage.within)}`,
    'escalate.after': String(escalateAfter),
  };
}

function countText({ count, per }: CountPer): string {
  return `${count} per ${formatDuration(per)}`;
}

function rotationFields(policy: Policy & { section: 'rotations' }): Record<string, string> {
  const { generation, due, expiryGuard, offlineGrace, unknownAge } = policy;
  return {
    generation: String(generation),
    ...dueFields(due),
    ...(expiryGuard !== undefined && { expiryGuard: formatDuration(expiryGuard) }),
    offlineGrace: formatDuration(offlineGrace),
    unknownAge,
  };
}

function dueFields(due: (Policy & { section: 'rotations' })['due']): Record<string, string> {
  if (due.is === 'never') return { maxAge: 'never' };
  if (due.is === 'maxAge') {
    const { maxAge, headStart, spread } = due;
    return {
      maxAge: formatDuration(maxAge),
      headStart: formatDuration(headStart),
      spread: formatDuration(spread),
    };
  }
  const spread =
    due.is === 'renewBefore' ? readableDuration(due.before / 3) : 'a third of the time';
  const before = due.is === 'renewBefore' ? formatDuration(due.before) : `${due.percent}%`;
  return { renewBefore: before, spread };
}
