import { expect, it } from 'vitest';
import { shown } from '../../../../src/apply/watch/task-answer.ts';
import { aRun } from '../../../support/apply-run.ts';
import { NOW, aMemory, anOpenIntent } from '../../../support/plan-fleet.ts';

it('X10 a lost task that can be read again is seen to have ended by that very answer', async () => {
  const intent = anOpenIntent('dev-1', { phase: 'inDoubt', taskId: 't', attemptId: 'a.1' });
  const run = aRun({
    clock: { now: () => NOW, monotonic: () => 0 },
    dialect: {},
    progress: () => undefined,
    journal: { memory: aMemory([intent]), nonce: 'a', append: async () => 'acknowledged' },
  });
  const deviceTask = { deviceTaskId: 'd', deviceId: 'dev-1', steps: [] };
  const ended = { ...deviceTask, status: 'completed', result: 'succeeded' };
  const task = { taskId: 't', total: 1, deviceTasks: [ended] };
  await shown(run, { task: task as never, intents: [intent], seenAt: NOW, undated: false });
  expect(run.inFlight.of(intent).completion).toEqual({ completedAt: NOW, undated: false });
});
