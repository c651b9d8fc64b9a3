import type { Dialect } from '../model/fleet/dialect.ts';
import type { DeviceTask, TaskStep } from '../model/fleet/task.ts';
import type { Decoder } from './decode/decode.ts';
import {
  type PartialRow,
  type JsonRow,
  field,
  shownId,
  known,
  member,
  put,
  shownText,
} from './decode/fields.ts';
import { decodeInstant } from './decode/dates.ts';
import { isObject } from '../lib/objects.ts';

/**
 * Decodes the device tasks of one service task. A row of another task, or without a device, is an
 * unexpected shape: foreign progress must never count as ours. An absent status becomes the empty
 * text, which is never final.
 */
export function deviceTaskDecoder(taskId: string, dialect: Dialect): Decoder<DeviceTask> {
  const onboardedId = field(dialect.onboardedId === 'same' ? '' : dialect.onboardedIdField);
  const steps = field(dialect.stepsField);
  const stepOf = stepDecoder(dialect);
  return (row, fail) => {
    const parent = member(row, 'taskId');
    if (parent !== undefined && parent !== null && parent !== taskId) fail('taskId');
    const task: PartialRow<DeviceTask> = {
      deviceTaskId: known(shownId(member(row, 'deviceTaskId'))) ?? '',
      deviceId: known(shownId(member(row, 'deviceId'))) ?? fail('deviceId'),
      status: known(shownText(member(row, 'status'))) ?? '',
      result: known(shownText(member(row, 'result'))) ?? null,
    };
    put(task, 'currentStepStatus', known(shownText(member(row, 'currentStepStatus'))));
    put(task, 'taskType', known(shownText(member(row, 'taskType'))));
    put(task, 'createdAt', known(decodeInstant(member(row, 'createDate'), dialect.dateForm)));
    put(task, 'onboardedId', known(shownId(onboardedId(row))));
    put(task, 'steps', decodeSteps(steps(row), stepOf));
    return task;
  };
}

function decodeSteps(
  value: unknown,
  stepOf: (row: JsonRow) => TaskStep,
): readonly TaskStep[] | undefined {
  return Array.isArray(value) ? value.filter(isObject).map(stepOf) : undefined;
}

function stepDecoder(dialect: Dialect): (row: JsonRow) => TaskStep {
  const name = field(dialect.stepNameField);
  const status = field(dialect.stepStatusField);
  const message = field(dialect.stepMessageField);
  return (row) => {
    const step: PartialRow<TaskStep> = {
      name: known(shownText(name(row))) ?? '',
      status: known(shownText(status(row))) ?? '',
    };
    put(step, 'message', known(shownText(message(row))));
    return step;
  };
}
