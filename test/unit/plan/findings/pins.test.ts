import { expect, test } from 'vitest';
import { desire } from '../../../../src/desired/desire.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { Exception } from '../../../../src/model/documents/exception.ts';
import { pinsBelowFloor } from '../../../../src/plan/findings/pins.ts';
import {
  NOW,
  aDevice,
  aFirmwarePolicy,
  aSnapshot,
  entries,
  someDocuments,
} from '../../../support/plan-fleet.ts';

function below(pin: Partial<Exception & { type: 'pin' }>, device: Partial<Device> = {}) {
  const bug: Exception = {
    type: 'pin',
    version: '10.12.236',
    acceptsRisk: false,
    tasks: ['upgradeFirmware'],
    until: NOW + 1,
    notice: 0,
    reason: 'bug',
    owner: 'secops',
    ticket: 'INC-77',
    ...pin,
  };
  const documents = someDocuments({
    firmware: entries({ lts: aFirmwarePolicy('lts', { minVersion: '11.5.0' }) }),
    exceptions: entries({ bug }),
  });
  const snapshot = aSnapshot([aDevice('dev-1', device), aDevice('dev-2', device)]);
  const desired = desire({ documents, snapshot, now: NOW });
  return pinsBelowFloor({ snapshot }, desired).map(({ code, severity, params }) => ({
    code,
    severity,
    params,
  }));
}

test('a pin below the floor of the policy that governs its devices is an error, said once', () => {
  const params = { exception: 'exceptions.bug', policy: 'firmware.lts', count: 2, device: 'dev-1' };
  expect(below({})).toEqual([
    {
      code: 'pinBelowFloor',
      severity: 'error',
      params: { ...params, version: '10.12.236', minVersion: '11.5.0' },
    },
  ]);
});

test.each([
  ['at the floor', { version: '11.5.0' }, {}],
  ['above it', { version: '11.8.61' }, {}],
  ['whose risk is accepted', { acceptsRisk: true }, {}],
  ['of devices that no policy with a floor governs', {}, { vendor: 'Bosch' }],
  ['that ended', { until: NOW }, {}],
  ['that cannot be compared', { version: 'lts-nightly' }, {}],
])('no error for a pin %s', (_, pin, device) => {
  expect(below(pin, device)).toEqual([]);
});
