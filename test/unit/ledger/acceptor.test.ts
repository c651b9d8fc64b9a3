import { describe, expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import {
  nextStatus,
  INTENT_STATUSES,
  type IntentEvent,
  type IntentStatus,
} from '../../../src/ledger/transitions.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { attempt, chained, GENESIS, lock, RELEASE } from '../../support/ledger-records.ts';
import { result, settled } from '../../support/ledger-records.ts';

type Entry = Parameters<typeof chained>[0][number];
const START = [GENESIS, lock()];

function violations(...entries: readonly Entry[]) {
  return accept(chained([...START, ...entries])).violations.map(({ seq, rule, subject }) => [
    seq,
    rule,
    subject,
  ]);
}

/** Restarts, since they alone reach every standing. */
const task = 'restartDevice';
const tried = attempt('a.1', ['d1'], { task });
const running = [tried, result('a.1', 'accepted')];
const doubted = [tried, result('a.1', 'inDoubt', 'P11')];

const WAY_TO: Readonly<Record<IntentStatus, readonly RecordBody[]>> = {
  none: [tried, result('a.1', 'notSent', 'P01')],
  open: [tried],
  running,
  inDoubt: doubted,
  rejected: [tried, result('a.1', 'rejected', 'P06')],
  done: [...running, settled('d1@2', 'done')],
  unverified: [...running, settled('d1@2', 'unverified')],
  failed: [...running, settled('d1@2', 'failed')],
  rolledBack: [...running, settled('d1@2', 'rolledBack')],
  aborted: [...running, settled('d1@2', 'aborted')],
  notDone: [...doubted, settled('d1@2', 'notDone', 'person')],
  unknown: [...doubted, settled('d1@2', 'unknown')],
};

const STEPS: readonly (readonly [IntentEvent, RecordBody])[] = [
  ['attempt', attempt('a.2', ['d1'], { task })],
  ['settled done', settled('d1@2', 'done', 'person')],
  ['settled unverified', settled('d1@2', 'unverified', 'person')],
  ['settled failed', settled('d1@2', 'failed', 'person')],
  ['settled rolledBack', settled('d1@2', 'rolledBack', 'person')],
  ['settled aborted', settled('d1@2', 'aborted', 'person')],
  ['settled notDone', settled('d1@2', 'notDone', 'person')],
  ['settled unknown', settled('d1@2', 'unknown', 'person')],
];

describe.each(INTENT_STATUSES)('I4: from %s', (standing) => {
  test.each(STEPS)('%s is accepted only where the table has it', (event, body) => {
    const way = WAY_TO[standing];
    const found = violations(...way, body).filter(([, rule]) => rule === 'I4');
    const allowed = nextStatus(standing, event, { task, by: 'person' }) !== undefined;
    expect(found).toEqual(allowed ? [] : [[way.length + 3, 'I4', 'd1@2']]);
  });

  test('a second RESULT is accepted only to turn doubt into an acceptance', () => {
    const of = (outcome: 'accepted' | 'notSent') =>
      violations(...WAY_TO[standing], result('a.1', outcome)).map(([, rule]) => rule);
    const isOpen = standing === 'open';
    expect(of('accepted')).toEqual(isOpen || standing === 'inDoubt' ? [] : ['I4']);
    expect(of('notSent')).toEqual(isOpen ? [] : ['I4']);
  });
});

test('a whole life is accepted', () => {
  const late = { epoch: 1, body: result('a.2', 'accepted') };
  const second = [attempt('a.2', ['d1', 'd2']), lock('run-b'), late, settled('d2@2', 'done')];
  expect(violations(attempt('a.1', ['d1']), result('a.1', 'rejected'), ...second)).toEqual([]);
});

test.each(['notSent', 'rejected', 'inDoubt'] as const)(
  'a run that lost its lease says what it knows of its own attempt: %s',
  (outcome) => {
    const found = [attempt('a.1', ['d1']), lock('run-b'), result('a.1', 'inDoubt')];
    const own = { epoch: 1, body: result('a.1', outcome) };
    expect(violations(...found, own)).toEqual([]);
    const again = { epoch: 2, body: result('a.1', outcome) };
    expect(violations(...found, again)).toEqual([[6, 'I4', 'a.1']]);
  },
);

test('I4: a RESULT of an attempt nobody made is refused', () => {
  expect(violations(result('a.9', 'accepted'))).toEqual([[3, 'I4', 'a.9']]);
});

test('I4: a settlement of an intent nobody attempted is refused', () => {
  expect(violations(settled('d9@2', 'done'))).toEqual([[3, 'I4', 'd9@2']]);
});

describe('I5: one open intent per device', () => {
  const other = attempt('a.2', ['d1'], { target: '3', task: 'rotatePassword' });

  test.each(['open', 'running', 'inDoubt'] as const)(
    'nothing else starts while one is %s',
    (of) => {
      const found = violations(...WAY_TO[of], lock('run-b'), other);
      expect(found.map(([, rule, subject]) => [rule, subject])).toEqual([['I5', 'd1@3']]);
    },
  );

  test.each(['none', 'rejected', 'done', 'unknown'] as const)('%s holds nothing', (of) => {
    expect(violations(...WAY_TO[of], other)).toEqual([]);
  });

  test('not even two in one batch', () => {
    const { intents, ...rest } = attempt('a.1', ['d1']);
    const twice = {
      ...rest,
      intents: [...intents, ...attempt('x', ['d1'], { target: '3' }).intents],
    };
    expect(violations(twice)).toEqual([[3, 'I5', 'd1@3']]);
  });
});

describe('I12: by whom', () => {
  test('an ATTEMPT after a take-over is refused to the run before', () => {
    expect(violations(lock('run-b'), { epoch: 1, body: tried })).toEqual([[4, 'I12', '1']]);
  });

  test('nothing is written without a lease', () => {
    expect(violations(RELEASE, tried)).toEqual([[4, 'I12', '1']]);
  });

  test('a LOCK raises the epoch by exactly one', () => {
    expect(violations({ epoch: 5, body: lock('run-b') })).toEqual([[3, 'I12', '5']]);
  });

  test('a late RESULT and the ANOMALY about it are welcome', () => {
    const tooLate: RecordBody = { type: 'ANOMALY', what: 'resultTooLate', ids: ['a.1'] };
    expect(
      violations(
        tried,
        lock('run-b'),
        { epoch: 1, body: result('a.1', 'accepted') },
        {
          epoch: 1,
          body: tooLate,
        },
      ),
    ).toEqual([]);
  });

  test('a second GENESIS is refused', () => {
    expect(violations({ epoch: 0, body: GENESIS })).toEqual([[3, 'I12', '0']]);
  });
});

describe('I14: RESULT first', () => {
  const other = attempt('a.2', ['d2']);

  test('a run attempts nothing more before the RESULT of its last attempt', () => {
    expect(violations(tried, other)).toEqual([[4, 'I14', 'a.1']]);
  });

  test('another run need not wait for what the one before left', () => {
    expect(violations(tried, lock('run-b'), other)).toEqual([]);
  });
});

describe('I17: stops', () => {
  const stop = (scope: string): RecordBody => ({ type: 'STOP', scope, rule: 'canary', counts: {} });
  const lift: RecordBody = { type: 'LIFT', scope: 'fleet', who: 'me', why: 'w', ticket: 'T' };

  test.each(['fleet', 'firmware.p', 'firmware.p/site=s1'])('a stop of %s holds', (scope) => {
    expect(violations(stop(scope), tried)).toEqual([[4, 'I17', 'd1@2']]);
  });

  test('it holds in a later run too', () => {
    expect(violations(stop('fleet'), RELEASE, lock('run-b'), tried)).toEqual([[6, 'I17', 'd1@2']]);
  });

  test.each(['firmware.q', 'firmware.p/site=s2'])('a stop of %s is about others', (scope) => {
    expect(violations(stop(scope), tried)).toEqual([]);
  });

  test.each([
    ['of the wish that was aborted', 'w', [[5, 'I17', 'd1@2']]],
    ['of another wish', 'v', []],
  ] as const)('an abort holds an attempt %s', (_what, targetDigest, broken) => {
    const of = { scope: 'firmware.p', rule: 'canary', counts: {} };
    const abort: RecordBody = { type: 'STOP', ...of, action: 'abort', wish: 'w' };
    const begin: RecordBody = { type: 'ROLLOUT', policy: 'firmware.p', targetDigest, base: ['d1'] };
    expect(violations(abort, begin, tried)).toEqual(broken);
  });

  test('it holds no longer once lifted', () => {
    expect(violations(stop('fleet'), lift, tried)).toEqual([]);
  });
});
