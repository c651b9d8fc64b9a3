import { describe, expect, test } from 'vitest';
import type { StopRule } from '../../../../src/model/documents/rollout.ts';
import { EXPERT_CLASSES } from '../../../../src/model/documents/rollout-defaults.ts';
import { followRollouts } from '../../../../src/rollout/progress/follow.ts';
import { dueRecords } from '../../../../src/rollout/progress/rollout-records.ts';
import {
  anInput,
  begun,
  DAY,
  done,
  failed,
  follow,
  HOUR,
  members,
  oneWave,
  running,
  sighted,
  START,
  tried,
} from '../../../support/rollout-rig.ts';

function rule(fields: Partial<StopRule> = {}): StopRule {
  const usual = { name: 'stopOn[0]', classes: EXPERT_CLASSES, minAttempts: 1 } as const;
  return { ...usual, scope: 'rollout', action: 'pause', max: 0, ...fields };
}

const stopOn = (...rules: readonly StopRule[]) => ({ spec: oneWave({ stopOn: rules }) });
const NOW = START + 3 * HOUR;

describe('H2 what a rule of the expert form counts', () => {
  test.each(EXPERT_CLASSES)('%s, and nothing that it does not name', (outcome) => {
    const open = {
      inDoubt: running('d001', { phase: 'inDoubt' }),
      timedOut: running('d001', { attemptedAt: NOW - DAY }),
    };
    const intent =
      outcome === 'inDoubt' || outcome === 'timedOut'
        ? open[outcome]
        : tried('d001', outcome === 'deviceDown' ? {} : { verdict: outcome });
    const startedEarly = outcome === 'timedOut' ? { attemptedAt: START + 1 } : {};
    const intents = [{ ...intent, ...startedEarly }];
    const trips = (classes: StopRule['classes']) => {
      const input = anInput(stopOn(rule({ classes })));
      return follow(input, begun(input, { intents }), START + DAY).trips.length;
    };
    expect(trips([outcome])).toBe(1);
    expect(trips(EXPERT_CLASSES.filter((other) => other !== outcome))).toBe(0);
  });

  test('deviceDown, of a device that is verified too', () => {
    const input = anInput(stopOn(rule({ classes: ['deviceDown'] })));
    const key = 'deviceDown/firmware.p#7/d001';
    const trips = (value: string) =>
      follow(
        input,
        begun(input, { intents: [done('d001')], sightings: { [key]: sighted(START, value) } }),
      ).trips;
    expect(trips('down')).toMatchObject([{ counts: { deviceDown: 1 }, devices: ['d001'] }]);
    expect(trips('up')).toEqual([]);
  });

  test('a task that apply saw time out, however long it may take', () => {
    const input = anInput(stopOn(rule()));
    const now = START + 2 * HOUR;
    const intents = [running('d001')];
    const sightings = { 'timedOut/a.1/d001': sighted(now - 1) };
    expect(follow(input, begun(input, { intents }), now).trips).toEqual([]);
    const { trips } = follow(input, begun(input, { intents, sightings }), now);
    expect(trips).toMatchObject([{ counts: { timedOut: 1 } }]);
  });

  test('a retry that runs does not hide what failed before; one that ends well does', () => {
    const input = anInput(stopOn(rule()));
    const earlier = [
      { attemptId: 'a.0', attemptedAt: START + 1, verdict: 'failed', settledAt: START + 2 },
    ] as const;
    const trips = (intent: typeof running) =>
      follow(input, begun(input, { intents: [intent('d001', { earlier })] }), START + 2 * HOUR)
        .trips.length;
    expect([trips(running), trips(done)]).toEqual([1, 0]);
  });
});

