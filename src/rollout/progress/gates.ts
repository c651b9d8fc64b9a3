import type { ObservedFact } from '../../model/ledger/memory.ts';
import type { RolloutSpec } from '../../model/documents/rollout.ts';
import { MINUTE, type Instant, type Milliseconds } from '../../lib/time.ts';
import type { GateSample } from './gate-sample.ts';
import type { WaveProgress } from './rollout-progress.ts';

/** Why a wave whose devices are done has not passed. `empty`: it has no devices as evidence. */
export type GateWhy = 'empty' | 'minReached' | 'minSuccess' | 'onTheWay' | 'checks' | 'approval';

/** The state of a wave (semantics C5). */
export type WaveState =
  | { readonly is: 'waiting' }
  | { readonly is: 'open' }
  | { readonly is: 'soaking'; readonly since: Instant; readonly until: Instant }
  | {
      readonly is: 'gated';
      readonly why: GateWhy;
      readonly since: Instant;
      /** When the next look of a gate is due whose looks were good so far. */
      readonly again?: Instant;
    }
  | { readonly is: 'passed'; readonly at: Instant }
  | { readonly is: 'paused' | 'aborted'; readonly rule: string };

export interface GateInput {
  readonly spec: Pick<RolloutSpec, 'waves' | 'gate'>;
  readonly waves: readonly WaveProgress[];
  /** When a wave was recorded as passed, which is final. */
  readonly passedAt: (wave: number) => Instant | undefined;
  /** When the rollout began; now, if it has not begun. */
  readonly startedAt: Instant;
  /** When a stop or a pause of the rollout last ended: the gate timeout starts again then. */
  readonly liftedAt?: Instant;
  /** The stop on the whole rollout. */
  readonly halt?: { readonly is: 'paused' | 'aborted'; readonly rule: string };
  /** The gate samples of a wave whose soak began at this instant. */
  readonly samples: (wave: number, soaksSince: Instant) => ObservedFact | undefined;
  /** The gate checks of these devices in the present reading. */
  readonly sampleNow: (devices: readonly string[]) => GateSample;
  /** Whether any device has the approval that the gate of a wave requires. */
  readonly isApproved: (wave: number) => boolean;
  /** Waves that count as passed for this caller; none if absent. */
  readonly isNotNeeded?: (wave: number) => boolean;
  readonly now: Instant;
}

/** The rule that pauses a rollout whose gate stays inconclusive for too long (semantics C11). */
export const GATE_TIMEOUT = 'gate.timeout';

/**
 * The state of each wave. The first wave that has not passed decides: those before it have passed,
 * those after it wait.
 */
export function judgeWaves(input: GateInput): readonly WaveState[] {
  const states: WaveState[] = [];
  let openedAt: Instant | undefined = input.startedAt;
  for (const [wave, progress] of input.waves.entries()) {
    const state: WaveState =
      openedAt === undefined ? { is: 'waiting' } : judge({ wave, progress, openedAt, ...input });
    states.push(state);
    openedAt = state.is === 'passed' ? state.at : undefined;
  }
  return states;
}

interface WaveInput extends GateInput {
  readonly wave: number;
  readonly progress: WaveProgress;
  readonly openedAt: Instant;
}

function judge(input: WaveInput): WaveState {
  const { wave, progress, openedAt, halt } = input;
  const passedAt = input.passedAt(wave);
  if (passedAt !== undefined) return { is: 'passed', at: passedAt };
  if (input.isNotNeeded?.(wave) === true) return { is: 'passed', at: openedAt };
  if (halt) return halt;
  if (progress.eligible === 0 && progress.attempted === 0)
    return wave === 0
      ? { is: 'gated', why: 'empty', since: openedAt }
      : { is: 'passed', at: openedAt };
  if (progress.attempted === 0 || progress.running > 0) return { is: 'open' };
  return soak(input) ?? gated(input) ?? { is: 'passed', at: input.now };
}

/** Without a verified device there is no soak, and the gate reports the reason. */
function soak({ spec, wave, progress, now }: WaveInput): WaveState | undefined {
  if (missing(progress, spec.gate) !== undefined || progress.soaksSince === undefined)
    return undefined;
  const since = progress.soaksSince;
  const until = since + (spec.waves[wave]?.soak ?? 0);
  return now < until ? { is: 'soaking', since, until } : undefined;
}

