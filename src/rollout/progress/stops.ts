import { stopScope } from '../../model/ledger/scopes.ts';
import type { RolloutSpec, StopRule, StopScope } from '../../model/documents/rollout.ts';
import { isFirstOfAll } from '../../model/documents/rollout-defaults.ts';
import type { Instant } from '../../lib/time.ts';
import type { AssignedTally } from './rollout-progress.ts';

/** A stop rule that trips now. */
export interface Trip {
  /**
   * The scope to stop: `fleet`, the address of a policy, or an address with a site or a model of
   * it.
   */
  readonly scope: string;
  /** The name of the rule; a rule that counts each wave includes the wave: `wave/early`. */
  readonly rule: string;
  readonly action: StopRule['action'];
  /** `attempted`, `bad`, and the number of each bad outcome. */
  readonly counts: Readonly<Record<string, number>>;
  /** IDs of the bad devices. */
  readonly devices: readonly string[];
}

export interface StopInput {
  /** Address of the policy. */
  readonly policy: string;
  readonly spec: Pick<RolloutSpec, 'waves' | 'stopOn'>;
  readonly tallies: readonly AssignedTally[];
  /** The tallies of every rollout, including this one: the scope `fleet` counts these. */
  readonly fleet: readonly AssignedTally[];
  /** When a stop that covers this device was last lifted: earlier evidence no longer counts. */
  readonly liftedAt: (tally: AssignedTally) => Instant | undefined;
}

/**
 * Every rule that trips (semantics H1, H2): a count trips above its limit, never at it. Evidence
 * from before a lift is in no count and in no number of attempts; later evidence counts. This
 * applies to all rules alike.
 */
export function trippedRules(input: StopInput): readonly Trip[] {
  return input.spec.stopOn.flatMap((rule) => {
    const groups = [...groupTallies(rule.scope, input)];
    return groups.flatMap((group) => findTrip(rule, group, input) ?? []);
  });
}

/** The tallies that a rule counts together, the scope it stops, and its instance. */
interface Group {
  readonly scope: string;
  readonly of?: string;
  readonly tallies: readonly AssignedTally[];
}

/** Devices attempted after their wave passed form a wave of their own. */
function groupTallies(
  scope: StopScope,
  { policy, spec, tallies, fleet }: StopInput,
): readonly Group[] {
  const waveOf = ({ wave, lane }: AssignedTally): string =>
    lane === 'catchUp' ? 'catchUp' : (spec.waves[wave]?.name ?? '');
  const isOfFirst = ({ wave, lane }: AssignedTally): boolean => {
    const first = spec.waves[wave];
    return lane !== 'catchUp' && first !== undefined && isFirstOfAll(first, wave);
  };
  switch (scope) {
    case 'fleet':
      return [{ scope, tallies: fleet }];
    case 'rollout':
      return [{ scope: policy, tallies }];
    case 'canary':
      return [{ scope: policy, tallies: tallies.filter(isOfFirst) }];
    case 'wave':
      return [...groupBy(tallies, (tally) => [waveOf(tally)])].map(([wave, tallies]) => ({
        scope: policy,
        of: wave,
        tallies,
      }));
    case 'site':
      return [...groupBy(tallies, ({ sites }) => sites)].map(([site, tallies]) => ({
        scope: stopScope(policy, { site }),
        tallies,
      }));
    case 'model':
      return [...groupBy(tallies, ({ model }) => (model === undefined ? [] : [model]))].map(
        ([model, tallies]) => ({ scope: stopScope(policy, { model }), tallies }),
      );
  }
}

function groupBy(
  tallies: readonly AssignedTally[],
  keysOf: (tally: AssignedTally) => readonly string[],
): ReadonlyMap<string, readonly AssignedTally[]> {
  const groups = new Map<string, AssignedTally[]>();
  for (const tally of tallies)
    for (const key of new Set(keysOf(tally))) {
      const group = groups.get(key) ?? [];
      group.push(tally);
      groups.set(key, group);
    }
  return groups;
}

function findTrip(rule: StopRule, group: Group, { liftedAt }: StopInput): Trip | undefined {
  const bad: AssignedTally[] = [];
  const counts: Record<string, number> = { attempted: 0, bad: 0 };
  const count = (key: string): void => void (counts[key] = (counts[key] ?? 0) + 1);
  for (const tally of group.tallies) {
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
  const name = group.of === undefined ? rule.name : `${rule.name}/${group.of}`;
  const devices = bad.map(({ device }) => device);
  return { scope: group.scope, rule: name, action: rule.action, counts, devices };
}

/** The bad outcomes of a device by a rule, and when each began. */
function badFacts({ classes }: StopRule, { outcome, since, downSince }: AssignedTally) {
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
