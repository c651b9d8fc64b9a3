import type { Dialect } from '../model/fleet/dialect.ts';
import type { DeviceTask, TaskStep } from '../model/fleet/task.ts';
import { instantOf } from './dates.ts';
import { field, idOf, isRow, known, member, put, textOf } from './fields.ts';
import type { Draft, Row } from './fields.ts';
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
      deviceTaskId: known(idOf(member(row, 'deviceTaskId'))) ?? '',
      deviceId: known(idOf(member(row, 'deviceId'))) ?? fail('deviceId'),
      status: known(textOf(member(row, 'status'))) ?? '',
      result: known(textOf(member(row, 'result'))) ?? null,
    };
    put(task, 'currentStepStatus', known(textOf(member(row, 'currentStepStatus'))));
    put(task, 'taskType', known(textOf(member(row, 'taskType'))));
    put(task, 'createdAt', known(instantOf(member(row, 'createDate'), dialect.dateForm)));
    put(task, 'onboardedId', known(idOf(onboardedId(row))));
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
      name: known(textOf(name(row))) ?? '',
      status: known(textOf(status(row))) ?? '',
    };
    put(step, 'message', known(textOf(message(row))));
    return step;
  };
}
