import type { DeviceTaskState, TaskState } from '../../../src/twin/world/state.ts';
import { OURS } from '../scene.ts';
import type { AttemptFile, CaseFile } from './case-file.ts';
import { onNothing } from './truth-rules.ts';

/** I1, from the twin's tasks joined with the ledger: called for each task as it appears. */
export function onTask(file: CaseFile, task: TaskState): void {
  if (task.userName !== OURS) return;
  const attempt = attemptFor(file, task);
  const devices = task.deviceTasks.map(({ deviceId }) => deviceId);
  if (!attempt)
    return file.violate('I2', `a task for ${devices.join(',')} that no ATTEMPT announces`);
  attempt.tasks.push(task);
  onNothing(file, attempt);
  for (const { id, device } of attempt.body.intents) {
    const intent = file.intents.get(id);
    const before = (intent?.attempts ?? []).filter((one) => one !== attempt);
    for (const { one, earlier } of before.flatMap(withTasks)) {
      const done = earlier.deviceTasks.find(({ deviceId }) => deviceId === device);
      if (done && !didNothing(file, done) && !isEcho(one, earlier, done))
        file.violate(
          'I1',
          `${task.type}/${device}: again while the task before is ${wordsOf(done)}`,
        );
    }
    inTruth(file, { task, device, attempt });
    if (intent?.standing === 'notDone' && intent.attemptId === attempt.body.attemptId)
      file.violate('I1', `${task.type}/${device}: begins, and was settled as not done`);
  }
}

function withTasks(one: AttemptFile): readonly { one: AttemptFile; earlier: TaskState }[] {
  return one.tasks.map((earlier) => ({ one, earlier }));
}

/**
 * The second task of a request that the service ran twice (R3), which it gave up because of the first: nobody was told
 * of it, and it did nothing.
 */
function isEcho({ tasks, result }: AttemptFile, task: TaskState, done: DeviceTaskState): boolean {
  const isUntold = tasks.length > 1 && result?.taskId !== undefined && result.taskId !== task.id;
  return isUntold && done.result === 'aborted';
}

/** The newest attempt for exactly these devices that has no task yet, or else any. */
function attemptFor(file: CaseFile, task: TaskState): AttemptFile | undefined {
  const devices = task.deviceTasks.map(({ deviceId }) => deviceId).join();
  const matching = [...file.attempts.values()].filter(
    ({ body, posts }) =>
      posts > 0 &&
      body.task === task.type &&
      body.intents.map(({ device }) => device).join() === devices,
  );
  return (
    runTwice(file, matching, task) ??
    matching.findLast(({ tasks }) => tasks.length === 0) ??
    matching.at(-1)
  );
}

/**
 * The attempt whose one request the service ran a second time (R3): both tasks appear at the same
 * instant, and no more of them than the fault struck. The second belongs to that attempt too, whatever
 * earlier one never had a task; that a process does not write twice is I3's to count.
 */
function runTwice(
  { scene, attempts }: CaseFile,
  matching: readonly AttemptFile[],
  task: TaskState,
): AttemptFile | undefined {
  const struck = scene.struck.get('acceptedTwice') ?? 0;
  const extra = [...attempts.values()].map(({ tasks }) => Math.max(0, tasks.length - 1));
  if (extra.reduce((sum, count) => sum + count, 0) >= struck) return undefined;
  return matching.find(({ tasks }) => tasks.some(({ createdAt }) => createdAt === task.createdAt));
}

interface Given {
  readonly task: TaskState;
  readonly device: string;
  /** A service that runs one request twice (R3) is not ours to answer for. */
  readonly attempt: AttemptFile;
}

/**
 * The same without intents: what a device was given before, and what became of it there. A firmware
 * that it got and still runs, a password or a restart that was just had: none is given again.
 */
function inTruth(file: CaseFile, given: Given): void {
  const { scene, violate } = file;
  const { task, device: deviceId, attempt } = given;
  const { world } = scene.twin;
  const payload = payloadOf(task, deviceId);
  const earlier = world.state.tasks.filter(
    (other) =>
      !attempt.tasks.includes(other) &&
      other.createdAt < task.createdAt &&
      other.type === task.type &&
      other.userName === OURS,
  );
  for (const other of earlier) {
    const done = other.deviceTasks.find((one) => one.deviceId === deviceId);
    if (!done || hasFailed(done) || payloadOf(other, deviceId) !== payload) continue;
    if (done.status !== 'completed' && !didNothing(file, done))
      violate('I1', `${task.type}/${deviceId}: two tasks of ours at once, in truth`);
    const isSoon = task.createdAt - other.createdAt < LEAST_APART[task.type];
    if (isSoon && done.result === 'succeeded')
      violate('I1', `${task.type}/${deviceId}: done ${task.createdAt - other.createdAt} ms before`);
  }
}

const HOUR = 3_600_000;

/** No reason to do the same again may come sooner; drift and commits may bring a rotation again. */
const LEAST_APART: Readonly<Record<TaskState['type'], number>> = {
  restartDevice: 6 * HOUR - 60_000,
  rotatePassword: HOUR / 2,
  rotateSslCertificate: HOUR / 2,
  upgradeFirmware: HOUR / 2,
  onboardDevice: HOUR / 2,
};

function hasFailed({ status, result }: DeviceTaskState): boolean {
  return status === 'completed' && result === 'failed';
}

/**
 * It did nothing: so it says. Where silence may settle a doubt (protocol Q4), a device that reads as before
 * long after its task is rightly taken as untouched: the task lies, was taken back, or is stuck for good.
 */
export function didNothing({ scene }: CaseFile, done: DeviceTaskState): boolean {
  if (hasFailed(done)) return true;
  const { status, result, mishap, steps = [], current } = done;
  const isUndone = result === 'rolledBack' || result === 'aborted' || mishap === 'liar';
  const isStuck = status === 'running' && steps[current]?.stuck === true;
  return scene.has.has('settlesNegative') && ((status === 'completed' && isUndone) || isStuck);
}

function payloadOf({ deviceTasks }: TaskState, deviceId: string): string {
  return JSON.stringify(deviceTasks.find((one) => one.deviceId === deviceId)?.payload ?? {});
}

function wordsOf({ status, result }: DeviceTaskState): string {
  return result === null ? status : result;
}
