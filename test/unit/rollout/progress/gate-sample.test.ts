import { expect, test } from 'vitest';
import { sampleDevice } from '../../../../src/rollout/progress/gate-sample.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';

test.each([
  ['a camera that records', { deviceType: 'camera', recordingStatus: 'recording' }, true],
  ['a camera that does not', { deviceType: 'camera', recordingStatus: 'stopped' }, false],
  ['a camera that does not say', { deviceType: 'camera' }, undefined],
  ['a panel, which cannot', { deviceType: 'access control panel' }, true],
  ['a panel that says it stopped', { deviceType: 'panel', recordingStatus: 'stopped' }, false],
])('%s', (_, device, recording) => {
  expect(sampleDevice(device as Device, undefined).recording).toBe(recording);
});
