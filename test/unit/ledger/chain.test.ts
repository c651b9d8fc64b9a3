import { describe, expect, test } from 'vitest';
import {
  appendTo,
  checkChain,
  EMPTY_HEAD,
  hashRecord,
  headAfter,
} from '../../../src/ledger/chain.ts';
import { attempt, chained, GENESIS, lock, RELEASE, result } from '../../support/ledger-records.ts';

const BY = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
const RECORDS = chained([GENESIS, lock(), attempt('a.1', ['d1']), result('a.1', 'accepted')]);

describe('appending', () => {
  test('the first record follows the empty head', () => {
    expect(appendTo(EMPTY_HEAD, [GENESIS], BY)).toEqual([
      { seq: 1, prev: '', ...BY, body: GENESIS },
    ]);
  });

  test('each record names the hash of the one before', () => {
    const [first, second] = appendTo(EMPTY_HEAD, [GENESIS, lock()], BY);
    expect(second?.prev).toBe(first && hashRecord(first));
  });

  test('J2 an ATTEMPT may only be the last of an append', () => {
    expect(() => appendTo(EMPTY_HEAD, [attempt('a.1', ['d1']), RELEASE], BY)).toThrow(/ATTEMPT/);
  });

  test('J2 an append holds one ATTEMPT at most', () => {
    const two = [attempt('a.1', ['d1']), attempt('a.2', ['d2'])];
    expect(() => appendTo(EMPTY_HEAD, two, BY)).toThrow(/ATTEMPT/);
  });
});

describe('J1 hashing', () => {
  test('does not depend on the order of keys', () => {
    const record = { seq: 1, prev: '', ...BY, body: RELEASE };
    const turned = { body: RELEASE, tool: '1', at: BY.at, epoch: 1, prev: '', seq: 1 };
    expect(hashRecord(turned)).toBe(hashRecord(record));
  });

  test('covers every field', () => {
    const record = { seq: 1, prev: '', ...BY, body: RELEASE };
    const others = [
      { ...record, seq: 2 },
      { ...record, prev: 'x' },
      { ...record, epoch: 2 },
      { ...record, at: '2026-01-01T00:00:01Z' },
      { ...record, tool: '2' },
      { ...record, body: { type: 'BEAT', n: 1 } as const },
    ];
    expect(new Set([record, ...others].map(hashRecord)).size).toBe(7);
  });
});

describe('checking', () => {
  test('a whole chain leads to its head', () => {
    expect(checkChain(RECORDS, EMPTY_HEAD).head).toEqual(headAfter(RECORDS, EMPTY_HEAD));
  });

  test('may start anywhere', () => {
    const from = headAfter(RECORDS.slice(0, 2), EMPTY_HEAD);
    expect(checkChain(RECORDS.slice(2), from).head).toEqual(headAfter(RECORDS, EMPTY_HEAD));
  });

  test.each([
    ['a record left out', RECORDS.toSpliced(1, 1), 2, 'order'],
    ['a record said twice', RECORDS.toSpliced(1, 0, ...RECORDS.slice(0, 1)), 2, 'order'],
    ['two records exchanged', [0, 2, 1, 3].flatMap((at) => RECORDS.slice(at, at + 1)), 2, 'order'],
    ['a record changed', RECORDS.map((r) => (r.seq === 2 ? { ...r, tool: '2' } : r)), 3, 'chain'],
    ['another beginning', RECORDS.slice(1), 1, 'order'],
  ])('%s is found, and the place is named', (_, records, seq, why) => {
    expect(() => checkChain(records, EMPTY_HEAD, { file: 'f' })).toThrow(
      expect.objectContaining({ code: 'ledgerBroken', params: { file: 'f', seq, why } }),
    );
  });
});
