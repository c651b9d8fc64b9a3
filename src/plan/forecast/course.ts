import type { After } from '../../model/documents/values.ts';
import type { PlanColumn } from '../../model/plan/actor.ts';
import type { Change, ChangeRow } from '../../model/plan/change.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { FrozenSpan } from '../../calendar/calendar.ts';
import type { StartSpan } from '../../calendar/starts.ts';
import { MINUTE, type Instant, type Milliseconds } from '../../lib/time.ts';
import { numberPairs } from '../../lib/pair-numbers.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { groupBy } from '../../lib/group-by.ts';
import { addTo, getOrAdd } from '../../lib/maps.ts';
import type { BudgetRefusal, BudgetTracker } from '../../rollout/budgets/budget-tracker.ts';
import { GAP } from '../../rollout/budgets/down.ts';
import { frozenIn, type Job } from './job.ts';
import { ANY, isSet, openQueue, type Queued } from './queue.ts';
import type { InWave, Stages } from './stages.ts';

/** Devices that come before others and are not done, each with its reason; one that the forecast brings to its end goes. */
export interface Awaited {
  readonly after: After;
  readonly devices: Map<string, Reason>;
}

/** A change, and its place in the plan, without an object of its own. */
export interface Placed {
  /** The place of its draft. */
  readonly index: number;
  readonly change: ChangeRow;
  /** The first change of its kind: nothing of it differs but the device, and the instants of its reason. */
  readonly like: Change;
  readonly column: PlanColumn;
}

/** A change in the course of a forecast. */
export interface Runner extends InWave, Placed {
  readonly job: Job;
  /** Its place among all, which get capacity in this order. */
  readonly rank: number;
  /** The waves of its rollout; absent without one. */
  readonly stages?: Stages | undefined;
  /** The devices that have to be done before it starts, shared by all that wait for the same. */
  readonly awaits: readonly Awaited[];
  /** From the start of one of its tasks to the proof on the device. */
  readonly takes: Milliseconds;
  /** The earliest start; Infinity where nothing says when, as of a device that is down. */
  from: Instant;
  /** Since when a task of it runs now. */
  readonly runningSince: Instant | undefined;
  startedAt: Instant | undefined;
  endedAt: Instant | undefined;
  /** What freezes took from its hours while nothing else kept it; the last time where they did so twice. */
  frozen: readonly FrozenSpan[] | undefined;
  /** Where it waits, from the beginning of its course on. */
  lane: Lane | undefined;
}

/** What limits a course, beside hours and waves. */
export interface CourseLimits {
  readonly tracker: BudgetTracker;
  /** How long the requests of the next start take from an instant on, at the pace of the documents. */
  sending(job: Job, from: Instant): Milliseconds;
  /** How long it takes to read back one device. */
  readingBack: Milliseconds;
  pollEvery: Milliseconds;
  /** When a cap of its policy lets it start; undefined: now. */
  capped(runner: Runner, at: Instant): Instant | 'never' | undefined;
  started(runner: Runner, at: Instant): void;
  /** How long another change of its device rests after its end. */
  restAfter(ended: Runner, other: Runner): Milliseconds;
  readonly now: Instant;
  readonly until: Instant;
}

/** Why a change has not ended at the end of a course. */
export type Stuck =
  | { readonly is: 'own' | 'hours' | 'cap' }
  | { readonly is: 'budget'; readonly refusal: BudgetRefusal }
  | { readonly is: 'wave'; readonly wave: number }
  | { readonly is: 'order'; readonly awaits: Awaited };

/** Changes that meet the same limits, by their earliest start: the first decides for all, and has the rank of all. */
interface Lane extends Queued {
  readonly runners: Runner[];
  /** What may let them start when one of them has ended, beside their policy: what budgets know of each. */
  readonly place: readonly unknown[];
  readonly policy: string;
}

/** The least step; it is longer by this for each change, so that courses of many have no more steps than those of few. */
const STEP: Milliseconds = 10_000;
const FOR_EACH: Milliseconds = 3;

/**
 * Runs changes to their ends, as apply would start them: in the order of the plan, within windows, freezes, waves, soaks,
 * cool-downs, budgets and the pace of requests. Every task ends well, and what is down stays down.
 * @returns what keeps a change that has not ended
 */
