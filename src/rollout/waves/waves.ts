import type { FrozenWave } from '../../model/ledger/record.ts';
import { stableHash } from '../../lib/stable-hash.ts';
import type { Assignment, FrozenBase, WaveMember, WaveInput } from './assignment.ts';
import { partition, type Part } from './partition.ts';
import { assignLateJoiners } from './late-joiners.ts';

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
  const members = new Map(input.members.map((member) => [member.id, member]));
  const order = assignmentOrder(input, members);
  const parts = partition(order, { ...input, members });
  const waves = parts.map(({ devices }) => devices);
  const ranks = rankDevices(waves);
  const starts = waveStarts(waves);
  const assignLate = assignLateJoiners({ ...input, members, waves });
  return {
    waves,
    frozen: { base: waves.flat(), waves: parts.map(frozenWave) },
    unrepresented: parts.flatMap(({ unrepresented }) => unrepresented),
    lateJoiners: [...members.keys()].filter((id) => !ranks.has(id)),
    memberOf: (id) => members.get(id),
    assignmentOf(id) {
      const rank = ranks.get(id);
      if (rank === undefined) return { wave: assignLate(id), rank: ranks.size, isLate: true };
      return { wave: starts.findLastIndex((start) => start <= rank), rank, isLate: false };
    },
  };
}

/**
 * The recorded order if there is one; else by hash, with whole sites together where the rollout
 * says so.
 */
function assignmentOrder(
  { policy, spec, frozen }: WaveInput,
  members: ReadonlyMap<string, WaveMember>,
): readonly string[] {
  if (frozen?.waves !== undefined) return frozen.base;
  const ids = frozen?.base ?? [...members.keys()];
  const siteHashes = new Map<string, number>();
  const siteHash = (id: string): number => {
    const site = members.get(id)?.sites[0];
    if (spec.assignment !== 'site' || site === undefined) return stableHash(policy, id);
    const hash = siteHashes.get(site) ?? stableHash(policy, site);
    siteHashes.set(site, hash);
    return hash;
  };
  return ids
    .map((id) => ({ id, first: siteHash(id), second: stableHash(policy, id) }))
    .sort((a, b) => a.first - b.first || a.second - b.second || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
}

function frozenWave({ wave, devices, asked }: Part): FrozenWave {
  return { name: wave.name, devices: devices.length, ...(asked !== undefined && { asked }) };
}

function rankDevices(waves: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const wave of waves) for (const id of wave) ranks.set(id, ranks.size);
  return ranks;
}

/** The rank at which each wave begins; if several begin at one rank, all but the last are empty. */
function waveStarts(waves: readonly (readonly string[])[]): readonly number[] {
  let start = 0;
  return waves.map((wave) => {
    const at = start;
    start += wave.length;
    return at;
  });
}

/**
 * The base after each replacement, in their order (semantics C12): a device of the last wave has the place of one of the
 * first, which is then the last of all. So every wave keeps its size.
 */
function withReplaced({ base, waves, replaced = new Map() }: FrozenBase): FrozenBase {
  const order = [...base];
  for (const [out, substitute] of replaced) {
    const [to, from] = [order.indexOf(out), order.indexOf(substitute)];
    if (to === -1 || from <= to) continue;
    order[to] = substitute;
    order.splice(from, 1);
    order.push(out);
  }
  return { base: order, ...(waves && { waves }) };
}
