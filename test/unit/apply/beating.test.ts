import { describe, expect, it } from 'vitest';
import { type Run, beating, beatingToTheEnd, sleepUntil } from '../../../src/apply/run/run.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { WorldError } from '../../../src/model/error.ts';
import { aRun } from '../../support/apply-run.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const AWAY = new WorldError('storeFailed', {}, { retry: 'safe' });
const LOST = new WorldError('leaseLost', {});

interface Night {
  /** By how much the wall clock is ahead of what was slept, sleep by sleep; nothing after the last. */
  readonly jumps?: readonly number[];
  /** What the readings of the ledger fail with, in turn; nothing after the last. */
  readonly refusals?: readonly WorldError[];
  readonly owed?: number;
  readonly renew?: () => Promise<void>;
}

/** A run that has nothing to do but to keep its lease, and what it did. */
function resting({ jumps = [], refusals = [], owed = 0, renew = async () => undefined }: Night) {
  const left = { jumps: [...jumps], refusals: [...refusals] };
  const did = { refreshed: 0, appended: 0 };
  let [wall, monotonic] = [0, 0];
  const clock = {
    now: () => wall,
    monotonic: () => monotonic,
    sleep: async (ms: number) => {
      monotonic += ms;
      wall += ms + (left.jumps.shift() ?? 0);
    },
  };
  const journal = {
    memory: {
      open: () => OPEN.slice(0, owed),
      unanswered: new Map(),
      pauses: new Map(),
      stops: new Map(),
      rollouts: new Map(),
    },
    isHeld: () => true,
    renew,
    refresh: async () => {
      did.refreshed += 1;
      const refusal = left.refusals.shift();
      if (refusal) throw refusal;
    },
    append: async () => {
      did.appended += 1;
      return 'acknowledged';
    },
  };
  const run = aRun({
    clock,
    journal,
    stop: createStopSignal(),
    progress: () => undefined,
  });
  for (const body of OPEN.slice(0, owed)) run.outbox.hold({ ...OWED, attemptId: body.attemptId });
  return { run, did, clock };
}

/** In doubt for the ledger, and accepted as the run alone knows. */
const OPEN = [{ id: 'i', attemptId: 'a.1', phase: 'open', task: 'upgradeFirmware', marker: '' }];
const OWED = { type: 'RESULT', outcome: 'accepted', row: 'P03', taskId: 't' } as const;

describe('a run that sleeps', () => {
  it('reads no ledger where both clocks say what was asked for', async () => {
    const { run, did, clock } = resting({});
    expect(await sleepUntil(run, { do: 'sleep', until: MINUTE, why: 'pace' })).toBe(false);
    expect(did.refreshed).toBe(0);
    expect(clock.now()).toBe(MINUTE);
  });

  it('wakes up before its time where the clocks have moved apart', async () => {
    const { run, did, clock } = resting({ jumps: [0, 6 * SECOND] });
    expect(await sleepUntil(run, { do: 'sleep', until: 10 * MINUTE, why: 'pace' })).toBe(true);
    expect(did.refreshed).toBe(1);
    expect(clock.now()).toBe(36 * SECOND);
  });

  it('writes down what is in the outbox', async () => {
    const { run, did } = resting({ owed: 1 });
    await sleepUntil(run, { do: 'sleep', until: 20 * SECOND, why: 'pace' });
    expect(did.appended).toBe(1);
    expect(run.outbox.size).toBe(0);
  });
});

describe('a run that keeps its lease beside something long', () => {
  /** Work that ends when the run has slept so often. */
  function lasting(run: Run, sleeps: number): Promise<string> {
    return new Promise((resolve) => {
      const sleep = run.clock.sleep.bind(run.clock);
      let left = sleeps;
      run.clock.sleep = async (ms, signal) => {
        await sleep(ms, signal);
        left -= 1;
        if (left === 0) resolve('done');
      };
    });
  }

  it('reads the ledger once where its machine was suspended', async () => {
    const { run, did } = resting({ jumps: [0, 5 * MINUTE] });
    expect(await beating(run, lasting(run, 5))).toBe('done');
    expect(did.refreshed).toBe(1);
  });

  it('reads it again until it could be read', async () => {
    const { run, did } = resting({ jumps: [5 * MINUTE], refusals: [AWAY, AWAY] });
    await beating(run, lasting(run, 6));
    expect(did.refreshed).toBe(3);
    expect(run.health.hasOverslept).toBe(false);
  });

  it('leaves work that writes to its end before it says that the lease is lost', async () => {
    const { run } = resting({ renew: () => Promise.reject(LOST) });
    let isOver = false;
    const work = new Promise<void>((resolve) => setImmediate(resolve)).then(() => (isOver = true));
    await expect(beatingToTheEnd(run, work)).rejects.toBe(LOST);
    expect(isOver).toBe(true);
  });
});