export function runCourse(
  runners: readonly Runner[],
  limits: CourseLimits,
): (runner: Runner) => Stuck {
  const { tracker, now, until, pollEvery } = limits;
  const step = Math.max(STEP, runners.length * FOR_EACH);
  const lanes = openLanes(runners, tracker);
  const others = findOthers(runners);
  const byStages = groupBy(runners, ({ stages }) => stages);
  const rollouts = [...byStages.keys()].filter((stages) => stages !== undefined);
  const flying = new Map<Instant, Runner[]>();
  const openAt = openHours();
  const due = openQueue(lanes);
  const soaking = new Map<Stages, Runner[][]>();
  const watched = watchGated(rollouts);
  const arrived = watchAwaited(runners);
  let sendsAt = now;
  let pollsAt = now;
  let round: { readonly ended: readonly Runner[]; readonly at: Instant } | undefined;

  const besides = (runner: Runner): readonly Runner[] =>
    (others.get(runner) ?? []).filter(
      (other) => other !== runner && other.endedAt === undefined && other.from < Infinity,
    );
  const fly = (runner: Runner, from: Instant): void => {
    const ends = Math.round(Math.max(from, now) / step) * step;
    addTo(flying, ends, runner);
    for (const { stages, wave } of watched.get(runner.deviceId) ?? [])
      if (stages !== runner.stages) stages.touch(wave, ends);
    for (const other of besides(runner)) move(other, Math.max(other.from, ends + 2 * pollEvery));
  };
  /** The end of the round, or the first poll that sees one of them ended. */
  const nextRound = (): Instant => {
    if (round) return round.at;
    const late = Math.ceil((Math.min(...flying.keys()) - pollsAt) / pollEvery);
    return pollsAt + Math.max(0, late) * pollEvery;
  };
  /** A poll: what has ended by then is read back, device by device, before anything else is sent, and ends with the last. */
  const poll = (at: Instant): void => {
    const begins = Math.max(at, sendsAt);
    const ended: Runner[] = [];
    for (const [ends, each] of [...flying].sort(([a], [b]) => a - b))
      if (ends <= begins && flying.delete(ends)) ended.push(...each);
    sendsAt = begins + ended.length * limits.readingBack;
    round = { ended, at: sendsAt };
    pollsAt = sendsAt + pollEvery;
  };
  const move = (runner: Runner, from: Instant): void => {
    const { lane } = runner;
    const place = lane?.runners.indexOf(runner) ?? -1;
    if (!lane || place === -1) return;
    lane.runners.splice(place, 1);
    runner.from = from;
    enter(lane, runner);
    due.look(lane);
  };
  const start = (runner: Runner, at: Instant): void => {
    tracker.count(runner);
    limits.started(runner, at);
    runner.stages?.begin(runner);
    runner.startedAt ??= at;
    const from = Math.max(sendsAt, at);
    sendsAt = from + limits.sending(runner.job, from);
    if (flying.size === 0 && !round) pollsAt = Math.max(pollsAt, sendsAt + pollEvery);
    fly(runner, sendsAt + runner.takes);
  };
  const land = (runner: Runner, at: Instant): void => {
    tracker.release(runner);
    const { lane } = runner;
    runner.left -= 1;
    runner.stages?.end(runner, at);
    if (runner.left === 0) {
      const { stages, wave, isLate, policy, deviceId } = runner;
      // What people read are minutes.
      runner.endedAt = Math.ceil(at / MINUTE) * MINUTE;
      if (policy.section === 'firmware') due.free(arrived(deviceId));
      if (stages && !isLate && others.has(runner)) addTo(watched, deviceId, { stages, wave });
    } else if (lane) {
      runner.from = at + GAP;
      enter(lane, runner);
      due.look(lane);
    }
    for (const other of besides(runner))
      move(other, Math.max(other.from, at + limits.restAfter(runner, other)));
    soak(runner);
  };
  const landAll = (ended: readonly Runner[], at: Instant): void => {
    for (const lane of new Set(ended.map((runner) => runner.lane)))
      due.free(lane ? [lane.policy, ...lane.place] : []);
    for (const runner of ended) land(runner, at);
  };
  const landUntil = (at: Instant): void => {
    if (!round && nextRound() <= at) poll(at);
    if (!round || round.at > at) return;
    const { ended, at: ends } = round;
    round = undefined;
    landAll(ended, ends);
  };
  /** Nothing else starts on a device while the firmware of its wave soaks, since the last of it ended (semantics F1). */
  const soak = (ended: Runner): void => {
    const { stages, wave, policy } = ended;
    if (!stages || policy.section !== 'firmware') return;
    const until = stages.soaksUntil(wave);
    const waves = getOrAdd(soaking, stages, () => []);
    const beside = (waves[wave] ??= []);
    if (besides(ended).length > 0) beside.push(ended);
    if (until === undefined) return;
    for (const runner of beside)
      for (const other of besides(runner)) if (other.from < until) move(other, until);
  };
  /** Notes the freezes that alone keep changes of a lane until an instant. */
  const noteFreezes = (first: Runner, at: Instant, until: Instant): void => {
    const frozen = frozenIn(first.job.frozen, at, until);
    if (frozen.length === 0 || first.from > at || until === Infinity) return;
    const { stages, wave, isLate, passesWaves } = first;
    if (!isLate && !passesWaves) stages?.frozen.set(`${wave} ${until}`, { wave, until, frozen });
    for (const each of first.lane?.runners ?? []) if (each.from < until) each.frozen = frozen;
  };
  /** Starts what may start of a lane before its next; `stopped` where the pace of requests lets nothing more start now. */
  const startLane = (lane: Lane, at: Instant, next: number): 'done' | 'later' | 'stopped' => {
    for (let [first] = lane.runners; first; [first] = lane.runners) {
      lane.rank = first.rank;
      if (lane.rank > next) return 'later';
      const opens = mayStartAt(first, at, openAt);
      if (opens > at) noteFreezes(first, at, opens);
      const capped = opens > at ? opens : limits.capped(first, at);
      if (capped !== undefined) {
        const awaited = opens === Infinity ? (awaitedBy(first) ?? first.stages) : undefined;
        if (awaited) due.await(lane, awaited);
        else if (capped === 'never') due.await(lane, ANY);
        else due.wake(lane, Math.max(capped, at + 1));
        return 'done';
      }
      const full = tracker.fullIn(first);
      if (full !== undefined) {
        due.await(lane, full);
        return 'done';
      }
      if (sendsAt > at + step) return 'stopped';
      lane.runners.shift();
      start(first, at);
    }
    return 'done';
  };

  for (const runner of runners) {
    if (runner.runningSince === undefined) continue;
    const waits = runner.lane?.runners ?? [];
    waits.splice(waits.indexOf(runner), 1);
    runner.startedAt = runner.runningSince;
    fly(runner, runner.runningSince + runner.takes);
  }
  let at = now;
  while (at < until) {
    landUntil(at);
    let gate = Infinity;
    for (const stages of rollouts) {
      const before = stages.reached();
      gate = Math.min(
        gate,
        stages.open(at, (from) => {
          const jobs = [...new Set(byStages.get(stages)?.map(({ job }) => job))];
          const until = Math.min(...jobs.map((job) => hoursFrom(job, from, openAt)));
          const frozen = jobs.flatMap((job) => frozenIn(job.frozen, from, until));
          const wave = stages.reached();
          if (frozen.length > 0) stages.frozen.set(`${wave} ${until}`, { wave, until, frozen });
          return until;
        }),
      );
      if (stages.reached() > before) due.free([stages]);
    }
    due.free([ANY]);
    const areAllSent = due.each(at, (lane, before) => startLane(lane, at, before));
    const again = areAllSent ? due.next() : sendsAt;
    const next = Math.min(again, gate, nextRound());
    if (next === Infinity) break;
    at = Math.max(next, at + 1);
  }
  return (runner) => findStuck(runner, at, { openAt, tracker });
}

