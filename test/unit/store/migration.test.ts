import { expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { migratingStore } from '../../../src/store/store.ts';
import { attempt, chained, GENESIS, lock, result } from '../../support/ledger-records.ts';
import { StoreDouble } from '../../support/store-double.ts';

const RECORDS = chained([GENESIS, lock(), attempt('a.1', ['d1']), result('a.1', 'accepted')]);
const HEAD = headAfter(RECORDS, EMPTY_HEAD);
const NEXT = appendTo(HEAD, [{ type: 'BEAT', n: 1 }], {
  epoch: 1,
  at: '2026-01-01T00:00:00Z',
  tool: '1',
});

function begun() {
  const old = new StoreDouble();
  old.records = [...RECORDS];
  const store = new StoreDouble();
  return { old, store, moving: migratingStore(old, store) };
}

test('what the old place remembers is remembered, and reading moves nothing', async () => {
  const { store, moving } = begun();
  expect(await moving.read(2)).toEqual({ records: RECORDS.slice(2), head: HEAD });
  expect(store.records).toEqual([]);
});

test('the first append brings all of it along, and the old place stays as it was', async () => {
  const { old, store, moving } = begun();
  await moving.read(0);
  expect(await moving.append(NEXT, HEAD)).toBe('acknowledged');
  expect([store.records, store.appends]).toEqual([[...RECORDS, ...NEXT], 2]);
  expect((await moving.read(4)).records).toEqual(NEXT);
  expect([old.records, old.appends]).toEqual([RECORDS, 0]);
});

test('where somebody else was first, theirs counts', async () => {
  const { store, moving } = begun();
  await moving.read(0);
  const theirs = chained([GENESIS, lock('other')]);
  store.meanwhile = () => store.records.push(...theirs);
  expect(await moving.append(NEXT, HEAD)).toBe('lost');
  expect((await moving.read(0)).records).toEqual(theirs);
});

test('without a clear answer it is brought along once', async () => {
  const { store, moving } = begun();
  await moving.read(0);
  store.troubles = ['unknown'];
  expect(await moving.append(NEXT, HEAD)).toBe('unknown');
  expect(await moving.append(NEXT, HEAD)).toBe('acknowledged');
  expect(store.records).toEqual([...RECORDS, ...NEXT]);
});

test('an old place without a ledger is none', async () => {
  const store = new StoreDouble();
  const moving = migratingStore(new StoreDouble(), store);
  expect((await moving.read(0)).head).toEqual(EMPTY_HEAD);
  expect(await moving.append(RECORDS.slice(0, 2), EMPTY_HEAD)).toBe('acknowledged');
  expect(store.records).toEqual(RECORDS.slice(0, 2));
});
