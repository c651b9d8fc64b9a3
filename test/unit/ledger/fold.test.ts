import { describe, expect, test } from 'vitest';
import { EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { EMPTY_MEMORY, fold, foldMore } from '../../../src/ledger/fold.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { attempt, chained, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { RELEASE, result, settled } from '../../support/ledger-records.ts';

const START = [GENESIS, lock()];
type Entry = Parameters<typeof chained>[0][number];

function after(...bodies: readonly Entry[]): Memory {
  return fold(chained([...START, ...bodies]));
}

function phaseOf(memory: Memory, id = 'd1@2') {
  return memory.intents.get(id)?.phase;
}

describe('the beginning', () => {
  test('nothing is remembered of an empty ledger', () => {
    const { ledgerId, head, epoch, lease, coverage, stops } = EMPTY_MEMORY;
    expect([ledgerId, head, epoch, lease, coverage, stops, EMPTY_MEMORY.open()]).toEqual([
      '',
      EMPTY_HEAD,
      0,
      undefined,
      [],
      new Map(),
      [],
    ]);
  });

  test('GENESIS names the ledger and its service; a second one changes nothing', () => {
    const other: RecordBody = {
      ...GENESIS,
      type: 'GENESIS',
      ledgerId: 'x',
      fingerprint: 'y',
      format: 1,
    };
    const memory = after(other);
    expect([memory.ledgerId, memory.fingerprint]).toEqual(['ledger-1', FINGERPRINT]);
  });

  test('the head is the last record', () => {
    const records = chained(START);
    expect(fold(records).head).toEqual(headAfter(records, EMPTY_HEAD));
  });
});

describe('an attempt', () => {
  test('opens its intents before anything is known of them', () => {
    const memory = after(attempt('a.1', ['d1', 'd2']));
    expect(memory.open().map(({ device, phase }) => [device, phase])).toEqual([
      ['d1', 'open'],
      ['d2', 'open'],
    ]);
    expect(memory.unanswered).toEqual(new Map([['a.1', ['d1@2', 'd2@2']]]));
  });

  test.each([
    ['notSent', 'P01', 'none', 0],
    ['accepted', 'P03', 'running', 1],
    ['rejected', 'P06', 'failed', 1],
    ['rejected', 'P07', 'none', 0],
    ['inDoubt', 'P11', 'inDoubt', 1],
  ] as const)('with RESULT %s by %s is %s after %i attempts', (outcome, row, phase, attempts) => {
    const memory = after(attempt('a.1', ['d1']), result('a.1', outcome, row));
    expect(memory.intents.get('d1@2')).toMatchObject({ phase, attempts, outcome, row });
    expect(memory.unanswered.size).toBe(0);
  });

  test('accepted once tells that the payload of its task type is understood', () => {
    const memory = after(attempt('a.1', ['d1']), result('a.1', 'accepted'));
    expect(memory.accepted).toEqual(new Set(['upgradeFirmware']));
    expect(after(attempt('a.1', ['d1']), result('a.1', 'rejected')).accepted.size).toBe(0);
  });

  test('again forgets what came of the one before', () => {
    const once = [attempt('a.1', ['d1']), result('a.1', 'accepted'), settled('d1@2', 'failed')];
    const state = after(...once, attempt('a.2', ['d1'])).intents.get('d1@2');
    expect(state).toMatchObject({ phase: 'open', attempts: 2, attemptId: 'a.2' });
    expect(state).not.toHaveProperty('verdict');
    expect(state).not.toHaveProperty('taskId');
  });
});

describe('a run that is gone', () => {
  test.each([
    ['its lease is taken over', lock('run-b')],
    ['it gave its lease back', RELEASE],
  ])('leaves an attempt without RESULT in doubt: %s', (_, gone) => {
    const memory = after(attempt('a.1', ['d1']), gone);
    expect(memory.intents.get('d1@2')).toMatchObject({ phase: 'inDoubt', row: 'P12' });
    expect([...memory.unanswered.keys()]).toEqual(['a.1']);
  });

  test('leaves what is answered as it is', () => {
    const memory = after(attempt('a.1', ['d1']), result('a.1', 'accepted'), lock('run-b'));
    expect(phaseOf(memory)).toBe('running');
  });

  test.each([
    ['accepted', 'running'],
    ['notSent', 'none'],
    ['rejected', 'failed'],
    ['inDoubt', 'inDoubt'],
  ] as const)('may still say RESULT %s, and then it is %s', (outcome, phase) => {
    const late = { epoch: 1, body: result('a.1', outcome, 'P06') };
    const memory = after(attempt('a.1', ['d1']), lock('run-b'), late);
    expect([phaseOf(memory), memory.unanswered.size]).toEqual([phase, 0]);
  });

  test('has left a doubt that began when it was gone, whatever its late RESULT says', () => {
    const gone = [attempt('a.1', ['d1']), lock('run-b')];
    const since = after(...gone).intents.get('d1@2')?.doubtSince;
    const late = { epoch: 1, body: result('a.1', 'inDoubt', 'P11') };
    expect(since).toBeDefined();
    expect(after(...gone, late).intents.get('d1@2')).toMatchObject({
      row: 'P11',
      doubtSince: since,
    });
  });

  test('owes no RESULT any more once each of its intents is settled', () => {
    const gone = [attempt('a.1', ['d1', 'd2']), lock('run-b')];
    const one = [...gone, settled('d1@2', 'done', 'evidence')];
    expect(after(...one).unanswered).toEqual(new Map([['a.1', ['d2@2']]]));
    expect(after(...one, settled('d2@2', 'done', 'evidence')).unanswered).toEqual(new Map());
  });

  test('does not renew the lease of the next with its late RESULT', () => {
    const late = { epoch: 1, body: result('a.1', 'accepted') };
    expect(after(attempt('a.1', ['d1']), lock('run-b'), late).lease?.renewals).toBe(0);
  });

  test('cannot reopen with a late RESULT what was settled since', () => {
    const since = [lock('run-b'), settled('d1@2', 'notDone', 'person')];
    const late = { epoch: 1, body: result('a.1', 'accepted') };
    const memory = after(attempt('a.1', ['d1']), ...since, late);
    expect([phaseOf(memory), memory.unanswered.size]).toEqual(['closed', 0]);
  });

  test('is waited for only for the intents that are not settled yet', () => {
    const memory = after(
      attempt('a.1', ['d1', 'd2']),
      lock('run-b'),
      settled('d1@2', 'done', 'evidence'),
    );
    expect(memory.unanswered).toEqual(new Map([['a.1', ['d2@2']]]));
  });

  test('an acceptance that comes after doubt was recorded counts', () => {
    const memory = after(attempt('a.1', ['d1']), result('a.1', 'inDoubt', 'P11'), lock('run-b'), {
      epoch: 1,
      body: result('a.1', 'accepted'),
    });
    expect(memory.intents.get('d1@2')).toMatchObject({ phase: 'running', taskId: 'task-of-a.1' });
  });
});

describe('a settlement', () => {
  test('closes an intent with its verdict and how long it took', () => {
    const memory = after(
      attempt('a.1', ['d1']),
      result('a.1', 'accepted'),
      settled('d1@2', 'done'),
    );
    expect(memory.intents.get('d1@2')).toMatchObject({
      phase: 'closed',
      verdict: 'done',
      seconds: 60,
      settledAt: Date.UTC(2026, 0, 1, 0, 0, 4),
    });
    expect(memory.open()).toEqual([]);
  });

  test('of an intent nobody attempted changes nothing', () => {
    expect(after(settled('d9@2', 'done')).intents.size).toBe(0);
  });

  test('a task that can no longer be read puts its intents in doubt', () => {
    const lost: RecordBody = { type: 'ANOMALY', what: 'taskLost', ids: ['d1@2'] };
    const memory = after(attempt('a.1', ['d1', 'd2']), result('a.1', 'accepted'), lost);
    expect([phaseOf(memory, 'd1@2'), phaseOf(memory, 'd2@2')]).toEqual(['inDoubt', 'running']);
  });
});

describe('the lease', () => {
  test('is what the last LOCK says', () => {
    expect(after(lock('run-b')).lease).toEqual({
      epoch: 2,
      nonce: 'run-b',
      label: 'ci@host',
      host: 'host',
      pid: 1,
      process: 'start-1',
      ttl: 90_000,
      takenAt: Date.UTC(2026, 0, 1, 0, 0, 2),
      lastSignAt: Date.UTC(2026, 0, 1, 0, 0, 2),
      renewals: 0,
    });
  });

  test('is renewed by every record of its holder', () => {
    expect(after({ type: 'BEAT', n: 1 }, attempt('a.1', ['d1'])).lease?.renewals).toBe(2);
  });

  test('is gone after RELEASE, and the epoch stays', () => {
    const memory = after(RELEASE);
    expect([memory.lease, memory.epoch]).toEqual([undefined, 1]);
  });
});

describe('what the other stages ask', () => {
  const again = { ...attempt('a.2', ['d1'], { target: '3' }) };
  const older = [attempt('a.1', ['d1']), result('a.1', 'rejected'), again];

  test('intents of a device come oldest first, of one task type on request', () => {
    const memory = after(...older);
    expect(memory.intentsOf('d1').map(({ id }) => id)).toEqual(['d1@2', 'd1@3']);
    expect(memory.intentsOf('d1', 'rotatePassword')).toEqual([]);
    expect(memory.intentsOf('d9')).toEqual([]);
  });

  test('the generation is the highest recorded for device and task, and 1 without any', () => {
    const raised = { ...again, intents: again.intents.map((i) => ({ ...i, generation: 4 })) };
    const memory = after(...older.slice(0, 2), raised);
    expect(memory.generationOf('d1', 'upgradeFirmware')).toBe(4);
    expect(memory.generationOf('d1', 'rotatePassword')).toBe(1);
  });

  test('a rollout covers its base, and more that is added under the same wish', () => {
    const rollout = { type: 'ROLLOUT', policy: 'firmware.p', targetDigest: 't' } as const;
    const memory = after({ ...rollout, base: ['d1'] }, { ...rollout, base: ['d2'] });
    expect(memory.covered('firmware.p', 't')).toEqual(new Set(['d1', 'd2']));
    expect(memory.covered('firmware.p', 'other').size).toBe(0);
    expect(memory.covered('firmware.q', 't').size).toBe(0);
  });

  test('a newer wish ends what the rollout before it covered, even if that wish returns', () => {
    const rollout = (targetDigest: string, base: readonly string[]) =>
      ({ type: 'ROLLOUT', policy: 'firmware.p', targetDigest, base }) as const;
    const memory = after(rollout('t', ['d1']), rollout('u', ['d2']));
    expect(memory.covered('firmware.p', 't').size).toBe(0);
    const returned = after(rollout('t', ['d1']), rollout('u', ['d2']), rollout('t', ['d3']));
    expect(returned.covered('firmware.p', 't')).toEqual(new Set(['d3']));
  });

  test('a stop stands until it is lifted', () => {
    const stop = {
      type: 'STOP',
      scope: 'firmware.p',
      rule: 'canary',
      counts: { failed: 1 },
    } as const;
    const lift = { type: 'LIFT', scope: 'firmware.p', who: 'me', why: 'w', ticket: 'T' } as const;
    expect([...(after(stop).stops?.keys() ?? [])]).toEqual(['firmware.p']);
    expect(after(stop, lift).stops.size).toBe(0);
  });
});

test('folding more leaves the memory before it as it was', () => {
  const records = chained([...START, attempt('a.1', ['d1']), result('a.1', 'accepted')]);
  const before = fold(records.slice(0, 3));
  foldMore(before, records.slice(3));
  expect([phaseOf(before), before.head.seq, before.unanswered.size]).toEqual(['open', 3, 1]);
});
