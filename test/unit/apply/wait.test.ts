import { describe, expect, it } from 'vitest';
import { findNextWake } from '../../../src/apply/run/next-wake.ts';
import { advance, START, type RunState } from '../../../src/apply/run/machine.ts';
import type { RunEvent } from '../../../src/apply/run/run-event.ts';
import type { Survey } from '../../../src/apply/reading.ts';
import type { Run } from '../../../src/apply/run/run.ts';
import { intentOfChange } from '../../../src/apply/send/request.ts';
import { createStopSignal } from '../../../src/shell/stop-signal.ts';
import type { Outcome } from '../../../src/model/ledger/run-report.ts';
import type { ProgressEvent } from '../../../src/model/progress.ts';
import type { Reason } from '../../../src/model/plan/reason.ts';
import { loadTexts } from '../../../src/config/load.ts';
import { formatInstant, parseDuration } from '../../../src/lib/time.ts';
import { aRun } from '../../support/apply-run.ts';
import { change } from '../../support/apply-candidate.ts';
import { planNow, runOnce, type RunOptions } from '../../support/rehearsal.ts';
import { linesOf, summaryOf } from '../../support/rehearsal-summary.ts';
import { createWorld, readRehearsal, START as BEGIN } from '../../support/rehearsal-world.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;
const READ = Date.parse('2026-11-20T01:00:00Z');

describe('nothing may start now', () => {
  const idle: RunState = { ...START, phase: 'surveying', waitsUntil: NOW + 100 };
  const nothing: RunEvent = { is: 'surveyed', queue: [] };
  const nextWake = (at: number): RunEvent => ({ is: 'wakeFound', at, why: 'window' });
  const asked = advance(idle, nothing, NOW);

  it('a run that may wait asks when something may', () => {
    expect(asked.command).toEqual({ do: 'findWake' });
  });

  it('it sleeps until then and begins anew, with the time that is left', () => {
    const asleep = advance(asked.state, nextWake(NOW + 100), NOW);
    expect(asleep.command).toEqual({ do: 'sleep', until: NOW + 100, why: 'window' });
    const early = advance(asleep.state, { is: 'slept' }, NOW + 99);
    expect(early.command).toMatchObject({ do: 'sleep', until: NOW + 100 });
    const awake = advance(asked.state, nextWake(NOW + 90), NOW + 90);
    expect(awake).toEqual({
      command: { do: 'recover' },
      state: { ...START, waitsUntil: NOW + 100 },
    });
  });

  it('X14 it reads the fleet again once a task of an earlier run has ended, and knows what waits for that', () => {
    const [inFlight, pollAt] = [1, NOW + 5];
    const found = advance({ ...idle, inFlight, pollAt }, nothing, NOW);
    expect(found.command).toEqual({ do: 'sleep', until: NOW + 5 });
    const ended: RunEvent = {
      is: 'polled',
      inFlight: 0,
      ended: 1,
      pollAt: NOW + 9,
      quietUntil: 0,
      halt: false,
    };
    const read = advance(found.state, ended, NOW + 5);
    expect(read.command).toEqual({ do: 'survey', tasksEnded: true });
    expect(advance(read.state, nothing, NOW + 6).command).toEqual({ do: 'findWake' });
  });

  it.each([
    ['it ends where that is too late', { at: NOW + 101 }],
    ['it ends where nobody knows', { at: Infinity }],
  ])('%s', (_, { at }) => {
    expect(advance(asked.state, nextWake(at), NOW).command).toEqual({ do: 'finish' });
  });

  it.each([
    ['that may not wait', { ...idle, waitsUntil: START.waitsUntil }, nothing],
    ['whose wait is over', { ...idle, waitsUntil: NOW }, nothing],
    ['that was refused', idle, { ...nothing, ended: 'guardrail' }],
    ['that makes no further attempt', { ...idle, phase: 'working', closed: true }, { is: 'slept' }],
  ] as const)('a run %s ends', (_, state, event) => {
    expect(advance(state, event, NOW).command).toEqual({ do: 'finish' });
  });

  it('what is in flight, and one more reading, come first', () => {
    const busy = { ...idle, phase: 'working', inFlight: 1, pollAt: NOW + 5 } as const;
    expect(advance(busy, { is: 'slept' }, NOW).command).toEqual({ do: 'sleep', until: NOW + 5 });
    const moved = { ...idle, phase: 'working', progressed: true } as const;
    expect(advance(moved, { is: 'slept' }, NOW).command).toEqual({
      do: 'survey',
      tasksEnded: true,
    });
  });
});

