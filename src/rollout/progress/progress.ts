import type { BadOutcome, RolloutSpec } from '../../model/documents/rollout.ts';
import type { StartedRollout } from '../../model/ledger/memory.ts';
import { memberSubject, sightingOf } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';
import { rolloutKey, tallyOf, type DeviceTally, type TallyInput } from './tally.ts';
import type { Assignment, WaveAssignment } from '../waves/assignment.ts';

export interface ProgressInput extends Omit<TallyInput, 'started' | 'timeouts'> {
  readonly spec: Pick<RolloutSpec, 'waves' | 'timeouts'>;
  readonly assignment: Assignment;
  /** The running rollout of this very want; undefined before its first attempt. */
  readonly started: StartedRollout | undefined;
  /**
   * Devices that are not acted on, for another reason than time: `converged` where they show the
   * want already, `skipped` for any other `skip` or `note` of the decision order.
   */
  readonly aside: (deviceId: string) => 'converged' | 'skipped' | undefined;
}

/**
 * A tally in its place. `catchUp`: first attempted when its wave was closed, whose numbers it does
 * not touch any more; stop rules count it as a wave of its own.
 */
export interface AssignedTally extends DeviceTally {
  readonly wave: number;
  readonly lane: 'wave' | 'catchUp';
}

/** The numbers of one wave (semantics C4). Nobody is counted who was first attempted after it was closed. */
export interface WaveProgress {
  /** Devices of the base in this wave. */
  readonly devices: number;
  /** Those that were or may be attempted; a latecomer once it was. */
  readonly eligible: number;
  readonly attempted: number;
  readonly verified: number;
  readonly running: number;
  readonly bad: Readonly<Record<BadOutcome, number>>;
  /** Neutral: in no numerator and no denominator. */
  readonly converged: number;
  readonly skipped: number;
  /** No longer governed and never attempted. */
  readonly left: number;
  readonly lastAttemptAt?: Instant;
  /** Of the base alone: when the last of its devices was verified, or touched after that. */
  readonly soaksSince?: Instant;
  /** Of the base alone: what the gate looks at. */
  readonly gated: readonly string[];
}

/** How far a rollout is, as the ledger and the plan show it. */
export interface RolloutProgress {
  /** One for each wave. */
  readonly waves: readonly WaveProgress[];
  /** One for each device that was attempted. */
  readonly tallies: readonly AssignedTally[];
  /** Since when a wave is recorded as closed; undefined while it is not. */
  readonly passedAt: (wave: number) => Instant | undefined;
}

/**
 * Counts how far a rollout is. Counters are keyed by device, task and rollout, and all come from the
 * ledger: leaving and returning resets nothing, an outcome that is corrected corrects its number, a
 * new want begins with nothing.
 */
export function countProgress(input: ProgressInput): RolloutProgress {
  const { assignment, spec, started } = input;
  const passedAt = closings(input);
  const tallied = started && { ...input, started, timeouts: spec.timeouts };
  const waves = spec.waves.map(emptyProgress);
  const tallies: AssignedTally[] = [];
  const enter = (device: string, assigned: Pick<WaveAssignment, 'wave' | 'isLate'>): void => {
    const tally = tallied && assignedTally(device, assigned.wave, { tallied, passedAt });
    if (tally) tallies.push(tally);
    const progress = waves[assigned.wave];
    if (!progress || tally?.lane === 'catchUp') return;
    if (tally) enterTally(progress, tally, assigned);
    if (!assigned.isLate) enterDevice(progress, asideOf(device, input), tally);
  };
  for (const [wave, devices] of assignment.waves.entries())
    for (const device of devices) enter(device, { wave, isLate: false });
  for (const device of lateJoinersOf(input)) enter(device, assignment.assignmentOf(device));
  return { waves, tallies, passedAt };
}

function closings({ policy, spec, started, memory }: ProgressInput): RolloutProgress['passedAt'] {
  if (started === undefined) return () => undefined;
  const key = rolloutKey(policy, started);
  const times = spec.waves.map(
    ({ name }) => sightingOf(memory, 'wavePassed', memberSubject(key, name))?.firstAt,
  );
  return (wave) => times[wave];
}

/** Whoever is not in the base: members, and those that came and went. */
function lateJoinersOf({ assignment, started }: ProgressInput): ReadonlySet<string> {
  const devices = new Set(assignment.lateJoiners);
  if (started === undefined || started.devices.size === started.base.length) return devices;
  const base = new Set(started.base);
  for (const device of started.devices) if (!base.has(device)) devices.add(device);
  return devices;
}

/** Every device of the fleet is asked for, at every attempt: nothing is copied for each of them. */
function assignedTally(
  device: string,
  wave: number,
  {
    tallied,
    passedAt,
  }: {
    readonly tallied: TallyInput & Pick<ProgressInput, 'assignment'>;
    readonly passedAt: RolloutProgress['passedAt'];
  },
): AssignedTally | undefined {
  const tally = tallyOf(device, tallied);
  if (tally === undefined) return undefined;
  const model = tally.model ?? tallied.assignment.memberOf(device)?.model;
  const closedAt = passedAt(wave);
  const isCatchUp = closedAt !== undefined && tally.firstAttemptAt > closedAt;
  const lane = isCatchUp ? 'catchUp' : 'wave';
  return { ...tally, wave, lane, ...(model !== undefined && { model }) };
}

function asideOf(device: string, { assignment, aside }: ProgressInput) {
  return assignment.memberOf(device) === undefined ? 'left' : aside(device);
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenProgress = Mutable<Omit<WaveProgress, 'bad' | 'gated'>> & {
  readonly bad: Record<BadOutcome, number>;
  readonly gated: string[];
};

function emptyProgress(): OpenProgress {
  const bad = { failed: 0, rolledBack: 0, aborted: 0, unverified: 0, timedOut: 0, inDoubt: 0 };
  const none = { devices: 0, eligible: 0, attempted: 0, verified: 0, running: 0 };
  return { ...none, bad, converged: 0, skipped: 0, left: 0, gated: [] };
}

function enterTally(
  progress: OpenProgress,
  tally: DeviceTally,
  { isLate }: Pick<WaveAssignment, 'isLate'>,
): void {
  const { outcome } = tally;
  progress.attempted++;
  if (isLate) progress.eligible++;
  if (tally.isRunning) progress.running++;
  if (outcome === 'verified') progress.verified++;
  else if (outcome !== 'underway') progress.bad[outcome]++;
  progress.lastAttemptAt = Math.max(progress.lastAttemptAt ?? 0, tally.lastAttemptAt);
  if (outcome !== 'verified' || isLate) return;
  progress.gated.push(tally.device);
  progress.soaksSince = Math.max(progress.soaksSince ?? 0, tally.since, tally.touchedAt ?? 0);
}

/** What was attempted is eligible whatever it is now; of the rest, what nothing sets aside. */
function enterDevice(
  progress: OpenProgress,
  aside: 'converged' | 'skipped' | 'left' | undefined,
  tally: DeviceTally | undefined,
): void {
  progress.devices++;
  if (tally !== undefined || aside === undefined) progress.eligible++;
  else progress[aside]++;
}
