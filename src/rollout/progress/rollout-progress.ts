import type { BadOutcome, RolloutSpec } from '../../model/documents/rollout.ts';
import type { StartedRollout } from '../../model/ledger/memory.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';
import { rolloutKey, tallyDevice, type DeviceTally, type TallyInput } from './tally.ts';
import type { TallyOf } from './tally-book.ts';
import type { Assignment, WaveAssignment } from '../waves/assignment.ts';

export interface ProgressInput extends Omit<TallyInput, 'started' | 'timeouts'> {
  readonly spec: Pick<RolloutSpec, 'waves' | 'timeouts'>;
  readonly assignment: Assignment;
  /** The running rollout of this target; undefined before its first attempt. */
  readonly started: StartedRollout | undefined;
  /**
   * Devices without an action, for a reason other than time: `converged` if they already show the
   * target, `skipped` for any other `skip` or `note` of the decision order.
   */
  readonly aside: (deviceId: string) => 'converged' | 'skipped' | undefined;
  /** Tallies a device; absent: `tallyDevice`. */
  readonly tally?: TallyOf;
}

/**
 * A tally with its wave. `catchUp`: first attempted after its wave passed, whose numbers it no
 * longer changes; stop rules count it as a wave of its own.
 */
export interface AssignedTally extends DeviceTally {
  readonly wave: number;
  readonly lane: 'wave' | 'catchUp';
}

/**
 * The numbers of one wave (semantics C4), without devices that were first attempted after the wave
 * passed.
 */
export interface WaveProgress {
  /** Devices of the base in this wave. */
  readonly devices: number;
  /** Devices that were or may be attempted; a late joiner counts after its attempt. */
  readonly eligible: number;
  readonly attempted: number;
  readonly verified: number;
  readonly running: number;
  readonly bad: Readonly<Record<BadOutcome, number>>;
  /** Neutral: part of no percentage. */
  readonly converged: number;
  readonly skipped: number;
  /** No longer governed and never attempted. */
  readonly left: number;
  readonly lastAttemptAt?: Instant;
  /** For devices of the base only: when the last one was verified, or touched after that. */
  readonly soaksSince?: Instant;
  /** Devices of the base that the gate checks. */
  readonly gated: readonly string[];
}

/** The progress of a rollout, from the ledger and the plan. */
export interface RolloutProgress {
  /** One entry for each wave. */
  readonly waves: readonly WaveProgress[];
  /** One entry for each device that was attempted. */
  readonly tallies: readonly AssignedTally[];
  /** When a wave was recorded as passed; undefined if it was not. */
  readonly passedAt: (wave: number) => Instant | undefined;
}

/**
 * Counts the progress of a rollout. The counters are keyed by device, task and rollout and come
 * from the ledger: leaving and returning resets nothing, a corrected outcome corrects its number,
 * and a new target starts at zero.
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
    if (!assigned.isLate) enterDevice(progress, asideOrLeft(device, input), tally);
  };
  for (const [wave, devices] of assignment.waves.entries())
    for (const device of devices) enter(device, { wave, isLate: false });
  for (const device of findLateJoiners(input)) enter(device, assignment.assignmentOf(device));
  return { waves, tallies, passedAt };
}

function closings({ policy, spec, started, memory }: ProgressInput): RolloutProgress['passedAt'] {
  if (started === undefined) return () => undefined;
  const key = rolloutKey(policy, started);
  const times = spec.waves.map(
    ({ name }) => findSighting(memory, 'wavePassed', memberSubject(key, name))?.firstAt,
  );
  return (wave) => times[wave];
}

/** Devices that are not in the base: members, and those that joined and left. */
function findLateJoiners({ assignment, started }: ProgressInput): ReadonlySet<string> {
  const devices = new Set(assignment.lateJoiners);
  if (started === undefined || started.devices.size === started.base.length) return devices;
  const base = new Set(started.base);
  for (const device of started.devices) if (!base.has(device)) devices.add(device);
  return devices;
}

/** This runs for every device at every attempt, so it copies nothing. */
function assignedTally(
  device: string,
  wave: number,
  {
    tallied,
    passedAt,
  }: {
    readonly tallied: TallyInput & Pick<ProgressInput, 'assignment' | 'tally'>;
    readonly passedAt: RolloutProgress['passedAt'];
  },
): AssignedTally | undefined {
  const tally = (tallied.tally ?? tallyDevice)(device, tallied);
  if (tally === undefined) return undefined;
  const closedAt = passedAt(wave);
  const known = ASSIGNED.get(tally);
  if (known?.assigned.wave === wave && known.closedAt === closedAt) return known.assigned;
  const model = tally.model ?? tallied.assignment.memberOf(device)?.model;
  const isCatchUp = closedAt !== undefined && tally.firstAttemptAt > closedAt;
  const lane = isCatchUp ? 'catchUp' : 'wave';
  const assigned: AssignedTally = { ...tally, wave, lane, ...(model !== undefined && { model }) };
  ASSIGNED.set(tally, { assigned, closedAt });
  return assigned;
}

/** The assigned tally that was made of a tally last: a book hands out the same one many times. */
const ASSIGNED = new WeakMap<
  DeviceTally,
  { readonly assigned: AssignedTally; readonly closedAt: Instant | undefined }
>();

function asideOrLeft(device: string, { assignment, aside }: ProgressInput) {
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

/** An attempted device is eligible in any case; any other, unless it is set aside. */
function enterDevice(
  progress: OpenProgress,
  aside: 'converged' | 'skipped' | 'left' | undefined,
  tally: DeviceTally | undefined,
): void {
  progress.devices++;
  if (tally !== undefined || aside === undefined) progress.eligible++;
  else progress[aside]++;
}
