import { describe, expect, test } from 'vitest';
import type { Gate } from '../../../../src/model/documents/rollout.ts';
import { sampleGate } from '../../../../src/rollout/progress/gate-sample.ts';
import { dueRecords, rolloutRecord } from '../../../../src/rollout/progress/rollout-records.ts';
import { assignWaves } from '../../../../src/rollout/waves/waves.ts';
import type { RolloutInput } from '../../../../src/rollout/progress/followed.ts';
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
  running,
  sighted,
  START,
  tried,
  type Past,
} from '../../../support/rollout-rig.ts';

const spec = (gate: Partial<Gate> = {}) =>
  aSpec({ gate: { ...aSpec().gate, checks: [], ...gate }, stopOn: [] });
const input = anInput({ spec: spec(), members: members(200) });
const [canary = [], early = []] = assignWaves(input).waves;
const [first = ''] = canary;
/** All five of the canary are verified two hours after the start. */
const verified = canary.map((id) => done(id));
const SOAKED = START + 2 * HOUR + DAY;

function firstState(
  past: Past,
  now: number,
  fields: Partial<RolloutInput> = {},
): ReturnType<typeof follow>['states'][number] | undefined {
  const of = { ...input, ...fields };
  return follow(of, begun(of, past), now).states[0];
}

test('C5 before anything was attempted the first wave is open and the others wait', () => {
  const { states } = follow(input, begun(input));
  expect(states.map(({ is }) => is)).toEqual(['open', 'waiting', 'waiting', 'waiting']);
});

test('a wave is open while anything of it is running', () => {
  const intents = [...verified.slice(1), running(first)];
  expect(firstState({ intents }, START + 2 * HOUR)).toEqual({ is: 'open' });
});

describe('C7 the soak', () => {
  const soaking = { is: 'soaking', since: START + 2 * HOUR, until: SOAKED };

  test('runs from the verification of the last device, in elapsed time', () => {
    expect(firstState({ intents: verified }, SOAKED - 1)).toEqual(soaking);
    expect(firstState({ intents: verified }, SOAKED)).toMatchObject({ is: 'passed' });
  });

  test('begins anew when another device is verified', () => {
    const later = START + 5 * HOUR;
    const intents = [...verified.slice(1), done(first, { settledAt: later })];
    expect(firstState({ intents }, SOAKED)).toMatchObject({ is: 'soaking', since: later });
  });

  test('begins anew when a device is touched by another task', () => {
    const at = START + 9 * HOUR;
    const restart = done(first, { id: 'r', task: 'restartDevice', attemptedAt: at, settledAt: at });
    const intents = [...verified, { ...restart, policy: 'restarts.r' }];
    expect(firstState({ intents }, SOAKED)).toMatchObject({ is: 'soaking', since: at });
  });

  test('is not prolonged by a latecomer', () => {
    const [, ...rest] = input.spec.waves;
    const slice = { is: 'percent', percent: 2.5 } as const;
    const waves = [{ name: 'canary', slice, stratify: [], soak: DAY }, ...rest];
    const base = { ...input, spec: { ...input.spec, waves } };
    const of = { ...base, members: members(900) };
    const { assignment } = follow(of, begun(base));
    const late = assignment.lateJoiners.find((id) => assignment.assignmentOf(id).wave === 0) ?? '';
    const five = assignment.waves[0]?.map((id) => done(id)) ?? [];
    const memory = begun(base, { intents: [...five, done(late, { settledAt: SOAKED - 1 })] });
    const { states, progress } = follow(of, memory, SOAKED);
    expect(states[0]).toMatchObject({ is: 'passed' });
    expect(progress.waves[0]).toMatchObject({ devices: 5, eligible: 6, verified: 6 });
  });
});

