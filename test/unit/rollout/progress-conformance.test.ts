import { describe, expect, test } from 'vitest';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import type { StopRule } from '../../../src/model/documents/rollout.ts';
import { simpleStops } from '../../../src/model/documents/rollout-defaults.ts';
import { fold, foldMore } from '../../../src/ledger/fold.ts';
import { judgeCoverage } from '../../../src/rollout/budgets/down.ts';
import { assignWaves } from '../../../src/rollout/waves/waves.ts';
import { aDevice, NOW } from '../../support/plan-fleet.ts';
import { attempt, chained, GENESIS, lock, result, settled } from '../../support/ledger-records.ts';
import {
  aSpec,
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
} from '../../support/rollout-rig.ts';

const ids = (count: number): readonly string[] => members(count).map(({ id }) => id);
const wave = (limit: { percent: number } | { count: number }): readonly StopRule[] =>
  simpleStops({ wave: limit }, []).filter(({ scope }) => scope === 'wave');

test('P1 60 of the first 60 that fail in a wave of 1,000 trip it', () => {
  const input = anInput({
    spec: oneWave({ stopOn: wave({ percent: 10 }) }),
    members: members(1000),
  });
  const intents = ids(60).map((id) => failed(id));
  const { trips, refuses } = follow(input, begun(input, { intents }));
  expect(trips).toMatchObject([{ rule: 'wave/all', counts: { attempted: 60, bad: 60 } }]);
  expect(refuses('d999')).toMatchObject({ action: 'wait', reason: { code: 'rolloutPaused' } });
});

test('P2 a wave of which nobody could be reached is not passed', () => {
  const input = anInput();
  const { states, refuses, assignment } = follow(input, begun(input), START + 30 * DAY);
  expect(states[0]).toEqual({ is: 'open' });
  expect(refuses(assignment.waves[2]?.[0] ?? '')).toMatchObject({
    reason: { code: 'waveNotOpen' },
  });
});

test('P2 a wave of which too few could be reached is not passed either', () => {
  const input = anInput();
  const [first = '', ...rest] = follow(input, begun(input)).assignment.waves[0] ?? [];
  const { states } = follow(input, begun(input, { intents: [done(first)] }), START + 3 * DAY);
  expect(rest.length).toBe(4);
  expect(states[0]).toMatchObject({ is: 'gated', why: 'minReached' });
});

test('P3 an empty first wave holds, a later one is skipped', () => {
  const spec = (first: 'select' | 'size') =>
    aSpec({
      waves: [
        first === 'select'
          ? { name: 'lobby', slice: { is: 'select', select: {} }, stratify: [], soak: 0 }
          : { name: 'canary', slice: { is: 'size', devices: 1 }, stratify: [], soak: 0 },
        { name: 'none', slice: { is: 'select', select: {} }, stratify: [], soak: 0 },
        { name: 'rest', slice: { is: 'percent', percent: 100 }, stratify: [], soak: 0 },
      ],
      gate: { ...aSpec().gate, checks: [] },
    });
  const held = anInput({ spec: spec('select') });
  expect(follow(held, begun(held)).states.map(({ is }) => is)).toEqual([
    'gated',
    'waiting',
    'waiting',
  ]);
  expect(follow(held, begun(held)).refuses('d001')?.reason).toMatchObject({ why: 'emptyWave' });
  const input = anInput({ spec: spec('size') });
  const canary = assignWaves(input).waves[0]?.[0] ?? '';
  const { states } = follow(input, begun(input, { intents: [done(canary)] }));
  expect(states.map(({ is }) => is)).toEqual(['passed', 'passed', 'open']);
});

test('P4 leaving and returning resets no count', () => {
  const input = anInput({ spec: oneWave({ stopOn: wave({ count: 0 }) }) });
  const memory = begun(input, { intents: [failed('d001')] });
  const without = { ...input, members: input.members.filter(({ id }) => id !== 'd001') };
  for (const each of [input, without, input])
    expect(follow(each, memory).trips).toMatchObject([{ devices: ['d001'], counts: { bad: 1 } }]);
});

describe('P5 exactly at the percent does not trip, one more does', () => {
  test.each([
    [5, 5, 100, false],
    [5, 6, 100, true],
    [0.5, 1, 200, false],
    [0.5, 2, 200, true],
    [9.12, 57, 625, false],
    [9.12, 58, 625, true],
  ])('%d %%: %i of %i', (percent, bad, attempted, trips) => {
    const all = members(attempted, () => ({}));
    const input = anInput({ spec: oneWave({ stopOn: wave({ percent }) }), members: all });
    const intents = all.map(({ id }, n) => (n < bad ? failed(id) : done(id)));
    expect(follow(input, begun(input, { intents })).trips.length > 0).toBe(trips);
  });
});

test('P6 rolledBack counts, and the device is available', () => {
  const input = anInput({ spec: oneWave({ stopOn: wave({ count: 0 }) }) });
  const rolledBack = tried('d001', { verdict: 'rolledBack' });
  const { trips } = follow(input, begun(input, { intents: [rolledBack] }));
  expect(trips).toMatchObject([{ counts: { rolledBack: 1 } }]);
  expect(judgeCoverage(aDevice('d001'), NOW)).toBe('up');
});

