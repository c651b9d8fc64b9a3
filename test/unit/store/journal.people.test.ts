import { describe, expect, test } from 'vitest';
import { hashRecord } from '../../../src/ledger/chain.ts';
import {
  LEDGER_FORMAT,
  type Leaseless,
  type LedgerRecord,
} from '../../../src/model/ledger/record.ts';
import { attempt } from '../../support/ledger-records.ts';
import { rig, TAKE, taken, write } from '../../support/store-rig.ts';

const PAUSE: Leaseless = { type: 'PAUSE', scope: 'fleet', who: 'Ada', why: 'dark' };

describe('N64 a record without a lease', () => {
  test('makes a run at work lose its next attempt, and keep its lease', async () => {
    const { journal, open } = await taken();
    const person = await open();
    expect(await person.declare(() => [PAUSE])).toEqual([PAUSE]);
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('lost');
    expect(journal.memory.pauses?.get('fleet')).toMatchObject({ who: 'Ada', why: 'dark' });
    await expect(journal.append([attempt('a.1', ['d1'])])).rejects.toThrow('I17');
    expect(journal.isHeld()).toBe(true);
    expect(await journal.append([{ type: 'BEAT', n: 1 }])).toBe('acknowledged');
  });

  test('is decided again on a head that has moved', async () => {
    const { store, open, types } = await taken();
    const person = await open();
    store.meanwhile = () => write(store, { type: 'BEAT', n: 1 });
    const epochs: number[] = [];
    await person.declare(({ head }) => {
      epochs.push(head.seq);
      return [PAUSE];
    });
    expect([epochs, types().slice(2)]).toEqual([
      [2, 3],
      ['BEAT', 'PAUSE'],
    ]);
  });

  test('can be the first of a ledger', async () => {
    const { open, types } = rig();
    await (await open()).declare(() => [PAUSE]);
    await (await open()).take(TAKE);
    expect(types()).toEqual(['GENESIS', 'PAUSE', 'LOCK']);
  });

  test('is not written where there is none', async () => {
    const { open, types } = rig();
    expect(await (await open()).declare(() => [])).toEqual([]);
    expect(types()).toEqual([]);
  });
});

describe('J17 a ledger of format 1', () => {
  /** The same ledger as an older version began it. */
  async function old() {
    const of = await taken();
    await of.journal.release();
    let prev = '';
    of.store.records = of.store.records.map((record): LedgerRecord => {
      const body = record.body.type === 'GENESIS' ? { ...record.body, format: 1 } : record.body;
      const written = { ...record, prev, body };
      prev = hashRecord(written);
      return written;
    });
    return of;
  }

  test('is continued, with its format on record once', async () => {
    const { open, types, store } = await old();
    const before = [...store.records];
    let told = 0;
    const more = { onFormat: () => void (told += 1) };
    const journal = await open(more);
    await journal.take(TAKE);
    await journal.release();
    await (await open(more)).take(TAKE);
    expect(told).toBe(1);
    expect(types().slice(3)).toEqual(['LOCK', 'GENESIS', 'RELEASE', 'LOCK']);
    expect(store.records.slice(0, before.length)).toEqual(before);
    expect(store.records[4]?.body).toMatchObject({
      ledgerId: journal.memory.ledgerId,
      format: LEDGER_FORMAT,
    });
    expect([journal.memory.format, journal.memory.lease]).toEqual([LEDGER_FORMAT, undefined]);
  });

  test('is continued by a pause, too', async () => {
    const { open, types } = await old();
    let told = 0;
    await (await open({ onFormat: () => void (told += 1) })).declare(() => [PAUSE]);
    expect(types().slice(3)).toEqual(['GENESIS', 'PAUSE']);
    expect(told).toBe(1);
  });
});
