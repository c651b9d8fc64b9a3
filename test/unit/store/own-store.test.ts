import { describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter, isSameHead } from '../../../src/ledger/chain.ts';
import type { LedgerRecord } from '../../../src/model/ledger/record.ts';
import type { LedgerStore } from '../../../src/model/ports.ts';
import { openJournal } from '../../../src/store/journal.ts';
import { ownStore } from '../../../src/store/store.ts';
import { chained, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { chance, ClockDouble } from '../../support/store-double.ts';
import { failsWith, TAKE } from '../../support/store-rig.ts';

/** A store in memory as a caller might write it. */
function memory(more: Partial<LedgerStore> = {}) {
  let all: readonly LedgerRecord[] = [];
  const head = () => headAfter(all, EMPTY_HEAD);
  const store: LedgerStore = {
    place: 'own',
    read: (afterSeq) =>
      Promise.resolve({ records: all.filter(({ seq }) => seq > afterSeq), head: head() }),
    append: (records, onHead) => {
      if (!isSameHead(onHead, head())) return Promise.resolve('lost');
      all = [...all, ...records];
      return Promise.resolve('acknowledged');
    },
    probe: () => Promise.resolve(),
    ...more,
  };
  return { store, set: (records: readonly LedgerRecord[]) => void (all = records) };
}

function take(store: LedgerStore) {
  const process = { host: 'here', pid: 1, processStartedAt: 's', isAlive: () => true };
  const of = { store: ownStore(store), clock: new ClockDouble(), random: chance(1), tool: '1' };
  return openJournal({ ...of, fingerprint: FINGERPRINT, ...process }).then((journal) =>
    journal.take(TAKE),
  );
}

describe('J19 a store of the caller', () => {
  test('that keeps the port is a ledger', async () => {
    const { store } = memory();
    await take(store);
    expect((await store.read(0)).records.map(({ body }) => body.type)).toEqual(['GENESIS', 'LOCK']);
  });

  test('in which the last writer wins is refused, whatever its own probe says', async () => {
    const { store } = memory({ append: () => Promise.resolve('acknowledged') });
    await expect(take(store)).rejects.toThrow(failsWith('ledgerUnfit', { why: 'overwrites' }));
  });

  test('whose probe fails is refused, and nothing is written', async () => {
    const { store } = memory({ probe: () => Promise.reject(new Error('no bucket')) });
    await expect(take(store)).rejects.toThrow(
      failsWith('storeFailed', { cause: 'Error: no bucket' }),
    );
    expect((await store.read(0)).records).toEqual([]);
  });

  test('J21 is read as a whole, and gets no checkpoint, whatever more it offers', () => {
    const { store } = memory({ readLatest: () => expect.unreachable() });
    expect(ownStore(store).readLatest).toBeUndefined();
  });

  const records = chained([GENESIS, lock()]);
  test.each([
    ['a gap', records.slice(1)],
    ['another form', [{ ...records[0], at: 'yesterday' } as LedgerRecord]],
    ['a changed letter', records.map((each) => ({ ...each, tool: '2' }))],
  ])('that returns %s is broken', async (_, wrong) => {
    const { store, set } = memory();
    set(wrong);
    await expect(take(store)).rejects.toThrow(failsWith('ledgerBroken'));
  });

  test('that returns another head than that of its records is broken', async () => {
    const { store, set } = memory();
    set(records);
    const read = async () => ({
      records,
      head: headAfter(appendTo(EMPTY_HEAD, [], BY), EMPTY_HEAD),
    });
    await expect(take({ ...store, read })).rejects.toThrow(failsWith('ledgerBroken'));
  });
});

const BY = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
