import { expect, test } from 'vitest';
import { hashRecord } from '../../../src/ledger/chain.ts';
import { pinnedStore } from '../../../src/store/head-pin.ts';
import { chained, GENESIS, lock, RELEASE } from '../../support/ledger-records.ts';
import { coded, Disk } from '../../support/store-disk.ts';
import { StoreDouble } from '../../support/store-double.ts';

const RECORDS = chained([GENESIS, lock(), { type: 'BEAT', n: 1 }, RELEASE]);
const PATH = '/home/tenant.head';

function storeOf(records = RECORDS): StoreDouble {
  const store = new StoreDouble();
  store.records = [...records];
  return store;
}

const rolledBack = (params: object) =>
  expect.objectContaining({ code: 'ledgerRolledBack', params });

test('what was read before is remembered by the next process', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf(), PATH, { files: disk.files() }).read(0);
  const { head } = storeOf();
  expect(disk.text(PATH)).toBe(`4 ${head.hash}\n`);
});

test('what was appended is remembered too', async () => {
  const disk = new Disk();
  const store = storeOf(RECORDS.slice(0, 3));
  const seen = pinnedStore(store, PATH, { files: disk.files() });
  const { head } = await seen.read(0);
  expect(await seen.append(RECORDS.slice(3), head)).toBe('acknowledged');
  expect(disk.text(PATH)).toBe(`4 ${store.head.hash}\n`);
});

test.each([0, 1, 2, 3])('J6 a ledger restored to %i records is refused', async (kept) => {
  const disk = new Disk();
  await pinnedStore(storeOf(), PATH, { files: disk.files() }).read(0);
  const restored = pinnedStore(storeOf(RECORDS.slice(0, kept)), PATH, { files: disk.files() });
  await expect(restored.read(0)).rejects.toThrow(rolledBack({ found: kept, seen: 4 }));
});

test('a longer ledger that does not contain what was seen is refused', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf(), PATH, { files: disk.files() }).read(0);
  const other = chained([GENESIS, lock('other'), RELEASE, lock('more'), RELEASE]);
  const restored = pinnedStore(storeOf(other), PATH, { files: disk.files() });
  await expect(restored.read(4)).rejects.toThrow(rolledBack({ found: 5, seen: 4 }));
});

test.each([0, 2, 4])('a ledger that grew is read from record %i on', async (after) => {
  const disk = new Disk();
  await pinnedStore(storeOf(RECORDS.slice(0, 3)), PATH, { files: disk.files() }).read(0);
  const { records } = await pinnedStore(storeOf(), PATH, { files: disk.files() }).read(after);
  expect(records).toEqual(RECORDS.slice(after));
});

test('a witness that cannot be written fails nothing', async () => {
  const files = new Disk().files((step) => {
    if (step === 'create') throw coded('EROFS');
  });
  const { records } = await pinnedStore(storeOf(), PATH, { files }).read(0);
  expect(records).toEqual(RECORDS);
});

test('a witness that is no witness is none', async () => {
  const disk = new Disk();
  disk.put(PATH, 'garbage');
  const { head } = await pinnedStore(storeOf(), PATH, { files: disk.files() }).read(0);
  expect(head.seq).toBe(4);
});

test('an empty ledger leaves no trace', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf([]), PATH, { files: disk.files() }).read(0);
  expect(disk.names('/')).toEqual([]);
});

test.each([
  ['a plan was made on', 3],
  ['is ahead of all that this machine has seen', 4],
])('a head that %s must be in the ledger', async (_, seq) => {
  const disk = new Disk();
  const files = disk.files();
  const record = RECORDS[seq - 1];
  const others = [{ seq, hash: record ? hashRecord(record) : '' }];
  const good = pinnedStore(storeOf(), PATH, { others, files });
  expect((await good.read(0)).records).toEqual(RECORDS);
  const old = pinnedStore(storeOf(RECORDS.slice(0, seq - 1)), '/elsewhere', { others, files });
  await expect(old.read(0)).rejects.toThrow(rolledBack({ found: seq - 1, seen: seq }));
  const foreign = [{ seq, hash: 'f'.repeat(64) }];
  const other = pinnedStore(storeOf(), '/elsewhere', { others: foreign, files });
  await expect(other.read(4)).rejects.toThrow(rolledBack({ found: 4, seen: seq }));
});
