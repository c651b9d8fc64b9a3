import type { ActiveStop } from '../../model/ledger/memory.ts';
import { stopScope } from '../../model/ledger/scopes.ts';
import type { RolloutSpec, StopRule, StopScope } from '../../model/documents/rollout.ts';
import { isFirstOfAll } from '../../model/documents/rollout-defaults.ts';
import type { Instant } from '../../lib/time.ts';
import { groupByEach } from '../../lib/group-by.ts';
import { getOrAdd } from '../../lib/maps.ts';
import type { DeviceTally } from './tally.ts';

/** A stop rule that trips now. */
export interface Trip extends Pick<ActiveStop, 'scope' | 'rule' | 'counts'> {
  readonly action: StopRule['action'];
  /** IDs of the bad devices. */
  readonly devices: readonly string[];
}

export interface StopInput {
  /** Address of the policy. */
  readonly policy: string;
  readonly spec: Pick<RolloutSpec, 'waves' | 'stopOn'>;
  readonly tallies: readonly DeviceTally[];
  /** The tallies of every rollout, including this one: the scope `fleet` counts these. Empty where none is flawed. */
  readonly fleet: readonly DeviceTally[];
  /** When a stop that covers this device was last lifted: earlier evidence no longer counts. */
  readonly liftedAt: (tally: DeviceTally) => Instant | undefined;
}

/**
 * Every rule that trips (semantics H1, H2): a count trips above its limit, never at it. Evidence
 * from before a lift is in no count and in no number of attempts; later evidence counts. This
 * applies to all rules alike. Apply asks several times for each attempt and most devices are sound,
 * so these are only counted.
 */
export function trippedRules(input: StopInput): readonly Trip[] {
  const all = divide(input.fleet);
  if (all.flawed.length === 0) return [];
  const own = divide(input.tallies);
  return input.spec.stopOn.flatMap((rule) => {
    const { flawed, sound } = rule.scope === 'fleet' ? all : own;
    const groups = [...groupByEach(flawed, listGroups(rule.scope, input))];
    return groups.flatMap(([group, some]) => {
      const counted = sound(rule.scope, group, input);
      return findTrip(rule, { group, flawed: some, sound: counted }, input) ?? [];
    });
  });
}

/** Tallies, apart from whether a rule may count anything against them. */
interface Divided {
  readonly flawed: readonly DeviceTally[];
  /** How many of the others are in a group. */
  readonly sound: (scope: StopScope, group: string, input: StopInput) => number;
}

function divide(tallies: readonly DeviceTally[]): Divided {
  const flawed = tallies.filter(isFlawed);
  const counts = new Map<StopScope, ReadonlyMap<string, number>>();
  return {
    flawed,
    sound(scope, group, input) {
      const known = getOrAdd(counts, scope, () => countGroups(tallies, listGroups(scope, input)));
      return known.get(group) ?? 0;
    },
  };
}

/** Whether a rule may count something against a device. */
export function isFlawed({ outcome, downSince }: DeviceTally): boolean {
  return (outcome !== 'verified' && outcome !== 'underway') || downSince !== undefined;
}

function countGroups(
  tallies: readonly DeviceTally[],
  groups: GroupsByTally,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const tally of tallies) {
    if (isFlawed(tally)) continue;
    for (const group of groups(tally)) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return counts;
}

/** The groups in which a rule counts a tally, each named once. */
type GroupsByTally = (tally: DeviceTally) => Iterable<string>;

const WHOLE = [''];
const NONE: readonly string[] = [];

/** Devices attempted after their wave passed form a wave of their own. */
function listGroups(scope: StopScope, { spec }: Pick<StopInput, 'spec'>): GroupsByTally {
  switch (scope) {
    case 'fleet':
    case 'rollout':
      return () => WHOLE;
    case 'canary':
      return ({ wave, lane }) => {
        const first = spec.waves[wave];
        const isOfFirst = lane !== 'catchUp' && first !== undefined && isFirstOfAll(first, wave);
        return isOfFirst ? WHOLE : NONE;
      };
    case 'wave':
      return ({ wave, lane }) => [lane === 'catchUp' ? lane : (spec.waves[wave]?.name ?? '')];
    case 'site':
      return ({ sites }) => (sites.length > 1 ? new Set(sites) : sites);
    case 'model':
      return ({ model }) => (model === undefined ? NONE : [model]);
  }
}

/** The tallies that a rule counts together. */
interface Group {
  readonly group: string;
  readonly flawed: readonly DeviceTally[];
  readonly sound: number;
}

function findTrip(
  rule: StopRule,
  { group, flawed, sound }: Group,
  { policy, liftedAt }: StopInput,
): Trip | undefined {
  const bad: DeviceTally[] = [];
  const counts: Record<string, number> = { attempted: sound, bad: 0 };
  const count = (key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);
  for (const tally of flawed) {
    const facts = badFacts(rule, tally);
    const lifted = liftedAt(tally);
    const fresh = facts.filter(({ since }) => lifted === undefined || since > lifted);
    if (facts.length === 0 || fresh.length > 0) count('attempted');
    if (fresh.length === 0) continue;
    count('bad');
    for (const { what } of fresh) count(what);
    bad.push(tally);
  }
  if (!isOver(rule, bad.length, counts['attempted'] ?? 0)) return undefined;
  const name = rule.scope === 'wave' ? `${rule.name}/${group}` : rule.name;
  const devices = bad.map(({ device }) => device);
  const scope = toScope(rule.scope, policy, group);
  return { scope, rule: name, action: rule.action, counts, devices };
}

/** The scope that a rule stops. */
function toScope(scope: StopScope, policy: string, group: string): string {
  if (scope === 'site') return stopScope(policy, { site: group });
  if (scope === 'model') return stopScope(policy, { model: group });
  return scope === 'fleet' ? scope : policy;
}

/** The bad outcomes of a device by a rule, and when each began. */
function badFacts({ classes }: StopRule, { outcome, since, downSince }: DeviceTally) {
  const found = classes.find((one) => one === outcome);
  const isDown = downSince !== undefined && classes.includes('deviceDown');
  return [
    ...(found === undefined ? [] : [{ what: found, since }]),
    ...(isDown ? [{ what: 'deviceDown', since: downSince }] : []),
  ];
}

function isOver({ max, percent, minAttempts }: StopRule, bad: number, attempted: number): boolean {
  if (max !== undefined && bad > max) return true;
  if (percent === undefined || attempted < minAttempts) return false;
  return bad * 10_000 > attempted * Math.round(percent * 100);
}
