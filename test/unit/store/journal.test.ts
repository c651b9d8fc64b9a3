import { describe, expect, test } from 'vitest';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { attempt, lock, result, settled } from '../../support/ledger-records.ts';
import { AT, failsWith, TAKE, taken, TTL, write } from '../../support/store-rig.ts';

describe('a ledger that is not for us', () => {
  test('A5 belongs to another service', async () => {
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
    store.meanwhile = () => write(store, { type: 'SEEN', what: 'back', subject: 's', seenAt: AT });
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

  test('that recovery concluded of an attempt without an answer needs the lease (protocol I4)', async () => {
    const { journal, store } = await taken();
    await journal.append([attempt('a.1', ['d1'])]);
    write(store, lock('run-b'));
    write(store, settled('d1@2', 'notDone', 'person'));
    const late = journal.append([result('a.1', 'inDoubt', 'P12')]);
    await expect(late).rejects.toThrow(failsWith('leaseLost'));
    expect(store.records.at(-1)?.body).toMatchObject({ type: 'SETTLED' });
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

describe('an append without a clear answer, in a hurry', () => {
  test.each([
    ['wished for before', 0, 3_000],
    ['wished for meanwhile', 20_000, 20_000],
  ])('%s: is given up after three seconds', async (_, wishedAt, ends) => {
    const hurry = new AbortController();
    const { journal, store, clock } = await taken({ hurry: hurry.signal });
    store.troubles = Array.from({ length: 1_000 }, () => 'unknown' as const);
    const from = clock.monotonic();
    const wish = (): void => void (clock.monotonic() - from >= wishedAt && hurry.abort());
    clock.onSleep = wish;
    wish();
    const appending = journal.append([attempt('a.1', ['d1'])]);
    await expect(appending).rejects.toThrow(failsWith('storeFailed', { cause: 'unknown' }));
    expect(clock.monotonic() - from).toBe(ends);
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