describe('scopes', () => {
  const two = members(100, (n) => ({ sites: [n < 50 ? 'A' : 'B'], model: `m${n % 2}` }));
  const bad = failed('d001', { sites: ['A'], model: 'm1' });

  test.each([
    ['site', 'firmware.p/site=A', { sites: ['A'] }, { sites: ['B'] }],
    ['model', 'firmware.p/model=m1', { sites: [], model: 'm1' }, { sites: [], model: 'm0' }],
  ] as const)('%s stops its own devices alone', (scope, name, stopped, free) => {
    const input = anInput({ ...stopOn(rule({ scope })), members: two });
    const { halts } = follow(input, begun(input, { intents: [bad] }));
    expect(halts.of(stopped)?.scope).toBe(name);
    expect([halts.of(free), halts.whole]).toEqual([undefined, undefined]);
  });

  test('fleet counts over all rollouts, and stops them all', () => {
    const one = anInput(stopOn(rule({ scope: 'fleet', max: 1 })));
    const other = { ...anInput(stopOn()), policy: 'firmware.q' };
    const intents = [failed('d001'), failed('d002', { policy: 'firmware.q' })];
    const memory = begun(one, { intents });
    const rollouts = new Map([...(memory.rollouts ?? []), ...(begun(other).rollouts ?? [])]);
    const past = { memory: { ...memory, rollouts }, now: NOW };
    const followed = followRollouts([one, other], past);
    expect(followed.get('firmware.p')?.halts.records).toMatchObject([{ scope: 'fleet' }]);
    const stops = new Map([['fleet', { scope: 'fleet', rule: 'r', counts: {}, at: NOW }]]);
    const stopped = followRollouts([other], { ...past, memory: { ...past.memory, stops } });
    expect(stopped.get('firmware.q')?.refuses('d050')?.reason.code).toBe('rolloutPaused');
  });

  test('the lane of those who came too late is a wave of its own', () => {
    const input = anInput(stopOn(rule({ scope: 'wave', max: 1 })));
    const sightings = { 'wavePassed/firmware.p#7/all': sighted(START + HOUR) };
    const late = { attemptedAt: START + 2 * HOUR };
    const trips = (ids: readonly string[]) =>
      follow(
        input,
        begun(input, {
          sightings,
          intents: [failed('d000'), ...ids.map((id) => failed(id, late))],
        }),
      ).trips.map(({ rule: name }) => name);
    expect(trips(['d001'])).toEqual([]);
    expect(trips(['d001', 'd002'])).toEqual(['stopOn[0]/catchUp']);
  });
});

describe('H3 once a stop is recorded', () => {
  test('it holds for a plan too, which knows the documents as a whole and not as a digest', () => {
    const input = anInput({ ...stopOn(), documents: 'a digest' });
    const stop = {
      scope: input.policy,
      rule: 'canary',
      counts: {},
      at: NOW,
      documents: 'a digest',
    };
    const all = { memory: begun(input, { stops: [stop] }), now: NOW, documents: {} };
    const followed = followRollouts([input], all).get(input.policy);
    expect(followed?.refuses('d001')?.reason.code).toBe('rolloutPaused');
  });

  const input = anInput(stopOn(rule()));
  const stop = {
    scope: 'firmware.p',
    rule: 'stopOn[0]',
    counts: { bad: 1 },
    at: NOW,
    documents: 'documents',
  };
  const lift = { scope: 'firmware.p', who: 'ann', why: 'seen', ticket: 'T', at: NOW };
  const old = failed('d001');

  test('it is not recorded again', () => {
    const found = follow(input, begun(input, { intents: [old], stops: [stop] }));
    expect(dueRecords(found, NOW).stops).toEqual([]);
    expect(found.halts.whole).toMatchObject({ is: 'paused', since: NOW });
  });

  test('an abort goes beyond a pause, and is recorded', () => {
    const abort = anInput(stopOn(rule({ action: 'abort' })));
    const found = follow(abort, begun(abort, { intents: [old], stops: [stop] }));
    expect(dueRecords(found, NOW).stops).toMatchObject([
      { type: 'STOP', action: 'abort', wish: 'wish' },
    ]);
    expect(found.refuses('d050')).toMatchObject({
      action: 'skip',
      reason: { code: 'rolloutAborted' },
    });
  });

  test('lifted, the same evidence does not trip again, new evidence does', () => {
    const fresh = (settledAt: number) => failed('d002', { attemptedAt: NOW - HOUR, settledAt });
    const lifted = (...more: readonly ReturnType<typeof failed>[]) =>
      follow(input, begun(input, { intents: [old, ...more], lifts: [lift] }), NOW + DAY).trips;
    expect(lifted()).toEqual([]);
    expect(lifted(fresh(NOW + 1))).toMatchObject([
      { devices: ['d002'], counts: { attempted: 1, bad: 1 } },
    ]);
    expect(lifted(fresh(NOW))).toEqual([]);
  });

  test('an attempt that was late when it was lifted is old evidence when it fails at last', () => {
    const late = failed('d001', { attemptedAt: START, settledAt: NOW + HOUR });
    expect(
      follow(input, begun(input, { intents: [late], lifts: [lift] }), NOW + DAY).trips,
    ).toEqual([]);
    const doubted = running('d001', { doubtSince: NOW, settledAt: NOW + HOUR, verdict: 'failed' });
    const past = { intents: [{ ...doubted, phase: 'closed' as const }], lifts: [lift] };
    expect(follow(input, begun(input, past), NOW + DAY).trips).toEqual([]);
  });

  test('other documents end it, and what it counted is spent', () => {
    const changed = { ...input, documents: 'others' };
    const found = follow(changed, begun(input, { intents: [old], stops: [stop] }));
    expect([found.halts.whole, found.trips]).toEqual([undefined, []]);
    expect(dueRecords(found, NOW).outdated).toEqual([stop]);
  });

  test('a lift of one site leaves what others count', () => {
    const sites = anInput({ ...stopOn(rule({ scope: 'site' })) });
    const intents = [failed('d001', { sites: ['A'] }), failed('d002', { sites: ['B'] })];
    const lifts = [{ ...lift, scope: 'firmware.p/site=A' }];
    const { trips } = follow(sites, begun(sites, { intents, lifts }));
    expect(trips.map(({ scope }) => scope)).toEqual(['firmware.p/site=B']);
  });
});

