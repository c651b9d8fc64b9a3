import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../../src/twin/faults/fault.ts';
import { WorldError } from '../../../../src/model/error.ts';
import { exitOfRun } from '../../../../src/shell/exit-of-run.ts';
import { EXIT } from '../../../../src/shell/exit.ts';
import { createStopSignal } from '../../../../src/shell/stop-signal.ts';
import { planNow, runOnce, type RunOptions } from '../../../support/rehearsal.ts';
import { sick } from '../../../support/rollout-book.ts';
import { doneTwice } from '../../../support/rehearsal-laws.ts';
import { linesOf, summaryOf } from '../../../support/rehearsal-summary.ts';
import {
  createWorld,
  readRehearsal,
  type RehearsalWorld,
  type Script,
} from '../../../support/rehearsal-world.ts';

const POST = { method: 'POST', path: '/v1/tasks' };

/**
 * The fleet of `happy-batch` (four devices that want one version), with faults and other devices.
 */
function setUp(more: Partial<Script> = {}) {
  const happy = readRehearsal('happy-batch');
  const rehearsal = { ...happy, script: { ...happy.script, ...more } };
  return { rehearsal, world: createWorld(rehearsal.script) };
}

async function run(
  { rehearsal, world }: ReturnType<typeof setUp>,
  options: Partial<RunOptions> = {},
) {
  const { report } = await runOnce(rehearsal, world, { process: 1, ...options });
  if (!report) throw new Error('no report');
  return report;
}

function device({ twin }: RehearsalWorld, id: string) {
  const found = twin.world.device(id);
  if (!found) throw new Error(id);
  return found;
}

/** Hears effects; does something once, right after the first that starts so. */
function afterFirst(what: string, act: () => void): (effect: string) => void {
  let isDone = false;
  return (effect) => {
    if (isDone || !effect.startsWith(what)) return;
    isDone = true;
    act();
  };
}

/** The last read of the survey, just before the last look at the first device. */
const SURVEYED = 'GET /v1/devices/dev-1/targetFirmware';

describe('somebody else at work between plan and POST', () => {
  it.each([
    ['another version', { firmwareVersion: '10.12.236' }, 'skipped stale replanned'],
    ['the version that is wanted', { firmwareVersion: '11.11.160' }, 'verified alreadyConverged'],
    ['maintenance', { maintenance: true }, 'notStarted busy maintenanceMode'],
    ['B3 silence', { silent: true }, 'notStarted offline'],
    ['the task withdrawn', { tasks: [] }, 'skipped unsupported taskUnavailable'],
  ] as const)('%s: the device is left alone', async (_what, changed, ending) => {
    const up = setUp();
    const act = (): void => void Object.assign(device(up.world, 'dev-3'), changed);
    const report = await run(up, { onEffect: afterFirst(SURVEYED, act) });
    const { endings } = summaryOf(report);
    expect(endings).toMatchObject({
      'upgradeFirmware/dev-1': 'verified',
      'upgradeFirmware/dev-3': ending,
      'upgradeFirmware/dev-4': 'verified',
    });
    expect(linesOf(up.world.store.records)).not.toContainEqual(
      expect.stringMatching(/^ATTEMPT.*dev-3/),
    );
  });
});

