import { findColumn } from '../../model/plan/actor.ts';
import type { Change } from '../../model/plan/change.ts';
import type { PlanDates } from '../../model/plan/plan.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { Instant } from '../../lib/time.ts';
import { TASKS } from '../../model/fleet/task.ts';
import { HORIZON } from '../../calendar/calendar.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { openBudgetTracker } from '../../rollout/budgets/budgets.ts';
import { GAP } from '../../rollout/budgets/down.ts';
import type { Followed } from '../../rollout/progress/followed.ts';
import { onboardingsPerDay, restartsPerSite } from '../admit/caps.ts';
import { readsBefore, requestsFor } from '../admit/batch.ts';
import type { ChangeColumns } from '../columns.ts';
import type { Prepared } from '../decide/decision-input.ts';
import { CREDENTIAL_GAP } from '../decide/rotations.ts';
import type { Ended } from '../findings/late.ts';
import { findCauses, reasonBehind, type Entry } from './causes.ts';
import { runCourse, type CourseLimits, type Runner } from './course.ts';
import { listDates } from './dates.ts';
import type { Job } from './job.ts';
import { openStages, type Stages } from './stages.ts';

/** What a forecast is made of: the decisions of a plan, and what their courses depend on. */
export interface ForecastInput {
  readonly input: Prepared & Pick<BudgetInput, 'members'>;
  readonly columns: ChangeColumns;
  /** The changes of the plan, in its order. */
  readonly order: Uint32Array;
  /** By the place of their change. */
  readonly jobs: ReadonlyMap<number, Job>;
  readonly followed: ReadonlyMap<string, Followed>;
  /** Policies of which something is not read yet. */
  readonly unread: ReadonlySet<string>;
}

/** When the changes of a plan start and end. */
export interface Forecast {
  /** One row for each policy with changes, in the order of the plan. */
  readonly dates: readonly PlanDates[];
  /** When a wave opens that is not open now; undefined where nothing but a person opens it. */
  readonly opensAt: (policy: string, wave: string) => Instant | undefined;
  /** Changes that wait for others that only a person lets go on, by their place, with the reason. */
  readonly stuck: ReadonlyMap<number, Reason>;
  /** Each change that time starts, with its course. */
  readonly entries: readonly Entry[];
  /** The same courses, if each task takes all the time that it may. */
  readonly atWorst: () => readonly Entry[];
  /** The ends that limits are compared with; changes that await an approval count as approved now. */
  readonly ended: readonly Ended[];
}

/**
 * The forecast of a plan (semantics N86): when each policy starts and ends, or what keeps it from that. The only place
 * that says such dates: tables, timeline, warnings and hints take them from here.
 */
export function forecast(parts: ForecastInput): Forecast {
  const { columns, order, unread } = parts;
  const placed = Array.from(order, (index) => ({ index, change: columns.at(index) }));
  const changes = placed.map(({ change }) => change);
  const { entries, stages, whyStuck } = runThrough(placed.filter(isTimed), parts);
  const causes = findCauses(entries, changes, { whyStuck, stages });
  const asked = placed.filter(({ change }) => change.reason.code === 'awaitsApproval');
  const ifApproved =
    asked.length > 0 ? runThrough([...placed.filter(isTimed), ...asked], parts).entries : entries;
  return {
    entries,
    atWorst: () => runThrough(placed.filter(isTimed), parts, 'takesAtMost').entries,
    dates: listDates({ changes, entries, causes, unread }),
    opensAt: (policy, wave) => {
      const known = stages.get(policy);
      return known?.opensAt(known.names.indexOf(wave));
    },
    stuck: new Map(
      entries.flatMap(({ change, runner: { index } }) => {
        const reason = reasonBehind(change, causes.get(index));
        return reason ? [[index, reason] as const] : [];
      }),
    ),
    ended: ifApproved.flatMap(({ change: { wave = '', device }, runner: { limits, endedAt } }) =>
      limits && endedAt !== undefined ? [{ device: device.id, wave, end: endedAt, limits }] : [],
    ),
  };
}

/** A change and its place in the plan. */
interface Placed {
  readonly index: number;
  readonly change: Change;
}

/** Runs these changes through their courses. */
function runThrough(
  placed: readonly Placed[],
  parts: ForecastInput,
  time: 'takes' | 'takesAtMost' = 'takes',
) {
  const { followed, input } = parts;
  const stages = new Map(
    [...followed].map(([policy, each]) => [policy, openStages(each, input.now)] as const),
  );
  const entries = placed.flatMap(entryIn(parts, stages, time));
  const runners = entries.map(({ runner }) => runner);
  return { entries, stages, whyStuck: runCourse(runners, limitsOf(entries, parts)) };
}