describe('C6 minReached and minSuccess pass at their percent exactly', () => {
  const reached = (n: number) => verified.slice(0, n);
  test.each([
    ['4 of 5 reached, 80 % wanted', reached(4), {}, 'passed'],
    ['3 of 5 reached, 80 % wanted', reached(3), {}, 'minReached'],
    [
      '4 of 5 verified, 80 % wanted',
      [...reached(4), failed(canary[4] ?? '')],
      { minSuccess: 80 },
      'passed',
    ],
    [
      '4 of 5 verified, 80.01 % wanted',
      [...reached(4), failed(canary[4] ?? '')],
      { minSuccess: 80.01 },
      'minSuccess',
    ],
  ] as const)('%s', (_, intents, gate, expected) => {
    const state = firstState({ intents }, SOAKED, { spec: spec(gate) });
    expect(state?.is === 'gated' ? state.why : state?.is).toBe(expected);
  });

  test('C4 who is set aside and was not attempted is in no share', () => {
    const aside = (id: string) =>
      id === canary[4] ? 'skipped' : id === canary[3] ? 'converged' : undefined;
    const memory = begun(input, { intents: reached(3) });
    const { states, progress } = follow({ ...input, aside }, memory, SOAKED);
    expect(states[0]).toMatchObject({ is: 'passed' });
    expect(progress.waves[0]).toMatchObject({ eligible: 3, skipped: 1, converged: 1 });
  });

  test('who left is in no share either, unless it was attempted', () => {
    const left = new Set(canary.slice(2));
    const of = { ...input, members: input.members.filter(({ id }) => !left.has(id)) };
    const { progress } = follow(of, begun(input, { intents: reached(3) }), SOAKED);
    expect(progress.waves[0]).toMatchObject({ devices: 5, eligible: 3, attempted: 3, left: 2 });
  });
});

describe('checks', () => {
  const checked = { spec: spec({ checks: ['online'] }) };
  const subject = `gateSample/firmware.p#7/canary@${START + 2 * HOUR}`;
  const sampled = (value: string, times: number) => ({
    intents: verified,
    sightings: { [subject]: sighted(START, value, times) },
  });

  test.each([
    ['three good samples in a row', sampled('good', 3), 'passed'],
    ['two', sampled('good', 2), 'gated'],
    ['a bad one at last', sampled('bad', 3), 'gated'],
    ['unknown ones', sampled('unknown', 9), 'gated'],
    ['none', { intents: verified }, 'gated'],
  ])('want consecutiveOk good samples: %s', (_, past, is) => {
    expect(firstState(past, SOAKED, checked)?.is).toBe(is);
  });

  test.each([
    ['fails a check', { online: false }],
    ['was not read', {}],
  ])('good samples do not outlive a device that %s by now', (_, reading) => {
    const of = { ...checked, sample: (id: string) => (id === first ? reading : { online: true }) };
    expect(firstState(sampled('good', 3), SOAKED, of)).toMatchObject({ why: 'checks' });
  });

  test('samples of an earlier soak do not count', () => {
    const intents = [...verified.slice(1), done(first, { settledAt: START + 3 * HOUR })];
    const past = { ...sampled('good', 3), intents };
    expect(firstState(past, SOAKED + HOUR, checked)).toMatchObject({ why: 'checks' });
  });

  test('are asked for while the soak is on and after it', () => {
    for (const now of [SOAKED - 1, SOAKED]) {
      const of = { ...input, ...checked };
      const { samples } = dueRecords(follow(of, begun(of, { intents: verified }), now), now);
      expect(samples).toEqual([{ wave: 0, subject: subject.slice(11), devices: canary }]);
    }
  });

  test('one sample is bad if anything is, unknown if anything is not known', () => {
    const checks = ['online', 'recording'] as const;
    const good = { online: true, recording: true };
    expect(sampleGate(checks, [good, good])).toBe('good');
    expect(sampleGate(checks, [good, { online: true }])).toBe('unknown');
    expect(sampleGate(checks, [{ online: false }, { online: true }])).toBe('bad');
    expect(sampleGate(checks, [])).toBe('unknown');
  });
});

