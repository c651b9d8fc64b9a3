import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import { fold } from '../../../src/ledger/fold.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { withRenames } from '../../../src/model/ledger/renames.ts';
import { attempt, chained, GENESIS, lock, result, settled } from '../../support/ledger-records.ts';

const [OLD, NEW] = ['firmware.old', 'firmware.new'];
const RENAMED: RecordBody = { type: 'RENAMED', from: OLD, to: NEW };
const WHO = { who: 'ada', why: 'recall' } as const;

/** Records that name a policy, each under any address. */
type Naming = (policy: string) => RecordBody;

const scopes = ['', '/site=s1', '/model=m'];
const naming: fc.Arbitrary<Naming> = fc.oneof(
  fc.constantFrom('d1', 'd2', 'd3').map((id): Naming => (policy) => {
    return attempt(`a.${id}`, [id], { policy });
  }),
  fc.constantFrom('d1', 'd2').map(
    (id): Naming =>
      () =>
        result(`a.${id}`, 'accepted'),
  ),
  fc.constantFrom('d1', 'd2').map(
    (id): Naming =>
      () =>
        settled(`${id}@2`, 'done'),
  ),
  fc.constantFrom('t', 'u').map((targetDigest): Naming => (policy) => {
    return { type: 'ROLLOUT', policy, targetDigest, base: ['d1'], weighed: ['d1', 'd2'] };
  }),
  fc.constantFrom(...scopes).map((part): Naming => (policy) => {
    return { type: 'STOP', scope: `${policy}${part}`, rule: 'r', counts: {} };
  }),
  fc.constant<Naming>((scope) => {
    return { type: 'STOP', scope, rule: 'r', counts: {}, action: 'abort', wish: 't' };
  }),
  fc.constantFrom(...scopes).map((part): Naming => (policy) => {
    return { type: 'PAUSE', scope: `${policy}${part}`, ...WHO };
  }),
  fc
    .tuple(fc.constantFrom(...scopes), fc.constantFrom('pause', 'stop', 'rollout'))
    .map(([part, what]): Naming => (policy) => {
      return { type: 'LIFT', scope: `${policy}${part}`, what, ticket: '', ...WHO };
    }),
);
const some = fc.array(naming, { maxLength: 12 });

function recorded(bodies: readonly RecordBody[]) {
  return chained([GENESIS, lock(), ...bodies]);
}

/** What a memory answers about policies. */
function answers(memory: Memory): unknown {
  const { stops, lifts, pauses, resumedAt, rollouts, intents } = memory;
  const maps = { stops, lifts, pauses, resumedAt, rollouts, intents };
  return {
    ...Object.fromEntries(
      Object.entries(maps).map(([name, map]) => [name, Object.fromEntries(map ?? [])]),
    ),
    open: memory.open(),
    of: ['d1', 'd2', 'd3'].map((id) => memory.intentsOf(id)),
    covered: ['t', 'u'].map((target) => [...memory.covered(NEW, target)]),
    renamed: [...(memory.renamed ?? [])],
  };
}

test('a renamed policy has the past that it would have if it had always had its address', () => {
  fc.assert(
    fc.property(some, fc.array(fc.tuple(naming, fc.boolean()), { maxLength: 6 }), (past, later) => {
      const asIs = fold(
        recorded([
          ...past.map((one) => one(OLD)),
          RENAMED,
          // One who has not heard of it may still write the old address.
          ...later.map(([one, isOld]) => one(isOld ? OLD : NEW)),
        ]),
      );
      const always = [...past.map((one) => one(NEW)), RENAMED, ...later.map(([one]) => one(NEW))];
      expect(answers(asIs)).toEqual(answers(fold(recorded(always))));
    }),
    { numRuns: 300 },
  );
});

test('a rename that only the documents tell counts as one on record', () => {
  fc.assert(
    fc.property(some, some, (past, beside) => {
      const known = [...past.map((one) => one(OLD)), ...beside.map((one) => one(NEW))];
      const told = withRenames(fold(recorded(known)), [{ from: OLD, to: NEW }]);
      expect(answers(told)).toEqual(answers(fold(recorded([...known, RENAMED]))));
    }),
    { numRuns: 300 },
  );
});

test('a chain of renames ends at the present address', () => {
  const memory = fold(
    recorded([
      { type: 'PAUSE', scope: OLD, ...WHO },
      { type: 'RENAMED', from: OLD, to: 'firmware.between' },
      { type: 'RENAMED', from: 'firmware.between', to: NEW },
    ]),
  );
  expect([...(memory.pauses?.keys() ?? [])]).toEqual([NEW]);
  expect([...(memory.renamed ?? [])]).toEqual([
    [OLD, NEW],
    ['firmware.between', NEW],
  ]);
});

test('of two pauses under both addresses, one LIFT ends both', () => {
  const until = new Date(Date.UTC(2026, 0, 2)).toISOString();
  const both: RecordBody[] = [
    { type: 'PAUSE', scope: OLD, ...WHO },
    { type: 'PAUSE', scope: NEW, ...WHO, until },
    RENAMED,
  ];
  expect(fold(recorded(both)).pauses?.get(NEW)).not.toHaveProperty('until');
  const lift: RecordBody = { type: 'LIFT', scope: OLD, what: 'pause', ticket: '', ...WHO };
  expect(fold(recorded([...both, lift])).pauses.size).toBe(0);
});

test('a LIFT of a rollout ends it and leaves its stops and its attempts', () => {
  const memory = fold(
    recorded([
      { type: 'ROLLOUT', policy: OLD, targetDigest: 't', base: ['d1'] },
      { type: 'STOP', scope: OLD, rule: 'r', counts: {} },
      attempt('a.1', ['d1'], { policy: OLD }),
      { type: 'LIFT', scope: OLD, what: 'rollout', ticket: '', ...WHO },
    ]),
  );
  expect(memory.rollouts.size).toBe(0);
  expect(memory.stops?.has(OLD)).toBe(true);
  expect(memory.intentsOf('d1')).toHaveLength(1);
});

test.each([
  ['an attempt under the new address', NEW],
  ['an attempt under the old one', OLD],
])('a pause of the old address forbids %s (I17)', (_what, policy) => {
  const pause: RecordBody = { type: 'PAUSE', scope: OLD, ...WHO };
  const found = accept(recorded([pause, RENAMED, attempt('a.1', ['d1'], { policy })])).violations;
  expect(found).toEqual([{ seq: 5, rule: 'I17', subject: 'd1@2' }]);
});
