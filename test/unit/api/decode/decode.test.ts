import { describe, expect, it } from 'vitest';
import { createDecoders } from '../../../../src/api/decode/decode.ts';
import type { Fail } from '../../../../src/api/decode/fields.ts';
import { deviceTaskDecoder } from '../../../../src/api/reads.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';

const fail: Fail = (name) => {
  throw new Error(`unreadable ${name}`);
};
const decoders = createDecoders(resolveDialect());
const device = (row: Record<string, unknown>) => decoders.devices(row, fail);
const empty = { probe: {}, sites: [], sources: [], available: {} };

describe('a device', () => {
  it('is read with everything that a decision needs', () => {
    const row = {
      id: 'd-1',
      name: 'lobby',
      vendor: 'Axis',
      model: 'P3265-V',
      firmwareVersion: '11.8.61',
      deviceType: 'camera',
      status: 'online',
      lastSeen: '2026-11-20T19:59:00Z',
      maintenanceMode: false,
      probe: { agent: 'up', app: 'down', other: 'up', host: 7 },
      sites: [{ id: 12, name: 'HQ' }, { name: 'by name' }, 7, 'text', null],
      deviceSources: [{ id: 's-1' }],
      availableTask: { restartDevice: true, rotatePassword: 0, upgradeFirmware: 'yes' },
      storageServer: 'rec-1',
      recordingStatus: 'recording',
      compliance: {
        passwordExpiry: '2027-01-31',
        sslCertificateExpiry: '2027-02-01T00:00:00+01:00',
      },
      later: { unknown: 1 },
    };
    expect(device(row)).toEqual({
      id: 'd-1',
      name: 'lobby',
      vendor: 'Axis',
      model: 'P3265-V',
      firmwareVersion: '11.8.61',
      deviceType: 'camera',
      status: 'online',
      lastSeen: Date.parse('2026-11-20T19:59:00Z'),
      maintenanceMode: false,
      probe: { agent: 'up', app: 'down' },
      sites: [
        { id: '12', name: 'HQ' },
        { id: 'by name', name: 'by name' },
        { id: '7' },
        { id: 'text' },
      ],
      unreadable: ['available.upgradeFirmware', 'probe.host'],
      sources: [{ id: 's-1' }],
      available: { restartDevice: true, rotatePassword: false },
      storageServer: 'rec-1',
      recordingStatus: 'recording',
      passwordExpiresAt: Date.parse('2027-01-31T00:00:00Z'),
      sslCertificateExpiresAt: Date.parse('2027-01-31T23:00:00Z'),
    });
  });

  it.each(['', '..', 'a/../b', 'a%2Fb', 'new\nline', 'x'.repeat(129)])(
    'whose id no address can have says so, and is read: %j',
    (id) => {
      expect(device({ id })).toEqual({ id, ...empty, unreadable: ['id'] });
      const found = decoders.discoveredDevices({ id }, fail);
      expect(found).toEqual({ id, unreadable: ['id'] });
    },
  );

  it.each(['a b', 'a/b', '{guid}', 'Tür', '-', '__proto__', 'x'.repeat(128)])(
    'may have any other id: %j',
    (id) => expect(device({ id })).toEqual({ id, ...empty }),
  );

  it('may lack everything but its id', () => {
    expect(device({ id: 'd-1' })).toEqual({ id: 'd-1', ...empty });
  });

  it('lacks what is null or empty', () => {
    const row = { id: 'd-1', name: null, vendor: '', lastSeen: '', sites: null, probe: null };
    expect(device({ ...row, availableTask: { restartDevice: null } })).toEqual({
      id: 'd-1',
      ...empty,
    });
  });

  it('has no name that shows nothing', () => {
    const blank = '  \u00a0';
    const row = { id: 'd-1', name: blank, sites: [{ id: 's-1', name: blank }] };
    expect(device(row)).toEqual({ id: 'd-1', ...empty, sites: [{ id: 's-1' }] });
  });

  it.each([
    [{ name: 7 }, 'name'],
    [{ vendor: ['Axis'] }, 'vendor'],
    [{ model: 3265 }, 'model'],
    [{ deviceType: {} }, 'deviceType'],
    [{ firmwareVersion: 11.8 }, 'firmwareVersion'],
    [{ status: {} }, 'status'],
    [{ lastSeen: 17 }, 'lastSeen'],
    [{ lastSeen: '10/25/2026' }, 'lastSeen'],
    [{ maintenanceMode: 'yes' }, 'maintenanceMode'],
    [{ maintenanceMode: 2 }, 'maintenanceMode'],
    [{ sites: true }, 'sites'],
    [{ sites: [{}] }, 'sites'],
    [{ sites: [{ id: 1, name: 7 }] }, 'sites'],
    [{ deviceSources: [{ id: 1.5 }] }, 'sources'],
    [{ storageServer: 1 }, 'storageServer'],
    [{ probe: [] }, 'probe'],
    [{ probe: { agent: 7 } }, 'probe.agent'],
    [{ availableTask: ['upgradeFirmware'] }, 'available'],
    [{ availableTask: { restartDevice: 'true' } }, 'available.restartDevice'],
    [{ availableTask: { restartDevice: 1 } }, 'available.restartDevice'],
    [{ compliance: { passwordExpiry: 1 } }, 'passwordExpiresAt'],
    [{ compliance: { sslCertificateExpiry: '25.10.2026' } }, 'sslCertificateExpiresAt'],
    [{ compliance: { lifecycle: { status: 7 } } }, 'lifeCycle'],
    [{ compliance: { lifecycle: { eosDate: 'soon' } } }, 'supportEndsAt'],
    [{ compliance: { vulnerabilitySeverity: 9 } }, 'vulnerabilitySeverity'],
    [{ compliance: { dot1xCertificateExpiry: 'never' } }, 'dot1xCertificateExpiresAt'],
    [{ lastHardened: true }, 'lastHardenedAt'],
    [{ orphaned: 'no' }, 'orphaned'],
  ])('names what was not understood, which is neither known nor absent: %j', (fields, name) => {
    expect(device({ id: 'd-1', ...fields })).toEqual({ id: 'd-1', ...empty, unreadable: [name] });
  });

  it('names every field below an object that was not understood', () => {
    expect(device({ id: 'd-1', compliance: 'none' }).unreadable).toEqual([
      'dot1xCertificateExpiresAt',
      'dot1xCertificateStatus',
      'lifeCycle',
      'passwordExpiresAt',
      'sslCertificateExpiresAt',
      'sslCertificateStatus',
      'suggestedFirmwareVersion',
      'suggestedReplacementModel',
      'supportEndsAt',
      'vulnerabilitySeverity',
    ]);
  });

  it('has a number for a date where the dialect says of what', () => {
    const { devices } = createDecoders(resolveDialect({ dateForm: 'seconds' }));
    const lastSeen = Date.UTC(2026, 9, 25);
    expect(devices({ id: 'd-1', lastSeen: lastSeen / 1_000 }, fail)).toEqual({
      id: 'd-1',
      ...empty,
      lastSeen,
    });
  });

  it('keeps words that nobody knows', () => {
    expect(device({ id: 'd-1', status: 'rebooting' }).status).toBe('rebooting');
  });

  it.each([
    [17, '17'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('whose id is the number %d is known by its digits', (id, text) => {
    expect(device({ id }).id).toBe(text);
  });

  it.each([undefined, null, {}, 1.5, 2 ** 53, true])('without a readable id is none: %s', (id) => {
    expect(() => device({ id })).toThrow('unreadable id');
  });

  it('has no field from a prototype', () => {
    const row = JSON.parse('{"id":"d-1","__proto__":{"status":"online","maintenanceMode":true}}');
    expect(device(row)).toEqual({ id: 'd-1', ...empty });
    const heir = Object.assign(Object.create({ status: 'online', vendor: 'lent' }), { id: 'd-1' });
    expect(device(heir)).toEqual({ id: 'd-1', ...empty });
    const dialect = resolveDialect({ storageServerField: 'constructor.name' });
    expect(createDecoders(dialect).devices({ id: 'd-1' }, fail)).toEqual({ id: 'd-1', ...empty });
  });

  it('is read where the dialect says, and not where it says nowhere', () => {
    const dialect = resolveDialect({
      storageServerField: 'video.recorder',
      passwordLastChangedField: 'auth.changed',
      recordingStatusField: '',
      siteIdField: 'siteId',
    });
    const row = {
      id: 'd-1',
      video: { recorder: 'rec-9' },
      auth: { changed: '2026-01-01T00:00:00Z' },
      recordingStatus: 'recording',
      '': 'odd',
      sites: [{ siteId: 3 }],
    };
    expect(createDecoders(dialect).devices(row, fail)).toEqual({
      id: 'd-1',
      ...empty,
      sites: [{ id: '3' }],
      storageServer: 'rec-9',
      passwordChangedAt: Date.parse('2026-01-01T00:00:00Z'),
    });
  });
});

describe('the other collections', () => {
  it('are read with their fields', () => {
    expect(decoders.sites({ id: 3, name: 'HQ', status: 'partial', coordinates: {} }, fail)).toEqual(
      {
        id: '3',
        name: 'HQ',
        status: 'partial',
      },
    );
    expect(decoders.deviceSources({ id: 4, type: 'internal', version: 'v 1' }, fail)).toEqual({
      id: '4',
      type: 'internal',
      version: 'v 1',
    });
    const row = {
      id: 'x-1',
      serialNumber: 12345,
      onboardingStatus: 'readyToOnboard',
      discoveredAt: '2026-11-01T00:00:00Z',
      deviceSource: { id: 1, name: 'VMS' },
      site: { id: 2 },
      vendor: 'Bosch',
    };
    expect(decoders.discoveredDevices(row, fail)).toEqual({
      id: 'x-1',
      vendor: 'Bosch',
      serial: '12345',
      onboardingStatus: 'readyToOnboard',
      discoveredAt: Date.parse('2026-11-01T00:00:00Z'),
      sources: [{ id: '1', name: 'VMS' }],
      site: { id: '2' },
    });
  });

  it('say what a site or source is called that rows refer to by its id alone', () => {
    const { devices, sites, deviceSources, discoveredDevices } = createDecoders(resolveDialect());
    const row = { id: 'd-1', sites: [3, { id: 4 }], deviceSources: [{ id: 5 }] };
    expect(devices(row, fail).sites).toEqual([{ id: '3' }, { id: '4' }]);
    sites({ id: 3, name: 'HQ' }, fail);
    sites({ id: 4, name: 'Depot' }, fail);
    deviceSources({ id: 5, name: 'VMS' }, fail);
    expect(devices(row, fail)).toMatchObject({
      sites: [
        { id: '3', name: 'HQ' },
        { id: '4', name: 'Depot' },
      ],
      sources: [{ id: '5', name: 'VMS' }],
    });
    const told = devices(
      {
        id: 'd-2',
        sites: [
          { id: 3, name: 'Old HQ' },
          { id: 9, name: 'Lab' },
        ],
      },
      fail,
    );
    expect(told.sites).toEqual([
      { id: '3', name: 'HQ' },
      { id: '9', name: 'Lab' },
    ]);
    expect(discoveredDevices({ id: 'x-1', site: { id: 4 } }, fail).site).toEqual({
      id: '4',
      name: 'Depot',
    });
  });

  it.each([
    [{ onboardingStatus: 7 }, 'onboardingStatus'],
    [{ vendor: 7 }, 'vendor'],
    [{ serialNumber: {} }, 'serial'],
    [{ discoveredAt: 'yesterday' }, 'discoveredAt'],
    [{ deviceSource: {} }, 'sources'],
    [{ site: 1.5 }, 'site'],
  ])('name what was not understood: %j', (fields, name) => {
    const found = decoders.discoveredDevices({ id: 'x-1', ...fields }, fail);
    expect(found).toEqual({ id: 'x-1', unreadable: [name] });
  });
});

describe('a device task', () => {
  const decode = deviceTaskDecoder('t-1', resolveDialect());
  const row = {
    deviceTaskId: 'dt-1',
    deviceId: 'd-1',
    status: 'completed',
    result: 'succeeded',
    taskId: 't-1',
  };

  it('is read with its steps', () => {
    const steps = [{ name: 'flash', status: 'runFailed', message: 'no space' }, { name: 'x' }, 7];
    expect(
      decode(
        { ...row, steps, currentStepStatus: 'runFailed', createDate: '2026-01-01T00:00:00Z' },
        fail,
      ),
    ).toEqual({
      deviceTaskId: 'dt-1',
      deviceId: 'd-1',
      status: 'completed',
      result: 'succeeded',
      currentStepStatus: 'runFailed',
      createdAt: Date.parse('2026-01-01T00:00:00Z'),
      steps: [
        { name: 'flash', status: 'runFailed', message: 'no space' },
        { name: 'x', status: '' },
      ],
    });
  });

  it.each([
    [{ result: null }, { result: null }],
    [{ result: undefined }, { result: null }],
    [{ result: 'vanished' }, { result: 'vanished' }],
    [{ result: true }, { result: null }],
    [{ status: undefined }, { status: '' }],
    [{ status: 'paused' }, { status: 'paused' }],
  ])('with %j is never more done than it says', (part, expected) => {
    expect(decode({ ...row, ...part }, fail)).toMatchObject(expected);
  });

  it('of another task or of no device is none', () => {
    expect(() => decode({ ...row, taskId: 't-2' }, fail)).toThrow('taskId');
    expect(() => decode({ ...row, deviceId: null }, fail)).toThrow('deviceId');
  });
});
