import { describe, expect, it } from 'vitest';
import { pollTasks } from '../../../../src/apply/watch/poll-tasks.ts';
import { WorldError } from '../../../../src/model/error.ts';
import { aRun } from '../../../support/apply-run.ts';
import { NOW, aMemory, anOpenIntent, someDocuments } from '../../../support/plan-fleet.ts';

const BAD = new WorldError('notJson', { path: '/v1/tasks/a', contentType: 'text/html' });
const AWAY = new WorldError('unreachable', {}, { retry: 'safe' });

/** A run with three tasks at work, whose polls end as told; `asked` has their order. */
function rig(failures: Readonly<Record<string, WorldError>>) {
  const asked: string[] = [];
  let time = 1;
  const intents = ['a', 'b', 'c'].map((taskId) =>
    anOpenIntent(`dev-${taskId}`, { id: taskId, taskId, attemptId: `run.${taskId}` }),
  );
  const task = async (taskId: string) => {
    asked.push(taskId);
    time += 1_000;
    const failure = failures[taskId];
    if (failure) throw failure;
    const running = { deviceTaskId: 'd', deviceId: `dev-${taskId}`, status: 'running', steps: [] };
    return { value: { taskId, total: 1, deviceTasks: [{ ...running, result: null }] } };
  };
  const run = aRun({
    service: { task },
    clock: { now: () => NOW, monotonic: () => time },
    dialect: {},
    progress: () => undefined,
    documents: someDocuments(),
    journal: { memory: aMemory(intents), nonce: 'run', renew: async () => undefined },
  });
  return { run: { ...run, keepLease: async () => undefined }, asked };
}

describe('X19 a bad answer about one task', () => {
  it('keeps no other from being polled', async () => {
    const { run, asked } = rig({ a: BAD });
    const { answered, missed } = await pollTasks(run);
    expect([asked, answered, missed]).toEqual([['a', 'b', 'c'], 2, BAD]);
  });

  it('lets the others go first the next time', async () => {
    const { run, asked } = rig({ a: BAD });
    await pollTasks(run);
    asked.length = 0;
    await pollTasks(run);
    expect(asked).toEqual(['b', 'c', 'a']);
  });

  it('is another matter than no answer at all, after which nobody is asked', async () => {
    const { run, asked } = rig({ a: AWAY });
    expect((await pollTasks(run)).answered).toBe(0);
    expect(asked).toEqual(['a']);
  });
});
