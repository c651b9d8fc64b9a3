import { describe, expect, it } from 'vitest';
import type { RunReport } from '../../../../src/model/ledger/run-report.ts';
import { findHint, type HintSituation } from '../../../../src/model/report/hint.ts';
import type { Reason } from '../../../../src/model/plan/reason.ts';
import { changesSituation } from '../../../../src/model/report/plan-situation.ts';
import { runSituation } from '../../../../src/render/view/situations.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { hintWords } from '../../../../src/render/words/review/hint.ts';
import { madeOnce, scenarios } from '../../../support/plan-scenario.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
const nothing: HintSituation = { now: NOW, remaining: [] };

const left = (reason: Reason, count = 2) => ({ reason, count, policy: 'firmware.axis' });
const soak = left({ code: 'gatePending', why: 'soak', next: NOW + 2 * HOUR });
const shut = left({ code: 'windowClosed', next: NOW + HOUR });
const offline = left({ code: 'unknown' });
const paused = left({ code: 'rolloutPaused', next: 'never', params: { rule: 'canary' } });
const approval = left({ code: 'approvalPending', next: 'never', params: { entry: 'a/b' } });
const doubt = { intentId: 'i-1', since: NOW - HOUR };

const said = (situation: Partial<HintSituation>): string =>
  hintWords(findHint({ ...nothing, ...situation }), { now: NOW, command: 'apply plan.json' });

describe('the next step after a stop that outcomes in doubt alone have tripped (semantics N85)', () => {
  const byDoubt = (bad: number) =>
    left({
      code: 'rolloutPaused',
      next: 'never',
      params: { rule: 'canary', bad, inDoubt: 1, attempted: 2 },
    });
  const fresh = { intentId: 'i-1', since: NOW - 1_000 };

  it('is to settle them, and names the first', () => {
    expect(said({ remaining: [byDoubt(1)], inDoubt: [fresh] })).toContain('fleetform resolve i-1');
  });

  it('is that of any other stop where a task failed as well', () => {
    expect(said({ remaining: [byDoubt(2)], inDoubt: [fresh] })).toContain('get task ID --steps');
  });

  it('names no task where the doubts are settled', () => {
    const words = said({ remaining: [byDoubt(1)] });
    expect(words).toContain('fleetform unpause');
    expect(words).not.toContain('get task');
  });
});

/** A run that ended so, with nothing done. */
function run(ended: NonNullable<RunReport['ended']>): RunReport {
  const counts = { verified: 0, unverified: 0, failed: 0, rolledBack: 0, aborted: 0 };
  return {
    planId: 'p',
    endings: [],
    notes: [],
    counts: {
      ...counts,
      timedOut: 0,
      atWork: 0,
      inDoubt: 0,
      betweenSteps: 0,
      skipped: 0,
      notStarted: 0,
    },
    ended,
    anomalies: [],
    attempts: 0,
  };
}

const EXPECT = { limit: 'expect', value: 2, number: 3, allowed: 2, passed: false } as const;

describe('the next step after `expect` refused an incident', () => {
  it('is to raise `expect`, not to run the same command again', () => {
    const refused = [{ ...EXPECT, guardrail: 'incidents.stolen' }];
    const words = hintWords(findHint(runSituation({ ...run('guardrail'), refused }, NOW)), {
      now: NOW,
      command: 'apply plan.json',
    });
    expect(words).toBe('check `select`; if all of them are intended, raise `expect`');
  });
});

/** Scenarios that end with each row of the table. */
const SHOWN: readonly (readonly [row: number, scenario: string])[] = [
  [4, '24-G2'],
  [4, '61-B5'],
  [5, '26-K9'],
  [6, '104-K12'],
  [7, '17-R8'],
  [9, '85-L-unreachableBeforeDeadline'],
  [9, '102-K8'],
  [10, '125-K7'],
  [11, '107-K3'],
];