describe('what a run foresees', () => {
  it.each<[string, Reason, number, string]>([
    ['the opening of a window', wait('windowClosed', 40), 40, 'window'],
    ['the next window, where the time of this one is used up', wait('apiBudget', 40), 40, 'window'],
    ['the end of a freeze', wait('frozen', 5), 5, 'freeze'],
    ['the end of a soak', wait('gatePending', 7), 7, 'soak'],
    ['the end of the gap between two tasks', wait('busy', 30), 30, 'rest'],
    ['the end of a hold', wait('hold', 9), 9, 'hold'],
    ['a due date', wait('notDue', 9), 9, 'due'],
    ['another reading, where a budget has no room', wait('budgetExhausted'), 10, 'room'],
    ['another reading, where others work on the device', wait('busy'), 10, 'rest'],
    ['another reading, where its time had come already', wait('windowClosed', 0), 10, 'window'],
  ])('is %s', (_, reason, minutes, why) => {
    const at = READ + minutes * MINUTE;
    expect(findNextWake(idle([{ reason }]))).toEqual({ is: 'wakeFound', at, why });
  });

  it.each<[string, Partial<Waiting>]>([
    ['people have to move first', { reason: { code: 'approvalPending', next: 'never' } }],
    ['no budget will ever leave room', { reason: { code: 'budgetExhausted', next: 'never' } }],
    ['a device is offline, for nobody knows how long', { reason: { code: 'offline' } }],
    ['it was attempted in this run', { reason: wait('notDue', 5), isTried: true }],
    ['it ended otherwise', { reason: wait('notDue', 5), outcome: 'skipped' }],
  ])('is nothing where %s', (_, waiting) => {
    expect(findNextWake(idle([waiting])).at).toBe(Infinity);
  });

  it('is the first of all', () => {
    const [late, early] = [wait('windowClosed', 40), wait('gatePending', 20)];
    expect(
      findNextWake(idle([{ reason: late }, { reason: early }, { reason: late }])),
    ).toMatchObject({
      at: READ + 20 * MINUTE,
      why: 'soak',
    });
  });
});

describe('while a run waits for its window', () => {
  it('it says what for and until when, and keeps its lease alive', async () => {
    const told: ProgressEvent[] = [];
    const { world } = await waiting({ wait: 60 * MINUTE, onProgress: (one) => told.push(one) });
    const opens = BEGIN + 40 * MINUTE;
    expect(told).toContainEqual({ type: 'waiting', until: opens, reason: 'window' });
    const beats = world.store.records.filter(({ body }) => body.type === 'BEAT');
    const early = beats.filter(({ at }) => Date.parse(at) < opens).map(({ at }) => Date.parse(at));
    expect(Math.max(...gapsIn([BEGIN, ...early, opens]))).toBeLessThanOrEqual(60_000);
  });

  it('a signal ends it at once, and the lease is given back', async () => {
    const stop = createStopSignal();
    const onProgress = ({ type }: ProgressEvent): void =>
      void (type === 'waiting' && stop.request());
    const { report, world } = await waiting({ wait: 60 * MINUTE, stop, onProgress });
    expect(report.ended).toBe('interrupted');
    expect(world.clock.now()).toBeLessThan(BEGIN + MINUTE);
    expect(linesOf(world.store.records).at(-1)).toBe('RELEASE');
  });

  it('an approval that ends before the window opens ends the wait', async () => {
    const { report, world } = await waiting({ wait: 60 * MINUTE, expires: BEGIN + 30 * MINUTE });
    expect(summaryOf(report).endings).toMatchObject({
      'upgradeFirmware/dev-1': 'notStarted windowClosed',
    });
    expect(world.clock.now()).toBeLessThan(BEGIN + MINUTE);
  });
});

/** A canary of one camera, whose gate asks twice that it is online. */
const CAREFUL = `service: {baseUrl: https://twin.test, organization: acme}
budgets: {default-site: {per: site, maxUnavailable: 100%}}
rollouts:
  careful:
    waves: [{name: canary, size: 1, stratify: [], soak: 2m}, {name: rest, percent: 100%, soak: 0m}]
    gate: {checks: [online], consecutiveOk: 2}
firmware: {axis: {select: {vendor: Axis}, version: 11.11.160, rollout: careful, windows: anytime}}
`;

