import type { Budget, DeviceGroup, Guardrail, SiteSettings } from '../../model/documents/policy.ts';
import type { AuthoredEntry } from '../authored.ts';
import { parsedLimit, percent, selector } from './values.ts';

/** A site with its tags. */
export function site({ value }: AuthoredEntry<'sites'>): SiteSettings {
  const { timeZone, tags = [] } = value;
  return { ...(timeZone !== undefined && { timeZone }), tags };
}

/** A group, by rule or by list. */
export function group({ value }: AuthoredEntry<'groups'>): DeviceGroup {
  const { select, devices = [], redundancy } = value;
  const members = select
    ? ({ is: 'select', select: selector(select) } as const)
    : ({ is: 'devices', devices } as const);
  return { ...members, ...(redundancy === true && { redundancy }) };
}

/** A budget. Without an authored rule for single devices, the device type decides. */
export function budget({ value }: AuthoredEntry<'budgets'>): Budget {
  const { select, per, maxUnavailable, minAvailable, maxInFlight, singletons } = value;
  return {
    ...(select && { select: selector(select) }),
    per,
    ...(maxUnavailable !== undefined && { maxUnavailable: parsedLimit(maxUnavailable) }),
    ...(minAvailable !== undefined && { minAvailable }),
    ...(maxInFlight !== undefined && { maxInFlight }),
    ...(singletons !== undefined && { singletons }),
    partialIsDown: value.treatPartialAs !== 'available',
    unknownIsDown: value.treatUnknownAs !== 'available',
  };
}

/** The limits of one guardrail, percents as numbers. */
export function guardrail({ value }: AuthoredEntry<'guardrails'>): Guardrail {
  const { maxPercentOfFleet, maxPercentOfSite, maxChanges, maxSitesAtOnce, maxVanished } = value;
  return {
    ...(maxPercentOfFleet !== undefined && { maxPercentOfFleet: percent(maxPercentOfFleet) }),
    ...(maxPercentOfSite !== undefined && { maxPercentOfSite: percent(maxPercentOfSite) }),
    ...(maxChanges !== undefined && { maxChanges }),
    ...(maxSitesAtOnce !== undefined && { maxSitesAtOnce }),
    ...(maxVanished !== undefined && { maxVanished }),
  };
}
