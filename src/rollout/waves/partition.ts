import type { Wave } from '../../model/documents/rollout.ts';
import { spread } from './stratify.ts';
import type { WaveMember, Unrepresented, WaveInput } from './assignment.ts';

/** A wave and its devices of the base, in order. */
export interface Part {
  readonly wave: Wave;
  /** How many devices were requested; absent: all that match. */
  readonly asked?: number;
  readonly devices: readonly string[];
  readonly unrepresented: readonly Unrepresented[];
}

/** The inputs of the partition, besides the order. */
export interface PartitionInput extends Pick<
  WaveInput,
  'spec' | 'frozen' | 'selects' | 'canStart'
> {
  readonly members: ReadonlyMap<string, WaveMember>;
}

/**
 * Divides an order of devices into waves, each from the devices that earlier waves left. A wave
 * whose size equals the recorded one, like all waves before it, keeps its recorded devices: its
 * selector or strata may match others by now.
 */
export function partition(order: readonly string[], input: PartitionInput): readonly Part[] {
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
      : take(index === 0 ? ableFirst(rest, input) : rest, { wave, asked: requested }, input);
    rest = without(rest, part.devices);
    parts.push({ wave, ...(requested !== undefined && { asked: requested }), ...part });
  }
  return parts;
}

/** The first wave takes, in the order, devices that can start; only where they are too few, others (semantics C12). */
function ableFirst(
  order: readonly string[],
  { canStart, spec, frozen }: PartitionInput,
): readonly string[] {
  if (!canStart || frozen || spec.assignment === 'site') return order;
  const able = new Set(order.filter(canStart));
  return [...able, ...order.filter((id) => !able.has(id))];
}

/**
 * How many of `all` devices a wave takes when earlier waves hold some; undefined: all that match.
 */
function waveShare({ slice }: Wave, all: number, held: number): number | undefined {
  if (slice.is === 'select') return undefined;
  if (slice.is === 'size') return slice.devices;
  return Math.max(0, Math.ceil((all * Math.round(slice.percent * 100)) / 10_000) - held);
}

function take(
  rest: readonly string[],
  { wave, asked: requested }: { readonly wave: Wave; readonly asked: number | undefined },
  input: PartitionInput,
): Pick<Part, 'devices' | 'unrepresented'> {
  if (requested === undefined)
    return { devices: rest.filter((id) => input.selects(wave, id)), unrepresented: [] };
  const { assignment } = input.spec;
  if (assignment === 'stableHash' && wave.stratify.length === 0)
    return { devices: rest.slice(0, requested), unrepresented: [] };
  return spread(rest, { wave, size: requested, assignment, members: input.members });
}

function without(rest: readonly string[], taken: readonly string[]): readonly string[] {
  if (taken.length === rest.length) return [];
  const used = new Set(taken);
  return rest.filter((id) => !used.has(id));
}
