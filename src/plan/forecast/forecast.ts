import { type Change, changeId, type Changes } from '../../model/plan/change.ts';
import { rowsIn } from '../../model/plan/change-rows.ts';
import { findColumn, isOurs } from '../../model/plan/actor.ts';
import type { PlanDates } from '../../model/plan/plan.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { afterOf, type Policy } from '../../model/documents/policy.ts';
import { getOrAdd } from '../../lib/maps.ts';
import { TASK_OF, TASKS, type TaskType } from '../../model/fleet/task.ts';
import { HORIZON } from '../../calendar/calendar.ts';
import { GAP, isDisruptive } from '../../rollout/budgets/down.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import type { Before } from '../../rollout/progress/predecessor.ts';
import { sitesIn } from '../admit/admit.ts';
import { onboardingsPerDay, restartsPerSite, type Capped } from '../admit/caps.ts';
import { knownSites, type Tracked } from '../decide/decision-input.ts';
import type { Course } from '../input.ts';
import { CREDENTIAL_GAP } from '../decide/rotations.ts';
import { findCauses, reasonBehind } from './causes.ts';
import { runCourse, type Awaited, type CourseLimits, type Placed, type Runner } from './course.ts';
import { listDates } from './dates.ts';
import type { Job, Limits } from './job.ts';
import { openSending } from './sending.ts';
import { openStages } from './stages.ts';

/** What a forecast is made of: the decisions of a plan, and what their courses depend on. */
export interface ForecastInput {
  readonly input: Tracked;
  readonly changes: Changes;
  /** The places of these changes. */
  readonly order: Uint32Array;
  /** By the place of their change. */
  readonly jobs: readonly (Job | undefined)[];
  readonly followed: ReadonlyMap<string, Followed>;
  /** Policies of which something is not read yet. */
  readonly unread: ReadonlySet<string>;
}

/** The end of a change, as the forecast has it; Infinity where no window lets it start. */
export interface Ended {
  readonly device: string;
  readonly wave: string;
  readonly end: Instant;
  readonly limits: Limits;
}

/** When the changes of a plan start and end. */
export interface Forecast {
  /** One row for each policy with changes, in the order of the plan. */
  readonly dates: readonly PlanDates[];
  /** When a wave opens that is not open now; undefined where nothing but a person opens it. */
  readonly opensAt: (policy: string, wave: string) => Instant | undefined;
  /** Changes that wait for others that only a person lets go on: the place of each, with the reason. */
  readonly stuck: () => Iterable<readonly [number, Reason]>;
  /** When the task of a device starts and ends; undefined where time does not, or not all of its policy is read. */
  readonly courseOf: (task: TaskType, deviceId: string) => Course | undefined;
  /** Each change that time starts, with its course. */
  readonly runners: readonly Runner[];
  /** The same courses, if each task takes all the time that it may. */
  readonly atWorst: () => readonly Runner[];
  /** The ends that limits are compared with; changes that await an approval count as approved now. */
  readonly ended: readonly Ended[];
}

/**
 * The forecast of a plan (semantics N86): when each policy starts and ends, or what keeps it from that. The only place
 * that says such dates: tables, timeline, warnings and hints take them from here.
 */
export function forecast(parts: ForecastInput): Forecast {
  const changes = placeChanges(parts.changes, parts.order);
  const { freezes } = parts.input.documents;
  const timed = changes.filter(isTimed);
  const { runners, stages, whyStuck } = runThrough(timed, parts);
  const causes = findCauses(runners, changes, { whyStuck, stages, input: parts.input });
  const asked = changes.filter(({ like }) => like.reason.code === 'awaitsApproval');
  const ifApproved = asked.length > 0 ? runThrough([...timed, ...asked], parts).runners : runners;
  return {
    runners,
    courseOf: (task, deviceId) =>
      runners.find(
        (each) =>
          each.deviceId === deviceId && each.task === task && !parts.unread.has(each.like.policy),
      ),
    atWorst: () => runThrough(timed, parts, 'takesAtMost').runners,
    dates: listDates({ changes, runners, causes, freezes, unread: parts.unread }),
    opensAt: (policy, wave) => {
      const known = stages.get(policy);
      return known?.opensAt(known.names.indexOf(wave));
    },
    *stuck() {
      for (const runner of runners) {
        const reason = reasonBehind(runner, causes.get(runner.index));
        if (reason) yield [runner.index, reason];
      }
    },
    ended: ifApproved.flatMap(({ deviceId: device, like, job: { limits }, endedAt: end }) =>
      limits && end !== undefined ? [{ device, wave: like.wave ?? '', end, limits }] : [],
    ),
  };
}

