import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendTo, headAfter } from '../../../src/ledger/chain.ts';
import { readCheckpoint, writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import {
  continueDraft,
  dueCheckpoint,
  fold,
  foldFrom,
  foldMore,
} from '../../../src/ledger/fold.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { chained, GENESIS, lock, RELEASE } from '../../support/ledger-records.ts';
import { answersOf, LEDGER_BODIES } from '../../support/ledger-chance.ts';
import { failsWith } from '../../support/store-rig.ts';

const ledger = fc
  .array(LEDGER_BODIES, { maxLength: 40 })
  .map((bodies): LedgerRecord[] => chained([GENESIS, lock(), ...bodies]));

/** The CHECKPOINT that follows a memory, its text, and the records after it. */
function checkpointed(memory: Memory, more: readonly RecordBody[] = []) {
  const { text, body } = writeCheckpoint(continueDraft(memory).finish());
  const by = { epoch: memory.epoch, at: '2026-02-01T00:00:00Z', tool: '1' };
  const records: LedgerRecord[] = [];
  for (const each of [body, ...more])
    records.push(...appendTo(headAfter(records, memory.head), [each], by));
  return { text, records };
}

describe('the text of a checkpoint (protocol J21)', () => {
  test('gives the memory back that all records add up to, whatever follows', () => {
    fc.assert(
      fc.property(ledger, fc.array(LEDGER_BODIES, { maxLength: 10 }), (records, more) => {
        const before = fold(records);
        const { text, records: since } = checkpointed(before, more);
        const whole = foldMore(before, since);
        const short = foldFrom(text, since);
        expect(short && answersOf(short)).toEqual(answersOf(whole));
        expect(short && checkpointed(short).text).toBe(checkpointed(whole).text);
      }),
      { numRuns: 300 },
    );
  });

  test('is the same whether the records were folded at once or in steps', () => {
    fc.assert(
      fc.property(ledger, fc.nat(40), (records, cut) => {
        const steps = foldMore(fold(records.slice(0, cut)), records.slice(cut));
        expect(checkpointed(steps).text).toBe(checkpointed(fold(records)).text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a checkpoint that is false', () => {
  const before = fold(chained([GENESIS, lock()]));
  const { text, records } = checkpointed(before, [RELEASE]);

  test('is refused by whoever has read the records before it', () => {
    const state = sha256(text.replace('"epoch":1', '"epoch":0'));
    const forged = restated(records, { state });
    expect(() => foldMore(before, forged)).toThrow(
      failsWith('ledgerBroken', { seq: 3, why: 'checkpoint' }),
    );
  });

  test('is refused with a text that is not its own', () => {
    expect(() => foldFrom(`${text} `, records)).toThrow(failsWith('ledgerBroken', { seq: 3 }));
  });

  test('is refused where it is of another head than the one before it', () => {
    const earlier = checkpointed(fold(chained([GENESIS])));
    const [{ body } = {}] = earlier.records;
    const forged = restated(records, body as object);
    expect(() => foldFrom(earlier.text, forged)).toThrow(failsWith('ledgerBroken', { seq: 3 }));
  });

  test('of another version is neither used nor judged', () => {
    const newer = restated(records, { version: 99, state: 'x' });
    expect(foldFrom(text, newer)).toBeUndefined();
    expect(foldMore(before, newer).head.seq).toBe(4);
  });

  const members = Object.entries(JSON.parse(text) as Record<string, unknown>);
  const wrong = members.flatMap(([name, value]) =>
    [null, 'x', -1, { x: 1 }, [1], [['x']], [['x', { x: 1 }]], undefined]
      .filter((other) => JSON.stringify(other) !== JSON.stringify(value))
      .map((other) => [name, JSON.stringify(other) ?? 'absent', other] as const),
  );

  test.each(wrong)('%s as %s is no state, whatever its digest', (name, _, other) => {
    const forged = JSON.stringify({ ...JSON.parse(text), [name]: other });
    const [record] = restated(records, { state: sha256(forged) });
    const isAllowed =
      (['ledgerId', 'fingerprint'].includes(name) && other === 'x') ||
      (name === 'lease' && other === undefined);
    if (isAllowed) expect(record && readCheckpoint(forged, record)).toBeDefined();
    else
      expect(() => record && readCheckpoint(forged, record)).toThrow(
        failsWith('ledgerBroken', { seq: 3, why: 'checkpoint' }),
      );
  });

  test.each(['', '[]', 'null', '{', '{}', '['.repeat(200_000)])('%.9s is no state', (forged) => {
    const [record] = restated(records, { state: sha256(forged) });
    expect(() => record && readCheckpoint(forged, record)).toThrow(failsWith('ledgerBroken'));
  });
});

test('a checkpoint is due once 500 records came since the last', () => {
  const seen: RecordBody = {
    type: 'SEEN',
    what: 'back',
    subject: 'd',
    seenAt: '2026-01-01T00:00:00Z',
  };
  const almost = fold(chained([GENESIS, lock(), ...Array.from({ length: 497 }, () => seen)]));
  expect(dueCheckpoint(almost)).toBeUndefined();
  const by = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
  const enough = foldMore(almost, appendTo(almost.head, [seen], by));
  const due = dueCheckpoint(enough);
  expect(due?.body.state).toBe(sha256(due?.text ?? ''));
  const after = foldMore(enough, appendTo(enough.head, due ? [due.body] : [], by));
  expect(dueCheckpoint(after)).toBeUndefined();
});

/** The same chain with another CHECKPOINT as its first record. */
function restated(records: readonly LedgerRecord[], body: object): LedgerRecord[] {
  const [first] = records;
  if (!first) return [];
  const bodies = records.map((record) => record.body);
  const forged = [{ ...first.body, ...body } as RecordBody, ...bodies.slice(1)];
  return appendTo({ seq: first.seq - 1, hash: first.prev }, forged, first);
}
