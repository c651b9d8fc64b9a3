import { describe, expect, it } from 'vitest';
import { failingStep, readTask } from '../../../../src/apply/watch/task-state.ts';
import type { DeviceTask } from '../../../../src/model/fleet/task.ts';

function row(deviceId: string, status: string, result: string | null = null): DeviceTask {
  return { deviceTaskId: `dt-${deviceId}`, deviceId, status, result };
}

function read(rows: readonly DeviceTask[], { ids = ['a'], total = rows.length } = {}) {
  return readTask(
    { taskId: 't', deviceTasks: rows, total },
    { deviceIds: ids, isOurs: (id) => ids.includes(id) },
  );
}

describe('a device task', () => {
  it.each([
    ['pending', null, 'pending'],
    ['running', null, 'running'],
    ['running', 'succeeded', 'running'],
    ['completed', null, 'unclear'],
    ['completed', 'partly', 'unclear'],
    ['finished', 'succeeded', 'unclear'],
    ['', null, 'unclear'],
    ['completed', 'succeeded', 'ended'],
    ['completed', 'failed', 'ended'],
    ['completed', 'rolledBack', 'ended'],
    ['completed', 'aborted', 'ended'],
  ])('with status %j and result %j is %s', (status, result, is) => {
    expect(read([row('a', status, result)]).states.get('a')?.is).toBe(is);
  });

  it('that is listed twice is clear only where both rows agree', () => {
    const done = row('a', 'completed', 'succeeded');
    expect(read([done, done]).states.get('a')?.is).toBe('ended');
    expect(read([done, row('a', 'completed', 'failed')]).states.get('a')?.is).toBe('unclear');
    expect(read([done, row('a', 'running')]).states.get('a')?.is).toBe('unclear');
  });
});

describe('X19 a row that was not understood', () => {
  const states = (unread: readonly string[], rows: readonly DeviceTask[]) => {
    const deviceIds = ['a', 'b', 'c'];
    const task = { taskId: 't', deviceTasks: rows, unread, total: rows.length };
    const reading = readTask(task, { deviceIds, isOurs: (id) => deviceIds.includes(id) });
    expect([reading.missing, reading.foreign]).toEqual([[], []]);
    return deviceIds.map((id) => reading.states.get(id)?.is);
  };
  const done = ['a', 'b'].map((id) => row(id, 'completed', 'succeeded'));

  it.each([
    ['holds up its device alone', ['c'], done, ['ended', 'ended', 'unclear']],
    ['without a name is of the device without a row', [''], done, ['ended', 'ended', 'unclear']],
    [
      'of a device with another row makes it unclear',
      ['a', ''],
      done,
      ['unclear', 'ended', 'unclear'],
    ],
    ['too many may be of any', ['', ''], done, ['unclear', 'unclear', 'unclear']],
    ['of a foreign device is not one', ['x'], done, ['ended', 'ended', undefined]],
  ])('%s', (_, unread, rows, expected) => {
    expect(states(unread, rows)).toEqual(expected);
  });
});

describe('X9 the devices of a task', () => {
  it('are missing where a whole answer does not show them', () => {
    const reading = read([row('a', 'running')], { ids: ['a', 'b'] });
    expect(reading.missing).toEqual(['b']);
  });

  it('are not missing where the answer is shorter than its total', () => {
    const reading = read([row('a', 'running')], { ids: ['a', 'b'], total: 2 });
    expect(reading.missing).toEqual([]);
  });

  it('are foreign where nobody sent them', () => {
    expect(read([row('a', 'running'), row('x', 'pending')]).foreign).toEqual(['x']);
  });
});

describe('the failing step', () => {
  const step = (name: string, status: string) => ({ name, status });

  it.each([
    [
      'says so',
      [step('one', 'runSucceeded'), step('two', 'runFailed'), step('three', 'runSkipped')],
    ],
    ['has a word that nobody knows', [step('one', 'runSucceeded'), step('two', 'kaput')]],
  ])('is the first that %s', (_what, steps) => {
    expect(failingStep({ ...row('a', 'completed', 'failed'), steps })).toBe('two');
  });

  it('is the status of the current step where there are no steps', () => {
    const task = { ...row('a', 'completed', 'failed'), currentStepStatus: 'runFailed' };
    expect(failingStep(task)).toBe('runFailed');
    expect(failingStep(undefined)).toBeUndefined();
  });
});
