import type { EntriesByName } from './policy.ts';
import { STANDARD } from './standard.gen.ts';
import type { RolloutSpec, StopClass, StopRule, Stratum, Timeouts, Wave } from './rollout.ts';
import { TASK_TYPES, TASKS } from '../fleet/task.ts';
import { DAY } from '../../lib/time.ts';
import type { BudgetLimit } from './values.ts';

/** The name of the first wave, if a rollout has a canary. */
export const CANARY = 'canary';

/** The name of the first wave of an incident. */
export const TRIAL = 'trial';

/** Whether a wave is the small first one, whose failures stop a rollout: a canary or a trial. */
export function isFirstOfAll({ name }: Pick<Wave, 'name'>, wave: number): boolean {
  return name === CANARY || (wave === 0 && name === TRIAL);
}

/** The soak and the strata of a wave that sets none; `index` is its position. */
export function waveDefaults(index: number): Pick<Wave, 'soak' | 'stratify'> {
  return { soak: index === 0 ? DAY : 2 * DAY, stratify: index === 0 ? FIRST_STRATA : [] };
}

const FIRST_STRATA: readonly Stratum[] = ['vendor', 'model', 'firmwareVersion'];

/** The classes that the simple form of `stopOn` counts. */
const BAD: readonly StopClass[] = ['failed', 'rolledBack', 'unverified', 'timedOut', 'inDoubt'];

/** The classes that a rule of the expert form counts if it names none: every class of failure. */
export const EXPERT_CLASSES: readonly StopClass[] = [...BAD, 'aborted'];

/** The simple form of `stopOn`: a limit for each scope. */
export type SimpleStops = Readonly<Partial<Record<keyof typeof LEAST_ATTEMPTS, BudgetLimit>>>;

/**
 * The minimum of attempts for a percentage in the simple form. A count, or a canary, needs none.
 */
const LEAST_ATTEMPTS = { canary: 1, wave: 20, model: 3, rollout: 20 } as const;

/**
 * The rules of the simple form, with defaults for missing keys. Without a wave named canary there
 * is no canary rule, because it has nothing to count.
 */
export function simpleStops(written: SimpleStops, waves: readonly Wave[]): readonly StopRule[] {
  const limits = { ...STANDARD.stopOn, ...written };
  const scopes = ['canary', 'wave', 'model', 'rollout'] as const;
  return scopes.flatMap((scope) => {
    const limit = limits[scope];
    const isCounted = scope !== 'canary' || waves.some(isFirstOfAll);
    return limit && isCounted ? [simpleStop(scope, limit)] : [];
  });
}

function simpleStop(scope: keyof typeof LEAST_ATTEMPTS, limit: BudgetLimit): StopRule {
  const share = 'count' in limit ? { max: limit.count } : { percent: limit.percent };
  const minAttempts = LEAST_ATTEMPTS[scope];
  return { name: scope, classes: BAD, ...share, minAttempts, scope, action: 'pause' };
}

function perTask(member: 'running' | 'verify'): Timeouts['running'] {
  const given = TASK_TYPES.map((task) => [task, TASKS[task][member]]);
  return Object.fromEntries(given) as Timeouts['running'];
}

const WAVES: readonly Wave[] = [
  { name: CANARY, slice: { is: 'size', devices: 5 }, ...waveDefaults(0) },
  { name: 'early', slice: { is: 'percent', percent: 5 }, ...waveDefaults(1) },
  { name: 'broad', slice: { is: 'percent', percent: 25 }, ...waveDefaults(2) },
  { name: 'rest', slice: { is: 'percent', percent: 100 }, ...waveDefaults(3) },
];

/** The built-in rollout `default`, and the default of every key of a rollout (semantics C8). */
export const DEFAULT_ROLLOUT: RolloutSpec = {
  ...STANDARD.rollout,
  waves: WAVES,
  gate: { ...STANDARD.rollout.gate, checks: ['online', 'readBackMatches'] },
  stopOn: simpleStops({}, WAVES),
  retry: { ...STANDARD.rollout.retry, classes: ['failed', 'timedOut'] },
  timeouts: {
    ...STANDARD.rollout.timeouts,
    running: perTask('running'),
    verify: perTask('verify'),
  },
};

/** The rollout of a policy that names none; it is built in unless an entry has this name. */
export const DEFAULT_NAME = 'default';

/** The rollout of this name: an entry of the documents, else the built-in one. */
export function rolloutNamed(
  rollouts: EntriesByName<RolloutSpec>,
  name: string | undefined,
): RolloutSpec | undefined {
  if (name === undefined) return undefined;
  const written = rollouts.get(name)?.value;
  return written ?? (name === DEFAULT_NAME ? DEFAULT_ROLLOUT : undefined);
}

/**
 * A policy without a rollout has `batch`, `maxInFlight`, `retry` and `timeouts` of `default`, but
 * not its waves, gates or stop rules (semantics C9).
 */
export function rolloutOrDefault(
  rollouts: EntriesByName<RolloutSpec>,
  name: string | undefined,
): RolloutSpec {
  return rolloutNamed(rollouts, name ?? DEFAULT_NAME) ?? DEFAULT_ROLLOUT;
}
