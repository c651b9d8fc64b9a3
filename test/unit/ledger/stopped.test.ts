import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/model/plan/change.ts';
import type { Reason } from '../../../src/model/plan/reason.ts';
import type { ActiveStop } from '../../../src/model/ledger/memory.ts';
import { reportStop } from '../../../src/model/ledger/stopped.ts';
import { aMemory, anIntent, NOW } from '../../support/plan-fleet.ts';

const POLICY = 'firmware.lts';
const STOP: ActiveStop = { scope: POLICY, rule: 'canary', counts: { bad: 1 }, at: NOW };
const ROLLOUT = {
  targetDigest: 't',
  seq: 4,
  startedAt: NOW,
  base: [],
  devices: new Set<string>(),
};

function attempt(device: string, fields: Parameters<typeof anIntent>[1] = {}) {
  const failed = { verdict: 'failed', why: 'waitForBoot', taskId: 'task-1' } as const;
  return anIntent(device, { policy: POLICY, rollout: 4, sites: ['s1'], ...failed, ...fields });
}

function changeOf(device: string, reason: Reason, policy = POLICY): Change {
  return { id: `upgradeFirmware/${device}`, policy, reason } as Change;
}

const held = (scope: string): Reason => ({ code: 'rolloutPaused', params: { scope } });
const memory = aMemory(
  [
    attempt('dev-2', { attemptedAt: NOW - 1 }),
    attempt('dev-1', { attemptedAt: NOW - 2 }),
    attempt('dev-3', { verdict: 'done' }),
    attempt('dev-4', { rollout: 2 }),
    attempt('dev-5', { policy: 'firmware.other' }),
  ],
  { rollouts: new Map([[POLICY, ROLLOUT]]) },
);

describe('H8 a stop is reported with', () => {
  test('the bad outcomes of its own rollout, in the order of the attempts', () => {
    const { bad } = reportStop(STOP, { memory });
    const rest = { verdict: 'failed', step: 'waitForBoot', taskId: 'task-1' };
    expect(bad).toEqual([
      { device: 'dev-1', ...rest },
      { device: 'dev-2', ...rest },
    ]);
  });

  test('those of its site alone', () => {
    const elsewhere = { ...STOP, scope: `${POLICY}/site=s2` };
    expect(reportStop(elsewhere, { memory }).bad).toEqual([]);
    expect(reportStop({ ...STOP, scope: `${POLICY}/site=s1` }, { memory }).bad).toHaveLength(2);
  });

  test('what it holds, what is tried again and when, and what is not', () => {
    const changes = [
      changeOf('dev-1', { code: 'notDue', why: 'backoff', next: NOW + 600_000 }),
      changeOf('dev-2', { code: 'quarantined', why: 'retriesUsed', next: 'never' }),
      changeOf('dev-6', held(POLICY)),
      changeOf('dev-7', held(POLICY)),
      changeOf('dev-8', held('fleet')),
      changeOf('dev-9', { code: 'notDue', why: 'backoff', next: NOW }),
      changeOf('dev-6', held(POLICY), 'firmware.other'),
    ];
    const { effects } = reportStop(STOP, { memory, changes });
    expect(effects).toEqual({ held: 2, again: 1, againFrom: NOW + 600_000, setAside: 1 });
  });

  test('N61 no retry of what its incident ends before', () => {
    const params = { incidentEnds: '2026-11-30T18:00:00Z' };
    const changes = [changeOf('dev-1', { code: 'notDue', why: 'backoff', next: 'never', params })];
    const { effects } = reportStop(STOP, { memory, changes });
    expect(effects).toEqual({ held: 0, again: 0, setAside: 1 });
  });

  test('no effects where no plan was made since', () => {
    expect(reportStop(STOP, { memory })).not.toHaveProperty('effects');
  });
});
