import { sumCounts } from '../../lib/group-by.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { KINDS } from '../../kinds/index.ts';
import { type Action, type Change, type ChangeGroup, isWanted } from '../../model/plan/change.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import { WorldError } from '../../model/error.ts';
import type { Plan } from '../../model/plan/plan.ts';
import { countDevices, countMissing } from '../../model/plan/coverage.ts';
import { tabulatePlan } from '../../model/plan/actor.ts';
import { outcomeOfPlan } from '../../model/report/plan-situation.ts';
import { planId } from '../identify.ts';
import { mayBeHeld } from '../compare/counterfactual.ts';
import { areVerdictsRight } from '../../guard/guard.ts';

/** The parts of a saved plan that may contradict its changes. */
export type Wrong =
  | 'id'
  | 'twice'
  | 'counts'
  | 'coverage'
  | 'groups'
  | 'outcome'
  | 'scope'
  | 'waves'
  | 'verdicts'
  | 'risk';

/**
 * Compares every sum of a plan with its changes (protocol X18): the ID, the counts, the groups
 * against a base, the waves, what it covers, the verdicts of guardrails, the risk and the outcome. The digest only protects
 * against accidents, because a person who edits a plan can recompute it. Throws `planTampered` with
 * the part that does not match.
 */
export function checkSums(plan: Plan, told: Told = {}): void {
  const wrong = wrongIn(plan) ?? wrongAround(plan, told);
  if (wrong !== undefined) throw new WorldError('planTampered', { why: wrong });
}

function wrongIn(plan: Plan): Wrong | undefined {
  const seen = new Map<TaskType, Set<string>>();
  const counts: Record<Action, number> = { run: 0, wait: 0, skip: 0, note: 0 };
  const groups: Record<ChangeGroup, number> = { branch: 0, pending: 0, clock: 0, dropped: 0 };
  const waves = new Map<string, number>();
  for (const change of plan.changes) {
    if (!isFirst(change, seen)) return 'twice';
    if (KINDS[change.task].risk(change.device) !== change.risk) return 'risk';
    if (!isGroupRight(change, plan.base !== undefined)) return 'groups';
    counts[change.action] += 1;
    if (change.group !== undefined) groups[change.group] += 1;
    if (!isWanted(change)) continue;
    if (change.wave !== undefined) addOne(waves, waveKey(change.policy, change.wave));
  }
  for (const { count } of plan.notes) counts.note += count;
  if (planId(plan.changes, plan.inputs.service.fingerprint, plan.part) !== plan.id) return 'id';
  if (!isSame(counts, plan.counts)) return 'counts';
  if (!areGroupsRight(plan, groups)) return 'groups';
  if (!isScopeRight(plan)) return 'scope';
  if (!areWavesRight(plan, waves)) return 'waves';
  return areVerdictsRight(plan) ? undefined : 'verdicts';
}

/** What only the file of a plan says; that of an older version lacks it. */
interface Told {
  readonly outcome?: unknown;
  readonly policies?: unknown;
}

/** What a plan says of the fleet as a whole. */
function wrongAround(plan: Plan, { outcome, policies }: Told): Wrong | undefined {
  if (!isCoverageRight(plan)) return 'coverage';
  if (policies !== undefined && JSON.stringify(policies) !== JSON.stringify(tabulatePlan(plan)))
    return 'counts';
  return outcome === undefined || outcome === outcomeOfPlan(plan) ? undefined : 'outcome';
}

/** Whether what a plan covers agrees with its reading, and its numbers with each other. */
function isCoverageRight({ coverage, inputs }: Plan): boolean {
  if (!coverage) return true;
  const { selected, matching, read, believed, unread, unreadable, seen, known, gone } = coverage;
  return (
    countDevices(seen) === inputs.snapshot.devices &&
    matching <= selected &&
    read + believed + unread + unreadable === selected &&
    gone === (known && countMissing(known, seen))
  );
}

/** The IDs of devices are those of the plan: a set of IDs of changes would hold a million further texts. */
function isFirst({ task, device }: Change, seen: Map<TaskType, Set<string>>): boolean {
  const devices = getOrAdd(seen, task, () => new Set());
  return devices.size < devices.add(device.id).size;
}

/** Whether the group of a change is possible for that change. */
function isGroupRight(change: Change, isCompared: boolean): boolean {
  const { group, cause } = change;
  if (group === undefined) return !isCompared;
  if (group === 'clock') return isCompared && cause === 'clock';
  if (group === 'pending') return isCompared && cause !== 'clock';
  return isCompared && (group === 'branch' || !isWanted(change));
}

function areGroupsRight(
  { base, changes }: Plan,
  groups: Readonly<Record<ChangeGroup, number>>,
): boolean {
  if (!base) return true;
  let held = base.held ?? 0;
  if (held > 0)
    for (const change of changes) held -= Number(change.group === 'branch' && mayBeHeld(change));
  if (held > 0 || (base.earlier ?? 0) > groups.pending + groups.clock) return false;
  const dropped = sumCounts(base.gone);
  const areNamed = base.gone.every(({ count, devices }) => devices.length <= count);
  return areNamed && isSame({ ...groups, dropped: groups.dropped + dropped }, base.counts);
}

/** Whether the verdict on the scope follows from its numbers, and they from the groups. */
function isScopeRight({ base }: Plan): boolean {
  if (!base?.scope) return true;
  const { trailers, changes, devices, outside, passed } = base.scope;
  const listed = sumCounts(outside.classes);
  return (
    changes === base.counts.branch + base.counts.dropped &&
    devices <= changes &&
    outside.changes <= changes &&
    outside.devices <= devices &&
    listed === outside.changes &&
    trailers.every((trailer) => trailer.devices <= devices) &&
    passed === (outside.changes === 0 && trailers.every(({ problems }) => problems.length === 0))
  );
}

function areWavesRight({ waves }: Plan, wanted: ReadonlyMap<string, number>): boolean {
  const keys = new Set(waves.map(({ policy, name }) => waveKey(policy, name)));
  const areCounted = waves.every(
    ({ policy, name, changes }) => wanted.get(waveKey(policy, name)) === changes,
  );
  return areCounted && keys.size === waves.length && keys.size === wanted.size;
}

function waveKey(policy: string, wave: string): string {
  return JSON.stringify([policy, wave]);
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function isSame(
  found: Readonly<Record<string, number>>,
  expected: Readonly<Record<string, number>>,
): boolean {
  const names = Object.keys(found);
  return (
    names.every((name) => found[name] === expected[name]) &&
    Object.keys(expected).length === names.length
  );
}