describe('apply FILE', () => {
  it('runs what was approved and still holds, and nothing that is new', async () => {
    const up = setUp({ edit: { 'dev-4': { firmwareVersion: '11.11.160' } } });
    const approved = await planNow(up.rehearsal, up.world);
    device(up.world, 'dev-1').firmwareVersion = '11.11.160';
    device(up.world, 'dev-2').firmwareVersion = '10.12.236';
    device(up.world, 'dev-4').firmwareVersion = '11.11.124';
    const report = await run(up, { approved });
    expect(summaryOf(report).endings).toEqual({
      'upgradeFirmware/dev-1': 'verified alreadyConverged',
      'upgradeFirmware/dev-2': 'skipped stale',
      'upgradeFirmware/dev-3': 'verified',
    });
    expect(report).toMatchObject({ planId: approved.id });
    expect(device(up.world, 'dev-4').firmwareVersion).toBe('11.11.124');
  });

  it('is stale where nothing approved holds any more', async () => {
    const up = setUp();
    const approved = await planNow(up.rehearsal, up.world);
    for (const one of up.world.twin.world.state.devices) one.firmwareVersion = '10.12.236';
    const report = await run(up, { approved });
    expect(report).toMatchObject({ ended: 'stale', attempts: 0, counts: { skipped: 4 } });
  });

  it('may be applied again: the second time nothing is left of it', async () => {
    const up = setUp();
    const approved = await planNow(up.rehearsal, up.world);
    await run(up, { approved });
    const again = await run(up, { approved, process: 2 });
    expect(again).toMatchObject({ attempts: 0, counts: { verified: 4 } });
    expect(again.ended).toBeUndefined();
  });
});

describe('a service that refuses', () => {
  const always = (fault: FaultRule['fault']): FaultRule[] => [{ match: { ...POST }, fault }];

  it('the token twice: one device failed, the rest was not reached', async () => {
    const up = setUp({ faults: always({ type: '401' }) });
    const report = await run(up);
    expect(report).toMatchObject({ ended: 'error', attempts: 2 });
    expect(report.failure).toMatchObject({ code: 'credentialsRefused' });
    expect(report.counts).toMatchObject({ failed: 1, notStarted: 3 });
  });

  it('with 500 three times in a row: no more is tried', async () => {
    const up = setUp({ faults: always({ type: '500' }) });
    const report = await run(up);
    expect(report.counts).toMatchObject({ inDoubt: 3, notStarted: 1 });
    expect(report.ended).toBeUndefined();
  });

  it('the user: no further attempt, and who may do it is said', async () => {
    const up = setUp();
    const report = await run({
      ...up,
      world: { ...up.world, twin: forbidding(up.world) },
    });
    expect(report).toMatchObject({ ended: 'error', attempts: 1, failure: { code: 'forbidden' } });
    expect(report.counts).toMatchObject({ failed: 1, notStarted: 3 });
  });

  it('our clock: with one that is minutes off nothing is attempted', async () => {
    const up = setUp();
    const report = await run({ ...up, world: { ...up.world, twin: minutesAhead(up.world) } });
    expect(report).toMatchObject({ ended: 'unfit', attempts: 0, failure: { code: 'clockSkew' } });
  });
});

/** The twin with a wall clock of its own. */
function minutesAhead({ twin, clock }: RehearsalWorld): RehearsalWorld['twin'] {
  return {
    ...twin,
    handle: async (request) => {
      const answer = await twin.handle(request);
      answer.headers.set('Date', new Date(clock.now() + 300_000).toUTCString());
      return answer;
    },
  };
}

/** The twin for a user who may read and no more. */
function forbidding({ twin }: RehearsalWorld): RehearsalWorld['twin'] {
  return {
    ...twin,
    handle: async (request) =>
      request.method === 'POST' && request.url.endsWith('/v1/tasks')
        ? new Response('{}', { status: 403 })
        : twin.handle(request),
  };
}

