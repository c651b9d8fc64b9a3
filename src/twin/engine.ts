import { EFFECTS, refused, type PlannedStep, type Program } from './effects/index.ts';
import { ROLL_BACK, inject } from './effects/outcome-injection.ts';
import { connectivityStatus, isReporting } from './world/connectivity.ts';
import type {
  DeviceState,
  DeviceTaskState,
  StepState,
  TaskState,
  Time,
  DeviceEffect,
} from './world/state.ts';
import type { World } from './world/world.ts';
import { createAccount, issueCertificate } from './fleet/device.ts';

/**
 * Runs everything due by `now`, in order of time: device tasks start, advance from step to step,
 * and end. Deterministic: events at the same time run in the order in which they were planned.
 */
export function advanceWorld(world: World, now: Time): void {
  const { state } = world;
  for (let next = state.events[0]; next && next.due <= now; next = state.events[0]) {
    state.events.shift();
    const task = world.task(next.taskId);
    const deviceTask = task?.deviceTasks.find(({ id }) => id === next?.deviceTaskId);
    if (task && deviceTask) proceed({ world, task, deviceTask, at: next.due });
  }
  state.at = Math.max(state.at, now);
}

/** Plans the start of every device task of a task: in a few seconds, plus `lateMs`. */
export function enqueue(world: World, task: TaskState, lateMs = 0): void {
  for (const deviceTask of task.deviceTasks) {
    const ms = world.random.between(1, 8) * 1000;
    schedule({ world, task, deviceTask, at: task.createdAt }, ms / world.timeScale + lateMs);
  }
}

interface Moment {
  readonly world: World;
  readonly task: TaskState;
  readonly deviceTask: DeviceTaskState;
  readonly at: Time;
}

function schedule({ world, task, deviceTask, at }: Moment, ms: number): void {
  const { state } = world;
  const due = at + Math.round(ms);
  const event = { due, sequence: state.nextSequence, taskId: task.id, deviceTaskId: deviceTask.id };
  state.nextSequence += 1;
  const before = state.events.findIndex((other) => other.due > due);
  state.events.splice(before < 0 ? state.events.length : before, 0, event);
}

function proceed(moment: Moment): void {
  if (moment.deviceTask.status === 'pending') begin(moment);
  else endStep(moment);
}

function begin(moment: Moment): void {
  const { world, task, deviceTask } = moment;
  const program = chooseProgram(moment);
  world.versions.keepDeviceTask(deviceTask, moment.at);
  deviceTask.status = 'running';
  deviceTask.fate = program.result;
  deviceTask.steps = program.steps.map((step) => toStepState(step, pace(moment, program)));
  world.state.busy[deviceTask.deviceId] ??= task.id;
  startStep(moment, 0);
}

/**
 * The program of the task's type, unless another task runs on the device or the device does not
 * answer.
 */
function chooseProgram({ world, task, deviceTask }: Moment): Program {
  const { deviceId, payload } = deviceTask;
  if (world.state.busy[deviceId] !== undefined) {
    return { ...refused('checkDevice', 'another task runs on the device'), result: 'aborted' };
  }
  const discovered = world.discovered(deviceId);
  const device = world.device(deviceId) ?? discovered?.device;
  if (device === undefined) return refused('checkDevice', 'the device is gone');
  // A restart reaches a silent device through its switch.
  if (task.type !== 'restartDevice' && connectivityStatus(device) === 'offline')
    return refused('checkDevice', 'the device does not answer');
  const { firmware, random } = world;
  const situation = { device, payload, firmware, random, ...(discovered && { discovered }) };
  return inject(EFFECTS[task.type](situation), deviceTask);
}

/** By what durations of steps are divided, so that the whole takes as long as the watch says. */
function pace({ world, task, deviceTask }: Moment, { steps, result }: Program): number {
  const seconds = steps.reduce((sum, step) => sum + step.seconds, 0);
  const { deviceModel } = deviceTask;
  const wanted =
    result === 'succeeded'
      ? world.watch.duration?.(task.type, deviceModel, world.random)
      : undefined;
  return wanted === undefined || wanted <= 0 || seconds === 0
    ? world.timeScale
    : (seconds * 1000) / wanted;
}

