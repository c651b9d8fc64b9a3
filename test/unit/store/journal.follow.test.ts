import { describe, expect, test } from 'vitest';
import { EMPTY_HEAD } from '../../../src/ledger/chain.ts';
import { attempt, lock, result } from '../../support/ledger-records.ts';
import { failsWith, TAKE, taken, TTL, write } from '../../support/store-rig.ts';

const BY = { label: 'ada@desk', who: 'Ada', why: 'the runner is gone' };

describe('U4 whoever takes the lease knows whom it follows', () => {
  test('nobody, where it was given back', async () => {
    const { journal, open } = await taken();
    await journal.release();
    expect(await (await open()).take(TAKE)).toBeUndefined();
  });

  test('the run it was taken from by take-over', async () => {
    const { open } = await taken();
    const followed = await (await open()).take({ ...TAKE, takeOver: true });
    expect(followed).toMatchObject({ label: 'ci@host', epoch: 1, pid: 1 });
  });

  test('the dead one on this host, and the one that stood still', async () => {
    const { open } = await taken();
    const second = await open({ isAlive: () => false });
    expect(await second.take(TAKE)).toMatchObject({ epoch: 1 });
    const third = await open();
    expect(await third.take({ ...TAKE, waitMs: 3 * TTL })).toMatchObject({ epoch: 2 });
  });
});

describe('U5 unlock', () => {
  test('ends a lease with name and reason, and takes none', async () => {
    const { store, open, types } = await taken();
    const person = await open();
    expect(await person.unlock(BY)).toMatchObject({ epoch: 1, label: 'ci@host' });
    expect(types()).toEqual(['GENESIS', 'LOCK', 'LOCK', 'RELEASE']);
    expect(store.records[2]).toMatchObject({ epoch: 2, body: { type: 'LOCK', ...BY } });
    expect([store.appends, person.memory.lease]).toEqual([2, undefined]);
    await (await open()).take(TAKE);
  });

  test('is the emergency brake: the run goes on to record, and makes no attempt', async () => {
    const { journal, open } = await taken();
    await journal.append([attempt('a.1', ['d1'])]);
    await (await open()).unlock(BY);
    expect(await journal.append([result('a.1', 'accepted')])).toBe('acknowledged');
    await expect(journal.append([attempt('a.2', ['d2'])])).rejects.toThrow(failsWith('leaseLost'));
    expect(journal.mayAttempt()).toBe(false);
  });

  test('comes through between two records of a run that is at work', async () => {
    const { store, open } = await taken();
    const person = await open();
    store.meanwhile = () => write(store, { type: 'BEAT', n: 1 });
    expect(await person.unlock(BY)).toMatchObject({ epoch: 1 });
    expect(store.records.map(({ body }) => body.type).slice(2)).toEqual([
      'BEAT',
      'LOCK',
      'RELEASE',
    ]);
  });

  test('of what nobody holds does nothing', async () => {
    const { journal, open, store } = await taken();
    await journal.release();
    expect([await (await open()).unlock(BY), store.records.length]).toEqual([undefined, 3]);
  });

  test('means the run that was found, not the one that took over meanwhile', async () => {
    const { store, open } = await taken();
    const person = await open();
    store.meanwhile = () => write(store, lock('faster'));
    await expect(person.unlock(BY)).rejects.toThrow(failsWith('locked', { host: 'host' }));
    expect(store.records.at(-1)?.body).toMatchObject({ type: 'LOCK', nonce: 'faster' });
  });
});

describe('a store out of reach', () => {
  test('for a beat is left for the next one, and stops attempts meanwhile', async () => {
    const { journal, store, clock, types } = await taken();
    store.troubles = Array.from({ length: 31 }, () => 'unknown' as const);
    clock.push(TTL / 3);
    await journal.renew();
    expect([journal.mayAttempt(), types()]).toEqual([false, ['GENESIS', 'LOCK']]);
    store.troubles = [];
    await journal.renew();
    expect([journal.mayAttempt(), types()]).toEqual([true, ['GENESIS', 'LOCK', 'BEAT']]);
  });

  test('and a beat that landed unseen are no reason to write it twice', async () => {
    const { journal, store, clock, types } = await taken();
    store.troubles = ['unknownLanded', ...Array.from({ length: 30 }, () => 'unknown' as const)];
    clock.push(TTL / 3);
    await journal.renew();
    await journal.renew();
    expect(types()).toEqual(['GENESIS', 'LOCK', 'BEAT']);
  });
});

test('a lease that a fresh look does not find is none: the store is unfit', async () => {
  const { journal, open, store } = await taken();
  await journal.release();
  const next = await open();
  const read = store.read.bind(store);
  store.read = async (after) =>
    store.appends < 3 ? read(after) : { records: [], head: EMPTY_HEAD };
  await expect(next.take(TAKE)).rejects.toThrow(failsWith('ledgerUnfit', { why: 'readBack' }));
});
