import type { BadOutcome, RolloutSpec } from '../../model/documents/rollout.ts';
import { changesBetween } from '../../model/ledger/memory-changes.ts';
import type { Memory, StartedRollout } from '../../model/ledger/memory.ts';
import type { ObservedKind } from '../../model/ledger/record.ts';
import { findSighting } from '../../model/ledger/sightings.ts';
import type { Instant } from '../../lib/time.ts';
import { mayBeRunning } from '../budgets/down.ts';
import { overdueAt } from './attempts.ts';
import { tallyDevice, waveSubject, type DeviceTally, type TallyInput } from './tally.ts';
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
 * Returns `countProgress` for one rollout with a cache, since apply counts several times for each attempt. Devices
 * that were never attempted are counted once for each assignment. One with an open intent is tallied at each call,
 * because its tally depends on the time; any other one is tallied again only when the ledger changes it.
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
    moveTo(roster, input.memory);
    const tallying = { ...input, started, timeouts: spec.timeouts, passedAt };
    for (const place of roster.touched) {
      const { until = -Infinity } = place;
      if (input.now >= until) tallyPlace(place, tallying);
      const { tally } = place;
      if (!tally) continue;
      tallies.push(tally);
      const progress = waves[place.wave];
      if (progress) enterAttempted(progress, tally, place);
    }
    return { waves, tallies, passedAt };
  };
}

/** A device of a rollout, how it counts before any attempt, and its tally. */
interface Place extends Pick<DeviceTally, 'device'>, WaveAssignment {
  /** Its position in the count. */
  readonly index: number;
  readonly counts: 'eligible' | 'converged' | 'skipped' | 'left';
  /** Undefined if the rollout has not attempted it. */
  tally: DeviceTally | undefined;
  /** Until when the tally is current, if the ledger has nothing more; undefined where it has no intents of the device. */
  until: Instant | undefined;
}

/** All devices of one assignment. */
interface Roster extends Pick<ProgressInput, 'assignment' | 'started'> {
  /** The progress of each wave if no device had been attempted. */
  readonly unattempted: readonly OpenProgress[];
  readonly places: ReadonlyMap<string, Place>;
  /** Those that the ledger has intents of, in the order of the count. */
  readonly touched: Place[];
  /** The ledger as it was counted last. */
  memory?: Memory;
}

function callRoster(input: ProgressInput): Roster {
  const { assignment, spec, started } = input;
  const unattempted = spec.waves.map(emptyProgress);
  const places = new Map<string, Place>();
  const enter = (
    device: string,
    { wave, isLate }: Pick<WaveAssignment, 'wave' | 'isLate'>,
  ): void => {
    const isLeft = !assignment.isMember(device);
    const counts = isLeft ? 'left' : (input.aside(device) ?? 'eligible');
    const index = places.size;
    places.set(device, { device, index, wave, isLate, counts, tally: undefined, until: undefined });
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
  return { assignment, started, unattempted, places, touched: [] };
}

/** The SEEN records that a tally reads besides intents. */
const TALLIED: ReadonlySet<ObservedKind> = new Set(['deviceDown', 'timedOut', 'wavePassed']);

/** What the ledger has since the last call is tallied again. */
function moveTo(roster: Roster, memory: Memory): void {
  const { places, touched, memory: last } = roster;
  roster.memory = memory;
  if (memory === last) return;
  const renew = (place: Place): void => {
    if (place.until === undefined) touched.push(place);
    place.until = -Infinity;
  };
  const { length } = touched;
  if (last === undefined) {
    for (const place of places.values())
      if (memory.intentsOf(place.device).length > 0) renew(place);
  } else {
    const { intents, sightings } = changesBetween(last, memory);
    intents.flatMap(({ device }) => places.get(device) ?? []).forEach(renew);
    if (sightings.some(({ what }) => TALLIED.has(what))) touched.forEach(renew);
  }
  if (length > 0 && touched.length > length) touched.sort((a, b) => a.index - b.index);
}

function tallyPlace(place: Place, input: TallyInput): void {
  const { memory, timeouts, now } = input;
  const intents = memory.intentsOf(place.device);
  const tally = tallyDevice(place, intents, input);
  const open = intents.filter(mayBeRunning);
  place.tally = tally;
  // A verified device with an open intent is being touched: since when, depends on the time.
  place.until =
    open.length > 0 && tally?.outcome === 'verified'
      ? now
      : Math.min(...open.map((intent) => overdueAt(intent, timeouts)));
}

function closings(input: ProgressInput): RolloutProgress['passedAt'] {
  const { spec, started, memory } = input;
  const times =
    started &&
    spec.waves.map((_, wave) =>
      findSighting(memory, 'wavePassed', waveSubject({ input, started }, wave)),
    );
  return (wave) => times?.[wave]?.firstAt;
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
