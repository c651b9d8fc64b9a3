import { describe, expect, it } from 'vitest';
import { heldByLedger } from '../../../src/apply/run/attempt.ts';
import { pollUnrecorded } from '../../../src/apply/watch/poll-tasks.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { aRun } from '../../support/apply-run.ts';

const HELD = {
  type: 'RESULT',
  attemptId: 'a.1',
  outcome: 'accepted',
  row: 'P03',
  taskId: 't',
} as const;
const NOW = 60_000;

interface Given {
  /** The one open intent. */
  readonly open?: Readonly<Record<string, unknown>>;
  /** Its result waits in the outbox. */
  readonly isHeld?: boolean;
  /** The ATTEMPT was never sent, and may not be in the ledger. */
  readonly unsent?: boolean;
  /** When the ledger shows an ATTEMPT without a RESULT: once it was read again, or never. */
  readonly unanswered?: 'once read' | 'never';
  readonly append?: () => Promise<never>;
  /** The lease has ended; the store is out of order. */
  readonly hasEnded?: boolean;
  readonly isUnfit?: boolean;
  /** A machine that was suspended, and could not read the ledger since. */
  readonly isUnread?: boolean;
}

/** A run with something to write down, and what it appended. */
function holding(given: Given) {
  const { open = { id: 'i', attemptId: 'a.1' }, isHeld = true, unanswered = 'never' } = given;
  const appended: RecordBody[] = [];
  const memory = {
    open: () => [{ id: 'i', device: 'dev-1', ...open }],
    unanswered: new Map<string, unknown>(),
  };
  const away = new WorldError('storeFailed', {}, { retry: 'safe' });
  const journal = {
    memory,
    isHeld: () => given.hasEnded !== true,
    isFit: () => given.isUnfit !== true,
    mayAttempt: () => given.hasEnded !== true && given.isUnfit !== true,
    renew: async () => undefined,
    refresh: async () => {
      if (given.isUnread === true) throw away;
      if (unanswered === 'once read') memory.unanswered.set('a.1', {});
    },
    append: async (bodies: readonly RecordBody[]) => {
      if (given.append) return given.append();
      appended.push(...bodies);
      memory.unanswered.clear();
      return 'acknowledged';
    },
  };
  const asked: string[] = [];
  const deviceTasks = [{ deviceId: 'dev-1', status: 'running', result: null }];
  const run = aRun({
    journal,
    clock: { now: () => NOW },
    stop: createStopSignal(),
    progress: () => undefined,
    service: {
      task: async (taskId: string) => {
        asked.push(taskId);
        return { value: { taskId, total: 1, deviceTasks } };
      },
    },
  });
  if (isHeld) run.outbox.hold(HELD);
  if (given.unsent === true) run.outbox.holdNotSent('a.1');
  if (given.isUnread === true) run.health.hasOverslept = true;
  return { run, appended, asked };
}

function outcomesOf(bodies: readonly RecordBody[]): readonly string[] {
  return bodies.map((body) => (body.type === 'RESULT' ? body.outcome : body.type));
}

describe('a result in the outbox', () => {
  it.each([
    ['is written where its attempt has none', { attemptId: 'a.1' }, 1],
    ['is written over what others took its attempt for', { attemptId: 'a.1', row: 'P12' }, 1],
    ['is written once: the ledger has it', { attemptId: 'a.1', row: 'P03', taskId: 't' }, 0],
    ['is not written after another task id', { attemptId: 'a.1', taskId: 'u' }, 0],
    ['is not written again without a task id', { attemptId: 'a.1', row: 'P03' }, 0],
    ['is not written for another attempt', { attemptId: 'b.1' }, 0],
  ])('%s', async (_, open, times) => {
    const { run, appended } = holding({ open });
    expect(await run.outbox.flush()).toBe(true);
    expect(run.outbox.size).toBe(0);
    expect(appended.length).toBe(times);
  });

  it('stays where the store fails and the lease lives', async () => {
    const full = new WorldError('storeFailed', { cause: 'ENOSPC' });
    const { run } = holding({ append: () => Promise.reject(full) });
    expect(await run.outbox.flush()).toBe(false);
    expect(run.outbox.size).toBe(1);
    expect(run.health.failure).toBe(full);
  });

  it('ends the run where it fails for another reason', async () => {
    const lost = new WorldError('leaseLost', {});
    const { run } = holding({ append: () => Promise.reject(lost) });
    await expect(run.outbox.flush()).rejects.toBe(lost);
  });
});

describe('an ATTEMPT that was never sent', () => {
  it('is said to be so as soon as the ledger shows it, though it did not at first', async () => {
    const { run, appended } = holding({ isHeld: false, unsent: true });
    expect(await run.outbox.flush()).toBe(true);
    expect(appended).toEqual([]);
    (run.journal.memory.unanswered as Map<string, unknown>).set('a.1', {});
    expect(await run.outbox.flush()).toBe(true);
    expect(outcomesOf(appended)).toEqual(['notSent']);
  });

  it('is not mentioned where the ledger does not have it', async () => {
    const { run, appended } = holding({ isHeld: false, unsent: true });
    await run.outbox.flushAtEnd();
    expect(appended).toEqual([]);
  });

  it('is looked for in the ledger before the run ends', async () => {
    const { run, appended } = holding({ isHeld: false, unsent: true, unanswered: 'once read' });
    await run.outbox.flushAtEnd();
    expect(outcomesOf(appended)).toEqual(['notSent']);
  });
});

describe('a task of which the ledger cannot be told', () => {
  it('is polled, and when its work began is seen', async () => {
    const { run, asked } = holding({});
    await pollUnrecorded(run);
    expect(asked).toEqual(['t']);
    expect(run.inFlight.of({ id: 'i' }).runningSince).toBe(NOW);
  });

  it('is not polled once its end was seen', async () => {
    const { run, asked } = holding({});
    run.inFlight.of({ id: 'i' }).complete({ completedAt: 1, undated: false });
    await pollUnrecorded(run);
    expect(asked).toEqual([]);
  });
});

describe('an attempt', () => {
  it('is made where the outbox is empty and the lease lives', async () => {
    expect(await heldByLedger(holding({}).run)).toBeUndefined();
  });

  it('waits where nobody knows whether the run was followed meanwhile', async () => {
    expect(await heldByLedger(holding({ isHeld: false, isUnread: true }).run)).toBe('held');
  });

  it('is not made any more once the lease has ended, or the store is out of order', async () => {
    expect(await heldByLedger(holding({ isHeld: false, hasEnded: true }).run)).toBe('stopAttempts');
    expect(await heldByLedger(holding({ isHeld: false, isUnfit: true }).run)).toBe('stopAttempts');
  });

  it('waits for what is in the outbox, whatever state the store is in', async () => {
    const full = new WorldError('storeFailed', { cause: 'ENOSPC' });
    const { run } = holding({ append: () => Promise.reject(full), isUnfit: true });
    expect(await heldByLedger(run)).toBe('held');
  });
});