/** @param order the places of these changes */
function placeChanges(changes: Changes, order: Uint32Array): readonly Placed[] {
  const kinds: Pick<Placed, 'column'>[] = [];
  return Array.from(rowsIn(changes), (change, place) => {
    const { like } = change;
    const { column } = (kinds[change.kind] ??= { column: findColumn(like) });
    return { index: order[place] ?? 0, change, like, column };
  });
}

/** Runs these changes through their courses. */
function runThrough(
  placed: readonly Placed[],
  parts: ForecastInput,
  time: 'takes' | 'takesAtMost' = 'takes',
) {
  const { followed, input, jobs } = parts;
  const stages = new Map(
    [...followed].map(([policy, each]) => [policy, openStages(each, input.now)] as const),
  );
  const limits = limitsOf(parts);
  const { rowOf } = input.snapshot.devices;
  // The task of a device that shows its target has no change, and ends with the next look at it.
  const ended = new Set<string>();
  for (const { device: deviceId, task, policy: address, phase } of input.memory.open()) {
    const rollout = followed.get(address);
    if (phase === 'inDoubt' || rollout?.input.aside(deviceId) !== 'converged') continue;
    ended.add(changeId(task, deviceId));
    limits.tracker.release({ deviceId, policy: { address }, disruptive: isDisruptive(task) });
    const tally = rollout.progress.tallies.find(({ device }) => device === deviceId);
    if (tally?.isRunning === true && tally.lane === 'wave')
      stages.get(address)?.end({ ...tally, left: 0 }, input.now);
  }
  const awaitsOf = findAwaited(parts, ended);
  const runners = placed.flatMap((each, rank): readonly Runner[] => {
    const job = jobs[each.index];
    if (!job) return [];
    const { index, change, like, column } = each;
    const { deviceId } = change;
    const row = rowOf(deviceId);
    const { wave, isLate, passesWaves } = placeInWaves(deviceId, like, followed.get(like.policy));
    const { task, policy, rollout, disruptive } = job.request;
    const runner: Runner = {
      index,
      rank,
      change,
      like,
      column,
      task,
      policy,
      rollout,
      disruptive,
      deviceId,
      row,
      job,
      awaits: awaitsOf(policy, row),
      takes: job[time],
      stages: stages.get(like.policy),
      wave,
      isLate,
      passesWaves,
      from: earliest(each, input.now, job),
      left: job.steps,
      runningSince: isOurs(like) ? change.since : undefined,
      startedAt: undefined,
      endedAt: undefined,
      frozen: job.moved.length > 0 ? job.moved : undefined,
      lane: undefined,
    };
    return [runner];
  });
  return { runners, stages, whyStuck: runCourse(runners, limits) };
}

/** Whether time starts or ends a change, as far as its own reason says. */
function isTimed({ column, like }: Placed): boolean {
  return (
    (column === 'now' || column === 'later' || column === 'running') &&
    like.reason.code !== 'inDoubt'
  );
}

/** The devices that come before a change and are not done; changes that wait for the same share them (semantics K28). */
function findAwaited({ input }: ForecastInput, ended: ReadonlySet<string>) {
  const { predecessors, snapshot } = input;
  const known = new Map<Before, Awaited>();
  return (policy: Policy, row: number | undefined): readonly Awaited[] =>
    afterOf(policy).flatMap((after) => {
      if (!predecessors || row === undefined) return [];
      const before = predecessors.of(after, knownSites(snapshot.devices.at(row)));
      return getOrAdd(known, before, () => {
        const holds = before.holds.filter(({ id }) => !ended.has(changeId(TASK_OF.firmware, id)));
        return { after, devices: new Map(holds.map(({ id, reason }) => [id, reason])) };
      });
    });
}