it.each([
  ['passes once its looks are good twice in a row', 3, '1h', 'verified'],
  ['is given up with the end of the wait', 99, '20m', 'notStarted gatePending checks'],
] as const)(
  'C12 a gate whose look was bad is looked at again, and %s',
  async (_, bad, stay, end) => {
    const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: CAREFUL }]);
    if (!documents) throw new Error('documents with findings');
    const rehearsal = {
      ...readRehearsal('81-C6-waves-follow-when-their-gate-is-passed'),
      documents,
    };
    const world = createWorld({ ...rehearsal.script, devices: 2 });
    const { devices } = world.twin.world.state;
    const looks: number[] = [];
    const onProgress = (told: ProgressEvent): void => {
      if (told.type !== 'waiting' || !['soak', 'gate'].includes(told.reason)) return;
      if (told.reason === 'gate') looks.push(Math.round((told.until - world.clock.now()) / MINUTE));
      const canary = devices.find(({ firmwareVersion }) => firmwareVersion === '11.11.160');
      if (canary) canary.silent = looks.length < bad;
    };
    const wait = parseDuration(stay) ?? 0;
    const { report } = await runOnce(rehearsal, world, { process: 1, wait, onProgress });
    if (!report) throw new Error('no report');
    const ends = Object.values(summaryOf(report).endings ?? {});
    expect(ends.filter((each) => each === end)).toHaveLength(end === 'verified' ? 2 : 1);
    expect(new Set(looks)).toEqual(new Set([2]));
    expect(looks.length).toBeGreaterThan(2);
  },
);

it('C12 the look that is the last of a gate lets the next wave start at once', async () => {
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: CAREFUL }]);
  if (!documents) throw new Error('documents with findings');
  const rehearsal = { ...readRehearsal('81-C6-waves-follow-when-their-gate-is-passed'), documents };
  const world = createWorld({ ...rehearsal.script, devices: 2 });
  await runOnce(rehearsal, world, { process: 1, wait: 60 * MINUTE });
  const { records } = world.store;
  const last = records.findLast(({ body }) => body.type === 'SEEN' && body.what === 'gateSample');
  const start = records.findLast(({ body }) => body.type === 'ATTEMPT');
  const since = Date.parse(start?.at ?? '') - Date.parse(last?.at ?? '');
  expect(start?.seq).toBeGreaterThan(last?.seq ?? Infinity);
  expect(since).toBeLessThan(MINUTE);
});

interface Waiting {
  readonly reason: Reason;
  readonly outcome?: Outcome;
  readonly isTried?: boolean;
}

/** A reason that ends so many minutes after the fleet was read. */
function wait(code: Reason['code'], minutes?: number): Reason {
  return { code, ...(minutes !== undefined && { next: READ + minutes * MINUTE }) };
}

/** As much of a run as says what is left of its work. */
function idle(left: readonly Partial<Waiting>[]): Run {
  const work = left.map((_, index) => change(`dev-${index}`));
  const run = aRun({ journal: { memory: { ledgerId: 'l' } } });
  run.reading.replace({ plan: { evaluatedAt: formatInstant(READ) } } as unknown as Survey);
  run.reading.setWork(work);
  work.forEach((one, index) => {
    const { reason, outcome = 'notStarted', isTried } = left[index] ?? {};
    run.outcomes.say(one.id, { outcome, ...(reason && { reason }) });
    if (isTried) run.outcomes.noteTried(intentOfChange(one, 'l'));
  });
  return run;
}

/** One run that begins 40 minutes before its window. */
async function waiting(options: Partial<RunOptions> & { readonly expires?: number }) {
  const rehearsal = readRehearsal('a-run-waits-for-its-window');
  const world = createWorld(rehearsal.script);
  const { expires, ...more } = options;
  const plan = expires === undefined ? undefined : await planNow(rehearsal, world);
  const approved = plan && { ...plan, expiresAt: formatInstant(expires ?? 0) };
  const { report } = await runOnce(rehearsal, world, {
    process: 1,
    ...more,
    ...(approved && { approved }),
  });
  if (!report) throw new Error('no report');
  return { report, world };
}

function gapsIn(times: readonly number[]): readonly number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}