describe('limits', () => {
  it('a guardrail that refuses lets nothing start, and says which', async () => {
    const up = setUp();
    const guardrails = new Map([
      ['few', { name: 'few', value: { maxChanges: 3 }, at: AT, places: new Map() }],
    ]);
    const documents = { ...up.rehearsal.documents, guardrails };
    const report = await run({ ...up, rehearsal: { ...up.rehearsal, documents } });
    expect(report).toMatchObject({ ended: 'guardrail', attempts: 0, counts: { notStarted: 4 } });
    expect(report.refused).toMatchObject([{ guardrail: 'few', number: 4, allowed: 3 }]);
  });

  it('a budget of one has one device in flight at a time, one after the other', async () => {
    const up = setUp();
    const documents = { ...up.rehearsal.documents, budgets: new Map() };
    const report = await run({ ...up, rehearsal: { ...up.rehearsal, documents } });
    expect(report.counts).toMatchObject({ verified: 4 });
    const steps = linesOf(up.world.store.records)
      .map((line) => line.split(' ')[0])
      .filter((type) => type === 'ATTEMPT' || type === 'SETTLED');
    expect(steps).toEqual([1, 2, 3, 4].flatMap(() => ['ATTEMPT', 'SETTLED']));
  });

  it('a budget counts what went down since the fleet was read', async () => {
    const up = setUp();
    const documents = { ...up.rehearsal.documents, budgets: new Map() };
    const act = (): void => void (device(up.world, 'dev-4').silent = true);
    const onEffect = afterFirst(SURVEYED, act);
    const report = await run({ ...up, rehearsal: { ...up.rehearsal, documents } }, { onEffect });
    expect(report).toMatchObject({ attempts: 0, counts: { notStarted: 4 } });
    expect(report.endings[0]).toMatchObject({ reason: { code: 'budgetExhausted' } });
  });

  it('a budget of none lets nothing start, and says which it was', async () => {
    const up = setUp();
    const value = { per: 'site', maxUnavailable: { count: 0 }, ...sick() } as const;
    const budgets = new Map([['none', { name: 'none', value, at: AT, places: new Map() }]]);
    const documents = { ...up.rehearsal.documents, budgets };
    const report = await run({ ...up, rehearsal: { ...up.rehearsal, documents } });
    expect(report).toMatchObject({ attempts: 0, counts: { notStarted: 4 } });
    const { reason } = report.endings[0] ?? {};
    expect(reason).toMatchObject({ code: 'budgetExhausted', params: { budget: 'none' } });
  });
});

const AT = { file: 'fleet/a.yaml', line: 1, column: 1 };

describe('the first wish to stop', () => {
  it('while waiting: nothing new, the lease goes back, and the next run finishes', async () => {
    const up = setUp();
    const stop = createStopSignal();
    const report = await run(up, {
      stop,
      onProgress: ({ type }) => type === 'task.progress' && stop.request(),
    });
    expect(report).toMatchObject({ ended: 'interrupted', counts: { atWork: 4, timedOut: 0 } });
    expect(report.endings[0]).toMatchObject({ outcome: 'atWork' });
    expect(linesOf(up.world.store.records).at(-1)).toBe('RELEASE');
    await run(up, { process: 2 });
    expect(up.world.twin.world.state.tasks).toHaveLength(2);
    expect(linesOf(up.world.store.records).filter((line) => line.includes(' done '))).toHaveLength(
      4,
    );
  });

  it('while a POST is on the wire: three seconds, then it is in doubt', async () => {
    const slow: FaultRule = { match: { ...POST, nth: 1 }, fault: { type: 'latency', ms: 15_000 } };
    const up = setUp({ faults: [slow] });
    const stop = createStopSignal();
    const start = up.world.clock.now();
    const report = await run(up, { stop, onProgress: onTheWire(up, () => stop.request()) });
    expect(report).toMatchObject({ ended: 'interrupted', counts: { inDoubt: 1, notStarted: 3 } });
    expect(up.world.clock.now() - start).toBeLessThan(5_000);
    expect(linesOf(up.world.store.records).slice(-2)).toEqual(['RESULT inDoubt P11', 'RELEASE']);
  });

  it('between ATTEMPT and POST: nothing is sent, and the ledger says so', async () => {
    const up = setUp();
    const stop = createStopSignal();
    const onProgress: RunOptions['onProgress'] = ({ type }) =>
      type === 'attempt.sent' && stop.request();
    const report = await run(up, { stop, onProgress });
    expect(report).toMatchObject({ ended: 'interrupted', counts: { notStarted: 4 } });
    expect(up.world.twin.world.state.tasks).toEqual([]);
    expect(linesOf(up.world.store.records)).toContain('RESULT notSent notTried');
  });

  it('before anything was sent: nothing is', async () => {
    const up = setUp();
    const stop = createStopSignal();
    const report = await run(up, { stop, onEffect: afterFirst(SURVEYED, () => stop.request()) });
    expect(report).toMatchObject({ ended: 'interrupted', attempts: 0 });
    expect(up.world.twin.world.state.tasks).toEqual([]);
  });
});

