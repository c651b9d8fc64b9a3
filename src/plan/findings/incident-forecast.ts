import { groupBy } from '../../lib/group-by.ts';
import { findColumn, isChanging } from '../../model/plan/actor.ts';
import { isWanted, type Change, type DeviceLabel } from '../../model/plan/change.ts';
import type { IncidentPolicy, Policy } from '../../model/documents/policy.ts';
import { rolloutOrDefault } from '../../model/documents/rollout-defaults.ts';
import type { ReasonCode } from '../../model/plan/reason.ts';
import type { TaskType } from '../../model/fleet/task.ts';
import type { DeviceTable } from '../../model/fleet/snapshot.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { BudgetInput } from '../../rollout/budgets/budget-tracker.ts';
import { readsBefore, requestsFor } from '../admit/batch.ts';
import { findShutOut } from '../decide/shut-out.ts';
import type { PlannerInput } from '../input.ts';
import { listBudgets } from '../../rollout/budgets/budgets.ts';
import type { BudgetSet } from '../../rollout/budgets/division.ts';
import { leavesInService } from '../../rollout/budgets/in-service.ts';
import { allowedDown, allowedInHands, divide } from '../../rollout/budgets/sets.ts';

/** When an incident will be done. */
export interface IncidentForecast {
  /** Devices that can be done now. */
  readonly reachable: number;
  /** All that the plan lists of it: the reachable ones and the three that follow add up to it. */
  readonly left: number;
  /** The devices that are offline. */
  readonly offline: readonly DeviceLabel[];
  /** Those that wait for a budget that the devices before them do not free. */
  readonly waiting: number;
  /** Those that are held, or that a person has to look at. */
  readonly blocked: number;
  /** If tasks take as long as they usually do. */
  readonly end: Instant;
  /** If each takes all the time that it may. */
  readonly worst: Instant;
  readonly running: Milliseconds;
  /** Of the reachable devices, those that do not fit before `until`. */
  readonly late: number;
}

/** The time of a task where the ledger has none, and from its end to the proof on the device. */
const USUAL: Milliseconds = 180_000;
const VERIFYING: Milliseconds = 20_000;

/** Reads of the credential of one device: the last look, and the proof. */
const CREDENTIAL_READS = 2;

/**
 * Forecasts an incident (semantics N62): the devices that can start, at the rate that requests and
 * the devices in flight allow, after the trial. Undefined where nothing of it can start.
 */
export function forecastIncident(
  policy: IncidentPolicy,
  changes: Iterable<Change>,
  input: PlannerInput & Pick<BudgetInput, 'members'>,
): IncidentForecast | undefined {
  const { documents, snapshot, memory, now } = input;
  const { devices } = snapshot;
  const { address, task, incident } = policy;
  if (incident.until <= now) return undefined;
  const mine = [...changes].filter(
    (change) => change.policy === address && isChanging(findColumn(change)),
  );
  const groups = groupBy(mine, findObstacle(policy, input));
  const reachable = groups.get('none') ?? [];
  const rows = reachable.flatMap(({ device }) => devices.rowOf(device.id) ?? []);
  const spec = rolloutOrDefault(documents.rollouts, policy.rollout);
  const atOnce = Math.min(spec.maxInFlight, mostAtOnce(input, policy, rows));
  if (rows.length === 0 || atOnce === 0) return undefined;
  const { pace } = documents.service.value;
  const { requestsPerSecond, pollEvery } = pace;
  const before = readsBefore({ dialect: input.dialect, devices: devices.length });
  const requests = Math.max(
    CREDENTIAL_READS,
    requestsFor(spec.batch, before, pace) / spec.batch + 1,
  );
  const running = spec.timeouts.running[task];
  const [wave] = spec.waves;
  const first = Math.min(rows.length, wave?.slice.is === 'size' ? wave.slice.devices : 0);
  const sending = requestsFor(first, before, pace) * (1_000 / requestsPerSecond);
  const trial = { devices: first, requests: sending, name: wave?.name };
  const after = (each: Milliseconds) => {
    const whole = each + pollEvery + VERIFYING;
    const perMs = Math.min(requestsPerSecond / 1_000 / requests, atOnce / whole);
    return foretell(reachable, { now, until: incident.until, whole, perMs, trial });
  };
  const usual = after(usualTime(task, rows, memory, devices) ?? USUAL);
  return {
    reachable: rows.length,
    left: mine.length,
    offline: (groups.get('offline') ?? []).map(({ device }) => device),
    waiting: groups.get('budget')?.length ?? 0,
    blocked: groups.get('other')?.length ?? 0,
    end: toSeconds(usual.at),
    worst: toSeconds(after(running).at),
    running,
    late: usual.late,
  };
}

interface Course {
  readonly now: Instant;
  readonly until: Instant;
  /** From the start of a task to the proof on its device. */
  readonly whole: Milliseconds;
  /** Devices that are done in a millisecond, once the trial is verified. */
  readonly perMs: number;
  /** The first wave: its devices, and how long its requests take. */
  readonly trial: {
    readonly devices: number;
    readonly requests: Milliseconds;
    readonly name: string | undefined;
  };
}

/**
 * When all of these devices are done, and how many of them do not fit before the end of the incident: the
 * rest follows the trial, and whatever rests or is held until an instant follows that instant.
 */