function toStepState(step: PlannedStep, timeScale: number): StepState {
  return {
    name: step.name,
    ms: (step.seconds * 1000) / timeScale,
    onStart: step.onStart ?? [],
    onEnd: step.onEnd ?? [],
    fails: step.fails ?? false,
    stuck: step.stuck ?? false,
    ...(step.message !== undefined && { message: step.message }),
    status: 'runPending',
  };
}

function startStep(moment: Moment, index: number): void {
  const { deviceTask, at } = moment;
  const step = deviceTask.steps[index];
  if (step === undefined) return complete(moment);
  deviceTask.current = index;
  step.status = 'runInProgress';
  step.startedAt = at;
  for (const change of step.onStart) applyChange(moment.world, deviceTask.deviceId, { change, at });
  if (!step.stuck) schedule(moment, step.ms);
}

function endStep(moment: Moment): void {
  const { deviceTask, at } = moment;
  const step = deviceTask.steps[deviceTask.current];
  if (step === undefined) return;
  for (const change of step.onEnd) applyChange(moment.world, deviceTask.deviceId, { change, at });
  step.status = step.fails ? 'runFailed' : 'runSucceeded';
  step.endedAt = at;
  startStep(moment, step.fails ? afterFailure(deviceTask) : deviceTask.current + 1);
}

/** The next step after a failure: only a rollback runs, the rest is skipped. */
function afterFailure({ steps, current }: DeviceTaskState): number {
  const rollBack = steps.findIndex(
    (step, index) => index > current && step.name === ROLL_BACK.name,
  );
  const next = rollBack < 0 ? steps.length : rollBack;
  for (const step of steps.slice(current + 1, next)) step.status = 'runSkipped';
  return next;
}

function complete({ world, task, deviceTask, at }: Moment): void {
  world.versions.keepDeviceTask(deviceTask, at);
  deviceTask.status = 'completed';
  deviceTask.result = deviceTask.fate;
  const { busy } = world.state;
  if (busy[deviceTask.deviceId] === task.id) delete busy[deviceTask.deviceId];
}

interface Occurrence {
  readonly change: DeviceEffect;
  readonly at: Time;
}

/** Applies an effect of a step to its device at that moment. */
function applyChange(world: World, deviceId: string, { change, at }: Occurrence): void {
  if (change.do === 'manage') return manage(world, deviceId, at);
  const device = world.device(deviceId);
  if (device === undefined) return;
  world.versions.keepDevice(device, at);
  switch (change.do) {
    case 'silence':
      if (isReporting(device)) device.lastSeen = Math.max(device.lastSeen, minute(world, at));
      device.silent = true;
      world.watch.onSilence?.(device, true, at);
      return;
    case 'return':
      device.silent = false;
      world.watch.onSilence?.(device, false, at);
      return;
    case 'unstick':
      if (device.condition === 'stuck') device.condition = 'well';
      return;
    case 'heal':
      device.condition = 'well';
      return;
    case 'firmware':
      device.firmwareVersion = change.version;
      return;
    case 'password':
      device.accounts = renewed(device, at);
      return;
    case 'certificate':
      device.ssl = issueCertificate(world.random, at);
      return;
  }
}

/** Turns the discovered device into a managed one, with its old ID or a new one. */
function manage(world: World, deviceId: string, at: Time): void {
  const found = world.discovered(deviceId);
  if (found === undefined) return;
  const { device } = found;
  world.removeDiscovered(deviceId);
  world.addDevice({
    ...device,
    id: world.onboardedId(deviceId),
    onboardedAt: at,
    lastSeen: minute(world, at),
    accounts: renewed(device, at),
    ...(device.ssl && { ssl: issueCertificate(world.random, at) }),
  });
}

function renewed(device: DeviceState, at: Time): DeviceState['accounts'] {
  return device.accounts.map(({ userName }) => createAccount(userName, at));
}

function minute(world: World, at: Time): Time {
  return Math.floor(at / world.refreshMs) * world.refreshMs;
}
