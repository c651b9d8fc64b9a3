import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../../../src/model/ledger/run-report.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { findAllClear } from '../../../../src/model/report/all-clear.ts';
import { findHint } from '../../../../src/model/report/hint.ts';
import type { PolicyStatus, StatusView } from '../../../../src/model/report/status.ts';
import { runSituation, statusSituation } from '../../../../src/render/view/situations.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const BACKOFF: Reason = { code: 'notDue', why: 'backoff', next: NOW + 600_000 };

const NONE = { now: 0, running: 0, later: 0, person: 0, done: 0, out: 0 };

function hintOf(halted: Reason | undefined) {
  const policy = {
    at: { file: 'f', line: 1, column: 1, policy: 'firmware.lts' },
    run: 0,
    waits: [{ reason: BACKOFF, count: 2 }],
    skips: [],
    left: [],
    columns: { ...NONE, later: 2 },
    ...(halted && { halted }),
  } as unknown as PolicyStatus;
  const view = { at: NOW, policies: [policy], inDoubt: [], inFlight: [] };
  return findHint(statusSituation(view as unknown as StatusView));
}

describe('H8 the next step of a stopped rollout', () => {
  test('is that of the stop, whenever a failed device might be tried again', () => {
    const halted: Reason = { code: 'rolloutPaused', next: 'never' };
    expect(hintOf(halted)).toMatchObject({ row: 6, is: 'blocked', left: { reason: halted } });
  });

  test('is the retry where nothing is stopped', () => {
    expect(hintOf(undefined)).toMatchObject({ is: 'from', at: NOW + 600_000 });
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
