import type { Dialect } from '../model/dialect.ts';
import type { DeviceTask, TaskStep } from '../model/task.ts';
import {
  field,
  idOf,
  instantOf,
  isRow,
  member,
  put,
  textOf,
  type Draft,
  type Row,
} from './fields.ts';
import type { Decoder } from './decode.ts';

/**
 * A decoder for the device tasks of one service task. A row that names another task, or no
 * device, is an unexpected shape: progress of foreign work must never count as ours. A status
 * that is absent is the empty text, which is never final.
 */
export function deviceTaskDecoder(taskId: string, dialect: Dialect): Decoder<DeviceTask> {
  const onboardedId = field(dialect.onboardedId === 'same' ? '' : dialect.onboardedIdField);
  const steps = field(dialect.stepsField);
  const stepOf = stepDecoder(dialect);
  return (row, fail) => {
    const parent = member(row, 'taskId');
    if (parent !== undefined && parent !== null && parent !== taskId) fail('taskId');
    const task: Draft<DeviceTask> = {
      deviceTaskId: idOf(member(row, 'deviceTaskId')) ?? '',
      deviceId: idOf(member(row, 'deviceId')) ?? fail('deviceId'),
      status: textOf(member(row, 'status')) ?? '',
      result: textOf(member(row, 'result')) ?? null,
    };
    put(task, 'currentStepStatus', textOf(member(row, 'currentStepStatus')));
    put(task, 'taskType', textOf(member(row, 'taskType')));
    put(task, 'createdAt', instantOf(member(row, 'createDate'), dialect.dateForm));
    put(task, 'onboardedId', idOf(onboardedId(row)));
    put(task, 'steps', stepsOf(steps(row), stepOf));
    return task;
  };
}

function stepsOf(value: unknown, stepOf: (row: Row) => TaskStep): readonly TaskStep[] | undefined {
  return Array.isArray(value) ? value.filter(isRow).map(stepOf) : undefined;
}

function stepDecoder(dialect: Dialect): (row: Row) => TaskStep {
  const name = field(dialect.stepNameField);
  const status = field(dialect.stepStatusField);
  const message = field(dialect.stepMessageField);
  return (row) => {
    const step: Draft<TaskStep> = {
      name: textOf(name(row)) ?? '',
      status: textOf(status(row)) ?? '',
    };
    put(step, 'message', textOf(message(row)));
    return step;
  };
}