describe('C11 gate.timeout', () => {
  const reachedThree = { intents: verified.slice(0, 3) };
  const at = START + HOUR + 7 * DAY;

  test('pauses what stays inconclusive for so long', () => {
    expect(firstState(reachedThree, at - 1)).toMatchObject({ is: 'gated' });
    expect(firstState(reachedThree, at)).toEqual({ is: 'paused', rule: 'gate.timeout' });
    const { halts, refuses } = follow(input, begun(input, reachedThree), at);
    expect(halts.records).toMatchObject([{ scope: 'firmware.p', rule: 'gate.timeout' }]);
    expect(refuses(first)?.reason).toMatchObject({ code: 'rolloutPaused' });
  });

  test('has its whole time again once it was lifted', () => {
    const lift = { scope: 'firmware.p', who: 'a', why: 'b', ticket: 'c', at };
    expect(firstState({ ...reachedThree, lifts: [lift] }, at + 1)).toMatchObject({ is: 'gated' });
  });

  test('does not run while people have to approve', () => {
    const of = { spec: spec({ approval: 'required' }) };
    expect(firstState({ intents: verified }, at + DAY, of)).toMatchObject({ why: 'approval' });
  });
});

describe('an approval', () => {
  const of = { ...input, spec: spec({ approval: 'required' }) };
  const past = { intents: verified };

  test('is what the next wave waits for, and the reason names the entry', () => {
    const { refuses } = follow(of, begun(of, past), SOAKED);
    expect(refuses(early[0] ?? '')?.reason).toEqual({
      code: 'approvalPending',
      next: 'never',
      params: { wave: 'early', entry: 'default/early' },
    });
  });

  test('opens the wave for the devices that it selects, and no others', () => {
    const approvedBy = (wave: string, id: string) =>
      wave === 'early' && id === early[0] ? 'exceptions.opens' : undefined;
    const { states, refuses } = follow({ ...of, approvedBy }, begun(of, past), SOAKED);
    expect(states.map(({ is }) => is).slice(0, 2)).toEqual(['passed', 'open']);
    expect(refuses(early[0] ?? '')).toBeUndefined();
    expect(refuses(early[1] ?? '')?.reason.code).toBe('approvalPending');
  });

  test('is not wanted for a wave with nobody in it: it is asked for the next that has somebody', () => {
    const [canaryWave, , , last] = input.spec.waves;
    if (!canaryWave || !last) throw new Error('a spec without waves');
    const nobody = { ...last, name: 'nobody', slice: { is: 'percent', percent: 1 } as const };
    const waves = [canaryWave, nobody, last];
    const around = { ...of, spec: { ...of.spec, waves } };
    const asked: string[] = [];
    const { states } = follow(
      {
        ...around,
        approvedBy: (wave: string) => {
          asked.push(wave);
          return wave === last.name ? 'exceptions.opens' : undefined;
        },
      },
      begun(around, past),
      SOAKED,
    );
    expect(states.map(({ is }) => is)).toEqual(['passed', 'passed', 'open']);
    expect(new Set(asked)).toEqual(new Set([last.name]));
  });

  test('is not wanted for a wave that is closed: somebody opened it', () => {
    const names = ['canary', 'early', 'broad'];
    const sightings = Object.fromEntries(
      names.map((name) => [`wavePassed/firmware.p#7/${name}`, sighted(START)]),
    );
    const { refuses, assignment } = follow(of, begun(of, { sightings }), SOAKED);
    expect(refuses(early[0] ?? '')).toBeUndefined();
    expect(refuses(assignment.waves[3]?.[0] ?? '')?.reason.code).toBe('approvalPending');
  });
});

describe('a wave that is passed', () => {
  const sightings = { 'wavePassed/firmware.p#7/canary': sighted(SOAKED) };

  test('is recorded once, and stays passed whatever becomes of its devices', () => {
    const found = follow(input, begun(input, { intents: verified }), SOAKED);
    expect(dueRecords(found, SOAKED).passed).toEqual([
      {
        type: 'SEEN',
        what: 'wavePassed',
        subject: 'firmware.p#7/canary',
        seenAt: '2026-11-02T02:00:00Z',
      },
    ]);
    const later = follow(input, begun(input, { intents: [failed(first)], sightings }), SOAKED);
    expect(later.states[0]).toEqual({ is: 'passed', at: SOAKED });
    expect(dueRecords(later, SOAKED).passed).toEqual([]);
  });

  test('has its numbers untouched by who comes later', () => {
    const late = tried(first, { verdict: 'failed', attemptedAt: SOAKED + HOUR });
    const { progress } = follow(input, begun(input, { intents: [late], sightings }), SOAKED + DAY);
    expect(progress.waves[0]).toMatchObject({ attempted: 0, bad: { failed: 0 } });
    expect(progress.tallies).toMatchObject([{ device: first, lane: 'catchUp' }]);
  });
});

