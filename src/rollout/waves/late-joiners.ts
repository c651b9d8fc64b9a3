import { stableHash } from '../../lib/stable-hash.ts';
import type { Assignment, WaveInput } from './assignment.ts';

export interface LateJoinerInput
  extends Pick<WaveInput, 'policy' | 'spec' | 'selects'>, Pick<Assignment, 'memberOf'> {
  /** Devices of the base, wave by wave. */
  readonly waves: readonly (readonly string[])[];
}

/**
 * Returns a function that assigns a device outside the base to a wave (semantics C3): the wave of
 * its site, where whole sites stay together; else the wave of its place in the order of the hash,
 * or an earlier one that selects it. No device of the base moves for it, and a wave of fixed size
 * takes no device by the hash: a canary of five stays at five as the fleet grows.
 */
export function assignLateJoiners(input: LateJoinerInput): (deviceId: string) => number {
  let openings: Openings | undefined;
  return (id) => {
    openings ??= openingsIn(input);
    const { assignment } = input.spec;
    const site = assignment === 'site' ? input.memberOf(id)?.sites[0] : undefined;
    const ofSite = site === undefined ? undefined : openings.waveBySite.get(site);
    if (ofSite !== undefined) return ofSite;
    const byHash = waveAt(openings, stableHash(input.policy, site ?? id));
    const found = input.spec.waves
      .slice(0, byHash)
      .findIndex((one) => one.slice.is === 'select' && input.selects(one, id));
    return (found === -1 ? undefined : found) ?? byHash;
  };
}

/** The base, prepared for the lookup of late joiners. */
interface Openings {
  /** Hashes of the devices in waves that are divided by number, in order. */
  readonly hashes: Float64Array;
  /**
   * For waves with a percentage: how many devices the waves divided by number contain up to and
   * including each.
   */
  readonly ends: readonly { readonly wave: number; readonly end: number }[];
  readonly waveBySite: ReadonlyMap<string, number>;
}

function openingsIn({ policy, spec, memberOf, waves }: LateJoinerInput): Openings {
  const waveBySite = new Map<string, number>();
  const hashes: number[] = [];
  const ends: { wave: number; end: number }[] = [];
  for (const [wave, devices] of waves.entries()) {
    const slice = spec.waves[wave]?.slice.is;
    const isCounted = slice !== 'select';
    for (const id of devices) {
      const site = spec.assignment === 'site' ? memberOf(id)?.sites[0] : undefined;
      if (site !== undefined && !waveBySite.has(site)) waveBySite.set(site, wave);
      if (isCounted) hashes.push(stableHash(policy, site ?? id));
    }
    if (slice === 'percent') ends.push({ wave, end: hashes.length });
  }
  return { hashes: Float64Array.from(hashes).sort(), ends, waveBySite };
}

/** The first wave that extends past the place of a hash; after all of them, the last wave. */
function waveAt({ hashes, ends }: Openings, hash: number): number {
  const place = countBelow(hashes, hash);
  return (ends.find(({ end }) => place < end) ?? ends.at(-1))?.wave ?? 0;
}

function countBelow(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
