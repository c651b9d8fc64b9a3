import { WorldError, partUnknown } from '../../model/error.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import { commonPart, toPartIds, type FleetPart, type PlanPart } from '../../model/plan/part.ts';
import { partMembership } from './membership.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import { matchesGlob } from '../../lib/glob.ts';
import { compareTexts, listFirst } from '../../lib/text-order.ts';
import { idsNamed } from '../explain/find-device.ts';

/** A part as a person names it: any value of a flag, and all flags (semantics N34). */
export interface PartFlags {
  /** Addresses of policies, or globs over them. */
  readonly only?: readonly string[];
  /** IDs or names of sites, or globs. */
  readonly site?: readonly string[];
  /** IDs of devices, or names that one device has; of discovered devices their IDs. */
  readonly device?: readonly string[];
}

/** Whether any flag names a part. */
export function isPart({ only = [], site = [], device = [] }: PartFlags): boolean {
  return only.length + site.length + device.length > 0;
}

/**
 * The sorted IDs of a part (semantics N35); undefined where no flag limits it. Throws `partUnknown`
 * for a value that fits nothing, and for the name of several devices.
 * @param sides the documents that are planned: with a base, those of both
 */
export function resolvePart(
  flags: PartFlags,
  sides: readonly Pick<Documents, 'firmware' | 'rotations' | 'onboarding' | 'restarts'>[],
  snapshot: Snapshot,
): FleetPart | undefined {
  if (!isPart(flags)) return undefined;
  const { only = [], site = [], device = [] } = flags;
  const addresses = sides.flatMap((side) =>
    listPolicies(side as Documents).map(({ value }) => value.address),
  );
  return {
    ...(only.length > 0 && { policies: resolveAll(only, (text) => policiesIn(text, addresses)) }),
    ...(site.length > 0 && { sites: resolveAll(site, (text) => sitesIn(text, snapshot)) }),
    ...(device.length > 0 && { devices: resolveAll(device, (text) => [deviceIn(text, snapshot)]) }),
  };
}

/**
 * Throws `partOutsidePlan` where the part of a saved plan and the one that flags name have no policy
 * or no device in common: nothing widens a plan, so such a run could do nothing (semantics N35).
 */
export function requireOverlap(
  covered: FleetPart & Pick<Partial<PlanPart>, 'names'>,
  requested: FleetPart,
  snapshot: Snapshot,
): void {
  const { policies, sites, devices } = commonPart(toPartIds(covered), requested) ?? {};
  const isEmpty = [policies, sites, devices].some((list) => list?.length === 0);
  const { hasDevice } = partMembership(
    { ...(sites && { sites }), ...(devices && { devices }) },
    snapshot,
  );
  const ids = [...snapshot.devices.text.id.values, ...snapshot.discovered.map(({ id }) => id)];
  if (!isEmpty && ids.some((id) => id !== undefined && hasDevice(id))) return;
  const lists = Object.entries(toPartIds(covered)) as [string, readonly string[]][];
  const named = lists.map(([key, list]) => {
    return [
      key,
      listFirst(
        list.map((id) => covered.names?.[id] ?? id),
        LISTED,
      ),
    ] as const;
  });
  throw new WorldError('partOutsidePlan', Object.fromEntries(named));
}

/** How many names of a list a message has. */
const LISTED = 5;

function resolveAll(
  texts: readonly string[],
  find: (text: string) => readonly string[],
): readonly string[] {
  return [...new Set(texts.flatMap(find))].sort(compareTexts);
}

function policiesIn(text: string, addresses: readonly string[]): readonly string[] {
  const found = addresses.filter((address) => matchesGlob(text, address));
  if (found.length === 0) throw partUnknown('--only', text, addresses);
  return found;
}

/** A site of a row may be missing from the list of sites, so both are searched. */
function sitesIn(text: string, { sites, devices }: Snapshot): readonly string[] {
  const known = [...sites, ...devices.sites.values.flatMap((refs = []) => refs)];
  const found = known.filter(
    ({ id, name }) => matchesGlob(text, id) || (name !== undefined && matchesGlob(text, name)),
  );
  const names = known.flatMap(({ name }) => name ?? []);
  if (found.length === 0) throw partUnknown('--site', text, names);
  return found.map(({ id }) => id);
}

/** Only its ID names a discovered device: many have no name of their own (semantics N42). */
function deviceIn(text: string, { devices, discovered }: Snapshot): string {
  if (devices.rowOf(text) !== undefined) return text;
  if (discovered.some(({ id }) => id === text)) return text;
  const found = idsNamed(devices, text);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) throw partUnknown('--device', text, devices.text.name.values);
  const ids = listFirst(found, LISTED);
  throw new WorldError('partUnknown', {
    flag: '--device',
    value: text,
    matches: found.length,
    ids,
  });
}
