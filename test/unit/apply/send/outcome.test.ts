import { describe, expect, it } from 'vitest';
import {
  classify,
  OUTCOME_TABLE,
  type SentBatch,
} from '../../../../src/apply/send/answer-outcome.ts';
import type { PostAnswer } from '../../../../src/model/ports.ts';

const ONE: SentBatch = { size: 1, deviceIds: ['a'] };
const TWO: SentBatch = { size: 2, deviceIds: ['a', 'b'] };

function answered(
  status: number,
  more: Partial<Extract<PostAnswer, { kind: 'answered' }>> = {},
): PostAnswer {
  return { kind: 'answered', status, json: true, taskIds: [], ...more };
}

function accepted(deviceIds?: readonly string[], status = 200): PostAnswer {
  return answered(status, { taskIds: ['t-1'], ...(deviceIds && { deviceIds }) });
}

function failed(phase: 'unsent' | 'sent', code: string): PostAnswer {
  return { kind: 'failed', phase, code };
}

type Row = readonly [
  what: string,
  answer: PostAnswer,
  batch: SentBatch,
  row: string,
  outcome: string,
  next: string,
];

const ROWS: readonly Row[] = [
  ['no such host', failed('unsent', 'ENOTFOUND'), TWO, 'P01', 'notSent', 'backOff'],
  ['connection refused', failed('unsent', 'ECONNREFUSED'), TWO, 'P01', 'notSent', 'backOff'],
  ['a bad certificate', failed('unsent', 'CERT_HAS_EXPIRED'), TWO, 'P01', 'notSent', 'backOff'],
  ['a refused stream', failed('unsent', 'REFUSED_STREAM'), TWO, 'P02', 'notSent', 'backOff'],
  ['a task id', accepted(), TWO, 'P03', 'accepted', 'poll'],
  ['a task id with 201', accepted(undefined, 201), TWO, 'P03', 'accepted', 'poll'],
  ['the batch echoed', accepted(['b', 'a']), TWO, 'P03', 'accepted', 'poll'],
  ['no task id', answered(200), TWO, 'P04', 'inDoubt', 'settle'],
  ['an empty task id', answered(200, { taskIds: [''] }), TWO, 'P04', 'inDoubt', 'settle'],
  [
    'the id of a task that the ledger has already',
    accepted(),
    { ...TWO, isKnown: (id) => id === 't-1' },
    'P04',
    'inDoubt',
    'settle',
  ],
  ['two task ids', answered(200, { taskIds: ['t', 'u'] }), TWO, 'P04', 'inDoubt', 'settle'],
  ['no JSON', answered(200, { json: false, taskIds: ['t'] }), TWO, 'P04', 'inDoubt', 'settle'],
  ['204', answered(204, { json: false }), TWO, 'P04', 'inDoubt', 'settle'],
  ['part of the batch echoed', accepted(['a']), TWO, 'P04', 'inDoubt', 'settle'],
  ['a device echoed twice', accepted(['a', 'a']), TWO, 'P04', 'inDoubt', 'settle'],
  ['a foreign device echoed', accepted(['a', 'b', 'c']), TWO, 'P04', 'inDoubt', 'halt'],
  ['401', answered(401), TWO, 'P05', 'rejected', 'renewToken'],
  ['403', answered(403), TWO, 'P06', 'rejected', 'stopAttempts'],
  ...[404, 405, 406, 411, 413, 414, 415, 431].map((status): Row => {
    return [String(status), answered(status), TWO, 'P06', 'rejected', 'giveUp'];
  }),
  ...[400, 422].flatMap((status): Row[] => [
    [`${status} for one device`, answered(status), ONE, 'P06', 'rejected', 'giveUp'],
    [`${status} for more`, answered(status), TWO, 'P08', 'inDoubt', 'settle'],
  ]),
  ['429', answered(429), TWO, 'P07', 'rejected', 'throttled'],
  ['409', answered(409), TWO, 'P08', 'inDoubt', 'settle'],
  ['409 for one device', answered(409), ONE, 'P08', 'inDoubt', 'settle'],
  ['an answer that was cut', failed('sent', 'cut'), TWO, 'P09', 'inDoubt', 'settle'],
  ...[408, 425, 444, 499, 500, 502, 503, 504, 520, 301, 302, 307, 100, 418, 451, 999].map(
    (status): Row => [String(status), answered(status), TWO, 'P10', 'inDoubt', 'settle'],
  ),
  ['a timeout', failed('sent', 'timedOut'), TWO, 'P11', 'inDoubt', 'settle'],
  ['a reset', failed('sent', 'ECONNRESET'), ONE, 'P11', 'inDoubt', 'settle'],
];

describe('the outcome table', () => {
  it.each(ROWS)('%s', (_what, answer, batch, ...expected) => {
    const { row, outcome, next } = classify(answer, batch);
    expect([row, outcome, next]).toEqual(expected);
  });

  it('has a test for every row but the one that recovery alone writes', () => {
    const tested = new Set(ROWS.map(([, , , row]) => row));
    const rows = OUTCOME_TABLE.map(({ id }) => id).filter((id) => id !== 'P12');
    expect(rows.filter((id) => !tested.has(id))).toEqual([]);
  });

  it('gives a task id to an acceptance alone', () => {
    expect(classify(accepted(), TWO).taskId).toBe('t-1');
    expect(classify(answered(500, { taskIds: ['t-1'] }), TWO).taskId).toBeUndefined();
  });

  it('passes on the status, and the pause that was asked for', () => {
    expect(classify(answered(429, { retryAfter: 7_000 }), TWO)).toMatchObject({
      status: 429,
      retryAfter: 7_000,
    });
    expect(classify(failed('sent', 'x'), TWO)).not.toHaveProperty('status');
  });
});
