import { describe, expect, test } from 'vitest';
import { appendTo } from '../../../src/ledger/chain.ts';
import { fold } from '../../../src/ledger/fold.ts';
import type { Journal } from '../../../src/model/ports.ts';
import type { RecordBody } from '../../../src/model/record.ts';
import { openJournal, type JournalOptions } from '../../../src/store/journal.ts';
import { attempt, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { result, settled } from '../../support/ledger-records.ts';
import { chance, ClockDouble, StoreDouble } from '../../support/store-double.ts';

const TAKE = { waitMs: 0, takeOver: false, label: 'ci@host' };
const TTL = 90_000;

interface Rig {
  readonly store: StoreDouble;
  readonly clock: ClockDouble;
  open(more?: Partial<JournalOptions>): Promise<Journal>;
  types(): string[];
}

function rig(): Rig {
  const store = new StoreDouble();
  const clock = new ClockDouble();
  let seed = 0;
  const open = (more: Partial<JournalOptions> = {}) => {
    const process = { host: 'here', pid: (seed += 1), processStartedAt: 's', isAlive: () => true };
    const base = { store, clock, random: chance(seed), fingerprint: FINGERPRINT, tool: '1' };
    return openJournal({ ...base, ...process, ...more });
  };
  return { store, clock, open, types: () => store.records.map(({ body }) => body.type) };
}

async function taken(more: Partial<JournalOptions> = {}) {
  const of = rig();
  const journal = await of.open(more);
  await journal.take(TAKE);
  return { ...of, journal };
}

const failsWith = (code: string, params: object = {}) =>
  expect.objectContaining({ code, params: expect.objectContaining(params) });

/** What another machine does: it appends onto whatever the head is. */
function write(store: StoreDouble, ...bodies: readonly RecordBody[]): void {
  const { epoch } = fold(store.records);
  const by = { epoch: bodies[0]?.type === 'LOCK' ? epoch + 1 : epoch, at: AT, tool: '1' };
  store.records.push(...appendTo(store.head, bodies, by));
}
const AT = '2026-01-01T00:00:00Z';

describe('taking the lease', () => {
  test('of an empty ledger writes who it belongs to, and probes the store first', async () => {
    const { store, journal, types } = await taken();
    expect([types(), store.probes, store.appends]).toEqual([['GENESIS', 'LOCK'], 1, 1]);
    expect(journal.memory.fingerprint).toBe(FINGERPRINT);
    expect(journal.memory.ledgerId).toMatch(/^[0-9a-f]{32}$/);
    expect(journal.memory.lease).toMatchObject({ epoch: 1, nonce: journal.nonce, ttl: TTL });
  });

  test('of a ledger that was given back raises the epoch', async () => {
    const { journal, open, types } = await taken();
    await journal.release();
    const next = await open();
    await next.take(TAKE);
    expect(types()).toEqual(['GENESIS', 'LOCK', 'RELEASE', 'LOCK']);
    expect(next.memory.epoch).toBe(2);
  });

  test('reading alone writes nothing', async () => {
    const { open, types } = rig();
    await open();
    expect(types()).toEqual([]);
  });

  test('that somebody holds is refused, and says who and since when', async () => {
    const { open } = await taken();
    await expect((await open()).take(TAKE)).rejects.toThrow(
      failsWith('locked', { label: 'ci@host', host: 'here', pid: 1, since: AT }),
    );
  });

  test('knows no person: the same user in the same process waits like anybody', async () => {
    const { open } = await taken();
    const again = await open({ pid: 1 });
    await expect(again.take(TAKE)).rejects.toThrow(failsWith('locked'));
  });

  test('waits for as long as told and takes what is given back meanwhile', async () => {
    const { journal, open, clock } = await taken();
    const next = await open();
    let slept = 0;
    clock.onSleep = async () => {
      slept += 1;
      if (slept === 5) await journal.release();
    };
    await next.take({ ...TAKE, waitMs: 60_000 });
    expect([next.memory.lease?.nonce, slept]).toEqual([next.nonce, 5]);
  });

  test('takes a lease that stood still for twice its life by our own clock', async () => {
    const { open, clock } = await taken();
    const next = await open();
    const from = clock.monotonic();
    await next.take({ ...TAKE, waitMs: 10 * TTL });
    expect(clock.monotonic() - from).toBe(2 * TTL);
  });

  test('does not take one that is renewed', async () => {
    const { journal, open, clock } = await taken();
    const next = await open();
    clock.onSleep = () => journal.renew();
    const waiting = next.take({ ...TAKE, waitMs: 4 * TTL });
    await expect(waiting).rejects.toThrow(failsWith('locked'));
  });

  test('takes at once what a dead process on this host held', async () => {
    const { open } = await taken();
    const next = await open({ isAlive: (pid, startedAt) => !(pid === 1 && startedAt === 's') });
    await next.take(TAKE);
    expect(next.memory.epoch).toBe(2);
  });

  test('cannot tell whether a process on another host is dead', async () => {
    const { open } = await taken();
    const next = await open({ host: 'there', isAlive: () => false });
    await expect(next.take(TAKE)).rejects.toThrow(failsWith('locked'));
  });

  test('by take-over judges nothing', async () => {
    const { open } = await taken();
    const next = await open();
    await next.take({ ...TAKE, takeOver: true });
    expect(next.memory.lease?.nonce).toBe(next.nonce);
  });

  test('by take-over means the holder that was found, not whoever is faster', async () => {
    const { open, store } = await taken();
    const next = await open();
    store.meanwhile = () => write(store, lock('faster'));
    const taking = next.take({ ...TAKE, takeOver: true });
    await expect(taking).rejects.toThrow(failsWith('locked'));
  });

  test('when somebody else is faster is a lease of theirs', async () => {
    const { open, store } = rig();
    const journal = await open();
    store.meanwhile = () => write(store, GENESIS, lock('faster'));
    await expect(journal.take(TAKE)).rejects.toThrow(failsWith('locked'));
    expect(journal.memory.lease?.nonce).toBe('faster');
  });
});

describe('a ledger that is not for us', () => {
  test('belongs to another service', async () => {
    const { open } = await taken();
    await expect(open({ fingerprint: 'other' })).rejects.toThrow(
      failsWith('ledgerForeign', { place: 'memory' }),
    );
  });

  test('is newer: it can be read, nothing is written after it', async () => {
    const { store, open } = await taken();
    const future = { ...lock(), type: 'FUTURE' };
    const record = { ...store.records[1], seq: 3, body: future, prev: store.head.hash };
    store.records.push(JSON.parse(JSON.stringify(record)));
    const journal = await open();
    expect(journal.memory.head.seq).toBe(3);
    await expect(journal.take(TAKE)).rejects.toThrow(
      failsWith('ledgerNewer', { seq: 3, type: 'FUTURE' }),
    );
    expect(store.records).toHaveLength(3);
  });

  test('is shorter than what we have read', async () => {
    const { store, journal } = await taken();
    store.records.pop();
    await expect(journal.refresh()).rejects.toThrow(failsWith('ledgerRolledBack'));
  });

  test('is another one of the same length', async () => {
    const { store, journal } = await taken();
    store.records = store.records.map((record) => ({ ...record, tool: 'x' }));
    await expect(journal.refresh()).rejects.toThrow(failsWith('ledgerRolledBack'));
  });
});

describe('appending', () => {
  test('goes onto the head that memory was folded on', async () => {
    const { journal } = await taken();
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('acknowledged');
    expect([...journal.memory.unanswered.keys()]).toEqual(['a.1']);
  });

  test('is lost when somebody else was first, and memory knows what they wrote', async () => {
    const { journal, store } = await taken();
    store.meanwhile = () => write(store, { type: 'SEEN', what: 'w', subject: 's', seenAt: AT });
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('lost');
    expect([journal.memory.head.seq, journal.memory.open()]).toEqual([3, []]);
  });

  test.each([true, false])('after a take-over is leaseLost (known before: %s)', async (known) => {
    const { journal, store } = await taken();
    const takeOver = () => write(store, lock('run-b'));
    if (known) takeOver();
    else store.meanwhile = takeOver;
    if (known) await journal.refresh();
    const appending = journal.append([attempt('a.1', ['d1'])]);
    await expect(appending).rejects.toThrow(failsWith('leaseLost', { label: 'ci@host' }));
    expect(journal.mayAttempt()).toBe(false);
  });

  test('what the protocol does not allow is a Bug, and nothing is written', async () => {
    const { journal, store } = await taken();
    await journal.append([attempt('a.1', ['d1'])]);
    await expect(journal.append([attempt('a.2', ['d1'])])).rejects.toThrow(/I14/);
    expect(store.records).toHaveLength(3);
  });

  test('two calls at once do not race each other', async () => {
    const { journal, types } = await taken();
    const bodies = [1, 2, 3].map((n): RecordBody => ({ type: 'BEAT', n }));
    const answers = await Promise.all(bodies.map((body) => journal.append([body])));
    expect([new Set(answers), types()]).toEqual([
      new Set(['acknowledged']),
      ['GENESIS', 'LOCK', 'BEAT', 'BEAT', 'BEAT'],
    ]);
  });
});

describe('a RESULT', () => {
  test('is still recorded by a run that lost its lease, in its own epoch', async () => {
    const { journal, store } = await taken();
    await journal.append([attempt('a.1', ['d1'])]);
    write(store, lock('run-b'));
    expect(await journal.append([result('a.1', 'accepted')])).toBe('acknowledged');
    expect(store.records.at(-1)).toMatchObject({ epoch: 1, body: { type: 'RESULT' } });
    expect(journal.memory.open()[0]?.phase).toBe('running');
  });

  test('that comes after the attempt was settled is an ANOMALY and stops the run', async () => {
    const { journal, store } = await taken();
    await journal.append([attempt('a.1', ['d1'])]);
    write(store, lock('run-b'));
    write(store, settled('d1@2', 'notDone', 'person'));
    const late = journal.append([result('a.1', 'accepted')]);
    await expect(late).rejects.toThrow(failsWith('leaseLost'));
    expect(store.records.at(-1)?.body).toEqual({
      type: 'ANOMALY',
      what: 'resultTooLate',
      ids: ['a.1', 'task-of-a.1'],
    });
  });

  test('of a process that never held the lease is refused', async () => {
    const { open } = await taken();
    const appending = (await open()).append([result('a.1', 'accepted')]);
    await expect(appending).rejects.toThrow(failsWith('leaseLost'));
  });
});

describe('an append without a clear answer', () => {
  test.each([
    ['landed', ['unknownLanded'] as const],
    ['did not land', ['unknown'] as const],
    ['did not land for a while', ['unknown', 'unknown', 'unknownLanded'] as const],
  ])('that %s is there exactly once when it returns', async (_, troubles) => {
    const { journal, store, types } = await taken();
    store.troubles = [...troubles];
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('acknowledged');
    expect(types()).toEqual(['GENESIS', 'LOCK', 'ATTEMPT']);
  });

  test('is lost only once another child of its head has won', async () => {
    const { journal, store, clock, types } = await taken();
    store.troubles = ['unknown'];
    clock.onSleep = () => write(store, { type: 'BEAT', n: 7 });
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('lost');
    expect(types()).toEqual(['GENESIS', 'LOCK', 'BEAT']);
  });

  test('that never clears up fails when the life of the lease is over', async () => {
    const { journal, store, clock } = await taken();
    store.troubles = Array.from({ length: 1_000 }, () => 'unknown' as const);
    const from = clock.monotonic();
    const appending = journal.append([attempt('a.1', ['d1'])]);
    await expect(appending).rejects.toThrow(failsWith('storeFailed', { cause: 'unknown' }));
    expect(clock.monotonic() - from).toBe(TTL);
  });
});

describe('a store that fails', () => {
  test('allows no new attempt in this run', async () => {
    const { journal, store } = await taken();
    store.troubles = ['fails'];
    await expect(journal.append([{ type: 'BEAT', n: 1 }])).rejects.toThrow(
      failsWith('storeFailed'),
    );
    expect(journal.mayAttempt()).toBe(false);
  });

  test.each(['fails', 'failsLanded'] as const)(
    '(%s) takes the RESULT said again once',
    async (how) => {
      const { journal, store, types } = await taken();
      await journal.append([attempt('a.1', ['d1'])]);
      store.troubles = [how];
      const bodies = [result('a.1', 'accepted')];
      await expect(journal.append(bodies)).rejects.toThrow(failsWith('storeFailed'));
      await journal.refresh();
      expect(await journal.append(bodies)).toBe('acknowledged');
      expect(types()).toEqual(['GENESIS', 'LOCK', 'ATTEMPT', 'RESULT']);
    },
  );
});

describe('keeping the lease', () => {
  test('writes a BEAT once a third of it has passed, not before', async () => {
    const { journal, clock, types } = await taken();
    clock.push(TTL / 3 - 1);
    await journal.renew();
    expect(types()).toHaveLength(2);
    clock.push(1);
    await journal.renew();
    await journal.renew();
    expect(types()).toEqual(['GENESIS', 'LOCK', 'BEAT']);
  });

  test('every append renews it', async () => {
    const { journal, clock, types } = await taken();
    clock.push(TTL / 3);
    await journal.append([attempt('a.1', ['d1'])]);
    await journal.renew();
    expect(types()).not.toContain('BEAT');
  });

  test('allows an attempt within half of it, by a clock that never goes back', async () => {
    const { journal, clock } = await taken();
    clock.push(TTL / 2 - 1);
    expect(journal.mayAttempt()).toBe(true);
    clock.push(1);
    expect(journal.mayAttempt()).toBe(false);
    await journal.renew();
    expect(journal.mayAttempt()).toBe(true);
  });

  test('renewing counts from before the append, however long that took', async () => {
    const { journal, clock, store } = await taken();
    store.meanwhile = () => clock.push(TTL / 2);
    await journal.append([{ type: 'BEAT', n: 1 }]);
    expect(journal.mayAttempt()).toBe(false);
  });

  test('a lease that was taken over cannot be renewed', async () => {
    const { journal, store } = await taken();
    write(store, lock('run-b'));
    await journal.refresh();
    await expect(journal.renew()).rejects.toThrow(failsWith('leaseLost'));
  });

  test('giving back what is no longer ours writes nothing', async () => {
    const { journal, store } = await taken();
    write(store, lock('run-b'));
    await journal.release();
    await journal.release();
    expect(store.records.at(-1)?.body.type).toBe('LOCK');
  });
});
