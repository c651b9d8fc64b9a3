import { describe, expect, it } from 'vitest';
import type { TaskState } from '../../../src/twin/world/state.ts';
import { OURS, setScene } from '../scene.ts';
import { openCase, type AttemptFile, type CaseFile } from './case-file.ts';
import { onTask } from './task-rules.ts';

/** Two attempts of one intent: the first came to nothing, the second was sent a minute later. */
function twoAttempts(): CaseFile {
  const file = openCase({ ...setScene(1), has: new Set() });
  const intent = { id: 'i', device: 'dev-1', target: 'restart', policy: 'restarts.dark' };
  const attempts = ['one', 'two'].map((attemptId): AttemptFile => {
    const body = { type: 'ATTEMPT', attemptId, task: 'restartDevice', intents: [intent] };
    return {
      body: body as unknown as AttemptFile['body'],
      seq: 1,
      process: 1,
      at: 0,
      posts: 1,
      tasks: [],
    };
  });
  for (const attempt of attempts) file.attempts.set(attempt.body.attemptId, attempt);
  const { id, device, target, policy } = intent;
  const state = { standing: 'open', attemptId: 'two', settledAt: 0 } as const;
  file.intents.set(id, { id, task: 'restartDevice', device, target, policy, ...state, attempts });
  return file;
}

/** A task of ours on the device appears in the service; says what the auditor finds in it. */
function appears(file: CaseFile, createdAt: number): readonly string[] {
  const before = file.violations.length;
  const deviceTask = { deviceId: 'dev-1', status: 'pending', result: null, payload: {} };
  const task = { type: 'restartDevice', userName: OURS, createdAt, deviceTasks: [deviceTask] };
  file.scene.twin.world.state.tasks.push(task as unknown as TaskState);
  onTask(file, task as unknown as TaskState);
  return file.violations.slice(before).map(({ rule }) => rule);
}

describe('I1', () => {
  it('forgives a request that the service ran twice', () => {
    const file = twoAttempts();
    file.scene.struck.set('acceptedTwice', 1);
    expect([...appears(file, 100), ...appears(file, 100)]).toEqual([]);
  });

  it('forgives no third task of one request', () => {
    const file = twoAttempts();
    file.scene.struck.set('acceptedTwice', 1);
    for (const at of [100, 100]) appears(file, at);
    expect(appears(file, 100)).toContain('I1');
  });

  it('finds two tasks at one instant where the service runs each request once', () => {
    const file = twoAttempts();
    appears(file, 100);
    expect(appears(file, 100)).toContain('I1');
  });

  it('finds a second task a moment later, whatever the service did to the first', () => {
    const file = twoAttempts();
    file.scene.struck.set('acceptedTwice', 1);
    appears(file, 100);
    expect(appears(file, 101)).toContain('I1');
  });

  it.each([
    ['what the service gave up of a request that it ran twice', 'failed', 'aborted', []],
    ['no second task that did its work', 'failed', 'succeeded', ['I1']],
    ['no task that was answered and given up', 'aborted', 'failed', ['I1']],
  ] as const)('forgives %s', (_, answered, unknown, found) => {
    const file = twoAttempts();
    const one = file.attempts.get('one');
    one?.tasks.push(taskOf('answered', answered), taskOf('unknown', unknown));
    Object.assign(one ?? {}, { result: { type: 'RESULT', taskId: 'answered' } });
    expect(appears(file, 100)).toEqual(found);
  });
});

function taskOf(id: string, result: string): TaskState {
  const deviceTasks = [{ deviceId: 'dev-1', status: 'completed', result, payload: {} }];
  return { id, type: 'restartDevice', userName: OURS, createdAt: 0, deviceTasks } as never;
}