/** Does something half a second after the first ATTEMPT: its POST is on the wire then. */
function onTheWire(
  { world }: ReturnType<typeof setUp>,
  act: () => void,
): NonNullable<RunOptions['onProgress']> {
  return ({ type }) => {
    if (type === 'attempt.sent') void world.clock.sleep(500).then(act);
  };
}

describe('M8 other documents are the newest by now', () => {
  it('before the first batch: nothing is attempted', async () => {
    const up = setUp();
    const report = await run(up, { isOvertaken: () => Promise.resolve(true) });
    expect(report).toMatchObject({ ended: 'overtaken', attempts: 0, counts: { notStarted: 4 } });
    expect(exitOfRun(report)).toBe(EXIT.workLeft);
    expect(up.world.twin.world.state.tasks).toEqual([]);
  });

  it('after the first batch: its tasks are followed to their end, and none follows', async () => {
    const up = setUp();
    const looks = [false];
    const report = await run(up, { isOvertaken: () => Promise.resolve(looks.shift() ?? true) });
    expect(report).toMatchObject({ ended: 'overtaken', attempts: 1 });
    expect(report.counts.verified).toBeGreaterThan(0);
    expect(report.counts.notStarted).toBe(4 - report.counts.verified);
  });

  it('is not known for long: nothing starts, and the run is unfit', async () => {
    const up = setUp();
    const isOvertaken = () => Promise.reject(new WorldError('branchUnclear', { why: 'unread' }));
    const report = await run(up, { isOvertaken });
    expect(report).toMatchObject({ ended: 'unfit', attempts: 0 });
    expect(exitOfRun(report)).toBe(EXIT.unfit);
  });
});

describe('the second wish to stop', () => {
  it('leaves at once, without even giving back the lease; the next run takes over', async () => {
    const stop = createStopSignal();
    const slow: FaultRule = { match: { ...POST, nth: 1 }, fault: { type: 'latency', ms: 15_000 } };
    const up = setUp({ faults: [slow] });
    const twice = (): void => {
      stop.request();
      stop.request();
    };
    const report = await run(up, { stop, onProgress: onTheWire(up, twice) });
    expect(report).toMatchObject({ ended: 'interrupted', counts: { inDoubt: 1, notStarted: 3 } });
    expect(linesOf(up.world.store.records).at(-1)).toMatch(/^ATTEMPT/);
    const next = await run(up, { process: 2 });
    expect(next.counts).toMatchObject({ verified: 4 });
    expect(doneTwice(up.world.twin.world)).toEqual([]);
  });
});

describe('X14 the end of a run', () => {
  /** How often a run asked for the list of devices, but for the lists of what is down. */
  async function readings(more: Partial<Script> = {}, options: Partial<RunOptions> = {}) {
    const effects: string[] = [];
    const up = setUp(more);
    const report = await run(up, { onEffect: (effect) => void effects.push(effect), ...options });
    return { report, passes: effects.filter((effect) => effect === 'GET /v1/sites').length };
  }

  it('reads the fleet once where all that was to start is verified, and knows what it left', async () => {
    const { report, passes } = await readings();
    expect(passes).toBe(1);
    expect(report.counts).toMatchObject({ verified: 4 });
    expect(report.left?.endings).toEqual([]);
    expect(report.surveyed?.coverage).toMatchObject({ selected: 4, matching: 4 });
    expect(exitOfRun(report)).toBe(EXIT.done);
  });

  it('reads it again where a device failed', async () => {
    const { script } = readRehearsal('failing-device');
    expect((await readings(script)).passes).toBeGreaterThan(1);
  });

  it('reads it again after an hour', async () => {
    const slow = { pollEvery: 61 * 60_000 };
    expect((await readings({}, slow)).passes).toBeGreaterThan(1);
  });
});
