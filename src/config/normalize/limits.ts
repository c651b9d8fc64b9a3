import type {
  Budget,
  Exception,
  Group,
  Guardrail,
  Rollout,
  SiteSettings,
} from '../../model/policy.ts';
import { TASK_TYPES, type TaskType } from '../../model/task.ts';
import { Bug } from '../../model/bug.ts';
import { listOf, type Entry, type Written } from '../authored.ts';
import { DEFAULTS } from '../defaults.ts';
import { instant, limit, ms, percent, selector } from './values.ts';

/** A site with its tags. */
export function site({ value }: Entry<'sites'>): SiteSettings {
  const { timeZone, tags = [] } = value;
  return { ...(timeZone !== undefined && { timeZone }), tags };
}

/** A group, by rule or by list. */
export function group({ value }: Entry<'groups'>): Group {
  const { select, devices = [] } = value;
  return select ? { is: 'select', select: selector(select) } : { is: 'devices', devices };
}

/** A rollout of one wave. */
export function rollout({ value }: Entry<'rollouts'>): Rollout {
  const { waves = [], canary, maxInFlight, batch } = value;
  return {
    wave: waves[0]?.name ?? 'all',
    ...(canary === 'none' && { canary }),
    maxInFlight: maxInFlight ?? DEFAULTS.maxInFlight,
    batch: batch ?? DEFAULTS.batch,
  };
}

/** A budget per site or for the fleet; every other set is refused before. */
export function budget({ value }: Entry<'budgets'>): Budget {
  const { select, per, maxUnavailable, minAvailable, maxInFlight } = value;
  return {
    ...(select && { select: selector(select) }),
    per: per === 'fleet' ? 'fleet' : 'site',
    ...(maxUnavailable !== undefined && { maxUnavailable: limit(maxUnavailable) }),
    ...(minAvailable !== undefined && { minAvailable }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    partialIsDown: value.treatPartialAs !== 'available',
    unknownIsDown: value.treatUnknownAs !== 'available',
  };
}

/** The limits of one guardrail, percents as numbers. */
export function guardrail({ value }: Entry<'guardrails'>): Guardrail {
  const { maxPercentOfFleet, maxPercentOfSite, maxChanges, maxSitesAtOnce } = value;
  return {
    ...(maxPercentOfFleet !== undefined && { maxPercentOfFleet: percent(maxPercentOfFleet) }),
    ...(maxPercentOfSite !== undefined && { maxPercentOfSite: percent(maxPercentOfSite) }),
    ...(maxChanges !== undefined && { maxChanges }),
    ...(maxSitesAtOnce !== undefined && { maxSitesAtOnce }),
  };
}

/** An exception of a type that is honoured. */
export function exception(entry: Entry<'exceptions'>): Exception {
  const { value } = entry;
  const { type, select, allow, version, reason, owner, ticket } = value;
  const base = {
    ...(select && { select: selector(select) }),
    tasks: tasks(value.task),
    until: instant(value.until),
    notice: ms(value.notice ?? DEFAULTS.notice),
    reason,
    owner,
    ticket,
  };
  if (type === 'hold' || type === 'exclude') return { ...base, type };
  if (type === 'pin' && version !== undefined)
    return { ...base, type, version, acceptsRisk: value.acceptsRisk ?? false };
  if (type === 'allow' && allow?.guardrail !== undefined && allow.value !== undefined)
    return { ...base, type, guardrail: allow.guardrail, value: raised(allow.value) };
  throw new Bug(`${entry.address} passed every rule and is of no kind that is honoured`);
}

function raised(value: string | number): number {
  return typeof value === 'number' ? value : percent(value);
}

function tasks(written: Written['tasks'] | undefined): readonly TaskType[] {
  const names = listOf<string>(written ?? 'all');
  return TASK_TYPES.filter((task) => names.includes('all') || names.includes(task));
}
