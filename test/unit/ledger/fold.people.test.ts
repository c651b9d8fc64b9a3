import { describe, expect, test } from 'vitest';
import { accept } from '../../../src/ledger/acceptor.ts';
import { fold } from '../../../src/ledger/fold.ts';
import type { Memory } from '../../../src/model/ledger/memory.ts';
import { pausesAt } from '../../../src/model/ledger/pauses.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import {
  type BodyOf,
  attempt,
  chained,
  GENESIS,
  lock,
  RELEASE,
} from '../../support/ledger-records.ts';

const START = [GENESIS, lock()];
const SCOPE = 'firmware.p';

/** When the n-th record after GENESIS and LOCK is written. */
const at = (n: number): number => Date.UTC(2026, 0, 1, 0, 0, 1 + n);
const instant = (n: number): string => new Date(at(n)).toISOString().replace('.000', '');

function after(...bodies: readonly RecordBody[]): Memory {
  return fold(chained([...START, ...bodies]));
}

function rulesOf(...bodies: readonly RecordBody[]): readonly string[] {
  return accept(chained([...START, ...bodies])).violations.map(({ rule }) => rule);
}

function pause(scope: string, more: Partial<BodyOf<'PAUSE'>> = {}): RecordBody {
  return { type: 'PAUSE', scope, who: 'Ada', why: 'dark', ...more };
}

const lift = (scope: string, what: 'pause' | 'stop'): RecordBody => ({
  type: 'LIFT',
  scope,
  who: 'Ada',
  why: 'seen',
  ticket: '',
  what,
});
const STOP: RecordBody = { type: 'STOP', scope: SCOPE, rule: 'canary', counts: { bad: 1 } };

describe('N64 the pause of a person', () => {
  const SCOPES = ['fleet', 'fleet/site=s1', SCOPE, `${SCOPE}/site=s1`];

  test.each(SCOPES)('of %s refuses an attempt in it', (scope) => {
    expect(rulesOf(pause(scope), attempt('a.1', ['d1']))).toEqual(['I17']);
  });

  test.each(['fleet/site=s2', 'firmware.q', `${SCOPE}/site=s2`])(
    'of %s refuses no attempt elsewhere',
    (scope) => {
      expect(rulesOf(pause(scope), attempt('a.1', ['d1']))).toEqual([]);
    },
  );

  test('needs no lease, and renews none', () => {
    expect(rulesOf(RELEASE, pause('fleet'))).toEqual([]);
    expect(after(pause('fleet')).lease?.renewals).toBe(0);
    expect(after(pause('fleet'), { type: 'BEAT', n: 1 }).lease?.renewals).toBe(1);
  });

  test('is of the epoch on which it was decided', () => {
    const records = chained([...START, { epoch: 4, body: pause('fleet') }]);
    expect(accept(records).violations.map(({ rule }) => rule)).toEqual(['I12']);
  });
});

describe('N66 a pause ends', () => {
  test('by itself at its until, which is no longer in it', () => {
    const bounded = pause(SCOPE, { until: instant(3) });
    const beat: RecordBody = { type: 'BEAT', n: 1 };
    expect(rulesOf(bounded, attempt('a.1', ['d1']))).toEqual(['I17']);
    expect(rulesOf(bounded, beat, attempt('a.1', ['d1']))).toEqual([]);
    expect(pausesAt(after(bounded), at(3) - 1)).toHaveLength(1);
    expect(pausesAt(after(bounded), at(3))).toEqual([]);
  });

  test('with its own LIFT, and neither with that of a rule nor the other way about', () => {
    const both = [pause(SCOPE), STOP];
    expect(after(...both, lift(SCOPE, 'stop')).pauses?.has(SCOPE)).toBe(true);
    expect(after(...both, lift(SCOPE, 'pause')).stops?.has(SCOPE)).toBe(true);
    expect(rulesOf(...both, lift(SCOPE, 'pause'), attempt('a.1', ['d1']))).toEqual(['I17']);
    const lifted = [lift(SCOPE, 'pause'), lift(SCOPE, 'stop')];
    expect(rulesOf(...both, ...lifted, attempt('a.1', ['d1']))).toEqual([]);
  });

  test('without clearing what rules have counted', () => {
    expect(after(pause(SCOPE), lift(SCOPE, 'pause')).lifts.size).toBe(0);
  });
});

