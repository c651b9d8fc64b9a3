import { describe, expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import { fold, foldMore } from '../../../src/ledger/fold.ts';
import { readRecord } from '../../../src/ledger/records.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { findSighting } from '../../../src/model/ledger/sightings.ts';
import { attempt, chained, GENESIS, lock, result, settled } from '../../support/ledger-records.ts';

const START = [GENESIS, lock()];

function after(...bodies: readonly RecordBody[]): Memory {
  return fold(chained([...START, ...bodies]));
}

/** When the n-th record after GENESIS and LOCK is written. */
const at = (n: number): number => Date.UTC(2026, 0, 1, 0, 0, 1 + n);

const rollout = (targetDigest: string, base: readonly string[]): RecordBody => ({
  type: 'ROLLOUT',
  policy: 'firmware.p',
  targetDigest,
  base,
});
const seen = (value: string, seenAt: string): RecordBody => ({
  type: 'SEEN',
  what: 'gateSample',
  subject: 'w',
  value,
  seenAt,
});
const stop = (scope: string, more: object = {}): RecordBody => ({
  type: 'STOP',
  scope,
  rule: 'canary',
  counts: { bad: 1 },
  ...more,
});
const LIFT: RecordBody = {
  type: 'LIFT',
  scope: 'firmware.p',
  who: 'ann',
  why: 'seen',
  ticket: 'T-1',
};

describe('a rollout', () => {
  test('is frozen by its first record, in its order and its waves', () => {
    const waves = [{ name: 'canary', devices: 1, asked: 1 }];
    const first: RecordBody = { ...rollout('t', ['d2', 'd1']), waves } as RecordBody;
    expect(after(first).rollouts?.get('firmware.p')).toEqual({
      targetDigest: 't',
      seq: 3,
      startedAt: at(1),
      base: ['d2', 'd1'],
      waves,
      devices: new Set(['d1', 'd2']),
    });
  });

  test('takes more devices in later, and keeps its base', () => {
    const memory = after(rollout('t', ['d2', 'd1']), rollout('t', ['d3']));
    const { seq, base, devices } = memory.rollouts?.get('firmware.p') ?? {};
    expect([seq, base, devices]).toEqual([3, ['d2', 'd1'], new Set(['d2', 'd1', 'd3'])]);
  });

  test('ends with the next wish, and begins anew if the wish returns', () => {
    const memory = after(rollout('t', ['d1']), rollout('u', ['d2']), rollout('t', ['d3']));
    expect(memory.rollouts?.get('firmware.p')).toMatchObject({ seq: 5, base: ['d3'] });
  });

  test('stamps the attempts of its policy, and no others', () => {
    const memory = after(
      attempt('a.1', ['d1']),
      rollout('t', ['d2', 'd3']),
      attempt('a.2', ['d2']),
      attempt('a.3', ['d3'], { policy: 'firmware.q' }),
    );
    const stamps = ['d1@2', 'd2@2', 'd3@2'].map((id) => memory.intents.get(id)?.rollout);
    expect(stamps).toEqual([undefined, 4, undefined]);
  });
});

describe('an intent', () => {
  const failed = [attempt('a.1', ['d1']), result('a.1', 'accepted'), settled('d1@2', 'failed')];

  test('remembers what came of its earlier attempts', () => {
    const memory = after(...failed, attempt('a.2', ['d1']));
    expect(memory.intents.get('d1@2')?.earlier).toEqual([
      {
        attemptId: 'a.1',
        attemptedAt: at(1),
        taskId: 'task-of-a.1',
        outcome: 'accepted',
        verdict: 'failed',
        settledAt: at(3),
        seconds: 60,
      },
    ]);
  });

  test('counts nothing as an earlier attempt that was never sent', () => {
    const unsent = [attempt('a.2', ['d1']), result('a.2', 'notSent')];
    const memory = after(...failed, ...unsent, attempt('a.3', ['d1']));
    const earlier = memory.intents.get('d1@2')?.earlier?.map(({ attemptId }) => attemptId);
    expect(earlier).toEqual(['a.1']);
  });

  test.each([
    ['by its RESULT', [result('a.1', 'inDoubt', 'P11')], 2],
    ['by the end of its run', [lock('run-b')], 2],
    [
      'by a lost task',
      [result('a.1', 'accepted'), { type: 'ANOMALY', what: 'taskLost', ids: ['d1@2'] }],
      3,
    ],
  ] as readonly (readonly [string, readonly RecordBody[], number])[])(
    'knows since when it is in doubt: %s',
    (_, bodies, n) => {
      const memory = after(attempt('a.1', ['d1']), ...bodies, lock('run-c'));
      expect(memory.intents.get('d1@2')?.doubtSince).toBe(at(n));
    },
  );
});

describe('stops', () => {
  test('of another documents digest or action are told apart', () => {
    const memory = after(stop('firmware.p', { action: 'abort', documents: 'd' }));
    expect(memory.stops?.get('firmware.p')).toEqual({
      scope: 'firmware.p',
      rule: 'canary',
      counts: { bad: 1 },
      action: 'abort',
      documents: 'd',
      at: at(1),
    });
  });

  test('a pause does not soften an abort', () => {
    const abort = stop('firmware.p', { action: 'abort', wish: 'w' });
    const memory = after(abort, stop('firmware.p'));
    expect(memory.stops?.get('firmware.p w')).toMatchObject({ action: 'abort', at: at(1) });
  });

  test('a lift ends the pauses of its scope and no abort', () => {
    const abort = stop('firmware.p', { action: 'abort', wish: 'w' });
    const memory = after(abort, stop('firmware.p'), LIFT);
    expect([...(memory.stops?.keys() ?? [])]).toEqual(['firmware.p w']);
  });

  test('who lifted the last one, when and by which ticket is remembered', () => {
    const memory = after(stop('firmware.p'), LIFT);
    expect([memory.stops.size, memory.lifts.get('firmware.p')]).toEqual([
      0,
      { scope: 'firmware.p', who: 'ann', why: 'seen', ticket: 'T-1', at: at(2) },
    ]);
    expect(after().lifts.size).toBe(0);
  });

  test('of a model refuse attempts on that model alone', () => {
    const onModel = (model: string): RecordBody => {
      const body = attempt('a.1', ['d1']);
      return { ...body, intents: body.intents.map((intent) => ({ ...intent, model })) };
    };
    const violations = (model: string) =>
      accept(chained([...START, stop('firmware.p/model=P1'), onModel(model)])).violations;
    expect(violations('P1').map(({ rule }) => rule)).toEqual(['I17']);
    expect(violations('P2')).toEqual([]);
  });
});

describe('what was seen', () => {
  const T = ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z'] as const;
  const hour = (n: number): number => Date.UTC(2026, 0, 1, n);

  test('in a row is counted from the first of the row', () => {
    const memory = after(seen('bad', T[0]), seen('good', T[1]), seen('good', T[2]));
    expect(findSighting(memory, 'gateSample', 'w')).toEqual({
      value: 'good',
      firstAt: hour(10),
      lastAt: hour(12),
      since: hour(11),
      times: 2,
    });
  });

  test('with another value between begins a new row', () => {
    const memory = after(seen('good', T[0]), seen('bad', T[1]), seen('good', T[2]));
    expect(findSighting(memory, 'gateSample', 'w')).toMatchObject({ since: hour(12), times: 1 });
  });

  test('of another kind or subject is another thing', () => {
    const memory = after(seen('good', T[0]));
    expect(findSighting(memory, 'gateSample', 'v')).toBeUndefined();
    expect(findSighting(memory, 'wavePassed', 'w')).toBeUndefined();
    expect(after().sightings.size).toBe(0);
  });

  test('is the same whether folded at once or record by record', () => {
    const records = chained([...START, seen('bad', T[0]), seen('good', T[1]), seen('good', T[2])]);
    let memory = fold([]);
    for (const record of records) memory = foldMore(memory, [record]);
    expect(memory.sightings?.get('gateSample/w')).toEqual(
      fold(records).sightings?.get('gateSample/w'),
    );
  });
});

test.each([
  ['waves of a ROLLOUT', { ...rollout('t', []), waves: [{ name: 1, devices: 1 }] }],
  ['the value of a SEEN', { ...seen('', '2026-01-01T10:00:00Z'), value: 1 }],
  ['the action of a STOP', stop('fleet', { action: 'halt' })],
])('%s is checked when read', (_, body) => {
  const [record] = chained([body as RecordBody]);
  expect(() => readRecord(record)).toThrow('ledgerBroken');
});
