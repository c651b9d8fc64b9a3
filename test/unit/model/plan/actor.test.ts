import { describe, expect, it } from 'vitest';
import { findActor, findColumn, isDecided, mayFollow } from '../../../../src/model/plan/actor.ts';
import { REASON_CODES, type Reason } from '../../../../src/model/plan/reason.ts';

describe('who has to act', () => {
  it('N85 is a person, time or nobody for every reason', () => {
    const byActor = REASON_CODES.map((code) => `${code} ${findActor({ code })}`);
    expect(byActor).toContain('unknown person');
    expect(byActor).toContain('windowClosed time');
    expect(byActor).toContain('blockedVendor nobody');
  });

  it('N85 waits for a known instant, and a person acts where it never comes', () => {
    const quarantined: Reason = { code: 'quarantined', why: 'maxPerDevice' };
    expect(findActor({ ...quarantined, next: 1 })).toBe('time');
    expect(findActor({ ...quarantined, next: 'never' })).toBe('person');
    expect(findActor({ code: 'windowClosed', next: 1 })).toBe('time');
    expect(findActor({ code: 'windowClosed', next: 'never' })).toBe('person');
    expect(findActor({ code: 'exclude', next: 1 })).toBe('nobody');
  });

  it('N85 goes by the more precise word', () => {
    expect(findActor({ code: 'unsupported', why: 'noPath' })).toBe('person');
    expect(findActor({ code: 'unsupported', why: 'taskUnavailable' })).toBe('nobody');
  });

  it('M30 waits for a device that is offline or in maintenance, until it has been so for too long', () => {
    const maintenance: Reason = { code: 'busy', why: 'maintenanceMode' };
    for (const reason of [{ code: 'offline' } as const, maintenance]) {
      expect(findActor(reason)).toBe('time');
      expect(findActor({ ...reason, params: { needsYou: true } })).toBe('person');
    }
  });

  it('M33 leaves to nobody what is acknowledged', () => {
    const reason: Reason = {
      code: 'quarantined',
      next: 'never',
      params: { acknowledged: 'known' },
    };
    expect(findActor(reason)).toBe('nobody');
    expect(findColumn({ action: 'skip', reason })).toBe('out');
  });

  it('M30 knows what somebody decided: approvals, and pauses of people', () => {
    expect(isDecided({ code: 'awaitsApproval' })).toBe(true);
    expect(isDecided({ code: 'approvalPending' })).toBe(true);
    expect(isDecided({ code: 'approvalPending', why: 'singleton' })).toBe(false);
    expect(isDecided({ code: 'rolloutPaused', why: 'person' })).toBe(true);
    expect(isDecided({ code: 'rolloutPaused', params: { rule: 'canary' } })).toBe(false);
    const orphaned = { code: 'rolloutPaused', why: 'orphanedPause' } as const;
    expect(isDecided({ ...orphaned, params: { who: 'ada@desk' } })).toBe(true);
    expect(isDecided({ ...orphaned, params: { rule: 'canary' } })).toBe(false);
    expect(isDecided({ code: 'rolloutPaused', why: 'orphanedRollout' })).toBe(false);
    expect(isDecided({ code: 'frozen', next: 'never', params: { alsoPaused: 'fleet' } })).toBe(
      true,
    );
  });

  it('puts each change in one column', () => {
    const unknown = { code: 'unknown' } as const;
    const excluded = { code: 'exclude' } as const;
    expect(findColumn({ action: 'run', reason: { code: 'act' } })).toBe('now');
    expect(findColumn({ action: 'wait', reason: { code: 'frozen' } })).toBe('later');
    expect(findColumn({ action: 'wait', reason: unknown })).toBe('person');
    expect(findColumn({ action: 'skip', reason: excluded })).toBe('out');
    expect(findColumn({ action: 'note', reason: { code: 'alreadyConverged' } })).toBe('done');
    expect(findColumn({ action: 'note', reason: { code: 'unmanaged' } })).toBe('person');
    expect(findColumn({ action: 'note', reason: { code: 'notRead' } })).toBe('later');
    expect(findColumn({ action: 'note', reason: { code: 'notDiscovered' } })).toBe('later');
    const doubt = { code: 'inDoubt', since: 0 } as const;
    expect(findColumn({ action: 'skip', reason: { ...doubt, next: 1_800_000 } })).toBe('running');
    expect(findColumn({ action: 'skip', reason: { ...doubt, next: 'never' } })).toBe('person');
    const never = { code: 'notDue', why: 'age', next: 'never' } as const;
    expect(findColumn({ action: 'note', reason: never })).toBe('done');
    expect(findColumn({ action: 'wait', reason: never })).toBe('person');
    expect(findColumn({ action: 'wait', reason: { code: 'busy', why: 'ours' } })).toBe('running');
  });

  it('K24 counts as running what has a task of its own, and as later what waits for another one of its device', () => {
    const reason: Reason = { code: 'busy', why: 'ours', params: { task: 'rotatePassword' } };
    expect(findColumn({ action: 'wait', reason, task: 'rotatePassword' })).toBe('running');
    expect(findColumn({ action: 'wait', reason, task: 'upgradeFirmware' })).toBe('later');
    const doubt: Reason = { code: 'inDoubt', next: 1_800_000, params: { task: 'rotatePassword' } };
    expect(findColumn({ action: 'skip', reason: doubt, task: 'rotatePassword' })).toBe('running');
    expect(findColumn({ action: 'skip', reason: doubt, task: 'upgradeFirmware' })).toBe('later');
    const never: Reason = { ...doubt, next: 'never' };
    expect(findColumn({ action: 'skip', reason: never, task: 'upgradeFirmware' })).toBe('person');
  });

  it('lets follow in the same run only what waits for running tasks', () => {
    const full: Reason = { code: 'budgetExhausted' };
    expect(mayFollow(full)).toBe(true);
    expect(mayFollow({ ...full, why: 'downAlready' })).toBe(false);
    expect(mayFollow({ ...full, why: 'noRoomEver', next: 'never' })).toBe(false);
    expect(mayFollow({ code: 'windowClosed' })).toBe(false);
  });
});
