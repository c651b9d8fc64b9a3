import type { ChangeColumns } from '../columns.ts';
import { type FleetPart, type PlanPart, toPartIds } from '../../model/plan/part.ts';
import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { mayReach } from '../../rollout/progress/gates.ts';
import { partMembership } from './membership.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';

/** A plan's input, as far as its part depends on it. */
interface Limited {
  readonly part?: FleetPart;
  readonly snapshot: Snapshot;
}

/** The part of a plan for readers: with names, and how much it leaves out (semantics N40). */
export function planPart(
  { part, snapshot }: Limited,
  outside: PlanPart['outside'],
): PlanPart | undefined {
  if (!part) return undefined;
  const { sites, devices, discovered } = snapshot;
  const siteNames = new Map(sites.map(({ id, name }) => [id, name]));
  const foundNames = new Map(discovered.map(({ id, name }) => [id, name]));
  const nameOfDevice = (id: string): string | undefined => {
    const row = devices.rowOf(id);
    return row === undefined ? foundNames.get(id) : devices.at(row).name;
  };
  const names = [
    ...(part.sites ?? []).map((id) => [id, siteNames.get(id)] as const),
    ...(part.devices ?? []).map((id) => [id, nameOfDevice(id)] as const),
  ].filter((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return {
    ...toPartIds(part),
    names: Object.fromEntries(names),
    outside,
  };
}

/** Says of each waiting change of a part whose earlier wave is outside that this is why. */
export function nameOutsideWaves(
  columns: ChangeColumns,
  order: Uint32Array,
  input: Limited & { readonly followed: ReadonlyMap<string, Followed> },
): void {
  if (!input.part) return;
  const members = partMembership(input.part, input.snapshot);
  for (const index of order) {
    const change = columns.at(index);
    if (change.action !== 'wait') continue;
    const reason = outsideWave(change, input.followed, members.has);
    if (reason) columns.decide(index, { action: 'wait', reason });
  }
}

/** The reasons of a change that an earlier wave blocks because too little of it was attempted. */
function awaitsAttempts({ code, why }: Reason): boolean {
  return (code === 'waveNotOpen' && why === undefined) || why === 'minReached';
}

/**
 * The reason of a change whose rollout waits for a wave with too few devices in the part to pass its
 * gate (semantics N37). A part never chooses another canary, so the devices outside must run first.
 * Undefined where attempts in the part may be enough, or the wave waits for something else.
 */
function outsideWave(
  { policy, device, reason, wave = '' }: Change,
  followed: ReadonlyMap<string, Followed>,
  isInPart: (policy: string, deviceId: string) => boolean,
): Reason | undefined {
  const rollout = followed.get(policy);
  if (!rollout || !awaitsAttempts(reason)) return undefined;
  const { assignment, states, input, progress } = rollout;
  const before = states.findIndex(({ is: state }) => state !== 'passed');
  if (before === -1 || before >= assignment.assignmentOf(device.id).wave) return undefined;
  const attempted = new Set(progress.tallies.map((tally) => tally.device));
  const left = (assignment.waves[before] ?? []).filter(
    (id) => input.aside(id) === undefined && !attempted.has(id),
  );
  const outside = left.filter((id) => !isInPart(policy, id));
  const [first] = outside;
  const reached = progress.waves[before];
  const inside = left.length - outside.length;
  if (first === undefined || !reached || mayReach(reached, input.spec.gate, inside))
    return undefined;
  const name = input.spec.waves[before]?.name ?? '';
  const params = { wave, before: name, devices: outside.length, first };
  return { code: 'waveNotOpen', why: 'outsidePart', next: 'never', params };
}
