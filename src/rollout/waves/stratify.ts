import { getOrAdd } from '../../lib/maps.ts';
import type { RolloutSpec, Stratum, Wave } from '../../model/documents/rollout.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import type { WaveMember, Unrepresented } from './assignment.ts';

export interface SpreadInput {
  readonly wave: Wave;
  readonly size: number;
  readonly assignment: RolloutSpec['assignment'];
  readonly members: ReadonlyMap<string, WaveMember>;
  /** How many devices, first in the order, come before all others; absent: none does. */
  readonly able?: number | undefined;
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
  const taken = new Taken(units, input.size);
  const isMissing = ({ places }: Combination): boolean => !places.some((place) => taken.has(place));
  for (const end of [input.able ?? units.length, units.length]) {
    for (const combination of combinations) {
      const [first = end] = combination.places;
      if (first < end && !taken.isFull() && isMissing(combination)) taken.add(first);
    }
    for (let place = 0; place < end && !taken.isFull(); place++) taken.add(place);
  }
  const unrepresented = combinations
    .filter(isMissing)
    .map(({ values, devices }) => ({ wave: input.wave.name, combination: values, devices }));
  return { devices: taken.devices(), unrepresented };
}

function listUnits(
  order: readonly string[],
  { assignment, members }: SpreadInput,
): readonly Unit[] {
  if (assignment === 'stableHash') return order.map((id) => [id]);
  const bySite = new Map<string, string[]>();
  const units: Unit[] = [];
  for (const id of order) {
    const site = members.get(id)?.sites[0];
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

/** The units taken so far, each once. */
class Taken {
  readonly #units: readonly Unit[];
  readonly #size: number;
  readonly #places = new Set<number>();
  #devices = 0;

  constructor(units: readonly Unit[], size: number) {
    this.#units = units;
    this.#size = size;
  }

  has(place: number): boolean {
    return this.#places.has(place);
  }

  isFull(): boolean {
    return this.#devices >= this.#size;
  }

  add(place: number): void {
    if (this.#places.has(place)) return;
    this.#places.add(place);
    this.#devices += this.#units[place]?.length ?? 0;
  }

  /** In the order of the units. */
  devices(): readonly string[] {
    return [...this.#places].sort((a, b) => a - b).flatMap((place) => this.#units[place] ?? []);
  }
}

/** Devices with equal values in all strata, and the places of their units. */
interface Combination {
  readonly values: readonly string[];
  readonly places: number[];
  devices: number;
}

/** Largest first; equal ones in the order of their values. */
function listCombinations(units: readonly Unit[], input: SpreadInput): readonly Combination[] {
  const { wave, members } = input;
  const byKey = new Map<string, Combination>();
  if (wave.stratify.length === 0) return [];
  for (const [place, unit] of units.entries())
    for (const id of unit) {
      if (wave.stratify.some((stratum) => isOpen(members.get(id), stratum))) continue;
      const member = members.get(id);
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
