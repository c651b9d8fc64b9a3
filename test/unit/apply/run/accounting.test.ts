import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Said } from '../../../../src/apply/outcomes.ts';
import { account } from '../../../../src/apply/run/accounting.ts';
import { ACTIONS, type Change } from '../../../../src/model/plan/change.ts';
import type { IntentPhase, IntentState } from '../../../../src/model/ledger/memory.ts';
import { findRunColumn } from '../../../../src/model/ledger/run-table.ts';
import { OUTCOMES, type RunReport } from '../../../../src/model/ledger/run-report.ts';
import { change } from '../../../support/apply-candidate.ts';

function intent(device: string, phase: IntentPhase, more: Partial<IntentState> = {}): IntentState {
  return {
    id: `i-${device}`,
    task: 'upgradeFirmware',
    device,
    target: '2',
    generation: 0,
    policy: 'firmware.axis',
    sites: [],
    marker: '1',
    phase,
    attempts: 1,
    attemptId: 'n.1',
    attemptedAt: 0,
    ...more,
  };
}

function memoryOf(intents: readonly IntentState[]) {
  return {
    intents: new Map(intents.map((one) => [one.id, one])),
    open: () => intents.filter(({ phase }) => ['open', 'running', 'inDoubt'].includes(phase)),
    intentsOf: (device: string) => intents.filter((one) => one.device === device),
  };
}

function report(
  changes: readonly Change[],
  {
    said = {},
    intents = [],
    ended,
  }: {
    said?: Record<string, Said>;
    intents?: readonly IntentState[];
    ended?: RunReport['ended'];
  } = {},
): RunReport {
  return account({
    plan: { id: 'p', changes, notes: [] },
    said: new Map(Object.entries(said)),
    memory: memoryOf(intents),
    anomalies: [],
    attempts: 0,
    ...(ended && { ended }),
  });
}

describe('a change that the run said nothing about', () => {
  it.each([
    ['run', undefined, 'notStarted', 'notReached'],
    ['run', 'interrupted', 'notStarted', 'interrupted'],
    ['run', 'error', 'notStarted', 'notReached'],
    ['wait', 'interrupted', 'notStarted', 'offline'],
    ['skip', undefined, 'skipped', 'offline'],
    ['note', undefined, 'skipped', 'offline'],
  ] as const)('%s in a run that ended %s is %s', (action, ended, outcome, code) => {
    const { endings } = report([change('a', { action, reason: { code: 'offline' } })], { ended });
    expect(endings).toMatchObject([{ outcome, reason: { code } }]);
  });

  it('but whose intent is open is what the ledger says of it', () => {
    const running = report([change('a')], { intents: [intent('a', 'running', { taskId: 't' })] });
    expect(running.endings).toMatchObject([{ outcome: 'atWork', taskId: 't', intentId: 'i-a' }]);
    const doubtful = report([change('a')], { intents: [intent('a', 'inDoubt', { row: 'P11' })] });
    expect(doubtful.endings).toMatchObject([{ outcome: 'inDoubt', detail: 'P11' }]);
  });
});

describe('Z1 a report', () => {
  it('names open intents that no change stands for', () => {
    const { leftOpen } = report([change('a')], {
      intents: [intent('a', 'running'), intent('b', 'inDoubt'), intent('c', 'closed')],
    });
    expect(leftOpen).toMatchObject([{ device: 'b', outcome: 'inDoubt' }]);
  });

  it('tells what became of intents that no change stands for', () => {
    const said = {
      'upgradeFirmware/b': { outcome: 'failed' as const, intentId: 'i-b', detail: 'flash' },
      'upgradeFirmware/c': { outcome: 'timedOut' as const, intentId: 'i-c' },
    };
    const intents = [intent('b', 'closed'), intent('c', 'running')];
    const { closedBeside, leftOpen } = report([change('a')], { said, intents });
    expect(closedBeside).toMatchObject([{ device: 'b', outcome: 'failed', detail: 'flash' }]);
    expect(leftOpen).toMatchObject([{ device: 'c', outcome: 'timedOut' }]);
  });

  it('is there even where no plan was made', () => {
    const books = { said: new Map(), memory: memoryOf([]), anomalies: [], attempts: 0 };
    expect(account({ ...books, plan: undefined, ended: 'error' })).toMatchObject({
      planId: '',
      endings: [],
      ended: 'error',
    });
  });

  it('puts every change into exactly one class, and the classes add up (I7)', () => {
    const word = fc.option(fc.constantFrom(...OUTCOMES), { nil: undefined });
    const one = fc.record({
      action: fc.constantFrom(...ACTIONS),
      said: word,
      phase: fc.option(fc.constantFrom<IntentPhase>('running', 'inDoubt', 'closed'), {
        nil: undefined,
      }),
    });
    const ends = fc.constantFrom(undefined, 'interrupted' as const, 'error' as const);
    fc.assert(
      fc.property(fc.array(one), ends, (devices, ended) => {
        const changes = devices.map(({ action }, index) => change(String(index), { action }));
        const said = Object.fromEntries(
          devices.flatMap(({ said }, index) =>
            said ? [[`upgradeFirmware/${index}`, { outcome: said }]] : [],
          ),
        );
        const intents = devices.flatMap(({ phase }, index) =>
          phase ? [intent(String(index), phase)] : [],
        );
        const { endings, counts } = report(changes, { said, intents, ended });
        expect(endings.map((ending) => ending.change)).toEqual(changes);
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(changes.length);
      }),
    );
  });
});

describe('a change of a file that no policy wants any more', () => {
  it('I7 stays in the table of its run, as left out', () => {
    const [kept, dropped] = [change('dev-1'), change('dev-2')];
    const left: Said = { outcome: 'skipped', reason: { code: 'left' } };
    const done: Said = { outcome: 'verified' };
    const { left: standing } = account({
      plan: { id: 'p', changes: [kept, dropped], notes: [] },
      last: {
        id: 'q',
        changes: [kept],
        notes: [],
        since: new Set([kept.id]),
        approved: new Set([kept.id]),
      },
      approved: true,
      said: new Map([
        [kept.id, done],
        [dropped.id, left],
      ]),
      memory: memoryOf([]),
      anomalies: [],
      attempts: 1,
    });
    const endings = standing?.endings ?? [];
    expect(endings.map((one) => [one.change.id, findRunColumn(one)])).toEqual([
      [kept.id, 'done'],
      [dropped.id, 'out'],
    ]);
  });
});
