import { describe, expect, it } from 'vitest';
import { findActor, findColumn, mayFollow } from '../../../../src/model/plan/actor.ts';
import { REASON_CODES, type Reason } from '../../../../src/model/plan/reason.ts';

describe('who has to act', () => {
  it('N85 is a person, time or nobody for every reason', () => {
    const byActor = REASON_CODES.map((code) => `${code} ${findActor({ code })}`);
    expect(byActor).toContain('offline person');
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

  it('N85 goes by the more precise word: maintenance is switched off by a person', () => {
    expect(findActor({ code: 'busy', why: 'soak' })).toBe('time');
    expect(findActor({ code: 'busy', why: 'maintenanceMode' })).toBe('person');
  });

  it('puts each change in one column', () => {
    const offline = { code: 'offline' } as const;
    const excluded = { code: 'exclude' } as const;
    expect(findColumn({ action: 'run', reason: { code: 'act' } })).toBe('now');
    expect(findColumn({ action: 'wait', reason: { code: 'frozen' } })).toBe('later');
    expect(findColumn({ action: 'wait', reason: offline })).toBe('person');
    expect(findColumn({ action: 'skip', reason: excluded })).toBe('unchanged');
    expect(findColumn({ action: 'note', reason: offline })).toBe('unchanged');
    expect(findColumn({ action: 'note', reason: { code: 'notRead' } })).toBe('unread');
  });

  it('lets follow in the same run only what waits for running tasks', () => {
    const full: Reason = { code: 'budgetExhausted' };
    expect(mayFollow(full)).toBe(true);
    expect(mayFollow({ ...full, why: 'downAlready' })).toBe(false);
    expect(mayFollow({ ...full, why: 'noRoomEver', next: 'never' })).toBe(false);
    expect(mayFollow({ code: 'windowClosed' })).toBe(false);
  });
});
