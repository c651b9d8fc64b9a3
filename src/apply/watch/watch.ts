import { KINDS } from '../../kinds/index.ts';
import { WorldError } from '../../model/error.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import type { ServiceTask } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import { renames } from '../../plan/admit/batch.ts';
import { verify } from '../../kinds/verify.ts';
import { TASK_LOST } from '../../ledger/transitions.ts';
import { askOn, orMissed } from '../run/service-absence.ts';
import { attemptedOf, changeOf, say, settle, type Settlement } from './settlement.ts';
import { taskIdsOf } from './known-tasks.ts';
import { distrust, FOREIGN_DEVICES } from './foreign-tasks.ts';
import { deadlineOf, flightOf, inDoubt, running } from './flight.ts';
import { keepLease } from '../run/heartbeat.ts';
import { anomaly, dateOf, record, serviceNow, type Run } from '../run/run.ts';
import { recordLate } from './deadline.ts';
import { readBack } from './readback.ts';
import { timeoutsOf } from './timeouts.ts';
import { namesAnotherUser } from './task-owner.ts';
import { verifyLimitOf } from './verify-limit.ts';
import { failingStep, readTask, type DeviceState } from './task-state.ts';

/** Polls in a row without a task, and the time they must span, before it counts as lost. */
const ABSENCES = 3;
const ABSENCE_MS = 60_000;

export interface Polled {
  /** The service showed something after which no further attempt may be made. */
  readonly halt: boolean;
  /** Tasks that were answered for. */
  readonly answered: number;
  /** Why one was not, where one was not. */
  readonly missed?: WorldError;
}

/**
 * One poll of every accepted task that is not known to be over: all its pages, `status` and
 * `result` both checked, its devices held against the batch. What failed is settled; what succeeded
 * is left for `verifyEnded`. A bad answer about one task says nothing about the others; it is asked
 * for last next time, so that it keeps none of them waiting.
 */
export async function pollTasks(run: Run): Promise<Polled> {
  let halt = false;
  let missed: WorldError | undefined;
  const read = new Set<string>();
  const goesOn = askOn();
  for (const [taskId, intents] of tasksOf(run)) {
    const answer = await orMissed(run.service.task(taskId));
    const isBad = answer instanceof WorldError;
    for (const intent of intents) flightOf(run, intent).badAt = isBad ? run.clock.monotonic() : 0;
    await keepLease(run);
    const isHeard = goesOn(answer);
    if (answer instanceof WorldError) {
      missed ??= answer;
      if (!isHeard) break;
      continue;
    }
    const at = { seenAt: dateOf(run, answer), undated: answer.date === undefined };
    if (!answer.value) await absent(run, intents);
    else if (await shown(run, { task: answer.value, intents, ...at })) halt = true;
    read.add(taskId);
    run.answered = true;
    await keepLease(run);
  }
  await recordLate(run, read);
  return { halt, answered: read.size, ...(missed && { missed }) };
}

/**
 * Reads back what the service says has succeeded, until it shows on the device or its time is up
 * (protocol V1).
 */
export async function verifyEnded(run: Run): Promise<void> {
  const ended = running(run).filter((intent) => flightOf(run, intent).completedAt !== undefined);
  if (ended.length === 0) return;
  const read = await orMissed(readBack(run, ended));
  const seen: Awaited<ReturnType<typeof readBack>> = read instanceof WorldError ? new Map() : read;
  const settlements = ended.flatMap((intent): Settlement[] => {
    const { completedAt = 0, undated = false } = flightOf(run, intent);
    const observed = seen.get(intent.id);
    const verification = verify({
      kind: { ...KINDS[intent.task], verifyLimit: verifyLimitOf(run.documents, intent) },
      attempted: { ...attemptedOf(intent), completedAt, undated },
      ...(observed && { seen: observed }),
      now: serviceNow(run),
    });
    const by = { intent, by: 'verify' as const, seconds: secondsOf(intent, completedAt) };
    if (verification.is === 'pending') return [];
    if (verification.is === 'verified') return [{ ...by, ...verification, verdict: 'done' }];
    return [{ ...by, ...verification, verdict: 'unverified' }];
  });
  await settle(run, settlements);
  if (read instanceof WorldError) throw read;
}

/**
 * Tasks with devices whose work may still go on, those that were lost before among them; last those
 * that were answered for badly, of these first the one that was not asked for longest.
 */
function tasksOf(run: Run): readonly (readonly [string, readonly IntentState[]])[] {
  const tasks = new Map<string, IntentState[]>();
  for (const intent of [...running(run), ...inDoubt(run)]) {
    const { taskId } = intent;
    if (taskId === undefined || flightOf(run, intent).completedAt !== undefined) continue;
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), intent]);
  }
  const badAt = (intents: readonly IntentState[]) =>
    Math.max(...intents.map((intent) => flightOf(run, intent).badAt ?? 0));
  return [...tasks].sort(([, a], [, b]) => badAt(a) - badAt(b));
}

interface Shown {
  readonly task: ServiceTask;
  readonly intents: readonly IntentState[];
  readonly seenAt: Instant;
  /** The answer carried no time of the service. */
  readonly undated: boolean;
}

