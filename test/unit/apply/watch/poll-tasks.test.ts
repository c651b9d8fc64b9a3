import { describe, expect, it } from 'vitest';
import { pollTasks, quietUntil } from '../../../../src/apply/watch/poll-tasks.ts';
import { WorldError } from '../../../../src/model/error.ts';
import type { IntentState } from '../../../../src/model/ledger/memory.ts';
import { DEFAULT_ROLLOUT } from '../../../../src/model/documents/rollout-defaults.ts';
import { aRun } from '../../../support/apply-run.ts';
import { NOW, aMemory, anOpenIntent, someDocuments } from '../../../support/plan-fleet.ts';

const EVERY = 30_000;
const ATTEMPTED_AT = NOW - 60_000;
const BAD = new WorldError('notJson', { path: '/v1/tasks/a', contentType: 'text/html' });
const AWAY = new WorldError('unreachable', {}, { retry: 'safe' });

/** A run with three tasks at work, whose polls end as told; `asked` has their order. */
function rig(failures: Readonly<Record<string, WorldError>>) {
  const asked: string[] = [];
  let time = 1;
  const wall = { now: NOW };
  const ended = new Set<string>();
  const intents = ['a', 'b', 'c'].map((taskId) =>
    anOpenIntent(`dev-${taskId}`, { id: taskId, taskId, attemptId: `run.${taskId}` }),
  );
  const task = async (taskId: string) => {
    asked.push(taskId);
    time += 1_000;
    const failure = failures[taskId];
    if (failure) throw failure;
    const running = { deviceTaskId: 'd', deviceId: `dev-${taskId}`, status: 'running', steps: [] };
    const isEnded = ended.has(taskId) && { status: 'completed', result: 'succeeded' };
    return { value: { taskId, total: 1, deviceTasks: [{ ...running, result: null, ...isEnded }] } };
  };
  const run = aRun({
    service: { task },
    clock: { now: () => wall.now, monotonic: () => time },
    pollEvery: EVERY,
    dialect: {},
    progress: () => undefined,
    documents: someDocuments(),
    journal: {
      memory: aMemory(intents),
      nonce: 'run',
      renew: async () => undefined,
      append: async () => 'acknowledged',
    },
  });
  /** What a round asks, so long after the POSTs, of the tasks that are due. */
  const round = async (seconds: number): Promise<readonly string[]> => {
    asked.length = 0;
    wall.now = ATTEMPTED_AT + seconds * 1_000;
    await pollTasks(polling, false);
    return [...asked];
  };
  const polling = { ...run, keepLease: async () => undefined };
  return { run: polling, asked, ended, round, quiet: () => quietUntil(polling) - ATTEMPTED_AT };
}

describe('X20 a task', () => {
  it('is polled after the interval, and after each other while none has ended', async () => {
    const { round } = rig({});
    expect(await round(5)).toEqual([]);
    expect(await round(30)).toEqual(['a', 'b', 'c']);
    expect(await round(40)).toEqual([]);
    expect(await round(60)).toEqual(['a', 'b', 'c']);
  });

  it('that took longer than all others is polled after each interval', async () => {
    const { round, ended } = rig({});
    await round(30);
    ended.add('a');
    await round(240);
    expect(await round(250)).toEqual([]);
    expect(await round(270)).toEqual(['b', 'c']);
  });

  it('is polled next when it may have ended, by what others took, and at once where nothing was shown', async () => {
    const { round, ended, run } = rig({ b: BAD });
    const [, , late] = run.inFlight.running();
    ended.add('a');
    await round(30);
    run.inFlight.noteTook({ ...(late as IntentState), attemptedAt: ATTEMPTED_AT - 300_000 });
    expect(await round(60)).toEqual(['b']);
    expect(await round(330)).toEqual(['c', 'b']);
  });

  it('is polled at its deadline, however long others took', async () => {
    const { round, run, quiet } = rig({});
    const [one] = run.inFlight.running();
    await round(30);
    run.inFlight.noteTook({ ...(one as IntentState), attemptedAt: 0 });
    const deadline = 30 + DEFAULT_ROLLOUT.timeouts.running.upgradeFirmware / 1_000;
    expect(quiet()).toBe(deadline * 1_000);
    expect(await round(deadline)).toEqual(['a', 'b', 'c']);
  });
});

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
