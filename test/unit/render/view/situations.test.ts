import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../../../src/model/ledger/run-report.ts';
import type { PlanColumn } from '../../../../src/model/plan/actor.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { findAllClear } from '../../../../src/model/report/all-clear.ts';
import { findHint } from '../../../../src/model/report/hint.ts';
import type { StatusView } from '../../../../src/model/report/status.ts';
import { runSituation, statusSituation } from '../../../../src/render/view/situations.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const NONE = { now: 0, running: 0, later: 0, person: 0, done: 0, out: 0 };

describe('H8 K26 the next step after a failed task', () => {
  const backoff: Reason = { code: 'notDue', why: 'backoff', next: NOW + 600_000 };
  const stopped: Reason = { ...backoff, next: 'never', params: { alsoStopped: 'firmware.lts' } };
  const at = { file: 'f', line: 1, column: 1, policy: 'firmware.lts' };
  const inStatus = (reason: Reason) => {
    const policy = {
      at,
      run: 0,
      waits: [{ reason, count: 1 }],
      skips: [],
      left: [],
      columns: NONE,
    };
    const view = { at: NOW, policies: [policy], inDoubt: [], inFlight: [] };
    return findHint(statusSituation(view as unknown as StatusView));
  };
  const inRun = (reason: Reason, column: PlanColumn) => {
    const change = { task: 'upgradeFirmware', at };
    const endings = [{ change, outcome: 'failed', reason, column }];
    const counts = { timedOut: 0, atWork: 0 };
    const report = { endings, left: { endings, notes: [] }, notes: [], counts };
    return findAllClear(runSituation(report as unknown as RunReport, NOW));
  };

  test('is the retry, in a status and at the end of the run that failed', () => {
    const retry = { row: 9, is: 'from', at: NOW + 600_000 };
    expect(inStatus(backoff)).toMatchObject(retry);
    expect(inRun(backoff, 'later')).toMatchObject({ exit: 4, next: retry });
  });

  test('is that of the stop that holds the retry', () => {
    const blocked = { row: 6, is: 'blocked', left: { reason: stopped, policy: 'firmware.lts' } };
    expect(inStatus(stopped)).toMatchObject(blocked);
    expect(inRun(stopped, 'person').next).toMatchObject(blocked);
  });

  test('is to run again where the retry may start at once', () => {
    const { next, exit } = inRun({ code: 'act' }, 'now');
    expect([next, exit]).toEqual([{ row: 7, is: 'again' }, 4]);
  });

  test('needs a person where no retry is left, whatever starts later', () => {
    const used: Reason = { code: 'quarantined', why: 'retriesUsed', next: 'never' };
    expect(inRun(used, 'person').next).toMatchObject({ row: 10, is: 'person' });
  });
});

test('a status leaves what is not read yet to the next run, as its plan does', () => {
  const policy = {
    at: { policy: 'firmware.lts' },
    run: 0,
    waits: [],
    skips: [],
    left: [],
    notRead: 23,
    columns: { ...NONE, later: 23 },
  };
  const view = { at: NOW, policies: [policy], inDoubt: [], inFlight: [] };
  const situation = statusSituation(view as unknown as StatusView);
  expect(findHint(situation)).toEqual({ row: 8, is: 'read', count: 23 });
});

test('a status says that a run is at work, not how to start another one', () => {
  const run = { is: 'atWork', epoch: 3 };
  const view = { at: NOW, policies: [], inDoubt: [], inFlight: [{ policy: 'firmware.lts' }], run };
  const hintWith = (is: string) =>
    findHint(statusSituation({ ...view, run: { ...run, is } } as unknown as StatusView));
  expect(hintWith('atWork')).toMatchObject({ is: 'atWork', epoch: 3 });
  expect(hintWith('dead')).toMatchObject({ is: 'follow' });
});

describe('M31 what the last reading of a run showed beside its changes', () => {
  const closed: Reason = { code: 'windowClosed', next: NOW + 3_600_000 };
  const change = { task: 'upgradeFirmware', at: { policy: 'firmware.new' } };
  const left = {
    endings: [
      { change, outcome: 'notStarted', column: 'later', reason: closed },
      { change, outcome: 'notStarted', reason: { code: 'notReached' } },
    ],
    notes: [],
  };
  const report = {
    endings: [],
    notes: [],
    counts: { timedOut: 0, atWork: 0 },
    surveyed: {
      coverage: { person: [] },
      isTorn: false,
      beyond: 1,
      news: [],
    },
  };
  const hintOfRun = (more: object) =>
    findHint(runSituation({ ...report, ...more } as unknown as RunReport, NOW));

  test.each<readonly [string, Reason, number]>([
    ['an exception leaves out', { code: 'exclude' }, 0],
    ['an exception pins', { code: 'pinned' }, 0],
    ['its window waits for', closed, 7],
    ['nothing holds', { code: 'notReached' }, 7],
  ])('is no work left of a device between steps that %s', (_, reason, exit) => {
    const endings = [{ change, outcome: 'betweenSteps', reason }];
    const surveyed = { ...report.surveyed, beyond: 0 };
    const of = { ...report, endings, surveyed } as unknown as RunReport;
    expect(findAllClear(runSituation(of, NOW)).exit).toBe(exit);
  });

  test('may start now, before any later instant', () => {
    expect(hintOfRun({ left })).toEqual({ row: 7, is: 'again' });
  });

  test('is in no run of a file, which says that its file does not have it', () => {
    expect(hintOfRun({ isFile: true })).toEqual({ row: 7, is: 'beyond', count: 1 });
  });
});
