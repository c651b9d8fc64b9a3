import { describe, expect, it } from 'vitest';
import { batchLimit, renames } from '../../../../src/plan/admit/batch.ts';
import { attemptRecord, buildRequest, type Member } from '../../../../src/apply/send/request.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import { DEFAULT_ROLLOUT } from '../../../../src/model/documents/rollout-defaults.ts';
import type { Payload } from '../../../../src/model/fleet/task.ts';
import { candidate, ROTATION } from '../../../support/apply-candidate.ts';

const DIALECT = resolveDialect();

function upgrade(device: string, target = '2'): Member {
  const one = candidate(device, { change: { target } });
  return { candidate: one, change: one.change, sites: [{ id: '7', name: 'HQ' }] };
}

function rotate(device: string, payload: Payload): Member {
  const one = candidate(device, { policy: { ...ROTATION, payload } });
  return { candidate: one, change: one.change, sites: [] };
}

describe('the request of a batch', () => {
  it('has one default payload where it fits all', () => {
    expect(buildRequest([upgrade('a'), upgrade('b')], DIALECT)).toEqual({
      task: 'upgradeFirmware',
      devices: [{ deviceId: 'a' }, { deviceId: 'b' }],
      defaultPayload: { targetVersion: '2' },
    });
  });

  it('gives each device its own payload where they differ', () => {
    expect(buildRequest([upgrade('a'), upgrade('b', '3')], DIALECT)).toEqual({
      task: 'upgradeFirmware',
      devices: [
        { deviceId: 'a', payload: { targetVersion: '2' } },
        { deviceId: 'b', payload: { targetVersion: '3' } },
      ],
    });
  });

  it('has none at all where the task type needs none', () => {
    const request = buildRequest([rotate('a', {})], DIALECT);
    expect(request).toEqual({ task: 'rotatePassword', devices: [{ deviceId: 'a' }] });
  });
});

describe('the ATTEMPT of a batch', () => {
  it('says where a hop leads in the end', () => {
    const one = candidate('a', { change: { target: '2', finalTarget: '3' } });
    const body = attempt([{ candidate: one, change: one.change, sites: [] }]);
    expect(body.intents).toMatchObject([{ target: '2', towards: '3' }]);
  });

  const attempt = (members: readonly [Member, ...Member[]]) =>
    attemptRecord(members, {
      attemptId: 'n.1',
      planId: 'p',
      ledgerId: 'l',
      request: buildRequest(members, DIALECT),
      sendBy: 0,
    });

  it('holds ids and digests, and no name', () => {
    const body = attempt([upgrade('a')]);
    expect(body).toMatchObject({ task: 'upgradeFirmware', window: 'anytime' });
    expect(body.intents).toMatchObject([{ device: 'a', target: '2', marker: '1', sites: ['7'] }]);
    expect(JSON.stringify(body)).not.toContain('HQ');
    expect(body.intents[0]).not.toHaveProperty('towards');
  });

  it('digests a secret as the reference that it is', () => {
    const one = attempt([rotate('a', { password: { fromEnv: 'ONE' } })]);
    const other = attempt([rotate('a', { password: { fromEnv: 'OTHER' } })]);
    expect(one.batchDigest).toMatch(/^[0-9a-f]{64}$/);
    expect(one.batchDigest).not.toBe(other.batchDigest);
  });
});

describe('the size of a batch', () => {
  const rollout = { ...DEFAULT_ROLLOUT, batch: 25 };
  const accepted = new Set(['upgradeFirmware'] as const);

  it.each([
    ['nothing of its type was accepted yet', rollout, { accepted: new Set<never>() }, 1],
    ['only the built-in one says it', DEFAULT_ROLLOUT, {}, 10],
    ['its rollout says it', rollout, {}, 25],
    ['the dialect allows less', rollout, { dialect: { ...DIALECT, maxDevicesPerTask: 4 } }, 4],
    [
      'no more are read and answered in half a minute',
      rollout,
      { pace: { requestsPerSecond: 0.3 } },
      5,
    ],
    ['not even one is', rollout, { pace: { requestsPerSecond: 0.13 } }, 0],
  ])('where %s', (_what, rollout, known, size) => {
    const pace = { requestsPerSecond: 1 };
    const all = { accepted, dialect: DIALECT, pace, ...known };
    expect(batchLimit(candidate('a', { rollout }), all)).toBe(size);
  });

  it('is one for onboarding where a device may come back under another id', () => {
    const unknown = { ...DIALECT, onboardedId: 'unknown' } as const;
    expect([renames('onboardDevice', DIALECT), renames('onboardDevice', unknown)]).toEqual([
      false,
      true,
    ]);
    expect(renames('upgradeFirmware', unknown)).toBe(false);
  });
});
