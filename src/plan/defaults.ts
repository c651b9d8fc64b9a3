import type { Policy } from '../model/policy.ts';
import type { Sourced } from '../model/source.ts';
import { formatDuration } from '../model/time.ts';

/**
 * The fields that the author of a policy left out, with the value that holds instead, as one would
 * write it.
 */
export function defaultsOf(policy: Sourced<Policy>): Readonly<Record<string, string>> {
  const fields = Object.entries(fieldsOf(policy.value));
  return Object.fromEntries(fields.filter(([field]) => !isWritten(policy, field)));
}

function isWritten({ places }: Sourced<Policy>, field: string): boolean {
  return places.has(`/${field.replaceAll('.', '/')}`);
}

function fieldsOf(policy: Policy): Readonly<Record<string, string>> {
  const { priority, rollout } = policy;
  const shared = { priority: String(priority), ...(rollout !== undefined && { rollout }) };
  switch (policy.section) {
    case 'firmware':
      return { ...shared, downgrade: policy.downgrade };
    case 'rotations':
      return { ...shared, generation: String(policy.generation), ...dueFields(policy.due) };
    case 'onboarding':
      return {
        ...shared,
        maxPerDay: String(policy.maxPerDay),
        onDuplicate: policy.onDuplicate,
      };
    case 'restarts':
      return {
        ...shared,
        'when.for': formatDuration(policy.heldFor),
        cooldown: formatDuration(policy.cooldown),
        maxPerDevice: `${policy.maxPerDevice.count} per ${formatDuration(policy.maxPerDevice.per)}`,
      };
  }
}

function dueFields(due: (Policy & { section: 'rotations' })['due']): Record<string, string> {
  if (due.is === 'renewBefore') return { renewBefore: formatDuration(due.before) };
  if (due.is === 'never') return { maxAge: 'never' };
  return { maxAge: formatDuration(due.maxAge), headStart: formatDuration(due.headStart) };
}
