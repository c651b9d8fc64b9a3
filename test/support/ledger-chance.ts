import * as fc from 'fast-check';
import type { Memory } from '../../src/model/ledger/memory.ts';
import { RESULT_VERDICTS, type RecordBody } from '../../src/model/ledger/record.ts';
import { attempt, lock, RELEASE, result, settled } from './ledger-records.ts';

const device = fc.constantFrom('d1', 'd2', 'd3');
const MOVED = { type: 'ROLLOUT', policy: 'p', targetDigest: 't', base: [] } as const;
const SEEN = { seen: { s: 1 }, offered: {}, person: [] };
const attemptId = fc.constantFrom('a.1', 'a.2', 'b.1');
/** Any record, allowed or not. */
export const LEDGER_BODIES: fc.Arbitrary<RecordBody> = fc.oneof(
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
/** Everything that a memory answers, as plain data. */
export function answersOf(memory: Memory): unknown {
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
