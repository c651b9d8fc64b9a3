import { describe, expect, test } from 'vitest';
import { buildAudit } from '../../../src/ledger/audit.ts';
import type { RunSums } from '../../../src/model/ledger/run-sums.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { attempt, chained, GENESIS, lock, RELEASE, result } from '../../support/ledger-records.ts';
import { FINGERPRINT, plan, settled } from '../../support/ledger-records.ts';

const DONE: RecordBody = {
  ...settled('b@2', 'done'),
  evidence: [{ source: 'task', field: 'result', value: 'succeeded', at: '2026-01-01T00:00:00Z' }],
};
const READ: RecordBody = {
  ...settled('a@2', 'done'),
  evidence: [
    { source: 'device', field: 'firmwareVersion', value: '2', at: '2026-01-01T00:00:00Z' },
  ],
};

const SUMS: RunSums = {
  planId: 'plan-1',
  classes: { verified: 2, converged: 1 },
  noted: 4,
  beside: {},
};

/** Two runs of two commits: the second ends what the first began; then a person, and a run of nothing. */
const RECORDS = chained([
  GENESIS,
  lock('one'),
  plan('plan-1', 'c0ffee01'),
  attempt('t1', ['a', 'b']),
  result('t1', 'accepted'),
  { type: 'STOP', scope: 'firmware.p', rule: 'wave', counts: { bad: 1 } },
  READ,
  RELEASE,
  lock('two'),
  DONE,
  plan('plan-2', 'beef0002'),
  attempt('t2', ['c'], { policy: 'firmware.q' }),
  { type: 'ANOMALY', what: 'taskLost', ids: ['c@2'] },
  RELEASE,
  lock('three'),
  { ...settled('c@2', 'notDone', 'person'), who: 'Ada', why: 'it was unplugged' },
  { type: 'LIFT', scope: 'firmware.p', who: 'Ada', why: 'mended', ticket: 'CHG-1' },
  RELEASE,
  lock('four'),
  RELEASE,
]);

describe('the history of a ledger', () => {
  test('has a run for each lease with something to tell, and counts the others', () => {
    const { runs, idle, head, fingerprint } = buildAudit(RECORDS);
    expect(runs.map(({ epoch, record }) => record ?? epoch)).toEqual([1, 2, 3, 17]);
    expect([idle, head.seq, fingerprint]).toEqual([1, RECORDS.length, FINGERPRINT]);
  });

  test('has each verdict with the attempt that it is about, and says which run wrote it', () => {
    const [first] = buildAudit(RECORDS).runs;
    const devices = first?.attempts[0]?.intents.map(({ device, settled: said }) => [device, said]);
    expect(devices).toMatchObject([
      ['a', [{ verdict: 'done', level: 'readBack', epoch: 1 }]],
      ['b', [{ verdict: 'done', level: 'resultOnly', epoch: 2 }]],
    ]);
  });

  test('tells what was sent and what came back; no answer is none', () => {
    const sent = buildAudit(RECORDS).runs.flatMap(({ attempts }) => attempts);
    expect(sent.map(({ attemptId, outcome, taskId }) => [attemptId, outcome, taskId])).toEqual([
      ['t1', 'accepted', 'task-of-t1'],
      ['t2', undefined, undefined],
    ]);
  });

  test('tells who did what by hand, and what was unforeseen', () => {
    const events = buildAudit(RECORDS).runs.map((run) => run.events);
    expect(events).toMatchObject([
      [{ is: 'stop', scope: 'firmware.p', abort: false }],
      [{ is: 'anomaly', what: 'taskLost' }],
      [{ is: 'resolve', device: 'c', policy: 'firmware.q', who: 'Ada', why: 'it was unplugged' }],
      [{ is: 'lift', scope: 'firmware.p', ticket: 'CHG-1' }],
    ]);
  });
});

describe('asked for a part of it', () => {
  const epochs = (question: Parameters<typeof buildAudit>[1]): readonly number[] =>
    buildAudit(RECORDS, question).runs.map(({ epoch }) => epoch);

  test.each([
    [{ commit: 'c0ffee01' }, [1]],
    [{ commit: 'beef' }, [2]],
    [{ commit: 'abc' }, []],
    [{ device: 'b' }, [1]],
    [{ device: 'c' }, [2, 3]],
    [{ device: 'nobody' }, []],
    [{ policy: 'firmware.p' }, [1, 3]],
    [{ policy: 'firmware.q' }, [2, 3]],
    [{ commit: 'c0ffee01', device: 'c' }, []],
  ])('%j: runs %j', (question, expected) => {
    expect(epochs(question)).toEqual(expected);
  });

  test.each(['firmware.p', 'firmware.now', 'firmware.then'])(
    'of %s, has what was done under every address of the policy (semantics M23)',
    (policy) => {
      const renames: RecordBody[] = [
        lock('one'),
        { type: 'RENAMED', from: 'firmware.p', to: 'firmware.then' },
        { type: 'RENAMED', from: 'firmware.then', to: 'firmware.now' },
        attempt('t1', ['a'], { policy: 'firmware.now' }),
      ];
      const bodies = [...RECORDS.map(({ body }) => body), ...renames];
      const { runs } = buildAudit(chained(bodies), { policy });
      expect(runs.map(({ epoch }) => epoch)).toEqual([1, 3, 5]);
      expect(runs.at(-1)?.events.map(({ is }) => is)).toEqual(['rename', 'rename']);
    },
  );

  test('leaves out the other devices of an attempt, and events of others', () => {
    const [run] = buildAudit(RECORDS, { device: 'b' }).runs;
    expect(run?.attempts[0]?.intents.map(({ device }) => device)).toEqual(['b']);
    const [, late] = buildAudit(RECORDS, { device: 'c' }).runs;
    expect(late?.events.map(({ is }) => is)).toEqual(['resolve']);
  });
});

describe('the sums of a run (protocol Z7)', () => {
  const told = (...bodies: Parameters<typeof chained>[0]) =>
    buildAudit(chained([GENESIS, lock('one'), ...bodies]));
  const begun = [plan('plan-1', 'c0ffee01'), attempt('t1', ['a'])] as const;
  const ended: RecordBody = { type: 'RELEASE', sums: SUMS };

  test('are those that it gave its lease back with', () => {
    const { runs } = told(...begun, result('t1', 'accepted'), ended);
    expect(runs).toMatchObject([{ epoch: 1, sums: SUMS }]);
  });

  test('are not there where an older version, or nobody, gave it back', () => {
    expect(told(...begun, RELEASE).runs[0]).not.toHaveProperty('sums');
    expect(told(...begun).runs[0]).not.toHaveProperty('sums');
  });

  test('are taken away by an answer that was recorded afterwards', () => {
    const { runs } = told(...begun, ended, result('t1', 'accepted'));
    expect(runs).toHaveLength(1);
    expect(runs[0]).not.toHaveProperty('sums');
  });

  test.each([
    ['right already', { converged: 1 }, 1],
    ['stale', { stale: 1 }, 1],
    ['waiting', { notStarted: 3, skipped: 1 }, 0],
  ])('make a run that sent nothing worth telling: %s', (_, classes, runs) => {
    const view = told({ type: 'RELEASE', sums: { ...SUMS, classes } });
    expect([view.runs.length, view.idle]).toEqual([runs, 1 - runs]);
  });
});