describe('the next step', () => {
  it.each(SHOWN)('N85 is row %i of the table in scenario %s', async (row, start) => {
    const found = scenarios().find(({ name }) => name.startsWith(start));
    if (!found) throw new Error(`no scenario ${start}`);
    const { planned } = await madeOnce(found);
    expect(findHint(buildPlanView(planned.plan).situation).row).toBe(row);
  });

  it.each([
    ['unfit', 1],
    ['error', 1],
    ['locked', 2],
    ['stale', 3],
    ['guardrail', 4],
    ['interrupted', 7],
  ] as const)('N85 of a run that ended %s is row %i', (ended, row) => {
    expect(findHint(runSituation(run(ended), NOW)).row).toBe(row);
  });

  it('of a run whose lock was taken or released is to look at what the other did, not to wait for the lock', () => {
    const words = said({ ended: 'locked' });
    expect(words).toContain('`fleetform status`');
    expect(words).toContain('run `fleetform apply plan.json` again');
    expect(words).not.toContain('--lock-wait');
  });

  it('N85 is the first of two rows that fit', () => {
    expect(findHint({ ...nothing, startable: 3, remaining: [paused, soak] }).row).toBe(6);
    expect(findHint({ ...nothing, remaining: [paused, approval] }).row).toBe(4);
    expect(findHint({ ...nothing, remaining: [paused], inDoubt: [doubt] }).row).toBe(5);
    expect(findHint({ ...nothing, startable: 3, remaining: [soak, offline] }).row).toBe(7);
    expect(findHint({ ...nothing, remaining: [soak, offline] }).row).toBe(10);
    expect(findHint({ ...nothing, remaining: [soak] }).row).toBe(9);
    expect(findHint({ ...nothing, ended: 'locked', startable: 3, inDoubt: [doubt] }).row).toBe(2);
  });

  it('follows what runs, and looks for evidence of what is in doubt until its quarantine ends', () => {
    const fresh = { intentId: 'i-2', since: NOW - 60_000 };
    expect(findHint({ ...nothing, inDoubt: [fresh] })).toMatchObject({ row: 8, count: 1 });
    expect(said({ inDoubt: [{ ...fresh, count: 3 }] })).toBe(
      '3 tasks in doubt: `fleetform recover` looks for evidence; `--watch 45m` waits for it',
    );
    expect(said({ inDoubt: [fresh], running: 1 })).toMatch(/^1 task still running: .* follows it$/);
    expect(said({ running: 3 })).toBe(
      '3 tasks still running: `fleetform apply plan.json --wait 30m` follows them',
    );
    expect(said({ unread: 23 })).toBe('`fleetform apply plan.json` reads 23');
    expect(findHint({ ...nothing, unread: 23, remaining: [soak, offline] }).row).toBe(8);
  });

  it('is to look at the run that is at work, unless a person may let it go on', () => {
    const words =
      'run 7 is at work: see its output; `fleetform apply --lock-wait 10m` waits for it';
    expect(said({ atWork: 7, startable: 3, running: 1, remaining: [offline] })).toBe(words);
    expect(said({ atWork: 7 })).toBe(words);
    expect(findHint({ ...nothing, atWork: 7, remaining: [paused] }).row).toBe(6);
  });

  it('is the instant of a soak before a device that is away, and what waits for that beside it', () => {
    const away = left({ code: 'busy', why: 'maintenanceMode' }, 1);
    expect(said({ remaining: [away, soak] })).toBe(
      'run `fleetform apply plan.json` from Fri 20 Nov 14:00 UTC: 2 changes of firmware.axis; 1 other waits (in maintenance mode)',
    );
    expect(said({ remaining: [away] })).toMatch(/^run .* again when 1 change .* can start/);
    expect(said({ remaining: [away, soak, offline] })).not.toContain('all else');
  });

  it('names what stops a canary before what waits for its gate', () => {
    const gated = left({ code: 'gatePending', why: 'minReached', next: 'never' }, 5);
    const full = left({ code: 'budgetExhausted', why: 'downAlready', next: 'never' }, 1);
    expect(said({ remaining: [gated, full] })).toMatch(
      /^needs you: 1 \(budget .*\): .*; 1 more reason$/,
    );
  });

  it('is a new plan where the file has expired, whatever may start', () => {
    expect(said({ startable: 1, expired: Date.UTC(2026, 10, 20) })).toBe(
      'this plan expired Fri 20 Nov 00:00 UTC: `fleetform plan -o FILE` creates a new one',
    );
  });

  it('repeats the command with its file where something may start', () => {
    expect(said({ startable: 1 })).toBe('fleetform apply plan.json');
  });

  it('is the first instant, with how many of which policy', () => {
    expect(said({ remaining: [soak, shut] })).toBe(
      'nothing to do until Fri 20 Nov 13:00 UTC: 2 changes of firmware.axis; then `fleetform apply plan.json`',
    );
    const open = left({ code: 'gatePending', why: 'checks' });
    expect(said({ remaining: [open, soak] })).toContain('at the latest from Fri 20 Nov 14:00 UTC');
  });

  it('counts what starts in the minute that it names, and says so where more follows', () => {
    const soon = left({ code: 'notDue', next: NOW + HOUR - 59_000 });
    expect(said({ remaining: [shut, soon] })).toContain('13:00 UTC: 4 changes of firmware.axis;');
    const late = left({ code: 'notDue', next: NOW + HOUR + 1 });
    expect(said({ remaining: [late] })).toContain('until Fri 20 Nov 13:01 UTC');
    const spread = { ...left({ code: 'notDue', next: NOW + HOUR }, 90), lastNext: NOW + 9 * HOUR };
    expect(said({ remaining: [spread] })).toContain(': the first of 90 changes of firmware.axis;');
  });

  it('counts the same changes, one by one as a run has them or together as a plan has them', () => {
    const first = left({ code: 'notDue', why: 'spread', next: NOW + HOUR }, 1);
    const last = left({ code: 'notDue', why: 'spread', next: NOW + 9 * HOUR }, 1);
    const both = { ...first, count: 2, lastNext: NOW + 9 * HOUR };
    expect(said({ remaining: [first, last] })).toBe(said({ remaining: [both] }));
    expect(said({ remaining: [both] })).toContain(': the first of 2 changes of firmware.axis;');
  });

  it('does not wait for a wave behind a change whose instant is known', () => {
    const behind = left({ code: 'waveNotOpen' }, 9);
    expect(said({ remaining: [behind, shut] })).toMatch(/^nothing to do until Fri 20 Nov 13:00/);
    expect(said({ remaining: [behind] })).toContain('(wave not open)');
    const other = { ...shut, policy: 'firmware.bosch' };
    expect(said({ remaining: [behind, other] })).toContain('at the latest from Fri 20 Nov 13:00');
  });

  it.each(['minReached', 'onTheWay'] as const)(
    'nor for a gate that devices of it have to pass: %s',
    (why) => {
      const gated = left({ code: 'gatePending', why }, 9);
      const day = left({ code: 'notDue', why: 'spread', next: NOW + HOUR }, 5);
      expect(said({ remaining: [gated, day] })).toMatch(/^nothing to do until Fri 20 Nov 13:00/);
      expect(said({ remaining: [gated] })).toContain('(gate not passed)');
    },
  );

  it('N85 is row 5 only once the quarantine of what a run left in doubt has passed', () => {
    const left = {
      task: 'restartDevice',
      device: 'd',
      policy: 'restarts.x',
      intentId: 'i',
    } as const;
    const { ended: _, ...report } = run('error');
    const ended = (ago: number) => {
      const leftOpen = [{ ...left, outcome: 'inDoubt' as const, since: NOW - ago }];
      return findHint(runSituation({ ...report, leftOpen }, NOW));
    };
    expect(ended(60_000)).toEqual({ row: 8, is: 'follow', count: 1, inDoubt: true });
    expect(ended(HOUR)).toMatchObject({ row: 5, is: 'doubt' });
  });

  it('is no earlier than the opening of the window of what falls due', () => {
    const day: Reason = { code: 'notDue', next: NOW + HOUR };
    const at = (opens: string) =>
      changesSituation(
        [
          {
            task: 'rotatePassword',
            action: 'wait',
            reason: day,
            count: 1,
            at: { policy: 'rotations.pw' },
            window: { name: 'nights', opens },
          },
        ],
        [],
        NOW,
      );
    expect(findHint(at('2026-11-21T01:00:00Z'))).toMatchObject({ at: NOW + 13 * HOUR });
    expect(findHint(at('2026-11-20T12:00:00Z'))).toMatchObject({ at: NOW + HOUR });
  });

  it('says how many need a person, by reason, and never a command that has no effect', () => {
    const text = said({ remaining: [offline, left({ code: 'quarantined' }, 5)] });
    expect(text).toMatch(/^needs you: 5 \(quarantined\): check the device.*; 1 more reason$/);
    expect(text).not.toContain('fleetform apply');
  });

  it('names what to look at after a failure, a stop and a doubt', () => {
    expect(said({ failed: 2 })).toContain('`fleetform get task ID --steps`');
    expect(said({ remaining: [paused] })).toMatch(/^firmware.axis: .*--steps.*unpause .*--ticket/);
    expect(said({ inDoubt: [doubt, doubt] })).toMatch(/resolve i-1 .*\(1 more in doubt\)$/);
  });

  it('is the next due date where nothing is left', () => {
    expect(said({})).toBe('nothing to do');
    expect(said({ due: { at: NOW + 24 * HOUR, policy: 'rotations.pw' } })).toBe(
      'nothing to do; `rotations.pw` falls due 21 Nov 12:00 UTC',
    );
  });

  describe('N6 N85 a device that this run could not read', () => {
    const unread = (problem: string, other: Partial<Reason> = {}) => {
      const params = { field: 'passwords', problem };
      return left({ code: 'unsupported', why: 'valueUnknown', next: 'never', params, ...other });
    };
    const later = left({ code: 'windowClosed', next: NOW + 100 * HOUR });
    const waits =
      'needs you: 2 (value unreadable): check the permissions of this user and the dialect (all else starts Tue 24 Nov 16:00 UTC)';

    it.each(['failed', 'notFound', 'notRead'])('is read again by the next run: %s', (problem) => {
      const text = 'run `fleetform apply plan.json` to read 2 devices again: the last read failed';
      expect(said({ remaining: [later, unread(problem)] })).toBe(text);
      expect(said({ remaining: [unread(problem)] })).toBe(text);
    });

    it('is read again by the next run where its row was not understood', () => {
      const params = { field: 'device', problem: 'unreadable' };
      expect(said({ remaining: [later, unread('unreadable', { params })] })).toMatch(/^run /u);
    });

    it('is a matter of a person where it is refused, or an earlier run read it', () => {
      expect(said({ remaining: [later, unread('forbidden')] })).toBe(waits);
      expect(said({ remaining: [later, unread('failed', { since: NOW - HOUR })] })).toBe(waits);
    });

    it('is a matter of a person where its value was not understood', () => {
      expect(said({ remaining: [later, unread('unreadable')] })).toMatch(
        /^needs you: 2 \(value unreadable\): .*\(all else starts Tue 24 Nov 16:00 UTC\)$/u,
      );
      expect(said({ remaining: [unread('unreadable')] })).toMatch(
        /^needs you: 2 \(value unreadable\)/u,
      );
    });
  });
});
