import { getOrAdd } from '../../lib/maps.ts';
import type { RolloutSpec, Stratum, Wave } from '../../model/documents/rollout.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import type { Assignment, WaveMember, Unrepresented } from './assignment.ts';

export interface SpreadInput extends Pick<Assignment, 'memberOf'> {
  readonly wave: Wave;
  readonly size: number;
  readonly assignment: RolloutSpec['assignment'];
  /** Whether a device comes before those that cannot start; absent: none does. */
  readonly canStart?: ((deviceId: string) => boolean) | undefined;
}

/** The devices that are assigned together: one device, or all devices of a site. */
type Unit = readonly string[];

/**
 * Selects the devices of one wave from an order: at least one of each combination of the strata,
 * largest combinations first, as long as there are places; then the rest in order. Those that can
 * start fill the wave in this way before any other is taken (semantics C12). Sites stay whole, so
 * the last one may add more devices than requested.
 */
export function spread(
  order: readonly string[],
  input: SpreadInput,
): { readonly devices: readonly string[]; readonly unrepresented: readonly Unrepresented[] } {
  const units = listUnits(order, input);
  const combinations = listCombinations(units, input);
  const { canStart, size } = input;
  const taken = new Set<number>();
  const devices: string[] = [];
  let count = 0;
  const isMissing = ({ places }: Combination): boolean => !places.some((place) => taken.has(place));
  for (const isAble of canStart ? [canStart, () => true] : [() => true]) {
    const picked: number[] = [];
    const isFree = (place: number): boolean =>
      !taken.has(place) && units[place]?.every(isAble) === true;
    const take = (place: number | undefined): void => {
      if (place === undefined) return;
      taken.add(place);
      picked.push(place);
      count += units[place]?.length ?? 0;
    };
    for (const combination of combinations)
      if (count < size && isMissing(combination)) take(combination.places.find(isFree));
    for (let place = 0; place < units.length && count < size; place++)
      if (isFree(place)) take(place);
    devices.push(...picked.sort((a, b) => a - b).flatMap((place) => units[place] ?? []));
  }
  const unrepresented = combinations.filter(isMissing).map(({ values, devices: all }) => {
    return { wave: input.wave.name, combination: values, devices: all };
  });
  return { devices, unrepresented };
}

function listUnits(
  order: readonly string[],
  { assignment, memberOf }: SpreadInput,
): readonly Unit[] {
  if (assignment === 'stableHash') return order.map((id) => [id]);
  const bySite = new Map<string, string[]>();
  const units: Unit[] = [];
  for (const id of order) {
    const site = memberOf(id)?.sites[0];
    const unit = site === undefined ? undefined : bySite.get(site);
    if (unit !== undefined) {
      unit.push(id);
      continue;
    }
    const begun = [id];
    units.push(begun);
    if (site !== undefined) bySite.set(site, begun);
  }
  return units;
}

/** Devices with equal values in all strata, and the places of their units. */
interface Combination {
  readonly values: readonly string[];
  readonly places: number[];
  devices: number;
}

/** Largest first; equal ones in the order of their values. */
function listCombinations(units: readonly Unit[], input: SpreadInput): readonly Combination[] {
  const { wave, memberOf } = input;
  const byKey = new Map<string, Combination>();
  if (wave.stratify.length === 0) return [];
  for (const [place, unit] of units.entries())
    for (const id of unit) {
      if (wave.stratify.some((stratum) => isOpen(memberOf(id), stratum))) continue;
      const member = memberOf(id);
      const values = wave.stratify.map(
        (stratum) => (stratum === 'site' ? member?.sites[0] : member?.[stratum]) ?? '',
      );
      const key = JSON.stringify(values);
      const combination = getOrAdd(byKey, key, () => ({ values, places: [], devices: 0 }));
      combination.devices++;
      if (combination.places.at(-1) !== place) combination.places.push(place);
    }
  return [...byKey]
    .sort(([a, one], [b, other]) => other.devices - one.devices || (a < b ? -1 : 1))
    .map(([, combination]) => combination);
}

/** Whether the combination of a device is unknown; such a device represents none. */
function isOpen(member: WaveMember | undefined, stratum: Stratum): boolean {
  return member !== undefined && isUnreadable(member, stratum === 'site' ? 'sites' : stratum);
}
