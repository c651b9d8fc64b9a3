import { describe, expect, test } from 'vitest';
import { appendTo } from '../../../src/ledger/chain.ts';
import { attempt, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { AT, failsWith, rig, TAKE, taken, TTL, write } from '../../support/store-rig.ts';

describe('taking the lease', () => {
  test('of an empty ledger writes who it belongs to, and probes the store first', async () => {
    const { store, journal, types } = await taken();
    expect([types(), store.probes, store.appends]).toEqual([['GENESIS', 'LOCK'], 1, 1]);
    expect(journal.memory.fingerprint).toBe(FINGERPRINT);
    expect(journal.memory.ledgerId).toMatch(/^[0-9a-f]{32}$/);
    expect(journal.memory.lease).toMatchObject({ epoch: 1, nonce: journal.nonce, ttl: TTL });
  });

  test('U1 of a ledger that was given back raises the epoch', async () => {
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

  test('U3 takes a lease that stood still for twice its life by our own clock', async () => {
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

  test('Z4 waits no longer once the run is asked to stop, and takes nothing', async () => {
    const { open, clock } = await taken();
    const next = await open();
    const stop = new AbortController();
    clock.onSleep = () => Promise.resolve(stop.abort(new Error('stopping')));
    const from = clock.monotonic();
    const waiting = next.take({ ...TAKE, waitMs: 10 * TTL, signal: stop.signal });
    await expect(waiting).rejects.toThrow(failsWith('locked'));
    expect(clock.monotonic() - from).toBeLessThan(TTL);
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

describe('numbers close to the end of all numbers (protocol J16)', () => {
  test('are not written: nobody could read the record again', async () => {
    const { store, open } = rig();
    const journal = await open({ leaseTtl: 2 ** 53 });
    await expect(journal.take(TAKE)).rejects.toEqual(
      failsWith('ledgerBroken', { field: 'body.ttl' }),
    );
    expect(store.records).toEqual([]);
  });

  test('are read where they are the last ones there can be, and nothing is written after them', async () => {
    const { store, open } = await taken();
    const last = { epoch: 2 ** 48, at: AT, tool: '1' };
    store.records.push(...appendTo(store.head, [lock(), { type: 'RELEASE' }], last));
    const journal = await open();
    expect(journal.memory.epoch).toBe(2 ** 48);
    const before = store.records.length;
    await expect(journal.take(TAKE)).rejects.toEqual(failsWith('ledgerBroken', { field: 'epoch' }));
    expect(store.records.length).toBe(before);
  });

  test('make no lease that never ends', async () => {
    const { open, clock } = await taken({ leaseTtl: 2 ** 53 - 1 });
    const { memory } = await open();
    expect(memory.lease?.ttl).toBe(86_400_000);
    expect(clock).toBeDefined();
  });
});