/**
 * The wave of a change, whether it counts for the base of its rollout, and whether it passes earlier waves. A rollout
 * that has not begun begins with those whose own day comes first (semantics R12): the others follow it, days apart.
 */
function placeInWaves(
  deviceId: string,
  { reason }: Change,
  rollout: Followed | undefined,
): Pick<Runner, 'wave' | 'isLate' | 'passesWaves'> {
  if (!rollout) return { wave: 0, isLate: false, passesWaves: false };
  const { wave, isLate } = rollout.assignment.assignmentOf(deviceId);
  return {
    wave,
    isLate: isLate || rollout.input.aside(deviceId) !== undefined,
    passesWaves:
      reason.code === 'act'
        ? rollout.refuses(deviceId) === undefined
        : reason.why === 'spread' && rollout.started === undefined,
  };
}

/** Reasons that end when others of the plan have ended. */
const BEHIND_OTHERS: ReadonlySet<Reason['code']> = new Set([
  'act',
  'apiBudget',
  'approvalPending',
  'awaitsApproval',
  'budgetExhausted',
  'gatePending',
  'orderPending',
  'waveNotOpen',
]);

/** Reasons that end when its hours let a change start, unless a day of its own is later. */
const BY_HOURS = new Set<Reason['code']>(['frozen', 'frozenHard', 'pastCutoff', 'windowClosed']);

/** The earliest start of a change by its reason; Infinity where it has none and no other change brings it. */
function earliest({ change, like: { action, reason } }: Placed, now: Instant, job: Job): Instant {
  const { code, why } = reason;
  const { next, since = now } = change;
  if (action === 'run') return now;
  if (job.isDown) return Infinity;
  const opens = job.hours.find(({ lastStart }) => lastStart > now)?.open ?? Infinity;
  if (BY_HOURS.has(code) && Number(next) <= opens) return now;
  if (typeof next === 'number') return Math.max(now, next);
  const { policy } = job.request;
  // An apply that sees the version begins its deferral.
  if (why === 'deferral' && policy.section === 'firmware') return now + policy.deferral;
  if (why === 'ours') return Math.max(now, since + job.takes) + GAP;
  return BEHIND_OTHERS.has(code) || why === 'firstDay' ? now : Infinity;
}

function limitsOf({ input, followed }: ForecastInput): CourseLimits {
  const { now } = input;
  const { pollEvery, requestsPerSecond } = input.documents.service.value.pace;
  const moment = { ...input, now, sitesOf: sitesIn(input) };
  const caps = [onboardingsPerDay(moment), restartsPerSite(moment)];
  const capsOf = ({ policy: { section } }: Runner) =>
    section === 'onboarding' || section === 'restarts' ? caps : [];
  const toCapped = ({ policy, deviceId }: Runner): Capped => {
    return { policy: policy.address, device: { id: deviceId } };
  };
  return {
    tracker: input.openTracker(),
    now,
    until: now + HORIZON,
    sending: openSending(input),
    readingBack: 1_000 / requestsPerSecond,
    pollEvery,
    capped(runner, at) {
      moment.now = at;
      for (const cap of capsOf(runner)) {
        const reason = cap.refuses(toCapped(runner));
        if (reason) return reason.next ?? 'never';
      }
      return undefined;
    },
    started(runner, at) {
      moment.now = at;
      for (const cap of capsOf(runner)) cap.count(toCapped(runner));
    },
    restAfter(ended, other) {
      const { task, deviceId, policy, disruptive } = ended;
      const { credential } = TASKS[task];
      if (credential !== undefined && TASKS[other.task].credential !== undefined)
        return CREDENTIAL_GAP;
      const rollout = followed.get(policy.address);
      const wave = rollout?.assignment.assignmentOf(deviceId).wave ?? 0;
      const soak = policy.section === 'firmware' ? (rollout?.input.spec.waves[wave]?.soak ?? 0) : 0;
      return disruptive ? Math.max(GAP, soak) : soak;
    },
  };
}
