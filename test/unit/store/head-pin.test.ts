import { describe, expect, test } from 'vitest';
import { hashRecord } from '../../../src/ledger/chain.ts';
import type { Files } from '../../../src/store/files.ts';
import { missingHeads, pinnedStore, userPin } from '../../../src/store/head-pin.ts';
import type { LedgerHead, RecordBody } from '../../../src/model/ledger/record.ts';
import type { LedgerStore } from '../../../src/model/ports.ts';
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

const rolledBack = (params: { readonly found: number; readonly seen: number }, more = {}) =>
  expect.objectContaining({
    code: 'ledgerRolledBack',
    params: {
      place: 'memory',
      ...params,
      ...(params.found === 0 && { why: 'lost' }),
      ...more,
    },
  });

/** A note may be false: anybody may push one. */
const MAY_BE_FALSE = { reject: 'unlock --reject-head' };

test('what was read before is remembered by the next process', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
  const { head } = storeOf();
  expect(disk.text(PATH)).toBe(`4 ${head.hash}\n`);
});

test('what was appended is remembered too', async () => {
  const disk = new Disk();
  const store = storeOf(RECORDS.slice(0, 3));
  const seen = pinnedStore(store, [PATH], { files: disk.files() });
  const { head } = await seen.read(0);
  expect(await seen.append(RECORDS.slice(3), head)).toBe('acknowledged');
  expect(disk.text(PATH)).toBe(`4 ${store.head.hash}\n`);
});

test.each([0, 1, 2, 3])('J6 a ledger restored to %i records is refused', async (kept) => {
  const disk = new Disk();
  await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
  const restored = pinnedStore(storeOf(RECORDS.slice(0, kept)), [PATH], { files: disk.files() });
  await expect(restored.read(0)).rejects.toThrow(rolledBack({ found: kept, seen: 4 }));
});

test('a longer ledger that does not contain what was seen is refused', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
  const other = chained([GENESIS, lock('other'), RELEASE, lock('more'), RELEASE]);
  const restored = pinnedStore(storeOf(other), [PATH], { files: disk.files() });
  await expect(restored.read(4)).rejects.toThrow(rolledBack({ found: 5, seen: 4 }));
});

test.each([0, 2, 4])('a ledger that grew is read from record %i on', async (after) => {
  const disk = new Disk();
  await pinnedStore(storeOf(RECORDS.slice(0, 3)), [PATH], { files: disk.files() }).read(0);
  const { records } = await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(after);
  expect(records).toEqual(RECORDS.slice(after));
});

test('a witness that cannot be written fails nothing', async () => {
  const files = new Disk().files((step) => {
    if (step === 'create') throw coded('EROFS');
  });
  const { records } = await pinnedStore(storeOf(), [PATH], { files }).read(0);
  expect(records).toEqual(RECORDS);
});

test('an empty ledger leaves no trace', async () => {
  const disk = new Disk();
  await pinnedStore(storeOf([]), [PATH], { files: disk.files() }).read(0);
  expect(disk.names('/')).toEqual([]);
});

test.each([
  ['a plan was made on', 3],
  ['is ahead of all that this machine has seen', 4],
])('a head that %s must be in the ledger', async (_, seq) => {
  const disk = new Disk();
  const files = disk.files();
  const record = RECORDS[seq - 1];
  const others = [{ seq, hash: record ? hashRecord(record) : '', from: 'note' as const }];
  const good = pinnedStore(storeOf(), [PATH], { others, files });
  expect((await good.read(0)).records).toEqual(RECORDS);
  const old = pinnedStore(storeOf(RECORDS.slice(0, seq - 1)), ['/elsewhere'], { others, files });
  await expect(old.read(0)).rejects.toThrow(
    rolledBack({ found: seq - 1, seen: seq }, MAY_BE_FALSE),
  );
  const foreign = [{ seq, hash: 'f'.repeat(64), from: 'note' as const }];
  const other = pinnedStore(storeOf(), ['/elsewhere'], { others: foreign, files });
  await expect(other.read(4)).rejects.toThrow(rolledBack({ found: 4, seen: seq }, MAY_BE_FALSE));
});

