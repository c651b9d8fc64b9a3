import type { Instant } from '../../lib/time.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { checkAgain, isShare } from '../../rollout/progress/gates.ts';
import type { WaveProgress } from '../../rollout/progress/rollout-progress.ts';
import type { BudgetRequest } from '../../rollout/budgets/budget-tracker.ts';

/** A change in a wave. */
export interface InWave {
  readonly request: BudgetRequest;
  readonly wave: number;
  /** It joins after the base of its rollout. */
  readonly isLate: boolean;
  /** Neither a canary nor a soak holds it. */
  readonly passesWaves: boolean;
  /** Tasks that are left. */
  left: number;
}

/** The waves of a rollout in the course of a forecast. */
export interface Stages {
  readonly names: readonly string[];
  /** Lets waves pass whose gate allows it at this instant; when the next may, if nothing else happens. */
  open(at: Instant): Instant;
  /** How many waves have passed. */
  reached(): number;
  /** The wave that holds a change back: one that has not passed, or its own if that needs an approval. */
  holding(runner: InWave): number | undefined;
  begin(runner: InWave): void;
  end(runner: InWave, at: Instant): void;
  /** Verified devices of each wave that has not passed: a task on one of them begins its soak anew (semantics C7). */
  readonly gated: readonly { readonly wave: number; readonly devices: readonly string[] }[];
  /** Something else ends on a verified device of a wave at this instant. */
  touch(wave: number, at: Instant): void;
  /** When a wave has soaked whose devices are done; undefined before they are, and without a soak. */
  soaksUntil(wave: number): Instant | undefined;
  /** When a wave opens; undefined where it does not, or was open before. */
  opensAt(wave: number): Instant | undefined;
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
  const passes = (wave: number, at: Instant): Instant => {
    const count = counts[wave];
    if (!count) return Infinity;
    const { eligible, attempted: tried, lastEnd } = count;
    if (eligible === 0 && tried === 0) return wave === 0 ? Infinity : at;
    if (!isDone(count)) return Infinity;
    const soak = waves[wave]?.soak ?? 0;
    const checking = gate.checks.length === 0 ? 0 : (gate.consecutiveOk - 1) * checkAgain(soak);
    if (wave !== unchecked || lastEnd > now) return lastEnd + Math.max(soak, checking);
    return isGood ? now + checking : Infinity;
  };
  return {
    names: waves.map(({ name }) => name),
    open(at) {
      for (; first < waves.length; first += 1) {
        const then = passes(first, at);
        if (then > at) return then;
        opens.set(first + 1, at);
      }
      return Infinity;
    },
    reached: () => first,
    holding({ wave, isLate, passesWaves, request: { deviceId } }) {
      if (passesWaves || (isLate && wave < first)) return undefined;
      if (first < wave) return first;
      return wave >= first && lacksApproval(wave, deviceId) ? wave : undefined;
    },
    begin({ wave, isLate, request: { deviceId } }) {
      const count = counts[wave];
      if (!count) return;
      count.running += 1;
      if (attempted.has(deviceId)) return;
      attempted.add(deviceId);
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
      const { soak = 0 } = waves[wave] ?? {};
      return count && soak > 0 && isDone(count) ? count.lastEnd + soak : undefined;
    },
    opensAt: (wave) => opens.get(wave),
  };
}
