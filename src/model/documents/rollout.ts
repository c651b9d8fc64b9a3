import type {
  MeantGate,
  MeantRetry,
  MeantRollout,
  MeantStopRule,
  MeantTimeouts,
  MeantWave,
} from './meant.gen.ts';
import type { Selector } from './selector.ts';
import type { TaskType } from '../fleet/task.ts';
import type { Milliseconds } from '../../lib/time.ts';

/** The fields that a canary can be spread over. */
export type Stratum = NonNullable<MeantWave['stratify']>[number];

/**
 * The part of the remaining devices that a wave takes: a count; up to a share of the whole base,
 * which includes the waves before it (25 means 25 %); or the devices that match.
 */
export type WaveExtent =
  | { readonly is: 'size'; readonly devices: number }
  | { readonly is: 'percent'; readonly percent: number }
  | { readonly is: 'select'; readonly select: Selector };

export interface Wave {
  readonly name: string;
  readonly slice: WaveExtent;
  /** At least one device of each combination of these; empty: by the hash alone. */
  readonly stratify: readonly Stratum[];
  readonly soak: Milliseconds;
}

export type GateCheck = Gate['checks'][number];

/** The conditions of a wave before the next one opens. Percentages as numbers (80 means 80 %). */
export type Gate = Required<MeantGate>;

/** The outcomes that a stop rule can count. `deviceDown` is an observation, the rest are classes. */
export type StopClass = NonNullable<MeantStopRule['class']>[number];
export type BadOutcome = Exclude<StopClass, 'deviceDown'>;
export type StopScope = MeantStopRule['scope'];

/** A stop rule in the expert form; reading the documents converts the simple form into it. */
export interface StopRule extends Omit<MeantStopRule, 'class'> {
  /** The name in reasons and records: `canary`, or `stopOn[2]`. */
  readonly name: string;
  readonly classes: readonly StopClass[];
}

export type RetrySpec = Required<MeantRetry>;

export interface Timeouts extends MeantTimeouts {
  readonly running: Readonly<Record<TaskType, Milliseconds>>;
  readonly verify: Readonly<Record<TaskType, Milliseconds>>;
}

/** A rollout as documents describe it, with every default filled in (semantics C8). */
export interface RolloutSpec extends MeantRollout {
  readonly waves: readonly Wave[];
  readonly gate: Gate;
  readonly stopOn: readonly StopRule[];
  readonly retry: RetrySpec;
  readonly timeouts: Timeouts;
}
