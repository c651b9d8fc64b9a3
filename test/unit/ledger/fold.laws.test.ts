import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import { fold, foldMore } from '../../../src/ledger/fold.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import {
  RESULT_VERDICTS,
  type LedgerRecord,
  type RecordBody,
} from '../../../src/model/ledger/record.ts';
import { attempt, chained, GENESIS, lock, RELEASE, result } from '../../support/ledger-records.ts';
import { settled } from '../../support/ledger-records.ts';

const device = fc.constantFrom('d1', 'd2', 'd3');
const MOVED = { type: 'ROLLOUT', policy: 'p', targetDigest: 't', base: [] } as const;
const SEEN = { seen: { s: 1 }, offered: {}, person: [] };
const attemptId = fc.constantFrom('a.1', 'a.2', 'b.1');
const body: fc.Arbitrary<RecordBody> = fc.oneof(
  fc.constant(lock()),
  fc.constant(RELEASE),
  fc
    .tuple(attemptId, fc.uniqueArray(device, { minLength: 1 }))
    .map(([id, devices]) => attempt(id, devices)),
  fc
    .tuple(attemptId, fc.constantFrom('notSent', 'accepted', 'rejected', 'inDoubt'))
    .map(([id, outcome]) => result(id, outcome)),
  fc
    .tuple(device, fc.constantFrom(...RESULT_VERDICTS))
    .map(([of, verdict]) => settled(`${of}@2`, verdict, 'person')),
  fc.constant<RecordBody>({ type: 'ANOMALY', what: 'taskLost', ids: ['d1@2'] }),
  fc.constant<RecordBody>({ type: 'STOP', scope: 'fleet', rule: 'r', counts: {} }),
  fc.constant<RecordBody>({ type: 'STOP', scope: 'p', rule: 'r', counts: {}, action: 'abort' }),
  fc.constant<RecordBody>({ type: 'LIFT', scope: 'p', who: 'a', why: 'b', ticket: 'c' }),
  fc.constantFrom('good', 'bad').map((value): RecordBody => {
    return { type: 'SEEN', what: 'back', subject: 'y', value, seenAt: '2026-01-01T00:00:00Z' };
  }),
  fc.constant<RecordBody>({ type: 'ROLLOUT', policy: 'p', targetDigest: 't', base: ['d1'] }),
  fc.constant<RecordBody>({ ...MOVED, replaced: [['d1', 'd2']] }),
  fc
    .tuple(fc.constantFrom('p', 'a', 'b'), fc.constantFrom('p', 'a', 'b'))
    .map(([from, to]): RecordBody => ({ type: 'RENAMED', from, to })),
  fc.constantFrom('x', 'y').map((facts): RecordBody => ({ type: 'FACTS', facts, coverage: SEEN })),
  fc.constant<RecordBody>({ type: 'RELEASE', coverage: { ...SEEN, anew: true } }),
);
const ledger = fc
  .array(body, { maxLength: 40 })
  .map((bodies): LedgerRecord[] => chained([GENESIS, lock(), ...bodies]));

/** Everything that a memory answers, as plain data. */
function answers(memory: Memory): unknown {
  return {
    ...memory,
    parts: undefined,
    intents: [...memory.intents],
    unanswered: [...memory.unanswered],
    sightings: [...(memory.sightings ?? [])],
    open: memory.open(),
    of: ['d1', 'd2', 'd3'].map((id) => memory.intentsOf(id)),
    covered: [...memory.covered('p', 't')],
    renamed: [...(memory.renamed ?? [])],
    replaced: [...(memory.rollouts?.get('p')?.replaced ?? [])],
  };
}

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
      expect(answers(memory)).toEqual(answers(fold(records)));
    }),
    { numRuns: 300 },
  );
});

test('the acceptor finds the same in any number of steps as at once', () => {
  fc.assert(
    fc.property(ledger, fc.nat(40), (records, cut) => {
      const head = records.slice(0, cut);
      const stepwise = [...accept(head), ...accept(records.slice(cut), fold(head))];
      expect(stepwise).toEqual(accept(records));
    }),
    { numRuns: 300 },
  );
});

test('in a ledger that is accepted, no device ever has two open intents', () => {
  fc.assert(
    fc.property(ledger, (records) => {
      let memory = fold([]);
      for (const record of records) {
        if (accept([record], memory).length === 0) memory = foldMore(memory, [record]);
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
        if (accept([record], memory).length === 0) memory = foldMore(memory, [record]);
        const open = new Set(memory.open().map((intent) => intent.id));
        for (const id of [...memory.unanswered.values()].flat()) expect(open).toContain(id);
      }
    }),
    { numRuns: 300 },
  );
});
