import { describe, expect, it } from 'vitest';
import { WorldError } from '../../../../src/model/error.ts';
import type { RunReport } from '../../../../src/model/ledger/run-report.ts';
import { openConditions, whyTold } from '../../../../src/model/report/conditions.ts';

const HOUR = 3_600_000;

function report(over: object): RunReport {
  const counts = new Proxy({}, { get: () => 0 });
  const quiet = { planId: 'p', endings: [], notes: [], counts, anomalies: [], attempts: 0 };
  return { ...quiet, surveyed: { isTorn: false }, ...over } as unknown as RunReport;
}

const ending = (policy: string, outcome: string, code?: string) => ({
  change: { id: `t/${policy}`, policy, action: 'run', at: { policy } },
  outcome,
  ...(code !== undefined && { reason: { code } }),
});

describe('the conditions at the end of a run', () => {
  it.each([
    ['an error before a plan', { exit: 1, error: new WorldError('unreachable') }, ['runFailed']],
    ['an unfit ledger', { exit: 9, error: new WorldError('ledgerBroken') }, ['ledgerUnfit']],
    [
      'a refusal, and devices that are gone',
      { exit: 3, report: report({ refused: [{ limit: 'maxChanges' }, { limit: 'maxVanished' }] }) },
      ['fleetShrunk', 'guardrailRefused'],
    ],
    [
      'two stops, and a deadline that is past',
      {
        exit: 4,
        report: report({
          stops: [{ scope: 'firmware.b' }, { scope: 'firmware.a' }],
          surveyed: { isTorn: false, overdue: ['firmware.c'] },
        }),
      },
      ['overdue firmware.c', 'stopTripped firmware.a', 'stopTripped firmware.b'],
    ],
    [
      'doubts and a quarantine',
      {
        exit: 5,
        report: report({
          endings: [
            ending('firmware.a', 'skipped', 'quarantined'),
            ending('firmware.a', 'inDoubt'),
          ],
          leftOpen: [{ policy: 'restarts.b', outcome: 'inDoubt' }],
        }),
      },
      ['inDoubt firmware.a', 'inDoubt restarts.b', 'quarantined firmware.a'],
    ],
    ['nothing', { exit: 0, report: report({}) }, []],
  ])('with %s', (_, ended, open) => {
    expect(openConditions(ended, ['stopTripped old'].slice('report' in ended ? 0 : 1))).toEqual(
      open,
    );
  });

  it('of a thousand policies hide no other condition', () => {
    const overdue = Array.from({ length: 1_000 }, (_, nth) => `firmware.p${nth}`);
    const stops = [{ scope: 'firmware.a' }];
    const open = openConditions(
      { exit: 1, report: report({ surveyed: { isTorn: false, overdue }, stops }) },
      [],
    );
    expect(open).toEqual(expect.arrayContaining(['runFailed', 'stopTripped firmware.a']));
    expect(open.length).toBeLessThan(100);
  });

  it('keep what the run could not judge, and end what it could', () => {
    const before = ['inDoubt firmware.a', 'runFailed', 'stopTripped firmware.a'];
    const failed = { exit: 1, error: new WorldError('unreachable') };
    expect(openConditions(failed, before)).toEqual(before);
    const part = { exit: 0, report: report({ surveyed: { isTorn: false, isPart: true } }) };
    expect(openConditions(part, before)).toEqual(['stopTripped firmware.a']);
    const torn = { exit: 7, report: report({ surveyed: { isTorn: true } }) };
    expect(openConditions(torn, before)).toEqual(['stopTripped firmware.a']);
    expect(openConditions({ exit: 0, report: report({}) }, before)).toEqual([]);
  });
});

it('a receiver is told of a change, of the end, and once in each interval between', () => {
  const open = ['runFailed'];
  const told = { open, since: 0, at: 0 };
  expect(whyTold({ open, now: 0 }, undefined, HOUR)).toBe('changed');
  expect(whyTold({ open: [], now: 0 }, undefined, HOUR)).toBeUndefined();
  expect(whyTold({ open, now: HOUR - 1 }, told, HOUR)).toBeUndefined();
  expect(whyTold({ open, now: HOUR }, told, HOUR)).toBe('reminder');
  expect(whyTold({ open, now: 2 * HOUR - 1 }, { ...told, at: HOUR }, HOUR)).toBeUndefined();
  expect(whyTold({ open, now: 24 * HOUR }, { ...told, at: 23.5 * HOUR }, 24 * HOUR)).toBe(
    'reminder',
  );
  expect(whyTold({ open: [], now: HOUR }, told, HOUR)).toBe('cleared');
  expect(whyTold({ open: [], now: 99 * HOUR }, { ...told, open: [] }, HOUR)).toBeUndefined();
});