function foretell(
  changes: readonly Change[],
  { now, until, whole, perMs, trial }: Course,
): { readonly at: Instant; readonly late: number } {
  const begins = beginOfTrial(changes, trial.name, now);
  const rest = { from: begins + trial.requests + whole, devices: changes.length - trial.devices };
  const queues = [rest, ...listResting(changes, now)];
  const late = queues.map(
    ({ from, devices }) => devices - Math.max(0, Math.floor((until - from) * perMs)),
  );
  const ends = queues.map(({ from, devices }) => from + devices / perMs);
  const last = Math.max(begins, ...changes.map((change) => findStart(change, now)));
  return { at: Math.max(last + whole, ...ends), late: Math.max(0, ...late) };
}

/** The earliest start of a change according to the plan. */
function findStart({ reason: { next } }: Change, now: Instant): Instant {
  return typeof next === 'number' ? Math.max(next, now) : now;
}

/** When the last device of the trial may start; without any left, the first of all. */
function beginOfTrial(
  changes: readonly Change[],
  trial: string | undefined,
  now: Instant,
): Instant {
  const starts = (some: readonly Change[]) => some.map((change) => findStart(change, now));
  const ofTrial = starts(changes.filter(({ wave }) => wave !== undefined && wave === trial));
  return ofTrial.length > 0 ? Math.max(...ofTrial) : Math.min(...starts(changes));
}

/** For each instant at which devices become free that rest or are held now: how many start then, or later. */
function listResting(
  changes: readonly Change[],
  now: Instant,
): readonly { readonly from: Instant; readonly devices: number }[] {
  const starts = changes.map((change) => findStart(change, now)).toSorted((a, b) => a - b);
  return starts.flatMap((from, index) =>
    from > now && from !== starts[index - 1] ? [{ from, devices: starts.length - index }] : [],
  );
}

type Obstacle = 'none' | 'offline' | 'budget' | 'other';

/** The obstacle that delays a device; `none` if it only waits for the devices before it. */
function findObstacle(
  policy: IncidentPolicy,
  input: PlannerInput & Pick<BudgetInput, 'members'>,
): (change: Change) => Obstacle {
  const isShutOut = findShutOut(policy, input);
  return (change) => {
    const { reason, device } = change;
    if (reason.code === 'offline') return 'offline';
    const isTimed = typeof reason.next === 'number';
    const isHeld = !isTimed && (HELD.has(reason.code) || reason.why === 'maintenanceMode');
    if (!isWanted(change) || isHeld) return 'other';
    if (reason.next === 'never' && reason.why !== 'emptyWave') return 'other';
    if (isShutOut(device.id)) return 'budget';
    return input.snapshot.devices.rowOf(device.id) === undefined ? 'other' : 'none';
  };
}

/** Reasons that a person has to end, unless they name the instant of their end. */
const HELD: ReadonlySet<ReasonCode> = new Set(['hold', 'frozenHard', 'unknown', 'rolloutPaused']);

/**
 * How long the task takes on a device of these rows, on average: the median of its settled attempts
 * on devices of the same model; of a model without any, the median of all; without any at all,
 * undefined.
 */
function usualTime(
  task: TaskType,
  rows: readonly number[],
  { intents }: Memory,
  devices: DeviceTable,
): Milliseconds | undefined {
  const all: number[] = [];
  const byModel = new Map<string, number[]>();
  for (const { task: done, seconds, device } of intents.values()) {
    if (done !== task || seconds === undefined) continue;
    all.push(seconds);
    const row = devices.rowOf(device);
    if (row === undefined) continue;
    const model = modelKey(devices, row);
    byModel.set(model, [...(byModel.get(model) ?? []), seconds]);
  }
  const overall = median(all);
  if (overall === undefined) return undefined;
  const times = new Map([...byModel].map(([model, each]) => [model, median(each) ?? overall]));
  const sum = rows.reduce(
    (total, row) => total + (times.get(modelKey(devices, row)) ?? overall),
    0,
  );
  return (sum / rows.length) * 1_000;
}

function modelKey(devices: DeviceTable, row: number): string {
  const { vendor = '', model = '' } = devices.at(row);
  return `${vendor} ${model}`;
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function toSeconds(at: Instant): Instant {
  return Math.ceil(at / 1_000) * 1_000;
}

/**
 * How many of these devices may be in flight at once by the budgets in force, if nothing else is
 * down or in flight: an upper bound for forecasts.
 */
function mostAtOnce(
  input: Pick<BudgetInput, 'documents' | 'snapshot' | 'members'>,
  policy: Policy,
  rows: readonly number[],
): number {
  let most = rows.length;
  const { devices } = input.snapshot;
  for (const { budget } of listBudgets(input.documents)) {
    const setsOf = divide(budget, input);
    const counts = new Map<BudgetSet, number>();
    let free = 0;
    for (const row of rows) {
      const [set] = setsOf(row);
      if (set) counts.set(set, (counts.get(set) ?? 0) + 1);
      else free += 1;
    }
    const example = rows[0] === undefined ? undefined : devices.at(rows[0]);
    const staysUp = example !== undefined && leavesInService(policy, example);
    let allowed = free;
    for (const [set, count] of counts) {
      const down =
        staysUp && set.members > 1 ? allowedInHands(budget, set) : allowedDown(budget, set);
      allowed += Math.min(count, down, budget.maxInFlight ?? Infinity);
    }
    most = Math.min(most, allowed);
  }
  return most;
}
