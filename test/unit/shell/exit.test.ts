import { describe, expect, it } from 'vitest';
import { EXIT, exitOfError } from '../../../src/shell/exit.ts';
import { exitOfJob, exitOfRun } from '../../../src/shell/exit-of-run.ts';
import { covered } from '../../support/render-plan.ts';
import { WorldError } from '../../../src/model/error.ts';
import {
  OUTCOMES,
  type Ending,
  type Outcome,
  type RunReport,
} from '../../../src/model/ledger/run-report.ts';

function report(counts: Partial<Record<Outcome, number>>, ended?: RunReport['ended']): RunReport {
  const zero = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Record<
    Outcome,
    number
  >;
  const endings = OUTCOMES.flatMap((outcome) =>
    Array.from({ length: counts[outcome] ?? 0 }, (_, n): Ending => {
      return {
        change: { id: `${outcome}/${n}`, at: { policy: 'firmware.axis' } } as Ending['change'],
        outcome,
        // What is skipped always says why.
        ...(outcome === 'skipped' && { reason: { code: 'alreadyConverged' as const } }),
      };
    }),
  );
  return {
    planId: 'p',
    endings,
    notes: [],
    counts: { ...zero, ...counts },
    ...(ended && { ended }),
    anomalies: [],
    attempts: 0,
  };
}

describe('Z3 exitOfRun', () => {
  it.each<[string, Partial<Record<Outcome, number>>, RunReport['ended'], number]>([
    ['nothing to do is done', {}, undefined, EXIT.done],
    ['verified and skipped is done', { verified: 3, skipped: 1 }, undefined, EXIT.done],
    ['what waits is work left', { verified: 1, notStarted: 1 }, undefined, EXIT.workLeft],
    ['what timed out is polled by the next run', { timedOut: 1 }, undefined, EXIT.workLeft],
    ['an interrupted run has work left', { verified: 1 }, 'interrupted', EXIT.workLeft],
    ['a failure beats work left', { failed: 1, notStarted: 1 }, undefined, EXIT.failed],
    ['a rollback is a failure', { rolledBack: 1 }, undefined, EXIT.failed],
    ['an abort is a failure', { aborted: 1 }, undefined, EXIT.failed],
    ['unverified is a failure', { unverified: 1 }, undefined, EXIT.failed],
    ['a doubt beats a failure', { inDoubt: 1, failed: 1 }, 'interrupted', EXIT.inDoubt],
    ['a guardrail beats a doubt', { inDoubt: 1 }, 'guardrail', EXIT.guardrail],
    ['a stale plan', { skipped: 2 }, 'stale', EXIT.stale],
    ['a lost lease', { notStarted: 2 }, 'locked', EXIT.locked],
    ['an unfit ledger or service', { inDoubt: 1 }, 'unfit', EXIT.unfit],
    ['an error beats everything', { inDoubt: 1, failed: 1 }, 'error', EXIT.error],
  ])('%s', (_, counts, ended, code) => {
    expect(exitOfRun(report(counts, ended))).toBe(code);
  });
});

describe('exitOfRun of an incident (semantics N61)', () => {
  const skipped = (policy: string, reason: Ending['reason']): Ending => ({
    change: { id: 'rotatePassword/dev-1', at: { policy } } as Ending['change'],
    outcome: 'skipped',
    ...(reason && { reason }),
  });
  const codeOf = (ending: Ending): number =>
    exitOfRun({ ...report({ verified: 3 }), endings: [ending] });

  it('needs a person where a device of it does, also where the service does not offer the task', () => {
    const lost = { code: 'unsupported', why: 'taskUnavailable' } as const;
    const needed = { ...lost, params: { needsYou: 'yes' } };
    expect(codeOf(skipped('incidents.leak', needed))).toBe(EXIT.failed);
    expect(codeOf(skipped('incidents.leak', { code: 'incidentEnded' }))).toBe(EXIT.failed);
    expect(codeOf(skipped('rotations.all', { code: 'unsupported' }))).toBe(EXIT.failed);
    expect(codeOf(skipped('rotations.all', lost))).toBe(EXIT.done);
    expect(codeOf(skipped('incidents.leak', { code: 'exclude' }))).toBe(EXIT.done);
  });
});

describe('exitOfRun of an approved plan', () => {
  const ending = {
    change: { id: 'upgradeFirmware/dev-1', at: { policy: 'firmware.axis' } } as Ending['change'],
    outcome: 'skipped',
    reason: { code: 'stale', why: 'replanned' },
  } as const satisfies Ending;
  const ran = report({ verified: 3, skipped: 1, notStarted: 1 });

  it('is stale where any approved change was refused as stale, whatever else was done', () => {
    const stale = { ...ending, reason: { code: 'stale' } } as const;
    expect(exitOfRun({ ...ran, approved: true, endings: [...ran.endings, stale] })).toBe(
      EXIT.stale,
    );
  });

  it('is not where the commit is the approval, or a device has left or is gone', () => {
    expect(exitOfRun({ ...ran, endings: [...ran.endings, ending] })).toBe(EXIT.workLeft);
    const left = { ...ending, reason: { code: 'left' } } as const;
    const endings = [...ran.endings, left];
    expect(exitOfRun({ ...ran, approved: true, endings })).toBe(EXIT.workLeft);
  });
});

