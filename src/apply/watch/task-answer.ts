import { WorldError } from '../../model/error.ts';
import type { IntentState } from '../../model/ledger/memory.ts';
import { AVAILABLE_TASKS, TASK_TYPES, type ServiceTask } from '../../model/fleet/task.ts';
import type { Instant } from '../../lib/time.ts';
import { TASK_LOST } from '../../ledger/transitions.ts';
import { renames } from '../../plan/admit/batch.ts';
import type { Health } from '../health.ts';
import { listTaskIds } from '../in-flight.ts';
import {
  FOREIGN_DEVICES,
  FOREIGN_TYPE,
  FOREIGN_USER,
  haltOnForeign,
  recordAnomaly,
} from '../outbox/anomaly.ts';
import { record } from '../outbox/outbox.ts';
import { intentChange } from '../outcomes.ts';
import { elapsedSeconds, settle, type Settlement, type Settling } from './settle.ts';
import {
  failingStep,
  readTask,
  tellProgress,
  type DeviceProgress,
  type TaskReading,
} from './task-state.ts';
import { completionDeadline } from './timeouts.ts';

/** Polls in a row without a task, and the time they must span, before it counts as lost. */
const ABSENCES = 3;
const ABSENCE_MS = 60_000;

/** The part of a run that polling tasks needs. */
export interface Watching extends Settling {
  readonly health: Health;
}

interface Shown {
  readonly task: ServiceTask;
  readonly intents: readonly IntentState[];
  readonly seenAt: Instant;
  /** The answer had no time of the service. */
  readonly undated: boolean;
}

/**
 * Records one answer about a task.
 * @returns whether no further attempt may be made
 */
export async function shown(
  run: Settling,
  { task, intents, seenAt, undated }: Shown,
): Promise<boolean> {
  const { taskId } = task;
  const [only] = intents;
  // The type that a device task reports, if it is a documented one and not that of the request:
  // its progress is not ours (protocol X11). A word that nothing documents says nothing.
  const sent = only?.task;
  const types = task.deviceTasks.map(({ taskType }) => taskType);
  const otherType = types.find((type) => type !== sent && DOCUMENTED_TYPES.includes(type ?? ''));
  if (otherType !== undefined) {
    for (const intent of intents) run.inFlight.of(intent).noteShown(true);
    await haltOnce(run, FOREIGN_TYPE, [taskId, otherType]);
    return true;
  }
  const renamed = intents.length === 1 && only !== undefined && renames(only.task, run.dialect);
  const reading = readTask(renamed ? as(task, only.device) : task, {
    deviceIds: intents.map(({ device }) => device),
    isOurs: (id) =>
      run.journal.memory.intentsOf(id).some((intent) => listTaskIds(intent).includes(taskId)),
  });
  tellProgress(run, reading);
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
  await settleFailed(run, failed, { task, states: reading.states, seenAt });
  if (reading.foreign.length > 0)
    await haltOnce(run, FOREIGN_DEVICES, [taskId, ...reading.foreign]);
  const isAnothers = await namesAnotherUser(run, task, intents);
  return reading.foreign.length > 0 || isAnothers;
}

/** The only device of a task under the ID in the ledger, where the service may have given it another. */
function as(task: ServiceTask, deviceId: string): ServiceTask {
  if (task.deviceTasks.length !== 1) return task;
  return { ...task, deviceTasks: task.deviceTasks.map((one) => ({ ...one, deviceId })) };
}

async function tookPlace(
  run: Settling,
  {
    intent,
    state,
    seenAt,
    undated,
  }: Pick<Shown, 'seenAt' | 'undated'> & { intent: IntentState; state: DeviceProgress },
): Promise<'failed' | 'on'> {
  const flight = run.inFlight.of(intent);
  flight.noteShown(state.is === 'unclear');
  if (intent.phase === 'inDoubt') await found(run, intent);
  if (state.is === 'running') flight.runningSince ??= run.clock.now();
  if (state.is !== 'ended') return 'on';
  run.inFlight.noteTook(intent);
  if (state.result !== 'succeeded') return 'failed';
  flight.complete({ completedAt: seenAt, undated }, state.deviceTask.onboardedId);
  return 'on';
}

