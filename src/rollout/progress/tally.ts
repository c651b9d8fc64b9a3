import type { IntentState, Memory, StartedRollout } from '../../model/ledger/memory.ts';
import type { BadOutcome, RolloutSpec, Timeouts } from '../../model/documents/rollout.ts';
import { findSighting, memberSubject } from '../../model/ledger/sightings.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { Assignment } from '../waves/assignment.ts';
import { listAttempts, type Tried } from './attempts.ts';
import type { Instant } from '../../lib/time.ts';

/** The outcome of one device that was attempted in a rollout, with its wave. */
export interface DeviceTally {
  readonly device: string;
  readonly wave: number;
  /**
   * `catchUp`: first attempted after its wave passed, whose numbers it no longer changes; stop rules count it as a wave
   * of its own.
   */
  readonly lane: 'wave' | 'catchUp';
  /**
   * `underway`: attempted, and neither verified nor bad yet. A retry does not hide a bad outcome.
   */
  readonly outcome: 'verified' | 'underway' | BadOutcome;
  /** Whether an attempt is running now. */
  readonly isRunning: boolean;
  /** When it was verified or became bad; if under way, when it was attempted. */
  readonly since: Instant;
  readonly lastAttemptAt: Instant;
  readonly sites: readonly string[];
  readonly model?: string;
  /** When it went down after an action, whatever its outcome. */
  readonly downSince?: Instant;
  /** When fleetform last touched it after it was verified. */
  readonly touchedAt?: Instant;
}

export interface TallyInput {
  /** Address of the policy. */
  readonly policy: string;
  /** Its name in SEEN records; its address if absent. */
  readonly seed?: string;
  readonly task: TaskType;
  readonly timeouts: Timeouts;
  readonly started: StartedRollout;
  readonly memory: Memory;
  readonly now: Instant;
  /**
   * Whether an intent is the final step; false for an intermediate upgrade step. If absent, every
   * intent is final.
   */
  readonly isLast?: (intent: IntentState) => boolean;
  readonly assignment: Pick<Assignment, 'memberOf'>;
  /** When a wave was recorded as passed; undefined if it was not. */
  readonly passedAt: (wave: number) => Instant | undefined;
}

/** The name of a rollout in SEEN records, unique within its policy. */
export function rolloutKey(
  { policy, seed = policy }: Pick<TallyInput, 'policy' | 'seed'>,
  { seq }: Pick<StartedRollout, 'seq'>,
): string {
  return `${seed}#${seq}`;
}

/**
 * The tally of a device, from its intents alone, so that leaving and returning changes nothing.
 * Undefined if this rollout has not attempted the device.
 */
export function tallyDevice(
  { device, wave }: Pick<DeviceTally, 'device' | 'wave'>,
  intents: readonly IntentState[],
  input: TallyInput,
): DeviceTally | undefined {
  const { started, memory, assignment, passedAt } = input;
  const tries = countedTries(intents, input);
  const [last] = tries;
  const first = tries.at(-1);
  if (!last || !first) return undefined;
  const { intent } = last;
  const ended = tries.find((one) => one.intent === intent && one.outcome !== 'running');
  const { model = assignment.memberOf(device)?.model, sites } = intent;
  const subject = memberSubject(rolloutKey(input, started), device);
  const down = findSighting(memory, 'deviceDown', subject);
  const tally: { -readonly [K in keyof DeviceTally]: DeviceTally[K] } = {
    device,
    wave,
    lane: first.attemptedAt > (passedAt(wave) ?? Infinity) ? 'catchUp' : 'wave',
    outcome: tallyOutcome(ended ?? last, input),
    isRunning: last.outcome === 'running',
    since: (ended ?? last).since,
    lastAttemptAt: last.attemptedAt,
    sites,
  };
  // Fields are set one by one, as those of a case are.
  const touchedAt = lastTouch(intents, ended, input);
  if (model !== undefined) tally.model = model;
  if (down?.value === 'down') tally.downSince = down.since;
  if (touchedAt !== undefined) tally.touchedAt = touchedAt;
  return tally;
}

/** The attempts of this rollout that count, latest intent and latest attempt first. */
function countedTries(intents: readonly IntentState[], input: TallyInput): readonly Tried[] {
  const { policy, task, started } = input;
  return intents
    .filter((one) => one.rollout === started.seq && one.policy === policy && one.task === task)
    .sort((a, b) => b.attemptedAt - a.attemptedAt)
    .flatMap((intent) => listAttempts(intent, input))
    .filter(({ outcome, attemptedAt }) => outcome !== 'none' && attemptedAt >= started.startedAt);
}

function tallyOutcome({ outcome, intent }: Tried, { isLast }: TallyInput): DeviceTally['outcome'] {
  if (outcome === 'running' || outcome === 'none') return 'underway';
  return outcome === 'verified' && isLast?.(intent) === false ? 'underway' : outcome;
}

/** Any other action on a verified device restarts its soak (semantics C7). */
function lastTouch(
  intents: readonly IntentState[],
  ended: Tried | undefined,
  { now }: TallyInput,
): Instant | undefined {
  if (ended?.outcome !== 'verified') return undefined;
  let last: Instant | undefined;
  for (const { attemptedAt, phase, settledAt = now } of intents)
    if (attemptedAt > ended.since && phase !== 'none' && phase !== 'failed')
      last = Math.max(last ?? settledAt, settledAt);
  return last;
}

interface Running {
  readonly input: Pick<TallyInput, 'policy' | 'seed'> & {
    readonly spec: Pick<RolloutSpec, 'waves'>;
  };
  readonly started: Pick<StartedRollout, 'seq'>;
}

/** The subject of the gate samples of one soak of one wave. */
export function sampleSubject(running: Running, wave: number, soaksSince: Instant): string {
  return `${waveSubject(running, wave)}@${soaksSince}`;
}

/** The subject of a wave that has passed. */
export function waveSubject({ input, started }: Running, wave: number): string {
  return memberSubject(rolloutKey(input, started), `${input.spec.waves[wave]?.name}`);
}