describe('a pin outside the working directory', () => {
  const USER = userPin('/state', 'f'.repeat(64), '/home/tenant');
  const both = (store: StoreDouble, disk: Disk) =>
    pinnedStore(store, [PATH, USER], { files: disk.files() });

  test('J6 refuses a ledger that was deleted together with the pin beside it', async () => {
    const disk = new Disk();
    await both(storeOf(), disk).read(0);
    await disk.files().remove(PATH);
    await expect(both(storeOf([]), disk).read(0)).rejects.toThrow(
      rolledBack({ found: 0, seen: 4 }),
    );
  });

  test('belongs to one tenant and one place', () => {
    const others = [
      userPin('/state', 'e'.repeat(64), '/home/tenant'),
      userPin('/state', 'f'.repeat(64), '/elsewhere'),
    ];
    expect(new Set([USER, ...others]).size).toBe(3);
  });

  test('is reported once where it cannot be written, and fails nothing', async () => {
    const said: (string | undefined)[] = [];
    const files = new Disk().files((step) => {
      if (step === 'create') throw coded('EROFS');
    });
    const store = storeOf(RECORDS.slice(0, 2));
    const pinned = pinnedStore(store, [PATH], { files, onUnkept: (place) => said.push(place) });
    const { head } = await pinned.read(0);
    expect(said).toEqual([]);
    await pinned.append(RECORDS.slice(2, 3), head);
    expect(await pinned.append(RECORDS.slice(3), store.head)).toBe('acknowledged');
    expect(said).toEqual([PATH]);
  });
});

function acceptance(lost: LedgerHead): RecordBody {
  const body = lock();
  return body.type === 'LOCK' ? { ...body, who: 'A', why: 'disk', lost: [lost] } : body;
}

describe('records whose loss a person accepted', () => {
  const { head: lost } = storeOf();
  const accepting = chained([GENESIS, acceptance(lost), RELEASE]);

  async function withPin(): Promise<Disk> {
    const disk = new Disk();
    await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
    return disk;
  }

  test('J6 are no longer required, and the pin is of the new ledger', async () => {
    const disk = await withPin();
    const store = storeOf(accepting);
    expect(await missingHeads(store, [PATH], { files: disk.files() })).toEqual([]);
    await pinnedStore(store, [PATH], { files: disk.files() }).read(0);
    expect(disk.text(PATH)).toBe(`3 ${store.head.hash}\n`);
    const again = pinnedStore(storeOf([]), [PATH], { files: disk.files() });
    await expect(again.read(0)).rejects.toThrow(rolledBack({ found: 0, seen: 3 }));
  });

  test('J6 are those alone: another head is still required', async () => {
    const disk = await withPin();
    const others = [{ seq: 3, hash: 'e'.repeat(64), from: 'note' as const }];
    const store = storeOf(accepting);
    expect(await missingHeads(store, [PATH], { others, files: disk.files() })).toEqual([
      { seq: 3, hash: 'e'.repeat(64), mayBeFalse: true },
    ]);
    const pinned = pinnedStore(store, [PATH], { others, files: disk.files() });
    await expect(pinned.read(0)).rejects.toThrow(rolledBack({ found: 3, seen: 3 }, MAY_BE_FALSE));
  });
});

describe('a damaged pin', () => {
  const USER = '/state/user.head';
  const DAMAGED = expect.objectContaining({
    code: 'ledgerRolledBack',
    params: { place: 'memory', why: 'damagedPin' },
  }) as Error;

  test.each([[''], ['4 abc\n'], ['{"seq":4}']])('of "%s" is refused', async (text) => {
    for (const kept of [0, 4]) {
      const disk = new Disk();
      await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
      disk.put(PATH, text);
      const pinned = pinnedStore(storeOf(RECORDS.slice(0, kept)), [PATH], { files: disk.files() });
      await expect(pinned.read(0)).rejects.toThrow(DAMAGED);
      expect(disk.text(PATH)).toBe(text);
    }
  });

  const denied = (disk: Disk, ...paths: readonly string[]): Files => ({
    ...disk.files(),
    read: (path) =>
      paths.includes(path)
        ? Promise.reject(Object.assign(new Error('denied'), { code: 'EACCES' }))
        : disk.files().read(path),
  });

  test('is one that cannot be read: it counts, and not as none', async () => {
    const disk = new Disk();
    await pinnedStore(storeOf(), [PATH, USER], { files: disk.files() }).read(0);
    const refused = pinnedStore(storeOf([]), [USER], { files: denied(disk, USER) });
    await expect(refused.read(0)).rejects.toMatchObject({
      code: 'ledgerRolledBack',
      params: { place: 'memory', why: 'unreadablePin', pin: USER },
    });
    // The pin beside the ledger vouches for it.
    const files = denied(disk, USER);
    expect((await pinnedStore(storeOf(), [PATH, USER], { files }).read(0)).head.seq).toBe(4);
  });

  test('outlives nothing without a folder of the user, which is said once and at the first append', async () => {
    const places: (string | undefined)[] = [];
    const onUnkept = (place: string | undefined): void => void places.push(place);
    const options = { files: new Disk().files(), isAlone: true, onUnkept };
    const store = pinnedStore(storeOf(), [PATH], options);
    await store.read(0);
    expect(places).toEqual([]);
    for (const _ of [1, 2]) await store.append([], { seq: 0, hash: '' }).catch(() => undefined);
    expect(places).toEqual([undefined]);
  });

  test('is written again where the other pin vouches for the ledger', async () => {
    const disk = new Disk();
    await pinnedStore(storeOf(), [PATH, USER], { files: disk.files() }).read(0);
    disk.put(PATH, 'torn');
    await pinnedStore(storeOf(), [PATH, USER], { files: disk.files() }).read(0);
    expect(disk.text(PATH)).toBe(disk.text(USER));
  });

  test('is written again after a person accepted it', async () => {
    const disk = new Disk();
    await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
    disk.put(PATH, 'torn');
    const [missing] = await missingHeads(storeOf(), [PATH], { files: disk.files() });
    const accepting = storeOf(chained([GENESIS, acceptance(missing as LedgerHead), RELEASE]));
    await pinnedStore(accepting, [PATH], { files: disk.files() }).read(0);
    expect(disk.text(PATH)).toBe(`3 ${accepting.head.hash}\n`);
  });
});

