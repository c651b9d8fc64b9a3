import { describe, expect, it } from 'vitest';
import { WorldError } from '../../../../src/model/error.ts';
import { hasReport, type Ending, type Outcome } from '../../../../src/model/ledger/run-report.ts';

const wrongFlag = new WorldError('partOutsidePlan');
const away = new WorldError('unreachable');

const ending = (outcome: Outcome): Ending => ({ change: {} as Ending['change'], outcome });
const planned = { planId: 'p', attempts: 0, endings: [ending('notStarted')] };
const beside = {
  intentId: 'i',
  task: 'restartDevice',
  device: 'd',
  policy: 'p',
  outcome: 'verified',
} as const;

describe('a run that a failure ended', () => {
  it.each(['usage', 'partUnknown', 'partOutsidePlan'] as const)(
    'by a wrong flag (%s), before it started anything, has only its error',
    (code) => {
      expect(hasReport({ ...planned, failure: new WorldError(code) })).toBe(false);
    },
  );

  it('has none without a plan, whatever the failure', () => {
    const nothing = { planId: '', attempts: 0, endings: [] };
    expect(hasReport({ ...nothing, failure: away })).toBe(false);
  });

  it('reports what did not start for any other failure', () => {
    expect(hasReport({ ...planned, failure: away })).toBe(true);
  });

  it.each([
    ['started', { attempts: 1 }],
    ['settled of an earlier run', { closedBeside: [beside] }],
    ['settled of its plan', { endings: [ending('verified')] }],
  ])('reports what it %s, also for a wrong flag', (_name, done) => {
    expect(hasReport({ ...planned, ...done, failure: wrongFlag })).toBe(true);
  });
});
