import { array, assert, constantFrom, nat, option, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { Layered } from '../../../../src/lib/layered.ts';
import type {
  IntentState,
  ObservedFact,
  StartedRollout,
} from '../../../../src/model/ledger/memory.ts';
import { memberSubject, sightingKey } from '../../../../src/model/ledger/sightings.ts';
import type { RolloutSpec } from '../../../../src/model/documents/rollout.ts';
import {
  countProgress,
  openProgressBook,
  type ProgressInput,
} from '../../../../src/rollout/progress/rollout-progress.ts';
import {
  rolloutKey,
  tallyDevice,
  type TallyInput,
} from '../../../../src/rollout/progress/tally.ts';
import type { Assignment } from '../../../../src/rollout/waves/assignment.ts';
import { A_ROLLOUT, NOW, aMemory, anIntent } from '../../../support/plan-fleet.ts';

const POLICY = 'firmware.lts';
const device = nat(4).map((n) => `dev-${n}`);
const step = record({
  device,
  intent: option(
    constantFrom<Partial<IntentState>>(
      { phase: 'open' },
      { phase: 'running' },
      { phase: 'inDoubt', doubtSince: NOW },
      { phase: 'none' },
      { phase: 'failed' },
      { phase: 'closed', verdict: 'done' },
      { phase: 'closed', verdict: 'failed' },
      { phase: 'closed', verdict: 'unverified' },
    ),
  ),
  other: constantFrom<Partial<IntentState>>({}, { task: 'restartDevice', policy: 'restarts.dark' }),
  seen: option(constantFrom('deviceDown', 'timedOut', 'gateSample', 'wavePassed')),
  minutes: nat(400),
  begins: nat(9),
});

type Step = ReturnType<typeof step.generate>['value'];

type Counted = Omit<TallyInput, 'passedAt' | 'assignment'>;

/** A ledger that goes on step by step, as it is after each. */
function* walk(steps: readonly Step[]): Generator<Counted> {
  let intents = new Layered<IntentState>();
  let sightings = new Layered<ObservedFact>();
  let now = NOW;
  let started: StartedRollout = {
    targetDigest: 'x',
    seq: 7,
    startedAt: NOW,
    base: [],
    devices: new Set(),
  };
  for (const { device: id, intent, other, seen, minutes, begins } of steps) {
    now += minutes * 60_000;
    if (begins === 0) started = { ...started, seq: started.seq + 1, startedAt: now };
    if (intent) {
      const {
        settledAt: _at,
        verdict: _verdict,
        ...made
      } = anIntent(id, {
        attemptedAt: now,
        rollout: started.seq,
        ...intent,
        ...other,
      });
      const ended = intent.verdict && { verdict: intent.verdict, settledAt: now + 60_000 };
      intents = intents.with(new Map([[made.id, { ...made, ...ended }]]));
    }
    if (seen !== null) {
      const whole = seen === 'timedOut' ? 'run.1' : rolloutKey({ policy: POLICY }, started);
      const member = seen === 'wavePassed' ? 'canary' : id;
      const fact = { value: 'down', firstAt: now, lastAt: now, since: now, times: 1 };
      sightings = sightings.with(
        new Map([[sightingKey(seen, memberSubject(whole, member)), fact]]),
      );
    }
    const memory = aMemory([...intents.values()], { intents, sightings });
    const { timeouts } = A_ROLLOUT;
    yield {
      policy: POLICY,
      task: 'upgradeFirmware',
      timeouts,
      started,
      memory,
      now,
    };
  }
}

/** Two waves of two devices, and one that joined the second later. */
const ASSIGNMENT: Assignment = {
  waves: [
    ['dev-0', 'dev-1'],
    ['dev-2', 'dev-3'],
  ],
  lateJoiners: ['dev-4'],
  isMember: (id) => id !== 'dev-3',
  memberOf: (id) => (id === 'dev-3' ? undefined : { id, sites: [] }),
  assignmentOf: (id) => ({
    wave: id === 'dev-0' || id === 'dev-1' ? 0 : 1,
    isLate: id === 'dev-4',
    rank: 0,
  }),
} as Partial<Assignment> as Assignment;
const ASIDE = new Map([
  ['dev-1', 'converged'],
  ['dev-2', 'skipped'],
] as const);
const SPEC = {
  ...A_ROLLOUT,
  waves: ['canary', 'rest'].map((name) => ({ ...A_ROLLOUT.waves[0], name })),
} as RolloutSpec;

test('progress that is counted from a cache is what is counted from scratch', () => {
  assert(
    property(array(step, { minLength: 1, maxLength: 14 }), (steps) => {
      const count = openProgressBook();
      for (const input of walk(steps)) {
        const counted = count(toProgress(input));
        const { passedAt: _plain, ...plain } = countProgress(toProgress(input));
        expect(counted).toMatchObject(plain);
        const tallied = ['dev-0', 'dev-1', 'dev-2', 'dev-3', 'dev-4'].flatMap((device) => {
          const { wave } = ASSIGNMENT.assignmentOf(device);
          return (
            tallyDevice({ device, wave }, input.memory.intentsOf(device), {
              ...input,
              assignment: ASSIGNMENT,
              passedAt: counted.passedAt,
            }) ?? []
          );
        });
        expect(counted.tallies).toEqual(tallied);
      }
    }),
    { numRuns: 200 },
  );
});

function toProgress(input: Counted): ProgressInput {
  const aside = (id: string) => ASIDE.get(id as 'dev-1');
  return { ...input, spec: SPEC, assignment: ASSIGNMENT, aside };
}

test('a device of which the ledger says nothing else keeps its tally', () => {
  const started = {
    targetDigest: 'x',
    seq: 7,
    startedAt: NOW - 86_400_000 * 2,
    base: [],
    devices: new Set<string>(),
  };
  const intents = new Layered<IntentState>(new Map([['a', anIntent('dev-1', { rollout: 7 })]]));
  const { timeouts } = A_ROLLOUT;
  const count = openProgressBook();
  const at = (memory: ReturnType<typeof aMemory>) =>
    count(
      toProgress({ policy: POLICY, task: 'upgradeFirmware', timeouts, started, memory, now: NOW }),
    ).tallies;
  const [known] = at(aMemory([...intents.values()], { intents }));
  const more = intents.with(new Map([['b', anIntent('dev-2', { rollout: 7 })]]));
  const after = at(aMemory([...more.values()], { intents: more }));
  expect(known?.outcome).toBe('verified');
  expect(after).toHaveLength(2);
  expect(after[0]).toBe(known);
});

test('a device at work keeps its tally until it becomes overdue', () => {
  const started = {
    targetDigest: 'x',
    seq: 7,
    startedAt: NOW - 86_400_000,
    base: [],
    devices: new Set<string>(),
  };
  const running = anIntent('dev-1', { rollout: 7, phase: 'running', attemptedAt: NOW });
  const { settledAt: _at, verdict: _verdict, ...atWork } = running;
  const intents = new Layered<IntentState>(new Map([['a', atWork]]));
  const memory = aMemory([...intents.values()], { intents });
  const { timeouts } = A_ROLLOUT;
  const { pending, running: runs, verify } = timeouts;
  const overdue = NOW + pending + runs.upgradeFirmware + verify.upgradeFirmware;
  const count = openProgressBook();
  const at = (now: number) => {
    const input = { policy: POLICY, task: 'upgradeFirmware' as const, timeouts, started };
    return count(toProgress({ ...input, memory, now })).tallies[0];
  };
  const first = at(NOW + 1);
  expect(first).toMatchObject({ outcome: 'underway', isRunning: true });
  expect(at(overdue - 1)).toBe(first);
  expect(at(overdue)).toMatchObject({ outcome: 'timedOut', since: overdue });
});
