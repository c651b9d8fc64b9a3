import type { BudgetLimit } from './budget.ts';
import type { EntriesByName } from './policy.ts';
import type { RolloutSpec, StopClass, StopRule, Stratum, Timeouts, Wave } from './rollout.ts';
import { TASK_TYPES, TASKS } from '../fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';

const MINUTE: Milliseconds = 60_000;
const HOUR: Milliseconds = 60 * MINUTE;
const DAY: Milliseconds = 24 * HOUR;

/** The first wave of a rollout, where the documents have one, is called so. */
export const CANARY = 'canary';

/** What a wave that does not say it soaks for, and is spread over; `index` is its place. */
export function waveDefaults(index: number): Pick<Wave, 'soak' | 'stratify'> {
  return { soak: index === 0 ? DAY : 2 * DAY, stratify: index === 0 ? FIRST_STRATA : [] };
}

const FIRST_STRATA: readonly Stratum[] = ['vendor', 'model', 'firmwareVersion'];

/** What the simple form of `stopOn` counts. */
const BAD: readonly StopClass[] = ['failed', 'rolledBack', 'unverified', 'timedOut', 'inDoubt'];

/** What a rule of the expert form counts that names no class: every class of outcome that is bad. */
export const EXPERT_CLASSES: readonly StopClass[] = [...BAD, 'aborted'];

/** The simple form of `stopOn`: a limit for each scope. */
export interface SimpleStops {
  readonly canary?: BudgetLimit;
  readonly wave?: BudgetLimit;
  readonly model?: BudgetLimit;
  readonly rollout?: BudgetLimit;
}

const SIMPLE_DEFAULTS: SimpleStops = {
  canary: { count: 0 },
  wave: { percent: 5 },
  model: { percent: 30 },
};

/** How many attempts a percent of the simple form needs. An int, or a canary, needs none. */
const LEAST_ATTEMPTS = { canary: 1, wave: 20, model: 3, rollout: 20 } as const;

/**
 * The rules of the simple form; what is left out keeps its default. A rule for the canary is left
 * out where no wave is called so: there is nothing to count.
 */
export function simpleStops(written: SimpleStops, waves: readonly Wave[]): readonly StopRule[] {
  const limits = { ...SIMPLE_DEFAULTS, ...written };
  const scopes = ['canary', 'wave', 'model', 'rollout'] as const;
  return scopes.flatMap((scope) => {
    const limit = limits[scope];
    const isCounted = scope !== 'canary' || waves.some(({ name }) => name === CANARY);
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

export const DEFAULT_TIMEOUTS: Timeouts = {
  pending: 30 * MINUTE,
  running: perTask('running'),
  verify: perTask('verify'),
  lost: DAY,
};

const WAVES: readonly Wave[] = [
  { name: CANARY, slice: { is: 'size', devices: 5 }, ...waveDefaults(0) },
  { name: 'early', slice: { is: 'percent', percent: 5 }, ...waveDefaults(1) },
  { name: 'broad', slice: { is: 'percent', percent: 25 }, ...waveDefaults(2) },
  { name: 'rest', slice: { is: 'percent', percent: 100 }, ...waveDefaults(3) },
];

/**
 * The built-in rollout `default`, and what every key that a rollout leaves out means
 * (semantics C8).
 */
export const DEFAULT_ROLLOUT: RolloutSpec = {
  canary: 'required',
  waves: WAVES,
  assignment: 'stableHash',
  maxInFlight: 20,
  batch: 10,
  gate: {
    minReached: 80,
    minSuccess: 95,
    checks: ['online', 'readBackMatches'],
    consecutiveOk: 3,
    approval: 'none',
    timeout: 7 * DAY,
  },
  stopOn: simpleStops({}, WAVES),
  retry: {
    classes: ['failed', 'timedOut'],
    maxAttemptsPerWindow: 2,
    maxWindows: 3,
    backoff: { initial: 15 * MINUTE, factor: 2, max: 6 * HOUR, jitter: 'full' },
  },
  timeouts: DEFAULT_TIMEOUTS,
};

/** The name that a policy means which names no rollout, and the built-in one where no entry has it. */
export const DEFAULT_NAME = 'default';

/** The rollout of this name: an entry of the documents, else the one that is built in. */
export function rolloutNamed(
  rollouts: EntriesByName<RolloutSpec>,
  name: string | undefined,
): RolloutSpec | undefined {
  if (name === undefined) return undefined;
  const written = rollouts.get(name)?.value;
  return written ?? (name === DEFAULT_NAME ? DEFAULT_ROLLOUT : undefined);
}

/**
 * What holds for a policy without a rollout too: `batch`, `maxInFlight`, `retry` and `timeouts` of `default`,
 * and neither its waves nor its gates nor its stop rules (semantics C9).
 */
export function rolloutOrDefault(
  rollouts: EntriesByName<RolloutSpec>,
  name: string | undefined,
): RolloutSpec {
  return rolloutNamed(rollouts, name ?? DEFAULT_NAME) ?? DEFAULT_ROLLOUT;
}