/** Whether time starts or ends a change, as far as its own reason says. */
function isTimed({ change }: Placed): boolean {
  const column = findColumn(change);
  return (
    (column === 'now' || column === 'later' || column === 'running') &&
    change.reason.code !== 'inDoubt'
  );
}

function entryIn(
  { input, jobs, followed }: ForecastInput,
  stages: ReadonlyMap<string, Stages>,
  time: 'takes' | 'takesAtMost',
) {
  return ({ index, change }: Placed): readonly Entry[] => {
    const job = jobs.get(index);
    if (!job) return [];
    const runner: Runner = {
      ...job,
      takes: job[time],
      index,
      stages: stages.get(change.policy),
      ...placeInWaves(change, followed.get(change.policy)),
      from: earliest(change, input.now, job),
      left: job.steps,
      runningSince: runsSince(change),
    };
    return [{ change, runner }];
  };
}

/** The wave of a change, whether it counts for the base of its rollout, and whether it passes earlier waves now. */
function placeInWaves(
  { device, reason }: Change,
  rollout: Followed | undefined,
): Pick<Runner, 'wave' | 'isLate' | 'passesWaves'> {
  if (!rollout) return { wave: 0, isLate: false, passesWaves: false };
  const { wave, isLate } = rollout.assignment.assignmentOf(device.id);
  return {
    wave,
    isLate: isLate || rollout.input.aside(device.id) !== undefined,
    passesWaves: reason.code === 'act' && rollout.refuses(device.id) === undefined,
  };
}

/** Since when its own task runs; undefined where none does. */
function runsSince({ task, reason: { why, params, since } }: Change): Instant | undefined {
  const isOwn = why === 'ours' && (params?.['task'] ?? task) === task;
  return isOwn ? since : undefined;
}

/** Reasons that end when others of the plan have ended. */
const BEHIND_OTHERS: ReadonlySet<Reason['code']> = new Set([
  'act',
  'apiBudget',
  'approvalPending',
  'awaitsApproval',
  'budgetExhausted',
  'gatePending',
  'waveNotOpen',
]);

/** The earliest start of a change by its reason; Infinity where it has none and no other change brings it. */
function earliest({ action, reason }: Change, now: Instant, job: Job): Instant {
  const { code, why, next, since = now } = reason;
  if (action === 'run') return now;
  if (job.isDown) return Infinity;
  if (typeof next === 'number') return Math.max(now, next);
  const { policy } = job.request;
  // An apply that sees the version begins its deferral.
  if (why === 'deferral' && policy.section === 'firmware') return now + policy.deferral;
  if (why === 'ours') return Math.max(now, since + job.takes) + GAP;
  return BEHIND_OTHERS.has(code) || why === 'firstDay' ? now : Infinity;
}

function limitsOf(entries: readonly Entry[], { input, followed }: ForecastInput): CourseLimits {
  const { documents, dialect, snapshot, now } = input;
  const { pace } = documents.service.value;
  const { devices, unfiltered } = snapshot;
  const reads = readsBefore({ dialect, devices: devices.length, unfiltered });
  const changes = new Map(entries.map(({ change, runner }) => [runner.index, change]));
  const changeOf = ({ index }: Runner): Change | undefined => changes.get(index);
  const sitesOf = (id: string): readonly string[] => {
    const row = devices.rowOf(id);
    return row === undefined ? [] : devices.at(row).sites.map((site) => site.id);
  };
  const moment = { ...input, now, sitesOf };
  const caps = [onboardingsPerDay(moment), restartsPerSite(moment)];
  return {
    tracker: openBudgetTracker(input),
    now,
    until: now + HORIZON,
    sending({ batch }) {
      return (requestsFor(batch, reads, pace) / batch + 1) * (1_000 / pace.requestsPerSecond);
    },
    capped(runner, at) {
      const change = changeOf(runner);
      moment.now = at;
      for (const cap of caps) {
        const reason = change && cap.refuses(change, 0);
        if (reason) return reason.next ?? 'never';
      }
      return undefined;
    },
    started(runner, at) {
      const change = changeOf(runner);
      moment.now = at;
      if (change) for (const cap of caps) cap.count?.(change);
    },
    restAfter(ended, other) {
      const { task, deviceId, policy } = ended.request;
      const { credential } = TASKS[task];
      if (credential !== undefined && TASKS[other.request.task].credential !== undefined)
        return CREDENTIAL_GAP;
      const rollout = followed.get(policy.address);
      const wave = rollout?.assignment.assignmentOf(deviceId).wave ?? 0;
      const soak = policy.section === 'firmware' ? (rollout?.input.spec.waves[wave]?.soak ?? 0) : 0;
      return ended.request.disruptive ? Math.max(GAP, soak) : soak;
    },
  };
}