/** When a change may start by its own dates, its waves and its hours; Infinity: an end of others comes first. */
function mayStartAt(runner: Runner, at: Instant, openAt: OpenAt): Instant {
  const { from, stages, job } = runner;
  if (from > at) return from;
  if (awaitedBy(runner)) return Infinity;
  if (stages && stages.holding(runner) !== undefined) return Infinity;
  return hoursFrom(job, at, openAt);
}

/** The first instant from one on at which its hours let a job start. */
function hoursFrom({ free, hours }: Job, at: Instant, openAt: OpenAt): Instant {
  return free <= at ? at : Math.min(openAt(hours, at), free);
}

function findStuck(
  runner: Runner,
  at: Instant,
  { openAt, tracker }: { readonly openAt: OpenAt; readonly tracker: BudgetTracker },
): Stuck {
  if (runner.from === Infinity) return { is: 'own' };
  const awaits = awaitedBy(runner);
  if (awaits) return { is: 'order', awaits };
  const wave = runner.stages?.holding(runner);
  if (wave !== undefined) return { is: 'wave', wave };
  if (openAt(runner.job.hours, at) === Infinity) return { is: 'hours' };
  const refusal = tracker.refuses(runner);
  return refusal ? { is: 'budget', refusal } : { is: 'cap' };
}