async function shown(run: Run, { task, intents, seenAt, undated }: Shown): Promise<boolean> {
  const { taskId } = task;
  const [only] = intents;
  const renamed = intents.length === 1 && only !== undefined && renames(only.task, run.dialect);
  const reading = readTask(renamed ? as(task, only.device) : task, {
    deviceIds: intents.map(({ device }) => device),
    isOurs: (id) =>
      run.journal.memory.intentsOf(id).some((intent) => taskIdsOf(intent).includes(taskId)),
  });
  const { completed } = reading;
  run.progress({ kind: 'polled', taskId, completed, total: task.total });
  await absent(
    run,
    intents.filter(({ device }) => reading.missing.includes(device)),
  );
  const failed: IntentState[] = [];
  for (const intent of intents) {
    const state = reading.states.get(intent.device);
    const took = state && (await tookPlace(run, { intent, state, seenAt, undated }));
    if (took === 'failed') failed.push(intent);
  }
  await settleFailed(run, { taskId, failed, reading: reading.states, seenAt });
  const isNews = reading.foreign.length > 0 && !run.anomalies.some((one) => one.includes(taskId));
  if (isNews) await distrust(run, FOREIGN_DEVICES, [taskId, ...reading.foreign]);
  const isAnothers = await namesAnotherUser(run, task, intents);
  return reading.foreign.length > 0 || isAnothers;
}

/**
 * The one device of a task under the id that we know it by, where the service may have given it
 * another.
 */
function as(task: ServiceTask, deviceId: string): ServiceTask {
  if (task.deviceTasks.length !== 1) return task;
  return { ...task, deviceTasks: task.deviceTasks.map((one) => ({ ...one, deviceId })) };
}

async function tookPlace(
  run: Run,
  {
    intent,
    state,
    seenAt,
    undated,
  }: Pick<Shown, 'seenAt' | 'undated'> & { intent: IntentState; state: DeviceState },
): Promise<'failed' | 'on'> {
  const flight = flightOf(run, intent);
  flight.absences = 0;
  if (intent.phase === 'inDoubt') await found(run, intent);
  if (state.is === 'running') flight.runningSince ??= run.clock.now();
  if (state.is !== 'ended') return 'on';
  if (state.result !== 'succeeded') return 'failed';
  const { onboardedId } = state.deviceTask;
  if (onboardedId !== undefined) flight.onboardedId = onboardedId;
  Object.assign(flight, { completedAt: seenAt, undated });
  flight.overdue = false;
  return 'on';
}

/** A task that was lost can be read again: its acceptance is known once more. */
async function found(run: Run, intent: IntentState): Promise<void> {
  const { attemptId, taskId = '' } = intent;
  const { doubtFrom: _, first: __, unchanged: ___, ...rest } = flightOf(run, intent);
  run.flights.set(intent.id, rest);
  await record(run, [{ type: 'RESULT', attemptId, outcome: 'accepted', row: 'P03', taskId }]);
}

interface Failed {
  readonly taskId: string;
  readonly failed: readonly IntentState[];
  readonly reading: ReadonlyMap<string, DeviceState>;
  readonly seenAt: Instant;
}

/** Failed device tasks are read once more with their steps, to say which step it was. */
async function settleFailed(run: Run, { taskId, failed, reading, seenAt }: Failed): Promise<void> {
  if (failed.length === 0) return;
  const { value } = await run.service.task(taskId, { steps: true }).catch(withoutSteps);
  const settlements = failed.flatMap((intent): Settlement[] => {
    const state = reading.get(intent.device);
    if (state?.is !== 'ended' || state.result === 'succeeded') return [];
    const detailed = value?.deviceTasks.find(
      ({ deviceTaskId }) => deviceTaskId === state.deviceTask.deviceTaskId,
    );
    const why = failingStep(detailed ?? state.deviceTask);
    return [
      {
        intent,
        verdict: state.result,
        by: 'verify',
        evidence: [],
        seconds: secondsOf(intent, seenAt),
        ...(why !== undefined && { why }),
      },
    ];
  });
  await settle(run, settlements);
}

/** Steps only explain: a failure is settled without them where they cannot be had. */
function withoutSteps(error: unknown): { readonly value: undefined } {
  if (error instanceof WorldError) return { value: undefined };
  throw error;
}

/**
 * A 404 may pass: the id of a new task can take a while to be known. What stays away is in doubt
 * from then on; a task past its deadline is new no longer, and no run stays to ask for it again.
 */
async function absent(run: Run, intents: readonly IntentState[]): Promise<void> {
  const now = run.clock.now();
  const lost = intents.filter((intent) => {
    const flight = flightOf(run, intent);
    flight.absences += 1;
    if (flight.absences === 1) flight.absentSince = now;
    const spanned = now - (flight.absentSince ?? now);
    const isLate = now > deadlineOf(intent, flight, timeoutsOf(run.documents, intent));
    const staysAway = flight.absences >= ABSENCES && spanned >= ABSENCE_MS;
    return intent.phase === 'running' && (isLate || staysAway);
  });
  if (lost.length === 0) return;
  await anomaly(
    run,
    TASK_LOST,
    lost.map(({ id }) => id),
  );
  for (const intent of lost) {
    const { id: intentId, taskId = '' } = intent;
    const said = { outcome: 'inDoubt' as const, reason: { code: 'inDoubt' as const } };
    say(run, changeOf(intent), { ...said, intentId, taskId, detail: TASK_LOST });
  }
}

function secondsOf(intent: IntentState, endedAt: Instant): number {
  return Math.max(0, Math.round((endedAt - intent.attemptedAt) / 1_000));
}