test('P7 timedOut that turns out well corrects the numbers, and the evidence stays', () => {
  const input = anInput({ spec: oneWave({ stopOn: wave({ count: 0 }) }) });
  const now = START + 2 * DAY;
  const stop = { scope: input.policy, rule: 'wave/all', counts: { timedOut: 1 }, at: now - HOUR };
  const late = follow(input, begun(input, { intents: [running('d001')], stops: [stop] }), now);
  expect(late.progress.waves[0]).toMatchObject({
    attempted: 1,
    verified: 0,
    bad: { timedOut: 1 },
  });
  const corrected = begun(input, {
    intents: [done('d001', { settledAt: now })],
    stops: [stop],
  });
  const after = follow(input, corrected, now);
  expect(after.progress.waves[0]).toMatchObject({ verified: 1, bad: { timedOut: 0 } });
  expect(after.trips).toEqual([]);
  expect(after.halts.whole).toMatchObject({ is: 'paused', counts: { timedOut: 1 } });
});

test('P8 a trip stops everything in its scope with the very record that shows it', () => {
  const input = anInput({ policy: 'firmware.p', spec: oneWave({ stopOn: wave({ count: 0 }) }) });
  const rollout: RecordBody = {
    type: 'ROLLOUT',
    policy: 'firmware.p',
    targetDigest: 'wish',
    ...assignWaves(input).frozen,
  };
  const sent = [attempt('a.1', ['d001', 'd002']), result('a.1', 'accepted')];
  const records = chained([GENESIS, lock(), rollout, ...sent, settled('d001@2', 'failed')]);
  const before = fold(records.slice(0, -1));
  const now = Date.UTC(2026, 0, 1, 0, 1);
  expect(follow(input, before, now).refuses('d050')).toBeUndefined();
  const after = follow(input, foldMore(before, records.slice(-1)), now);
  expect(after.refuses('d050')?.reason).toMatchObject({ code: 'rolloutPaused' });
  expect(after.halts.records).toMatchObject([{ type: 'STOP', scope: 'firmware.p' }]);
});

test('P9 a latecomer waits while its rollout is paused, though its wave is closed', () => {
  const input = anInput({ members: [...members(100), { id: 'late', sites: ['s1'] }] });
  const base = { ...input, members: members(100) };
  const passed = Object.fromEntries(
    input.spec.waves.map(({ name }) => [`wavePassed/firmware.p#7/${name}`, sighted(START)]),
  );
  const stop = { scope: input.policy, rule: 'canary', counts: { bad: 1 }, at: START };
  const open = follow(input, begun(base, { sightings: passed }));
  expect(open.refuses('late')).toBeUndefined();
  const paused = follow(input, begun(base, { sightings: passed, stops: [stop] }));
  expect(paused.refuses('late')).toMatchObject({
    action: 'wait',
    reason: { code: 'rolloutPaused', since: START, params: { rule: 'canary' } },
  });
});

describe('H1 {canary: 0, wave: 5%, model: 30%, rollout: 10}', () => {
  const ROLLOUT = { rollout: { count: 10 } };
  const spec = aSpec({ stopOn: simpleStops(ROLLOUT, aSpec().waves) });
  const many = anInput({ spec, members: members(2000, (n) => ({ model: `m${n % 1000}` })) });
  const cut = assignWaves(many).waves;
  /** In each of these waves so many attempts, of which so many are bad in this way. */
  const trippedBy = (
    at: number,
    { bad, attempted }: { bad: number; attempted: number },
    verdict: 'failed' | 'aborted' | 'inDoubt' = 'failed',
  ) => {
    const intents = (cut[at] ?? []).slice(0, attempted).map((id, n) => {
      if (n >= bad) return done(id);
      return verdict === 'inDoubt' ? running(id, { phase: 'inDoubt' }) : tried(id, { verdict });
    });
    const { trips } = follow(many, begun(many, { intents }));
    return trips.map(({ rule }) => rule);
  };

  test.each([
    ['one bad in the canary trips', 0, 1, 5, ['canary']],
    ['2 of 19 in a wave do not', 1, 2, 19, []],
    ['2 of 20 do', 1, 2, 20, ['wave/early']],
    ['1 of 20, which is 5 %, does not', 1, 1, 20, []],
    ['10 in the rollout do not', 3, 10, 400, []],
    ['11 do', 3, 11, 400, ['rollout']],
  ])('%s', (_, at, ...[bad, attempted, rules]) => {
    expect(trippedBy(at, { bad, attempted })).toEqual(rules);
  });

  test('inDoubt counts, aborted does not', () => {
    expect(trippedBy(0, { bad: 1, attempted: 5 }, 'inDoubt')).toEqual(['canary']);
    expect(trippedBy(0, { bad: 1, attempted: 5 }, 'aborted')).toEqual([]);
  });

  test.each([
    ['1 of 2 of a model does not', 2, false],
    ['1 of 3 does, and stops that model alone', 3, true],
  ])('%s', (_, attempted, trips) => {
    const two = anInput({ spec, members: members(200, (n) => ({ model: n < 100 ? 'A' : 'B' })) });
    const rest = assignWaves(two).waves.slice(1).flat();
    const ofA = rest.filter((id) => Number(id.slice(1)) < 100);
    const intents = ofA.slice(0, attempted).map((id, n) => (n === 0 ? failed(id) : done(id)));
    const { halts } = follow(two, begun(two, { intents }));
    expect(halts.of({ sites: [], model: 'A' })?.scope).toBe(
      trips ? 'firmware.p/model=A' : undefined,
    );
    expect(halts.of({ sites: [], model: 'B' })).toBeUndefined();
  });
});