type OpenAt = (hours: readonly StartSpan[], at: Instant) => Instant;

/** The first instant from `at` on at which hours are open; instants come in order. */
function openHours(): OpenAt {
  const places = new Map<readonly StartSpan[], number>();
  return (hours, at) => {
    let place = places.get(hours) ?? 0;
    while ((hours[place]?.lastStart ?? Infinity) <= at) place += 1;
    places.set(hours, place);
    return Math.max(at, hours[place]?.open ?? Infinity);
  };
}

function openLanes(runners: readonly Runner[], tracker: BudgetTracker): readonly Lane[] {
  const lanes = new Map<number, Lane>();
  const places = new Map<number, readonly unknown[]>();
  const numbers = new Map<unknown, number>();
  const pair = numberPairs();
  const join = (tuple: number, part: unknown): number => {
    const number = getOrAdd(numbers, part, () => numbers.size);
    return pair(tuple, number);
  };
  // All of one policy are in its stages.
  const numberOf = computeOnce(({ request, hours, free }: Job) =>
    [request.policy, hours, free].reduce(join, 0),
  );
  for (const runner of runners) {
    const { task, job, wave, isLate, passesWaves, awaits, policy, deviceId } = runner;
    // A device of a cap, or in a set of its own, meets limits of its own.
    const own = policy.section === 'restarts' && deviceId;
    const inWaves = 4 * wave + 2 * Number(isLate) + Number(passesWaves);
    const start = awaits.reduce(join, join(pair(numberOf(job), inWaves), own));
    let limits = 0;
    tracker.eachLimit(runner, (part) => (limits = join(limits, part)));
    const lane = getOrAdd(lanes, pair(start, limits), () => {
      const place = getOrAdd(places, limits, () => {
        const parts: unknown[] = [];
        tracker.eachLimit(runner, (part) => parts.push(part));
        return parts;
      });
      const variant = [task, own, ...place.filter((part) => !isSet(part))].reduce(join, 0);
      return { rank: runner.rank, runners: [], variant, place, policy: policy.address };
    });
    runner.lane = lane;
    lane.runners.push(runner);
  }
  for (const lane of lanes.values())
    lane.runners.sort((a, b) => a.from - b.from || a.rank - b.rank);
  return [...lanes.values()];
}

/** Enters a change before the first that may start later. */
function enter({ runners }: Lane, runner: Runner): void {
  const place = runners.findIndex(({ from }) => from > runner.from);
  runners.splice(place === -1 ? runners.length : place, 0, runner);
}

/** The first of what has to be done before a change that is not. */
function awaitedBy({ awaits }: Runner): Awaited | undefined {
  return awaits.find(({ devices }) => devices.size > 0);
}

/** Takes a device that is done from what others wait for, and returns what is complete by that. */
function watchAwaited(runners: readonly Runner[]): (deviceId: string) => readonly Awaited[] {
  const waiting = new Map<string, Awaited[]>();
  for (const awaited of new Set(runners.flatMap(({ awaits }) => awaits)))
    for (const id of awaited.devices.keys()) addTo(waiting, id, awaited);
  return (id) =>
    (waiting.get(id) ?? []).filter(({ devices }) => devices.delete(id) && devices.size === 0);
}

/** All changes of its device, by each change of a device that has several. */
function findOthers(runners: readonly Runner[]): ReadonlyMap<Runner, readonly Runner[]> {
  const devices = new Set<string>();
  const several = new Set<string>();
  for (const { deviceId } of runners) (devices.has(deviceId) ? several : devices).add(deviceId);
  const theirs = runners.filter(({ deviceId }) => several.has(deviceId));
  const byDevice = groupBy(theirs, ({ deviceId }) => deviceId);
  return new Map(theirs.map((runner) => [runner, byDevice.get(runner.deviceId) ?? []]));
}

interface Watched {
  readonly stages: Stages;
  readonly wave: number;
}

/** The waves that look at a device, by its ID. */
function watchGated(rollouts: Iterable<Stages>): Map<string, Watched[]> {
  const watched = new Map<string, Watched[]>();
  for (const stages of rollouts)
    for (const { wave, devices } of stages.gated)
      for (const id of devices) addTo(watched, id, { stages, wave });
  return watched;
}
