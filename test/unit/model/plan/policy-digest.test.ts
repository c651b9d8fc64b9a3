import { expect, test } from 'vitest';
import type { FirmwarePolicy, RotationPolicy } from '../../../../src/model/documents/policy.ts';
import { policyDigest } from '../../../../src/model/plan/policy-digest.ts';
import { aFirmwarePolicy } from '../../../support/plan-fleet.ts';

const LTS = aFirmwarePolicy('lts');
const ROTATION: RotationPolicy = {
  section: 'rotations',
  task: 'rotatePassword',
  address: 'rotations.pw',
  priority: 500,
  windows: ['anytime'],
  select: {},
  due: { is: 'never' },
  generation: 1,
  payload: {},
  offlineGrace: 0,
  unknownAge: 'skip',
};

const OTHER: readonly [string, Partial<FirmwarePolicy>][] = [
  ['version', { version: { is: 'exact', version: '12.1.4' } }],
  ['kind of version', { version: { is: 'approved' } }],
  ['downgrade', { downgrade: 'allow' }],
  ['address', { address: 'firmware.other' }],
];

test.each(OTHER)('another %s is another wish', (_, fields) => {
  expect(policyDigest({ ...LTS, ...fields })).not.toBe(policyDigest(LTS));
});

const SAME: readonly [string, Partial<FirmwarePolicy>][] = [
  ['selector', { select: { vendor: ['Bosch'] } }],
  ['priority', { priority: 900 }],
  ['windows', { windows: ['nights'] }],
  ['rollout', { rollout: 'slow' }],
];

test.each(SAME)('another %s is the same wish', (_, fields) => {
  expect(policyDigest({ ...LTS, ...fields })).toBe(policyDigest(LTS));
});

test('a raised generation is another wish', () => {
  expect(policyDigest({ ...ROTATION, generation: 2 })).not.toBe(policyDigest(ROTATION));
});

test('to rotate what is of unknown age is another wish', () => {
  expect(policyDigest({ ...ROTATION, unknownAge: 'rotate' })).not.toBe(policyDigest(ROTATION));
});