describe('who may pass', () => {
  const pass = (soak: boolean, skipCanary: boolean) => ({
    ...input,
    passes: () => ({
      ...(soak && { soak: 'exceptions.fast' }),
      ...(skipCanary && { canary: 'exceptions.free' }),
    }),
  });
  const [one = ''] = early;

  test('nobody: the wave after the next waits for that one, not for the soak', () => {
    const { refuses, assignment } = follow(input, begun(input, { intents: verified }));
    expect(refuses(assignment.waves[2]?.[0] ?? '')?.reason).toEqual({
      code: 'waveNotOpen',
      params: { wave: 'broad', before: 'canary' },
    });
  });

  test('the soak: expedited devices', () => {
    const memory = begun(input, { intents: verified });
    expect(follow(input, memory).refuses(one)?.reason).toMatchObject({ why: 'soak', next: SOAKED });
    expect(follow(pass(true, false), memory).refuses(one)).toBeUndefined();
  });

  test('the canary: devices that need none', () => {
    expect(follow(pass(true, false), begun(input)).refuses(one)?.reason.code).toBe('waveNotOpen');
    expect(follow(pass(false, true), begun(input)).refuses(one)).toBeUndefined();
  });

  test('the canary and no other wave: those behind it soak and gate as ever', () => {
    const free = pass(false, true);
    const [, mine = [], next = []] = follow(free, begun(free)).assignment.waves;
    const [last = ''] = next;
    expect(follow(free, begun(free)).refuses(last)?.reason).toEqual({
      code: 'waveNotOpen',
      params: { wave: 'broad', before: 'early' },
    });
    const memory = begun(free, { intents: mine.map((id) => done(id)) });
    expect(follow(free, memory).refuses(last)?.reason).toMatchObject({
      why: 'soak',
      params: { wave: 'early' },
    });
    const soak = input.spec.waves[1]?.soak ?? 0;
    expect(follow(free, memory, START + 2 * HOUR + soak).refuses(last)).toBeUndefined();
    expect(follow(free, memory, START + 2 * HOUR + soak).states[1]).toEqual({ is: 'waiting' });
  });

  test('the canary, whatever waves without devices lie between', () => {
    const small = { ...pass(false, true), members: members(9) };
    const { assignment, refuses } = follow(small, begun(small));
    expect(assignment.waves.map(({ length }) => length)).toEqual([5, 0, 0, 4]);
    expect(refuses(assignment.waves[3]?.[0] ?? '')).toBeUndefined();
    const bound = { ...small, passes: () => ({ soak: 'exceptions.fast' }) };
    expect(follow(bound, begun(bound)).refuses(assignment.waves[3]?.[0] ?? '')?.reason.code).toBe(
      'waveNotOpen',
    );
  });
});

test('the base is frozen by the first record, and later ones add who is new', () => {
  const aside = (id: string) => (id === 'd000' ? ('converged' as const) : undefined);
  const unstarted = { ...input, aside, targetDigest: 'other' };
  const fresh = follow(unstarted, begun(input));
  const record = rolloutRecord(fresh, []);
  expect(record).toMatchObject({
    targetDigest: 'other',
    waves: [{ name: 'canary', asked: 5 }, {}, {}, {}],
  });
  expect(record?.base).toHaveLength(199);
  expect(record?.base).not.toContain('d000');
  const started = follow(input, begun(input));
  expect(rolloutRecord(started, ['d001', 'new'])).toMatchObject({ base: ['new'] });
  expect(rolloutRecord(started, ['d001'])).toBeUndefined();
});
