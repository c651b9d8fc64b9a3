import { describe, expect, it } from 'vitest';
import { heldByLedger } from '../../../src/apply/send/attempt-gate.ts';
import { pay, payAtLast, pollUnrecorded } from '../../../src/apply/outbox/outbox.ts';
import type { Run } from '../../../src/apply/run/run.ts';
import { createStop } from '../../../src/cli/shell/stop.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';

const OWED = { type: 'RESULT', attemptId: 'a.1', outcome: 'accepted', row: 'P03', taskId: 't' };
const NOW = 60_000;

interface Books {
  /** The one open intent. */
  readonly open?: Readonly<Record<string, unknown>>;
  readonly owed?: boolean;
  /** The ATTEMPT was never sent, and may not be in the ledger. */
  readonly unsent?: boolean;
  /** When the ledger shows an ATTEMPT without a RESULT: at once, once it was read again, or never. */
  readonly unanswered?: 'known' | 'once read' | 'never';
  readonly append?: () => Promise<never>;
  /** The lease has ended; the store is out of order. */
  readonly hasEnded?: boolean;
  readonly isUnfit?: boolean;
  /** A machine that was suspended, and could not read the ledger since. */
  readonly isUnread?: boolean;
}

/** A run with something to write down, and what it appended. */
function indebted(books: Books) {
  const { open = { id: 'i', attemptId: 'a.1' }, owed = true, unanswered = 'never' } = books;
  const appended: RecordBody[] = [];
  const memory = {
    open: () => [{ id: 'i', device: 'dev-1', ...open }],
    unanswered: new Map(unanswered === 'known' ? [['a.1', {}]] : []),
  };
  const away = new WorldError('storeFailed', {}, { retry: 'safe' });
  const journal = {
    memory,
    isHeld: () => books.hasEnded !== true,
    isFit: () => books.isUnfit !== true,
    mayAttempt: () => books.hasEnded !== true && books.isUnfit !== true,
    renew: async () => undefined,
    refresh: async () => {
      if (books.isUnread === true) throw away;
      if (unanswered === 'once read') memory.unanswered.set('a.1', {});
    },
    append: async (bodies: readonly RecordBody[]) => {
      if (books.append) return books.append();
      appended.push(...bodies);
      memory.unanswered.clear();
      return 'acknowledged';
    },
  };
  const asked: string[] = [];
  const deviceTasks = [{ deviceId: 'dev-1', status: 'running', result: null }];
  const run = {
    journal,
    clock: { now: () => NOW },
    owed: new Map(owed ? [['a.1', OWED]] : []),
    unsent: new Set(books.unsent === true ? ['a.1'] : []),
    stop: createStop(),
    flights: new Map(),
    overslept: books.isUnread === true,
    progress: () => undefined,
    service: {
      task: async (taskId: string) => {
        asked.push(taskId);
        return { value: { taskId, total: 1, deviceTasks } };
      },
    },
  };
  return { run: run as unknown as Run, appended, asked };
}

function outcomesOf(bodies: readonly RecordBody[]): readonly string[] {
  return bodies.map((body) => (body.type === 'RESULT' ? body.outcome : body.type));
}

describe('a result that is owed', () => {
  it.each([
    ['is written where its attempt has none', { attemptId: 'a.1' }, 1],
    ['is written over what others took its attempt for', { attemptId: 'a.1', row: 'P12' }, 1],
    ['is written once: the ledger has it', { attemptId: 'a.1', row: 'P03', taskId: 't' }, 0],
    ['is not written after another task id', { attemptId: 'a.1', taskId: 'u' }, 0],
    ['is not written again without a task id', { attemptId: 'a.1', row: 'P03' }, 0],
    ['is not written for another attempt', { attemptId: 'b.1' }, 0],
  ])('%s', async (_, open, times) => {
    const { run, appended } = indebted({ open });
    expect(await pay(run)).toBe(true);
    expect(run.owed.size).toBe(0);
    expect(appended.length).toBe(times);
  });

  it('stays owed where the store fails and the lease lives', async () => {
    const full = new WorldError('storeFailed', { cause: 'ENOSPC' });
    const { run } = indebted({ append: () => Promise.reject(full) });
    expect(await pay(run)).toBe(false);
    expect(run.owed.size).toBe(1);
    expect(run.failure).toBe(full);
  });

  it('ends the run where it fails for another reason', async () => {
    const lost = new WorldError('leaseLost', {});
    const { run } = indebted({ append: () => Promise.reject(lost) });
    await expect(pay(run)).rejects.toBe(lost);
  });
});

describe('an ATTEMPT that was never sent', () => {
  it('is said to be so as soon as the ledger shows it', async () => {
    const { run, appended } = indebted({ owed: false, unsent: true, unanswered: 'known' });
    expect(await pay(run)).toBe(true);
    expect(outcomesOf(appended)).toEqual(['notSent']);
  });

  it('is not mentioned where the ledger does not have it', async () => {
    const { run, appended } = indebted({ owed: false, unsent: true });
    await payAtLast(run);
    expect(appended).toEqual([]);
  });

  it('is looked for in the ledger before the run ends', async () => {
    const { run, appended } = indebted({ owed: false, unsent: true, unanswered: 'once read' });
    await payAtLast(run);
    expect(outcomesOf(appended)).toEqual(['notSent']);
  });
});

describe('a task of which the ledger cannot be told', () => {
  it('is polled, and when its work began is seen', async () => {
    const { run, asked } = indebted({});
    await pollUnrecorded(run);
    expect(asked).toEqual(['t']);
    expect(run.flights.get('i')?.runningSince).toBe(NOW);
  });

  it('is not polled once its end was seen', async () => {
    const { run, asked } = indebted({});
    run.flights.set('i', { absences: 0, overdue: false, completedAt: 1 });
    await pollUnrecorded(run);
    expect(asked).toEqual([]);
  });
});

describe('an attempt', () => {
  it('is made where all is paid and the lease lives', async () => {
    expect(await heldByLedger(indebted({}).run)).toBeUndefined();
  });

  it('waits where nobody knows whether the run was followed meanwhile', async () => {
    expect(await heldByLedger(indebted({ owed: false, isUnread: true }).run)).toBe('held');
  });

  it('is not made any more once the lease has ended, or the store is out of order', async () => {
    expect(await heldByLedger(indebted({ owed: false, hasEnded: true }).run)).toBe('stopAttempts');
    expect(await heldByLedger(indebted({ owed: false, isUnfit: true }).run)).toBe('stopAttempts');
  });

  it('waits for what is owed, whatever state the store is in', async () => {
    const full = new WorldError('storeFailed', { cause: 'ENOSPC' });
    const { run } = indebted({ append: () => Promise.reject(full), isUnfit: true });
    expect(await heldByLedger(run)).toBe('held');
  });
});
