import { stableHash } from '../../lib/stable-hash.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type {
  Assignment,
  FrozenBase,
  Unrepresented,
  WaveAssignment,
  WaveInput,
  WaveMember,
} from './assignment.ts';
import { assignLateJoiners } from './late-joiners.ts';
import type { Wave } from '../../model/documents/rollout.ts';
import { spread } from './stratify.ts';

/**
 * Assigns devices to waves (semantics C1, C2): a function of the policy, the device IDs (or their
 * sites) and the base, so that a reviewer can follow it and every run computes the same, in any
 * input order. Once frozen, no device of the base changes its wave while the documents describe the
 * same waves, whatever its version, site or attributes become. If the waves change, those after the
 * first difference are divided again from the recorded order.
 */
export function assignWaves(given: WaveInput): Assignment {
  const { frozen: recorded } = given;
  const input = recorded ? { ...given, frozen: withReplaced(recorded) } : given;
  const resting = input.resting?.();
  const members = new Map(input.members.map((member) => [member.id, member]));
  const ids = new Set([...members.keys(), ...(resting?.ids ?? [])]);
  const memberOf = (id: string): WaveMember | undefined =>
    members.get(id) ?? (ids.has(id) ? resting?.memberOf(id) : undefined);
  const order = assignmentOrder(input, ids, memberOf);
  const parts = partition(order, { ...input, memberOf });
  const waves = parts.map(({ devices }) => devices);
  const places = placeDevices(waves);
  const assignLate = assignLateJoiners({ ...input, memberOf, waves });
  return {
    waves,
    frozen: {
      base: waves.flat(),
      waves: parts.map(({ wave: { name }, devices, asked }) => {
        return { name, devices: devices.length, ...(asked !== undefined && { asked }) };
      }),
    },
    unrepresented: parts.flatMap(({ unrepresented }) => unrepresented),
    lateJoiners: [...ids].filter((id) => !places.has(id)),
    isMember: (id) => ids.has(id),
    memberOf,
    assignmentOf: (id) => places.get(id) ?? { wave: assignLate(id), isLate: true },
  };
}

/**
 * The recorded order if there is one; else by hash, with whole sites together where the rollout
 * says so.
 */
function assignmentOrder(
  { policy, spec, frozen }: WaveInput,
  members: ReadonlySet<string>,
  memberOf: Assignment['memberOf'],
): readonly string[] {
  if (frozen?.waves !== undefined) return frozen.base;
  const ids = frozen?.base ?? [...members];
  const siteHashes = new Map<string, number>();
  const siteHash = (id: string): number => {
    const site = memberOf(id)?.sites[0];
    if (spec.assignment !== 'site' || site === undefined) return stableHash(policy, id);
    return getOrAdd(siteHashes, site, () => stableHash(policy, site));
  };
  return ids
    .map((id) => ({ id, first: siteHash(id), second: stableHash(policy, id) }))
    .sort((a, b) => a.first - b.first || a.second - b.second || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

/** The places of the base; devices of one wave have the same. */
function placeDevices(waves: readonly (readonly string[])[]): ReadonlyMap<string, WaveAssignment> {
  return new Map(
    waves.flatMap((devices, wave) => {
      const place = { wave, isLate: false };
      return devices.map((id) => [id, place] as const);
    }),
  );
}

/**
 * The base after each replacement, in their order (semantics C12): a device of the last wave has the place of one of the
 * first, which is then the last of all. One that joined after the base was frozen leaves it, in exchange, to the device
 * whose place it takes. So every wave keeps its size.
 */
function withReplaced({ base, waves, replaced = new Map() }: FrozenBase): FrozenBase {
  const order = [...base];
  for (const [out, substitute] of replaced) {
    const [to, from] = [order.indexOf(out), order.indexOf(substitute)];
    if (to === -1 || (from !== -1 && from <= to)) continue;
    order[to] = substitute;
    if (from === -1) continue;
    order.splice(from, 1);
    order.push(out);
  }
  return { base: order, ...(waves && { waves }) };
}

/** A wave and its devices of the base, in order. */
interface Part {
  readonly wave: Wave;
  /** How many devices were requested; absent: all that match. */
  readonly asked?: number;
  readonly devices: readonly string[];
  readonly unrepresented: readonly Unrepresented[];
}

/** The inputs of the partition, besides the order. */
type PartitionInput = Pick<WaveInput, 'spec' | 'frozen' | 'selects' | 'canStart'> &
  Pick<Assignment, 'memberOf'>;

/**
 * Divides an order of devices into waves, each from the devices that earlier waves left. A wave
 * whose size equals the recorded one, like all waves before it, keeps its recorded devices: its
 * selector or strata may match others by now.
 */
function partition(order: readonly string[], input: PartitionInput): readonly Part[] {
  const recorded = input.frozen?.waves ?? [];
  const parts: Part[] = [];
  let rest = order;
  let isAsRecorded = true;
  for (const [index, wave] of input.spec.waves.entries()) {
    const requested = waveShare(wave, order.length, order.length - rest.length);
    const earlier = recorded[index];
    isAsRecorded &&= earlier?.name === wave.name && earlier.asked === requested;
    const part = isAsRecorded
      ? { devices: rest.slice(0, earlier?.devices), unrepresented: [] }
      : take(rest, { wave, size: requested, isFirst: index === 0 }, input);
    rest = isAsRecorded ? rest.slice(part.devices.length) : without(rest, part.devices);
    parts.push({ wave, ...(requested !== undefined && { asked: requested }), ...part });
  }
  return parts;
}

/**
 * How many of `all` devices a wave takes when earlier waves hold some; undefined: all that match.
 */
function waveShare({ slice }: Wave, all: number, held: number): number | undefined {
  if (slice.is === 'select') return undefined;
  if (slice.is === 'size') return slice.devices;
  return Math.max(0, Math.ceil((all * Math.round(slice.percent * 100)) / 10_000) - held);
}

/** The first wave takes, in the order, devices that can start; only where they are too few, others (semantics C12). */
function take(
  left: readonly string[],
  { wave, size, isFirst }: { readonly wave: Wave; size: number | undefined; isFirst: boolean },
  { spec: { assignment }, frozen, memberOf, selects, canStart }: PartitionInput,
): Pick<Part, 'devices' | 'unrepresented'> {
  const rest = size === undefined ? left.filter((id) => selects(wave, id)) : left;
  const able = isFirst && !frozen && assignment === 'stableHash' ? canStart : undefined;
  const isInOrder = assignment === 'stableHash' && wave.stratify.length === 0;
  if (!able && (size === undefined || isInOrder))
    return { devices: rest.slice(0, size), unrepresented: [] };
  return spread(rest, { wave, size: size ?? rest.length, assignment, memberOf, canStart: able });
}

function without(rest: readonly string[], taken: readonly string[]): readonly string[] {
  if (taken.length === rest.length) return [];
  const used = new Set(taken);
  return rest.filter((id) => !used.has(id));
}