describe('N69 of two pauses of one scope', () => {
  test('the later has the reason, and one LIFT lifts both', () => {
    const two = [pause(SCOPE), pause(SCOPE, { who: 'Bob', why: 'black', ticket: 'T-2' })];
    const later = { scope: SCOPE, who: 'Bob', why: 'black', ticket: 'T-2', at: at(2) };
    expect(after(...two).pauses?.get(SCOPE)).toEqual(later);
    expect(after(...two, lift(SCOPE, 'pause')).pauses.size).toBe(0);
  });

  test('neither ends the other', () => {
    const ended = (...pauses: readonly RecordBody[]) => after(...pauses).pauses?.get(SCOPE)?.until;
    const soon = pause(SCOPE, { until: instant(60), ticket: 'T-1' });
    const late = pause(SCOPE, { until: instant(90) });
    expect(ended(soon, late)).toBe(at(90));
    expect(ended(late, soon)).toBe(at(90));
    expect(ended(pause(SCOPE), soon)).toBeUndefined();
    expect(ended(soon, pause(SCOPE))).toBeUndefined();
    expect(after(soon, late).pauses?.get(SCOPE)?.ticket).toBe('T-1');
  });

  test('one that has ended is forgotten', () => {
    const over = pause(SCOPE, { until: instant(1), ticket: 'T-1' });
    const now = after({ type: 'BEAT', n: 1 }, over, pause(SCOPE)).pauses?.get(SCOPE);
    expect(now).toEqual({ scope: SCOPE, who: 'Ada', why: 'dark', at: at(3) });
  });
});

function approved(
  planId: string,
  changes: readonly (readonly [string, string])[],
  more: Partial<BodyOf<'APPROVED'>> = {},
): RecordBody {
  const of = { commit: 'c', documents: 'd', pulls: ['#7'], approvers: ['ada'], run: '4711' };
  const rest = { expires: '2026-02-01T00:00:00Z', preapproved: [] };
  return { type: 'APPROVED', planId, ...of, ...rest, changes, ...more };
}

const A = 'rotatePassword/d1';
const B = 'rotatePassword/d2';

describe('N72 approved outcomes', () => {
  const covering = (memory: Memory, id: string, outcome: string, policy?: string) =>
    memory.approvals?.of(id, policy).get(outcome)?.planId;

  test('are those of the whole series, and no others', () => {
    const memory = after(approved('p', [[A, 'x']]), approved('p', [[B, 'y']], { of: 2 }));
    expect([covering(memory, A, 'x'), covering(memory, B, 'y')]).toEqual(['p', 'p']);
    expect(covering(memory, A, 'y')).toBeUndefined();
    const [plan] = memory.approvals?.plans ?? [];
    expect(plan).toMatchObject({ seq: 3, at: at(1), commit: 'c', approvers: ['ada'], run: '4711' });
  });

  test.each<readonly [string, readonly RecordBody[]]>([
    ['has no last record', [approved('p', [[A, 'x']])]],
    ['lacks a record', [approved('p', [[A, 'x']], { of: 2 })]],
    ['is interrupted', [approved('p', [[A, 'x']]), RELEASE, approved('p', [[B, 'y']], { of: 2 })]],
    ['is of two runs', [approved('p', [[A, 'x']]), approved('p', [[B, 'y']], { of: 2, run: '9' })]],
  ])('do not count where their series %s', (_, bodies) => {
    expect(after(...bodies).approvals).toBeUndefined();
  });

  test('add up over approvals, and the later end counts', () => {
    const more = approved('q', [[A, 'x']], { of: 1, expires: '2026-03-01T00:00:00Z' });
    const memory = after(approved('p', [[A, 'x'], [B, 'y']], { of: 1 }), more); // prettier-ignore
    expect([covering(memory, A, 'x'), covering(memory, B, 'y')]).toEqual(['q', 'p']);
  });

  test('can be taken back, by change or by plan', () => {
    const both = [approved('p', [[A, 'x'], [B, 'y']], { of: 1 }), approved('q', [[A, 'x']], { of: 1 })]; // prettier-ignore
    const taken = (ids: readonly string[], planId?: string): RecordBody => ({
      type: 'WITHDRAWN',
      ids,
      who: 'Ada',
      why: 'wrong',
      ...(planId !== undefined && { planId }),
    });
    const left = (body: RecordBody) => {
      const memory = after(...both, body);
      return [covering(memory, A, 'x'), covering(memory, B, 'y')];
    };
    expect(left(taken([A]))).toEqual([undefined, 'p']);
    expect(left(taken([], 'q'))).toEqual([undefined, 'p']);
    expect(left(taken([], 'p'))).toEqual([undefined, undefined]);
    expect(left(taken([B], 'q'))).toEqual(['q', 'p']);
    const again = after(...both, taken([A]), approved('r', [[A, 'x']], { of: 1 }));
    expect(covering(again, A, 'x')).toBe('r');
  });

  test('N84 can be taken back by policy, until a later approval', () => {
    const before = approved('p', [[A, 'x']], { of: 1, expires: '2026-03-01T00:00:00Z' });
    const taken = { type: 'WITHDRAWN', policy: 'r.p', ids: [], who: 'Ada', why: 'wrong' } as const;
    const memory = after(before, taken);
    expect(covering(memory, A, 'x', 'r.p')).toBeUndefined();
    expect(covering(memory, A, 'x', 'r.other')).toBe('p');
    const again = after(before, taken, approved('q', [[A, 'x']], { of: 1 }));
    expect(covering(again, A, 'x', 'r.p')).toBe('q');
  });
});
