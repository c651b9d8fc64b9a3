import type { DeviceTask, TaskStep } from '../model/task.ts';
import { idOf, instantOf, isRow, member, put, textOf, type Draft, type Row } from './fields.ts';
import type { Decoder } from './decode.ts';

/**
 * A decoder for the device tasks of one service task. A row that names another task, or no
 * device, is an unexpected shape: progress of foreign work must never count as ours. A status
 * that is absent is the empty text, which is never final.
 */
export function deviceTaskDecoder(taskId: string): Decoder<DeviceTask> {
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
    put(task, 'createdAt', instantOf(member(row, 'createDate')));
    put(task, 'steps', stepsOf(member(row, 'steps')));
    return task;
  };
}

function stepsOf(value: unknown): readonly TaskStep[] | undefined {
  return Array.isArray(value) ? value.filter(isRow).map(stepOf) : undefined;
}

function stepOf(row: Row): TaskStep {
  const step: Draft<TaskStep> = {
    name: textOf(member(row, 'name')) ?? '',
    status: textOf(member(row, 'status')) ?? '',
  };
  put(step, 'message', textOf(member(row, 'message')));
  return step;
}
