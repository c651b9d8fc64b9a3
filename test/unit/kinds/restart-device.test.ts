import { describe, expect, it } from 'vitest';
import type { Case } from '../../../src/kinds/kind.ts';
import { restartDevice } from '../../../src/kinds/restart-device.ts';
import type { IntentState } from '../../../src/model/ledger/memory.ts';
import type { RestartPolicy } from '../../../src/model/documents/policy.ts';
import {
  able,
  attempted,
  brief,
  caseOf,
  DAY,
  HOUR,
  intent,
  MINUTE,
  NOW,
  seen,
} from '../../support/kinds-case.ts';

const POLICY: RestartPolicy = {
  address: 'restarts.gone-dark',
  section: 'restarts',
  task: 'restartDevice',
  priority: 500,
  windows: ['anytime'],
  select: { deviceType: ['camera'] },
  when: { status: ['offline'], probe: {}, for: 20 * MINUTE, excludeMaintenanceMode: true },
  cooldown: 6 * HOUR,
  maxPerDevice: { count: 2, per: 7 * DAY },
  maxPerSite: { count: 3, per: HOUR },
  correlatedOutage: { percent: 30, within: 10 * MINUTE },
  escalate: { after: 2 },
};

const dark = (minutes: number, fields: Partial<Case> = {}): Case =>
  caseOf(POLICY, {
    device: able({ status: 'offline', lastSeen: NOW - minutes * MINUTE }),
    ...fields,
  });

const restart = (hours: number, fields: Partial<IntentState> = {}): IntentState =>
  intent({ task: 'restartDevice', target: 'restart', attemptedAt: NOW - hours * HOUR, ...fields });

const { lastSeen: _, ...NEVER_SEEN } = able({ status: 'offline' });
const { status: __, ...NO_STATUS } = able();

describe('S4 a restart', () => {
  it.each([
    ['held long enough, to the minute', dark(20), 'due symptomHeld'],
    ['not held yet', dark(19.9), 'notDue symptomNotHeld'],
    [
      'where `lastSeen` is not relied on',
      dark(20, { lastSeenOff: true }),
      'unsupported lastSeenOff',
    ],
    ['without the symptom', caseOf(POLICY), 'converged noSymptom'],
    [
      'of a device that was never seen',
      dark(0, { device: NEVER_SEEN }),
      'unsupported valueUnknown',
    ],
    ['of a device without a status', dark(0, { device: NO_STATUS }), 'unsupported valueUnknown'],
    [
      'that is not available, as another task shows',
      dark(60, { device: able({ available: { rotatePassword: true } }) }),
      'unsupported taskUnavailable',
    ],
    [
      'that was offered by an earlier reading',
      dark(60, { device: able({ available: {} }), offered: { restartDevice: 4 } }),
      'unsupported taskUnavailable',
    ],
    [
      'of a device that shows no task at all',
      dark(60, { device: able({ available: {} }), offered: { rotatePassword: 4 } }),
      'unsupported valueUnknown',
    ],
    ['within the cooldown', dark(60, { past: [restart(5.9)] }), 'notDue cooldown'],
    ['after the cooldown', dark(60, { past: [restart(6)] }), 'due symptomHeld'],
    [
      'after one in doubt',
      dark(60, { past: [restart(1, { phase: 'inDoubt' })] }),
      'notDue cooldown',
    ],
    [
      'after an unknown one',
      dark(60, { past: [restart(1, { verdict: 'unknown' })] }),
      'notDue cooldown',
    ],
    [
      'after a refused one',
      dark(60, { past: [restart(1, { outcome: 'rejected' })] }),
      'due symptomHeld',
    ],
    [
      'after one never sent',
      dark(60, { past: [restart(1, { phase: 'none' })] }),
      'due symptomHeld',
    ],
    [
      'after one not done',
      dark(60, { past: [restart(1, { verdict: 'notDone' })] }),
      'due symptomHeld',
    ],
  ])('%s', (_, theCase, expected) => {
    expect(brief(restartDevice.judge(theCase))).toBe(expected);
  });

  it('is a detection, timed by when the device was seen last', () => {
    const past = [restart(100), restart(90, { phase: 'inDoubt' })];
    expect(restartDevice.judge(dark(60, { past }))).toEqual({
      is: 'due',
      why: 'symptomHeld',
      since: NOW - HOUR,
      cause: 'detection',
      before: { status: 'offline' },
      after: { status: 'online' },
      target: 'restart',
      generation: 1,
      marker: 'offline',
    });
  });

  it('that waits says until when', () => {
    expect(restartDevice.judge(dark(5))).toMatchObject({
      within: false,
      reason: { since: NOW - 5 * MINUTE, next: NOW + 15 * MINUTE },
    });
    expect(restartDevice.judge(dark(60, { past: [restart(9), restart(2)] }))).toMatchObject({
      within: false,
      reason: { since: NOW - 2 * HOUR, next: NOW + 4 * HOUR },
    });
  });

  it('acts on a device that is offline, and reads nothing for it', () => {
    expect(restartDevice.actsOffline).toBe(true);
    expect(restartDevice.reads(dark(60))).toEqual([]);
  });
});

describe('proof of a restart', () => {
  it.each([
    ['shown', able()],
    ['notYet', able({ lastSeen: NOW - 30 * MINUTE })],
    ['notYet', able({ status: 'partial' })],
  ])('is %s', (expected, device) => {
    expect(restartDevice.prove(attempted(), seen({ device })).is).toBe(expected);
  });

  it('of a device that never says when it was seen takes equal reads ten minutes apart', () => {
    const { lastSeen: _, ...device } = able();
    const after = (minutes: number) =>
      restartDevice.prove(attempted(), seen({ device, steadyFor: minutes * MINUTE }));
    expect(after(9.9)).toEqual({ is: 'notYet', why: 'stale' });
    expect(after(10)).toMatchObject({
      is: 'shown',
      evidence: [{ source: 'device', field: 'status', value: 'online' }],
    });
  });

  it('never settles a doubt', () => {
    expect(restartDevice.settlesDoubt(attempted(), seen())).toEqual([]);
  });
});
