import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import { fold, foldMore } from '../../../src/ledger/fold.ts';
import type { LedgerRecord } from '../../../src/model/ledger/record.ts';
import { answersOf, LEDGER_BODIES } from '../../support/ledger-chance.ts';
import { chained, GENESIS, lock } from '../../support/ledger-records.ts';

const ledger = fc
  .array(LEDGER_BODIES, { maxLength: 40 })
  .map((bodies): LedgerRecord[] => chained([GENESIS, lock(), ...bodies]));

test('folding in any number of steps remembers the same as folding at once', () => {
  fc.assert(
    fc.property(ledger, fc.array(fc.nat(40), { maxLength: 5 }), (records, cuts) => {
      const stops = [...cuts, records.length].sort((a, b) => a - b);
      let memory = fold([]);
      let from = 0;
      for (const stop of stops) {
        memory = foldMore(memory, records.slice(from, stop));
        from = Math.max(from, stop);
      }
      expect(answersOf(memory)).toEqual(answersOf(fold(records)));
    }),
    { numRuns: 300 },
  );
});

test('the acceptor finds and remembers the same in any number of steps as at once', () => {
  fc.assert(
    fc.property(ledger, fc.nat(40), (records, cut) => {
      const head = records.slice(0, cut);
      const rest = accept(records.slice(cut), fold(head));
      const whole = accept(records);
      expect([...accept(head).violations, ...rest.violations]).toEqual(whole.violations);
      for (const { memory } of [rest, whole])
        expect(answersOf(memory)).toEqual(answersOf(fold(records)));
    }),
    { numRuns: 300 },
  );
});

test('in a ledger that is accepted, no device ever has two open intents', () => {
  fc.assert(
    fc.property(ledger, (records) => {
      let memory = fold([]);
      for (const record of records) {
        if (accept([record], memory).violations.length === 0) memory = foldMore(memory, [record]);
        const devices = memory.open().map((intent) => intent.device);
        expect(new Set(devices).size).toBe(devices.length);
      }
    }),
    { numRuns: 300 },
  );
});

test('what is unanswered is always open', () => {
  fc.assert(
    fc.property(ledger, (records) => {
      let memory = fold([]);
      for (const record of records) {
        if (accept([record], memory).violations.length === 0) memory = foldMore(memory, [record]);
        const open = new Set(memory.open().map((intent) => intent.id));
        for (const id of [...memory.unanswered.values()].flat()) expect(open).toContain(id);
      }
    }),
    { numRuns: 300 },
  );
});
