import type { BadOutcome, RolloutSpec } from '../../model/documents/rollout.ts';
import type { StartedRollout } from '../../model/ledger/memory.ts';
import { memberSubject, findSighting } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';
import { rolloutKey, type DeviceTally, type TallyInput } from './tally.ts';
import { openTallyBook, type Placed, type Tallied } from './tally-book.ts';
import type { Assignment, WaveAssignment } from '../waves/assignment.ts';

export interface ProgressInput extends Omit<TallyInput, 'started' | 'timeouts' | 'passedAt'> {
  readonly spec: Pick<RolloutSpec, 'waves' | 'timeouts'>;
  readonly assignment: Assignment;
  /** The running rollout of this target; undefined before its first attempt. */
  readonly started: StartedRollout | undefined;
  /**
   * Devices without an action, for a reason other than time: `converged` if they already show the
   * target, `skipped` for any other `skip` or `note` of the decision order.
   */
  readonly aside: (deviceId: string) => 'converged' | 'skipped' | undefined;
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
  /** At a verified intermediate version, with no attempt running. */
  readonly onTheWay: number;
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
  readonly tallies: readonly DeviceTally[];
  readonly passedAt: TallyInput['passedAt'];
}

export type CountProgress = (input: ProgressInput) => RolloutProgress;

/**
 * Counts the progress of a rollout. The counters are keyed by device, task and rollout and come
 * from the ledger: leaving and returning resets nothing, a corrected outcome corrects its number,
 * and a new target starts at zero.
 */
export const countProgress: CountProgress = (input) => openProgressBook()(input);

/**
 * Returns `countProgress` for one rollout with a cache. Most devices were never attempted: they are
 * counted once for each assignment, and each call counts only those that the ledger has intents of.
 */
export function openProgressBook(): CountProgress {
  let roster: Roster | undefined;
  return (input) => {
    const { assignment, spec, started } = input;
    const passedAt = closings(input);
    if (roster?.assignment !== assignment || roster.started !== started) roster = callRoster(input);
    const waves = roster.unattempted.map((counts) => {
      return { ...counts, bad: { ...counts.bad }, gated: [] };
    });
    const tallies: DeviceTally[] = [];
    if (started === undefined) return { waves, tallies, passedAt };
    const tallied = roster.tallies({ ...input, started, timeouts: spec.timeouts, passedAt });
    for (const { place, tally } of tallied) {
      if (!tally) continue;
      tallies.push(tally);
      const progress = waves[place.wave];
      if (progress) enterAttempted(progress, tally, place);
    }
    return { waves, tallies, passedAt };
  };
}

/** A device of a rollout, and how it counts before any attempt. */
interface Place extends Placed, Pick<WaveAssignment, 'wave' | 'isLate'> {
  readonly counts: 'eligible' | 'converged' | 'skipped' | 'left';
}

/** All devices of one assignment. */
interface Roster extends Pick<ProgressInput, 'assignment' | 'started'> {
  /** The progress of each wave if no device had been attempted. */
  readonly unattempted: readonly OpenProgress[];
  /** The devices that the ledger has intents of, in the order of the count. */
  tallies(input: TallyInput): readonly Tallied<Place>[];
}

function callRoster(input: ProgressInput): Roster {
  const { assignment, spec, started } = input;
  const unattempted = spec.waves.map(emptyProgress);
  const places = new Map<string, Place>();
  const enter = (
    device: string,
    { wave, isLate }: Pick<WaveAssignment, 'wave' | 'isLate'>,
  ): void => {
    const isLeft = input.assignment.memberOf(device) === undefined;
    const counts = isLeft ? 'left' : (input.aside(device) ?? 'eligible');
    places.set(device, { device, index: places.size, wave, isLate, counts });
    const progress = unattempted[wave];
    if (!progress || isLate) return;
    progress.devices += 1;
    progress[counts] += 1;
  };
  for (const [wave, devices] of assignment.waves.entries())
    for (const device of devices) enter(device, { wave, isLate: false });
  // Members outside the base, and devices that joined and left.
  for (const device of [...assignment.lateJoiners, ...(started?.devices ?? [])])
    if (!places.has(device)) enter(device, assignment.assignmentOf(device));
  return { assignment, started, unattempted, tallies: openTallyBook(places) };
}

function closings({
  policy,
  seed = policy,
  spec,
  started,
  memory,
}: ProgressInput): RolloutProgress['passedAt'] {
  if (started === undefined) return () => undefined;
  const key = rolloutKey({ policy, seed }, started);
  const times = spec.waves.map(
    ({ name }) => findSighting(memory, 'wavePassed', memberSubject(key, name))?.firstAt,
  );
  return (wave) => times[wave];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenProgress = Mutable<Omit<WaveProgress, 'bad' | 'gated'>> & {
  readonly bad: Record<BadOutcome, number>;
  readonly gated: string[];
};

function emptyProgress(): OpenProgress {
  const bad = { failed: 0, rolledBack: 0, aborted: 0, unverified: 0, timedOut: 0, inDoubt: 0 };
  const none = { devices: 0, eligible: 0, attempted: 0, verified: 0, running: 0, onTheWay: 0 };
  return { ...none, bad, converged: 0, skipped: 0, left: 0, gated: [] };
}

/** An attempted device is eligible in any case, unless it catches up with a wave that has passed. */
function enterAttempted(progress: OpenProgress, tally: DeviceTally, place: Place): void {
  const { isLate, counts } = place;
  const isCatchUp = tally.lane === 'catchUp';
  if (!isLate) progress[counts] -= 1;
  if (!isLate && isCatchUp) progress.devices -= 1;
  if (isCatchUp) return;
  progress.eligible += 1;
  const { outcome } = tally;
  progress.attempted++;
  if (tally.isRunning) progress.running++;
  if (outcome === 'verified') progress.verified++;
  else if (outcome !== 'underway') progress.bad[outcome]++;
  else if (!tally.isRunning) progress.onTheWay++;
  progress.lastAttemptAt = Math.max(progress.lastAttemptAt ?? 0, tally.lastAttemptAt);
  if (outcome !== 'verified' || isLate) return;
  progress.gated.push(tally.device);
  progress.soaksSince = Math.max(progress.soaksSince ?? 0, tally.since, tally.touchedAt ?? 0);
}