/** A lost task can be read again, so its acceptance counts again. */
async function found(run: Settling, intent: IntentState): Promise<void> {
  const { attemptId, taskId = '' } = intent;
  run.inFlight.of(intent).endDoubt();
  await record(run, [{ type: 'RESULT', attemptId, outcome: 'accepted', row: 'P03', taskId }]);
}

/** Failed device tasks are read once more with their steps, to say which step it was. */
async function settleFailed(
  run: Settling,
  failed: readonly IntentState[],
  { task, states, seenAt }: Pick<Shown, 'task' | 'seenAt'> & Pick<TaskReading, 'states'>,
): Promise<void> {
  if (failed.length === 0) return;
  const { value } = await run.service.task(task.taskId, { steps: true }).catch(withoutSteps);
  const settlements = failed.flatMap((intent): Settlement[] => {
    const state = states.get(intent.device);
    if (state?.is !== 'ended' || state.result === 'succeeded') return [];
    const detailed = value?.deviceTasks.find(
      ({ deviceTaskId }) => deviceTaskId === state.deviceTask.deviceTaskId,
    );
    const why = failingStep(detailed ?? state.deviceTask);
    const seconds = elapsedSeconds(intent, seenAt);
    const closing = { verdict: state.result, seconds, ...(why !== undefined && { why }) };
    return [{ intent, by: 'verify', evidence: [], ...closing }];
  });
  await settle(run, settlements);
}

/** Steps only explain a failure. Without them, the failure is closed as well. */
function withoutSteps(error: unknown): { readonly value: undefined } {
  if (error instanceof WorldError) return { value: undefined };
  throw error;
}

/**
 * A 404 may be temporary, because the ID of a new task can take a while to appear. After enough of
 * them the task is in doubt. A task past its deadline is not new, and this run will not poll it
 * again, so one is enough.
 */
export async function absent(run: Settling, intents: readonly IntentState[]): Promise<void> {
  const now = run.clock.now();
  const lost = intents.filter((intent) => {
    const flight = run.inFlight.of(intent);
    const { absences, spanned } = flight.countAbsence(now);
    const isLate = now > completionDeadline(run.documents, intent, flight.runningSince);
    const staysAway = absences >= ABSENCES && spanned >= ABSENCE_MS;
    return intent.phase === 'running' && (isLate || staysAway);
  });
  if (lost.length === 0) return;
  await recordAnomaly(
    run,
    TASK_LOST,
    lost.map(({ id }) => id),
  );
  for (const intent of lost) {
    const { id: intentId, taskId = '' } = intent;
    const said = { outcome: 'inDoubt' as const, reason: { code: 'inDoubt' as const } };
    run.outcomes.end(intentChange(intent), { ...said, intentId, taskId, detail: TASK_LOST });
  }
}

/** The key of the user whose tasks this run sends; no task ID is empty. */
const OURS = '';

/**
 * Whether a task has another user than before, or than the other tasks that this run sent (protocol
 * X11). The service does not report this tool's own user, so tasks are compared with each other; an
 * earlier run may have had other credentials. Names are not recorded.
 */
async function namesAnotherUser(
  run: Settling,
  { taskId, userName }: Pick<ServiceTask, 'taskId' | 'userName'>,
  intents: readonly IntentState[],
): Promise<boolean> {
  if (userName === undefined) return false;
  const isOurs = intents.some(({ attemptId }) => attemptId.startsWith(`${run.journal.nonce}.`));
  const keys = isOurs ? [taskId, OURS] : [taskId];
  const isAnother = run.inFlight.isOtherUser(keys, userName);
  if (isAnother) await haltOnce(run, FOREIGN_USER, [taskId]);
  return isAnother;
}

const DOCUMENTED_TYPES: readonly string[] = [...TASK_TYPES, ...AVAILABLE_TASKS];

/** Every poll shows the same again; one record is enough. */
async function haltOnce(
  run: Settling,
  what: Parameters<typeof haltOnForeign>[1],
  ids: readonly string[],
): Promise<void> {
  if (!run.outcomes.hasAnomaly(what, ids)) await haltOnForeign(run, what, ids);
}
