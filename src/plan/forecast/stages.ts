import type { FrozenSpan } from '../../calendar/calendar.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { checkAgain, isShare } from '../../rollout/progress/gates.ts';
import type { WaveProgress } from '../../rollout/progress/rollout-progress.ts';
import type { BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';

/** A change in a wave. */
export interface InWave extends BudgetRequest {
  readonly wave: number;
  /** It joins after the base of its rollout. */
  readonly isLate: boolean;
  /** Neither a canary nor a soak holds it. */
  readonly passesWaves: boolean;
  /** Tasks that are left. */
  left: number;
}

/** Freezes that keep a wave, or the look at its gate, until an instant. */
export interface FrozenWave {
  readonly wave: number;
  readonly until: Instant;
  readonly frozen: readonly FrozenSpan[];
}

/** The waves of a rollout in the course of a forecast. */
export interface Stages {
  readonly names: readonly string[];
  /**
   * Lets waves pass whose gate allows it at this instant; when the next may, if nothing else happens. A gate with checks
   * is looked at for the first time when something of its rollout may start, and again until enough looks are good.
   * @param looksAt the first instant from one on at which something of the rollout may start, but for its waves
   */
  open(at: Instant, looksAt: (at: Instant) => Instant): Instant;
  /** How many waves have passed. */
  reached(): number;
  /** The wave that holds a change back: one that has not passed, or its own if that needs an approval. */
  holding(runner: InWave): number | undefined;
  begin(runner: InWave): void;
  end(runner: Pick<InWave, 'wave' | 'left'>, at: Instant): void;
  /** Verified devices of each wave that has not passed: a task on one of them begins its soak anew (semantics C7). */
  readonly gated: readonly { readonly wave: number; readonly devices: readonly string[] }[];
  /** Something else ends on a verified device of a wave at this instant. */
  touch(wave: number, at: Instant): void;
  /** When a wave has soaked whose devices are done; undefined before they are, and without a soak. */
  soaksUntil(wave: number): Instant | undefined;
  /** When a wave opens; undefined where it does not, or was open before. */
  opensAt(wave: number): Instant | undefined;
  /** What freezes keep of it, by wave and end: those behind that wave wait as well. */
  readonly frozen: Map<string, FrozenWave>;
}

type Counts = {
  -readonly [K in 'eligible' | 'attempted' | 'verified' | 'running']: WaveProgress[K];
} & {
  lastEnd: Instant;
};

/** The waves of a rollout as they are now. Gates pass as for apply (semantics C5 to C7), and all tasks end well. */
export function openStages({ input, states, progress }: Followed, now: Instant): Stages {
  const { spec, approvedBy = () => undefined } = input;
  const { waves, gate } = spec;
  const lacksApproval = (wave: number, device: string): boolean =>
    gate.approval !== 'none' &&
    wave > 0 &&
    approvedBy(waves[wave]?.name ?? '', device) === undefined;
  const attempted = new Set(progress.tallies.map(({ device }) => device));
  const opens = new Map<number, Instant>();
  const counts = progress.waves.map(
    ({ eligible, attempted: tried, verified, running, soaksSince = now }): Counts => {
      return { eligible, attempted: tried, verified, running, lastEnd: soaksSince };
    },
  );
  let first = states.findIndex(({ is: state }) => state !== 'passed');
  if (first === -1) first = waves.length;
  const checked = states[first];
  const unchecked = checked?.is === 'gated' && checked.why === 'checks' ? first : -1;
  const isGood = checked?.is === 'gated' && checked.again !== undefined;
  const isDone = ({ eligible, attempted: tried, verified, running }: Counts): boolean =>
    tried > 0 &&
    running === 0 &&
    isShare(tried, eligible, gate.minReached) &&
    isShare(verified, tried, gate.minSuccess);
  const soakOf = (wave: number): Milliseconds => waves[wave]?.soak ?? 0;
  const isEmpty = (wave: number): boolean =>
    counts[wave]?.eligible === 0 && counts[wave].attempted === 0;
  /** When the soak of a wave is over; Infinity where it has none yet. */
  const soaked = (wave: number, at: Instant): Instant => {
    const count = counts[wave];
    if (!count) return Infinity;
    if (isEmpty(wave)) return wave === 0 ? Infinity : at;
    if (!isDone(count)) return Infinity;
    if (wave !== unchecked || count.lastEnd > now) return count.lastEnd + soakOf(wave);
    return isGood ? now : Infinity;
  };
  /** How long looks at a gate take, beside the first that is good after its soak. */
  const checking = (wave: number): Milliseconds =>
    isEmpty(wave) || gate.checks.length === 0
      ? 0
      : (gate.consecutiveOk - 1) * checkAgain(soakOf(wave));
  /** Since when the first wave that has not passed may pass, and when it does. */
  let gateOf = { wave: -1, since: now, passes: now };
  return {
    names: waves.map(({ name }) => name),
    open(at, looksAt) {
      for (; first < waves.length; first += 1) {
        const then = soaked(first, at);
        if (then > at) return then;
        if (gateOf.wave !== first || gateOf.since < then)
          gateOf = { wave: first, since: at, passes: looksAt(at) + checking(first) };
        if (gateOf.passes > at) return gateOf.passes;
        opens.set(first + 1, gateOf.since);
      }
      return Infinity;
    },
    reached: () => first,
    holding({ wave, isLate, passesWaves, deviceId }) {
      if (passesWaves || (isLate && wave < first)) return undefined;
      if (first < wave) return first;
      return wave >= first && lacksApproval(wave, deviceId) ? wave : undefined;
    },
    begin({ wave, isLate, deviceId, left }) {
      const count = counts[wave];
      if (!count) return;
      count.running += 1;
      if (attempted.has(deviceId)) return;
      if (left > 1) attempted.add(deviceId);
      count.attempted += 1;
      count.eligible += Number(isLate);
    },
    end({ wave, left }, at) {
      const count = counts[wave];
      if (!count) return;
      count.running -= 1;
      count.verified += Number(left === 0);
      count.lastEnd = at;
    },
    gated: progress.waves.map(({ gated: devices }, wave) => ({ wave, devices })).slice(first),
    touch(wave, at) {
      const count = counts[wave];
      if (count) count.lastEnd = Math.max(count.lastEnd, at);
    },
    soaksUntil(wave) {
      const count = counts[wave];
      const soak = soakOf(wave);
      return count && soak > 0 && isDone(count) ? count.lastEnd + soak : undefined;
    },
    opensAt: (wave) => opens.get(wave),
    frozen: new Map(),
  };
}