function gated(input: WaveInput): WaveState | undefined {
  const { progress, spec, now, openedAt, liftedAt } = input;
  const why = missing(progress, spec.gate) ?? unchecked(input) ?? unapproved(input);
  if (why === undefined) return undefined;
  const soakEnd = (progress.soaksSince ?? 0) + (spec.waves[input.wave]?.soak ?? 0);
  const shown = why === 'checks' ? soakEnd : 0;
  const since = Math.max(openedAt, progress.lastAttemptAt ?? 0, shown);
  const waited = now - Math.max(since, liftedAt ?? 0);
  if (why !== 'approval' && !isLast(input) && waited >= spec.gate.timeout)
    return { is: 'paused', rule: GATE_TIMEOUT };
  const again = why === 'checks' ? nextLook(input) : undefined;
  return { is: 'gated', why, since, ...(again !== undefined && { again }) };
}

/** No wave follows the last one: it needs no checks, and it may stay inconclusive. */
function isLast({ spec, wave }: WaveInput): boolean {
  return wave === spec.waves.length - 1;
}

/**
 * Each gate passes at exactly its percentage (semantics C6); no attempt, or no device to attempt,
 * never passes. Devices between two steps of an upgrade path are no failures: `onTheWay`.
 */
function missing(
  { attempted, eligible, verified, onTheWay }: WaveProgress,
  { minReached, minSuccess }: RolloutSpec['gate'],
): GateWhy | undefined {
  if (!isShare(attempted, eligible, minReached)) return 'minReached';
  if (isShare(verified, attempted, minSuccess)) return undefined;
  return isShare(verified + onTheWay, attempted, minSuccess) ? 'onTheWay' : 'minSuccess';
}

/** Whether attempts on so many more devices of a wave would be enough for `minReached`. */
export function mayReach(
  { attempted, eligible }: Pick<WaveProgress, 'attempted' | 'eligible'>,
  { minReached }: Pick<RolloutSpec['gate'], 'minReached'>,
  more: number,
): boolean {
  return attempted + more > 0 && isShare(attempted + more, eligible, minReached);
}

/** How soon a gate that needs several good looks in a row is looked at again, by its soak: after 1 to 10 minutes. */
export function checkAgain(soak: Milliseconds): Milliseconds {
  return Math.min(Math.max(soak, MINUTE), 10 * MINUTE);
}

/** Whether a part is at least this percentage of a whole; percentages have at most two decimals. */
export function isShare(part: number, whole: number, percent: number): boolean {
  return part * 10_000 >= whole * Math.round(percent * 100);
}

/**
 * Good samples of this soak, the latest ones in a row; a wave without samples has none. The present
 * reading must be good, too: earlier samples prove nothing about a device that fell back since.
 */
function unchecked(input: WaveInput): GateWhy | undefined {
  const { spec, wave, progress, samples, sampleNow } = input;
  const { checks, consecutiveOk } = spec.gate;
  if (checks.length === 0 || progress.soaksSince === undefined || isLast(input)) return undefined;
  const seen = samples(wave, progress.soaksSince);
  const isProven = seen?.value === 'good' && seen.times >= consecutiveOk;
  return isProven && sampleNow(progress.gated) === 'good' ? undefined : 'checks';
}

/** Looks are good in a row, and too few: the next one is some minutes after this one. */
function nextLook(input: WaveInput): Instant | undefined {
  const { spec, wave, progress, samples, sampleNow, now } = input;
  const seen = samples(wave, progress.soaksSince ?? now);
  const isGood = (seen?.value ?? 'good') === 'good' && sampleNow(progress.gated) === 'good';
  return isGood ? now + checkAgain(spec.waves[wave]?.soak ?? 0) : undefined;
}

/** The approval belongs to the next wave that has devices, not to this one. */
function unapproved({ spec, wave, waves, isApproved }: WaveInput): GateWhy | undefined {
  if (spec.gate.approval === 'none') return undefined;
  const next = waves.findIndex(({ eligible }, index) => index > wave && eligible > 0);
  return next === -1 || isApproved(next) ? undefined : 'approval';
}
