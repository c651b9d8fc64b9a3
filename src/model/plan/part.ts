import { type Check, listOf, optional, shaped, text } from '../../lib/shape.ts';
import type { FleetPart } from './plan.gen.ts';

export type { FleetPart, PlanPart } from './plan.gen.ts';

/** Whether a value that was read is a part. */
export const PART: Check<FleetPart> = shaped({
  policies: optional(listOf(text)),
  sites: optional(listOf(text)),
  devices: optional(listOf(text)),
});

/** The part alone, for records and digests: IDs, no names. */
export function toPartIds({ policies, sites, devices }: FleetPart): FleetPart {
  return {
    ...(policies && { policies }),
    ...(sites && { sites }),
    ...(devices && { devices }),
  };
}

/**
 * What two parts have in common: nothing that either leaves out (semantics N35). Absent where
 * neither limits anything.
 */
export function commonPart(
  a: FleetPart | undefined,
  b: FleetPart | undefined,
): FleetPart | undefined {
  if (!a || !b) return a ?? b;
  const common = {
    ...both('policies', a, b),
    ...both('sites', a, b),
    ...both('devices', a, b),
  };
  return common;
}

function both(key: keyof FleetPart, a: FleetPart, b: FleetPart): FleetPart {
  const [first, second] = [a[key], b[key]];
  if (!first || !second) return first || second ? { [key]: first ?? second } : {};
  const others = new Set(second);
  return { [key]: first.filter((id) => others.has(id)) };
}

/** Whether two parts are the same. */
export function isSamePart(a: FleetPart | undefined, b: FleetPart | undefined): boolean {
  return JSON.stringify(a && toPartIds(a)) === JSON.stringify(b && toPartIds(b));
}