describe('exitOfRun of a change that the last look could not judge', () => {
  const skipped = (action: 'run' | 'wait' | 'skip'): RunReport => {
    const reason = { code: 'unsupported', why: 'valueUnknown' } as const;
    const change = {
      id: 'rotatePassword/dev-1',
      action,
      at: { policy: 'rotations.all' },
    } as Ending['change'];
    return { ...report({ verified: 1 }), endings: [{ change, outcome: 'skipped', reason }] };
  };

  it('is a failure where the plan let it start, and needs a person where the plan skipped it', () => {
    expect(exitOfRun(skipped('run'))).toBe(EXIT.failed);
    expect(exitOfRun(skipped('wait'))).toBe(EXIT.failed);
    expect(exitOfRun(skipped('skip'))).toBe(EXIT.failed);
  });
});

describe('M34 exitOfJob', () => {
  const surveyed = { coverage: covered(60), isTorn: false, beyond: 0, news: [] };
  const needing = { ...report({ skipped: 5 }), surveyed };

  it('is done where nothing needs a person that the last record does not have', () => {
    expect(exitOfJob(EXIT.failed, needing)).toBe(EXIT.done);
    const news = ['upgradeFirmware/dev-6'];
    expect(exitOfJob(EXIT.failed, { ...needing, surveyed: { ...surveyed, news } })).toBe(
      EXIT.failed,
    );
  });

  it('stays where something failed, or nothing is selected or was read', () => {
    expect(exitOfJob(EXIT.failed, { ...report({ failed: 1 }), surveyed })).toBe(EXIT.failed);
    const none = { ...surveyed, coverage: covered(0) };
    expect(exitOfJob(EXIT.failed, { ...report({}), surveyed: none })).toBe(EXIT.failed);
    expect(exitOfJob(EXIT.failed, report({ skipped: 5 }))).toBe(EXIT.failed);
    expect(exitOfJob(EXIT.failed, undefined)).toBe(EXIT.failed);
  });

  it('is done where a later run continues, unless the reading is inconsistent', () => {
    expect(exitOfJob(EXIT.workLeft, needing)).toBe(EXIT.done);
    const torn = { ...needing, surveyed: { ...surveyed, isTorn: true } };
    expect(exitOfJob(EXIT.workLeft, torn)).toBe(EXIT.workLeft);
    for (const exit of [EXIT.error, EXIT.guardrail, EXIT.stale, EXIT.unfit])
      expect(exitOfJob(exit, needing)).toBe(exit);
  });
});

describe('exitOfRun beside the plan', () => {
  const open = { intentId: 'i', task: 'restartDevice', device: 'd', policy: 'restarts.x' } as const;

  it('counts what earlier runs left in doubt', () => {
    const leftOpen = [{ ...open, outcome: 'inDoubt' as const, since: 0 }];
    expect(exitOfRun({ ...report({ verified: 1 }), leftOpen })).toBe(EXIT.inDoubt);
  });

  it('counts what is polled by later runs as work left', () => {
    const leftOpen = [{ ...open, outcome: 'atWork' as const, since: 0 }];
    expect(exitOfRun({ ...report({}), leftOpen })).toBe(EXIT.workLeft);
  });

  it('counts what ended badly without a change that stands for it', () => {
    const closedBeside = [{ ...open, outcome: 'failed' as const }];
    expect(exitOfRun({ ...report({ verified: 1 }), closedBeside })).toBe(EXIT.failed);
    expect(exitOfRun({ ...report({}), closedBeside: [{ ...open, outcome: 'verified' }] })).toBe(0);
  });
});

describe('exitOfRun of a run that a failure ended', () => {
  it.each([
    ['a missing permission is an error, as it is while planning', 'forbidden', EXIT.error],
    ['so are refused credentials', 'credentialsRefused', EXIT.error],
    ['a ledger that cannot be written is unfit', 'storeFailed', EXIT.unfit],
    ['a lost lease is a lock', 'leaseLost', EXIT.locked],
  ] as const)('%s', (_, code, exit) => {
    const ended = { ...report({ inDoubt: 1, failed: 1 }, 'unfit'), failure: new WorldError(code) };
    expect(exitOfRun(ended)).toBe(exit);
  });
});

describe('exitOfError', () => {
  it.each([
    ['credentialsMissing', EXIT.error],
    ['unreachable', EXIT.error],
    ['forbidden', EXIT.error],
    ['planTampered', EXIT.stale],
    ['planExpired', EXIT.stale],
    ['planNotApproved', EXIT.stale],
    ['planOutOfScope', EXIT.guardrail],
    ['ledgerForeign', EXIT.unfit],
    ['storeFailed', EXIT.unfit],
    ['filterNotHonoured', EXIT.unfit],
    ['locked', EXIT.locked],
  ] as const)('%s is %i', (code, exit) => {
    expect(exitOfError(code)).toBe(exit);
  });
});
