import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { Ending, Outcome, RunReport } from '../../../../src/model/ledger/run-report.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { nextRun } from '../../../../src/operations/rehearse/next-run.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const NIGHTS = `service: {baseUrl: "https://service.test", organization: acme}
windows: {nights: {timeZone: UTC, allow: [{days: mon-sun, from: "01:00", to: "05:00"}]}}
rotations: {cameras: {task: rotatePassword, select: {deviceType: camera}, maxAge: 180d, windows: nights}}
`;
const EXPEDITED = `${NIGHTS}exceptions:
  leak:
    {type: expedite, task: rotatePassword, select: {deviceType: camera},
     until: "2026-11-22T00:00:00Z", reason: leak, ticket: S-1, owner: ada}
`;

function documentsOf(text: string): Documents {
  const { documents, diagnostics } = loadTexts([{ path: 'fleet.yaml', text }]);
  if (!documents) throw new Error(JSON.stringify(diagnostics));
  return documents;
}

/** A run whose changes ended so; a change that was not started has a reason. */
function runOf(ended: readonly (Outcome | Reason)[], attempts = 0): RunReport {
  const endings = ended.map((one) => {
    const reason: Reason = typeof one === 'string' ? { code: 'act' } : one;
    const outcome = typeof one === 'string' ? one : 'notStarted';
    return { change: { policy: 'rotations.cameras', reason }, outcome } as unknown as Ending;
  });
  return { endings, attempts, notes: [] } as unknown as RunReport;
}

function hoursUntilNext(run: RunReport, text: string = NIGHTS): number {
  const end = { records: [], documents: documentsOf(text), now: NOW, atMost: 30 * DAY };
  return (nextRun(run, end) - NOW) / HOUR;
}

const DUE: Reason = { code: 'notDue', next: NOW + HOUR };
const FULL: Reason = { code: 'budgetExhausted' };

describe('the next run of a rehearsal', () => {
  it('is when the windows open after the midnight at which a change is found due', () => {
    expect(hoursUntilNext(runOf([DUE]))).toBe(13);
    expect(
      hoursUntilNext(runOf([DUE]), NIGHTS.replace('windows: nights', 'windows: anytime')),
    ).toBe(12);
    expect(hoursUntilNext(runOf([DUE]), EXPEDITED)).toBe(12);
  });

  it('is an hour after a start that may still change what holds another change', () => {
    expect(hoursUntilNext(runOf(['failed', FULL], 1))).toBe(1);
    expect(hoursUntilNext(runOf(['inDoubt', FULL], 1))).toBe(1);
    expect(hoursUntilNext(runOf(['verified', FULL], 1))).toBe(30 * 24);
    expect(hoursUntilNext(runOf([FULL]))).toBe(30 * 24);
  });
});