describe('M12 heads that the remote keeps', () => {
  const head = (seq: number): LedgerHead => {
    const record = RECORDS[seq - 1];
    return { seq, hash: record ? hashRecord(record) : 'a'.repeat(64) };
  };
  /** A store whose remote keeps this head. */
  const keeping = (kept: LedgerHead, records = RECORDS) => {
    const store = storeOf(records);
    const read = store.read.bind(store);
    store.read = async (after) => ({ ...(await read(after)), kept });
    return store;
  };
  const note = { ...head(9), from: 'note' as const, by: 'x', at: 0 };

  test('are required, on a machine that has seen nothing', async () => {
    const files = new Disk().files();
    const pinned = pinnedStore(keeping(head(4), RECORDS.slice(0, 3)), [PATH], { files });
    await expect(pinned.read(0)).rejects.toThrow(rolledBack({ found: 3, seen: 4 }, MAY_BE_FALSE));
  });

  test.each([0, 2, 4])('may be older than what is read from record %i on', async (after) => {
    const disk = new Disk();
    await pinnedStore(storeOf(), [PATH], { files: disk.files() }).read(0);
    const pinned = pinnedStore(keeping(head(1)), [PATH], { files: disk.files() });
    expect((await pinned.read(after)).records).toEqual(RECORDS.slice(after));
  });

  test('make a note with another head a warning, and a note of theirs none', async () => {
    const told: unknown[] = [];
    const options = { files: new Disk().files(), onFalseNote: (one: object) => told.push(one) };
    const others = [note, { ...head(3), from: 'note' as const }];
    const pinned = pinnedStore(keeping(head(4)), [PATH], { ...options, others });
    expect((await pinned.read(0)).records).toEqual(RECORDS);
    expect(told).toEqual([note]);
    expect(await missingHeads(keeping(head(4)), [PATH], { ...options, others })).toEqual([]);
  });

  test('make no warning of a note that is older than the checkpoint that is read from', async () => {
    const told: unknown[] = [];
    const store: LedgerStore = keeping(head(4));
    store.readLatest = async () => ({ ...(await store.read(2)), checkpoint: '{}' });
    const options = { files: new Disk().files(), onFalseNote: (one: object) => told.push(one) };
    const others = [note, { ...head(1), from: 'note' as const }];
    const read = await pinnedStore(store, [PATH], { ...options, others }).readLatest?.();
    expect(told).toEqual([note]);
    expect(read).toEqual({ records: RECORDS, head: head(4) });
    const newer = [{ ...head(2), from: 'note' as const }];
    const latest = pinnedStore(store, ['/elsewhere'], { ...options, others: newer });
    expect((await latest.readLatest?.())?.checkpoint).toBe('{}');
    expect(told).toEqual([note]);
  });

  test('that a person called false are no longer required; what this machine saw still is', async () => {
    const files = new Disk().files();
    const rejecting = { ...lock(), rejected: [head(9)] } as RecordBody;
    const records = chained([GENESIS, rejecting, RELEASE]);
    const pinned = pinnedStore(keeping(head(9), records), [PATH], { files });
    expect((await pinned.read(0)).records).toEqual(records);
    const seen = new Disk();
    await pinnedStore(storeOf(), [PATH], { files: seen.files() }).read(0);
    const options = { files: seen.files(), others: [note] };
    const short = RECORDS.slice(0, 2);
    expect(await missingHeads(keeping(head(4), short), [PATH], options)).toEqual([
      { ...head(4), mayBeFalse: false },
    ]);
  });
});
