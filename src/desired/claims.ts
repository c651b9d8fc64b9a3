import { getOrAdd } from '../lib/maps.ts';
import { TASK_OF } from '../model/fleet/task.ts';
import type { Diagnostic } from '../model/documents/diagnostic.ts';
import type { DiscoveredDevice } from '../model/fleet/device.ts';
import type { ListedDevice, OnboardingPolicy } from '../model/documents/policy.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import {
  locateValue,
  placeOnly,
  type At,
  type SourceLocation,
  type Sourced,
} from '../model/documents/source.ts';
import type { OnboardingCandidate, OnboardingWant } from '../model/plan/desired-state.ts';
import type { DeviceFacets } from './clauses.ts';
import { commonKeys, ownKeysHold } from './discovered.ts';
import { createListedFinder, entryText, type ListedMatch } from './listed.ts';
import { createMatcher } from './matcher.ts';

/** An onboarding policy that claims a device, and how. */
export interface OnboardingClaim {
  readonly policy: Sourced<OnboardingPolicy>;
  readonly at: At;
  readonly candidate: OnboardingCandidate;
}

/** All claims of onboarding policies: devices by ID, and entries that match no single device. */
export interface Claims {
  readonly byDevice: ReadonlyMap<string, readonly OnboardingClaim[]>;
  readonly open: readonly OnboardingWant[];
  readonly diagnostics: readonly Diagnostic[];
  /** Policies whose `select` matches a discovered device. */
  readonly matching: ReadonlySet<Sourced<unknown>>;
}

/**
 * Collects the claims of lists and selectors. A device that a policy lists is not also claimed by
 * its selector.
 */
export function collectClaims(input: ClaimsInput): Claims {
  const table = newTable();
  const find = createListedFinder(input.discovered, input.managed);
  for (const policy of input.policies)
    for (const entry of policy.value.devices)
      addListed(table, { policy, entry, found: find(entry) });
  addMatched(table, input);
  return table;
}

const newTable = () => ({
  byDevice: new Map<string, OnboardingClaim[]>(),
  open: [] as OnboardingWant[],
  diagnostics: [] as Diagnostic[],
  matching: new Set<Sourced<unknown>>(),
});
type ClaimTable = ReturnType<typeof newTable>;

interface ClaimsInput {
  readonly policies: readonly Sourced<OnboardingPolicy>[];
  /** The rows of `facets`. */
  readonly discovered: readonly DiscoveredDevice[];
  readonly facets: DeviceFacets;
  readonly managed: DeviceTable;
}

interface Listed {
  readonly policy: Sourced<OnboardingPolicy>;
  readonly entry: ListedDevice;
  readonly found: ListedMatch;
}

function addListed(table: ClaimTable, { policy, entry: listed, found }: Listed): void {
  const at = addressed(policy, listed.at);
  const entry = entryText(listed);
  const { is: kind } = found;
  if (kind === 'discovered')
    return claim(table, {
      policy,
      at,
      candidate: { found: kind, device: found.device, why: 'listed' },
    });
  if (kind === 'managed')
    return claim(table, {
      policy,
      at,
      candidate: { found: kind, deviceId: found.deviceId, entry },
    });
  const want = { task: TASK_OF.onboarding, policy, at, exemption: {}, losers: [] } as const;
  if (kind === 'none') {
    const { id } = listed;
    const { meant } = found;
    const known = { ...(id !== undefined && { id }), ...(meant !== undefined && { meant }) };
    return void table.open.push({ ...want, found: kind, entry, ...known });
  }
  table.open.push({ ...want, found: kind, entry, devices: found.devices });
  if (policy.value.onDuplicate === 'error')
    table.diagnostics.push(nameNotUnique(at, entry, found.devices));
}

/** A device that is both discovered and managed is already onboarded. */
function addMatched(
  table: ClaimTable,
  { policies, discovered, facets, managed }: ClaimsInput,
): void {
  const selecting = policies.filter(({ value }) => value.select !== undefined);
  const match = createMatcher(
    selecting.map(({ value }) => commonKeys(value.select ?? {})),
    facets,
  );
  for (const [row, device] of discovered.entries()) {
    // A device with an unreadable field is onboarded by no policy; one that may select it lists it (semantics M20).
    const { sure, unclear } = match(row);
    for (const index of [...sure, ...unclear].sort((a, b) => a - b)) {
      const policy = selecting[index];
      if (!policy?.value.select || ownKeysHold(policy.value.select, device) === false) continue;
      table.matching.add(policy);
      const at = addressed(policy, locateValue(policy, '/select'));
      const candidate =
        managed.rowOf(device.id) === undefined
          ? ({ found: 'discovered', device, why: 'matched' } as const)
          : ({ found: 'managed', deviceId: device.id, entry: `id=${device.id}` } as const);
      claim(table, { policy, at, candidate });
    }
  }
}

function claim({ byDevice }: ClaimTable, made: OnboardingClaim): void {
  const { candidate, policy } = made;
  const id = candidate.found === 'discovered' ? candidate.device.id : candidate.deviceId;
  const claims = getOrAdd(byDevice, id, () => []);
  if (!claims.some((known) => known.policy === policy)) claims.push(made);
}

function addressed(policy: Sourced<OnboardingPolicy>, place: SourceLocation): At {
  return { ...placeOnly(place), policy: policy.value.address };
}

function nameNotUnique(
  { policy, ...at }: At,
  name: string,
  devices: readonly DiscoveredDevice[],
): Diagnostic {
  const ids = devices.map(({ id }) => id).join(', ');
  const params = { policy, name, count: devices.length, ids };
  return { code: 'nameNotUnique', severity: 'error', at, params };
}
