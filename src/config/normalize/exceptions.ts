import { Bug } from '../../lib/bug.ts';
import type { Allowed, Exception } from '../../model/documents/exception.ts';
import type { AuthoredEntry } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { parsedInstant, parsedLimit, ms, percent, selector, tasks } from './values.ts';

/** An exception with its end as an instant and, for type `allow`, what it allows. */
export function exception(entry: AuthoredEntry<'exceptions'>): Exception {
  const { value } = entry;
  const { type, select, version, reason, owner, ticket } = value;
  const base = {
    ...(select && { select: selector(select) }),
    tasks: tasks(value.task),
    until: parsedInstant(value.until),
    notice: ms(value.notice ?? DEFAULTS.notice),
    reason,
    owner,
    ticket,
  };
  switch (type) {
    case 'hold':
    case 'exclude':
      return { ...base, type };
    case 'acknowledge':
      return { ...base, type, reasons: value.reasons ?? [] };
    case 'pin':
      if (version === undefined) throw unruly(entry);
      return { ...base, type, version, acceptsRisk: value.acceptsRisk ?? false };
    case 'expedite': {
      const { skipCanary = false, approvers = [] } = value;
      return { ...base, type, skipCanary, approvers };
    }
    case 'allow':
      return { ...base, type, ...allowed(entry) };
  }
}

/** `gate` is authored as ROLLOUT/WAVE. */
function allowed(entry: AuthoredEntry<'exceptions'>): Allowed {
  const { gate, singleton, skipCanary, guardrail, budget, value } = entry.value.allow ?? {};
  if (singleton) return { allow: 'singleton' };
  if (skipCanary) return { allow: 'skipCanary' };
  if (guardrail !== undefined && value !== undefined)
    return { allow: 'guardrail', guardrail, value: raised(value) };
  if (budget !== undefined && value !== undefined)
    return { allow: 'budget', budget, value: parsedLimit(value) };
  const [rollout, wave] = (gate ?? '').split('/');
  if (rollout === undefined || wave === undefined) throw unruly(entry);
  return { allow: 'gate', rollout, wave };
}

function raised(value: string | number): number {
  return typeof value === 'number' ? value : percent(value);
}

function unruly({ address }: AuthoredEntry): Bug {
  return new Bug(`${address} passed every rule and lacks what its type needs`);
}