describe('an abort', () => {
  const input = anInput(stopOn(rule()));
  const abort = { scope: 'firmware.p', rule: 'r', counts: {}, at: NOW, wish: 'wish' };
  const past = { stops: [{ ...abort, action: 'abort' as const }] };

  test('is not ended by other waves, gates or rules', () => {
    const changed = follow({ ...input, documents: 'others' }, begun(input, past));
    expect([changed.halts.whole?.is, changed.stopped.outdated]).toEqual(['aborted', []]);
  });

  test('is about no other wish', () => {
    const other = follow({ ...input, targetDigest: 'new' }, begun(input, past));
    expect([other.halts.whole, other.stopped.outdated]).toEqual([undefined, []]);
  });

  test('is what is said where something is paused besides, whatever its scope', () => {
    const pause = { rule: 'p', counts: {}, at: NOW };
    const { halts: whole } = follow(
      input,
      begun(input, { stops: [{ ...pause, scope: 'fleet' }, ...past.stops] }),
    );
    expect(whole.whole).toMatchObject({ is: 'aborted', rule: 'r' });
    const ofModel = { ...abort, scope: 'firmware.p/model=P1', action: 'abort' as const };
    const { halts } = follow(
      input,
      begun(input, { stops: [{ ...pause, scope: 'firmware.p/site=s1' }, ofModel] }),
    );
    expect(halts.of({ sites: ['s1'], model: 'P1' })).toMatchObject({ is: 'aborted', rule: 'r' });
    expect(halts.of({ sites: ['s1'], model: 'P2' })).toMatchObject({ is: 'paused', rule: 'p' });
  });

  test('H7 by a rule of the whole fleet ends its own rollout and pauses the rest', () => {
    const fleet = anInput(stopOn(rule({ scope: 'fleet', action: 'abort' })));
    const { halts } = follow(fleet, begun(fleet, { intents: [failed('d001')] }));
    expect(halts.records.map(({ scope, action, wish }) => [scope, action, wish])).toEqual([
      ['fleet', 'pause', undefined],
      ['firmware.p', 'abort', 'wish'],
    ]);
  });
});

test.each(['pause', 'abort'] as const)(
  'an aborted rollout that trips a %s again has its record',
  (action) => {
    const input = anInput(stopOn(rule({ action })));
    const abort = { scope: 'firmware.p', rule: 'r', counts: {}, at: NOW, action: 'abort' } as const;
    const { halts } = follow(input, begun(input, { intents: [failed('d001')], stops: [abort] }));
    expect([halts.whole?.is, halts.whole?.rule, halts.records]).toEqual(['aborted', 'r', []]);
  },
);

test('attempts of another rollout of the policy do not count, whenever they were made', () => {
  const input = anInput(stopOn(rule()));
  const { progress } = follow(input, begun(input, { intents: [failed('d001', { rollout: 3 })] }));
  expect(progress.tallies).toEqual([]);
});

test('a new wish begins with nothing, and the canary', () => {
  const input = anInput({ targetDigest: 'new' });
  const { progress, states, trips } = follow(input, begun(input, { intents: [failed('d001')] }));
  expect([progress.tallies, trips, states[0]]).toEqual([[], [], { is: 'open' }]);
});

test('a hop on the way is an attempt, and no success yet', () => {
  const input = anInput({ ...stopOn(), isLast: ({ target }) => target === '3' });
  const account = (...targets: readonly string[]) =>
    follow(
      input,
      begun(input, {
        intents: targets.map((target, n) =>
          done('d001', { id: `d001@${target}`, target, attemptedAt: START + n }),
        ),
      }),
    ).progress.waves[0];
  expect(account('2')).toMatchObject({ attempted: 1, verified: 0 });
  expect(account('2', '3')).toMatchObject({ attempted: 1, verified: 1 });
});
