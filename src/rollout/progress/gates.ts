import type { ObservedFact } from '../../model/ledger/memory.ts';
import type { GateCheck, RolloutSpec } from '../../model/documents/rollout.ts';
import type { Instant } from '../../lib/time.ts';
import type { WaveProgress } from './progress.ts';

/** What keeps a wave whose devices are done from being passed. `empty`: it has nobody to show anything. */
export type GateWhy = 'empty' | 'minReached' | 'minSuccess' | 'checks' | 'approval';

/** Where a wave stands (semantics C5). */
export type WaveState =
  | { readonly is: 'waiting' }
  | { readonly is: 'open' }
  | { readonly is: 'soaking'; readonly since: Instant; readonly until: Instant }
  | { readonly is: 'gated'; readonly why: GateWhy; readonly since: Instant }
  | { readonly is: 'passed'; readonly at: Instant }
  | { readonly is: 'paused' | 'aborted'; readonly rule: string };

export interface GateInput {
  readonly spec: Pick<RolloutSpec, 'waves' | 'gate'>;
  readonly waves: readonly WaveProgress[];
  /** Since when a wave is recorded as closed: that is never taken back. */
  readonly passedAt: (wave: number) => Instant | undefined;
  /** When the rollout began; now, before it did. */
  readonly startedAt: Instant;
  /** When a stop of it was last lifted: what is inconclusive has its whole time again. */
  readonly liftedAt?: Instant;
  /** What stops the whole rollout. */
  readonly halt?: { readonly is: 'paused' | 'aborted'; readonly rule: string };
  /** The gate samples of a wave whose soak began at this instant. */
  readonly samples: (wave: number, soaksSince: Instant) => ObservedFact | undefined;
  /** Whether a wave may be opened for any device, where its gate wants an approval. */
  readonly isApproved: (wave: number) => boolean;
  /** Waves that whoever asks does not wait for: they count as passed. None where it is absent. */
  readonly isNotNeeded?: (wave: number) => boolean;
  readonly now: Instant;
}

/** The rule that a gate which stays inconclusive for too long pauses its rollout by (semantics C11). */
export const GATE_TIMEOUT = 'gate.timeout';

/**
 * The state of each wave. The first one that is not passed is the one that counts: those before it
 * are closed, those behind it wait.
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

/** Nobody verified: nothing soaks, and the gate says why. */
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
  return { is: 'gated', why, since };
}

/** Nobody waits for the last wave: it needs no checks, and nothing is lost while it is inconclusive. */
function isLast({ spec, wave }: WaveInput): boolean {
  return wave === spec.waves.length - 1;
}

/** Both pass at their percent exactly (semantics C6); nothing attempted, or nobody to attempt, is never enough. */
function missing(
  { attempted, eligible, verified }: WaveProgress,
  { minReached, minSuccess }: RolloutSpec['gate'],
): GateWhy | undefined {
  if (!isShare(attempted, eligible, minReached)) return 'minReached';
  return isShare(verified, attempted, minSuccess) ? undefined : 'minSuccess';
}

/** Whether a part is at least so many percent of a whole; percents have two decimals at most. */
function isShare(part: number, whole: number, percent: number): boolean {
  return part * 10_000 >= whole * Math.round(percent * 100);
}

/** Good samples of this very soak, the last ones in a row; what nobody looked at has none. */
function unchecked(input: WaveInput): GateWhy | undefined {
  const { spec, wave, progress, samples } = input;
  const { checks, consecutiveOk } = spec.gate;
  if (checks.length === 0 || progress.soaksSince === undefined || isLast(input)) return undefined;
  const seen = samples(wave, progress.soaksSince);
  return seen?.value === 'good' && seen.times >= consecutiveOk ? undefined : 'checks';
}

/** The next wave with anybody in it needs the approval, not this one. */
function unapproved({ spec, wave, waves, isApproved }: WaveInput): GateWhy | undefined {
  if (spec.gate.approval === 'none') return undefined;
  const next = waves.findIndex(({ eligible }, index) => index > wave && eligible > 0);
  return next === -1 || isApproved(next) ? undefined : 'approval';
}

/** What one look at a gated device showed; a check that could not be made is absent. */
export type Sample = Readonly<Partial<Record<GateCheck, boolean>>>;

/**
 * One sample of a gate, for a SEEN record `gateSample`: `bad` where any check of any device failed,
 * `unknown` where any could not be made; a look at nobody is no proof of anything.
 */
export function sampleGate(
  checks: readonly GateCheck[],
  devices: readonly Sample[],
): 'good' | 'bad' | 'unknown' {
  const results = devices.flatMap((device) => checks.map((check) => device[check]));
  if (results.includes(false)) return 'bad';
  return devices.length === 0 || results.includes(undefined) ? 'unknown' : 'good';
}
