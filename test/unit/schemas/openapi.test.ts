import { describe, expect, it } from 'vitest';
import { DIALECT_ROWS } from '../../../src/dialect.gen.ts';
import { at, contract, objects, resolve, type JsonObject } from '../../support/openapi.ts';

const document = contract();

/** Written by hand from the service's interface; a date where its list of changes has one. */
const OPERATIONS: readonly (readonly [method: string, path: string, since?: string])[] = [
  ['post', '/v1/auth/{organization}'],
  ['get', '/v1/devices'],
  ['get', '/v1/devices/{id}'],
  ['get', '/v1/devices/{id}/vulnerabilities', '2025-09-08'],
  ['get', '/v1/devices/{id}/passwords', '2026-05-19'],
  ['get', '/v1/devices/{id}/certificates', '2026-05-19'],
  ['get', '/v1/devices/{id}/targetFirmware', '2026-09-27'],
  ['get', '/v1/firmwarePaths', '2026-09-27'],
  ['get', '/v1/sites'],
  ['get', '/v1/sites/{id}'],
  ['get', '/v1/deviceSources'],
  ['get', '/v1/deviceSources/{id}'],
  ['get', '/v1/discoveredDevices', '2026-07-29'],
  ['post', '/v1/tasks', '2026-07-20'],
  ['get', '/v1/tasks/{id}', '2026-07-20'],
];

const PAGE = { limit: undefined, offset: undefined };
const dated = (since: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, since]));

const FILTERS: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  '/v1/devices': {
    ...PAGE,
    status: undefined,
    isFirmwareVulnerable: undefined,
    isFirmwareLatest: undefined,
    isFirmwareUpgradeAvailable: undefined,
    lifeCycleStatus: undefined,
    ...dated('2025-06-24', 'probe.agent', 'probe.deviceSource', 'probe.edge', 'probe.host'),
    ...dated('2025-06-24', 'probe.app'),
    ...dated('2025-10-16', 'availableTask.hardenDevice', 'availableTask.restartDevice'),
    ...dated('2025-10-16', 'availableTask.rotate8021xCertificate', 'availableTask.rotatePassword'),
    ...dated('2025-10-16', 'availableTask.passwordRotation', 'availableTask.rotateSslCertificate'),
    ...dated('2025-10-16', 'availableTask.rotateSSLCertificate', 'availableTask.upgradeFirmware'),
    ...dated('2026-08-11', 'onboardingDateBefore', 'onboardingDateAfter', 'maintenanceMode'),
    ...dated('2026-08-11', 'lastHardenedBefore', 'lastHardenedAfter', 'recordingStatus'),
    ...dated('2026-08-11', 'storageServer', 'patchedFirmwareVersion', 'orphaned'),
    ...dated('2026-10-08', 'vulnerabilitySeverity', 'suggestedFirmwareVersion'),
    ...dated('2026-10-08', 'suggestedReplacementModel', 'passwordExpiryBefore'),
    ...dated('2026-10-08', 'passwordExpiryAfter', 'sslCertificateExpiryBefore'),
    ...dated('2026-10-08', 'sslCertificateExpiryAfter', 'sslCertificateStatus'),
    ...dated('2026-10-08', 'dot1xCertificateExpiryBefore', 'dot1xCertificateExpiryAfter'),
    ...dated('2026-10-08', 'dot1xCertificateStatus'),
  },
  '/v1/firmwarePaths': PAGE,
  '/v1/sites': { ...PAGE, name: undefined, status: '2026-04-30' },
  '/v1/deviceSources': { ...PAGE, name: undefined },
  '/v1/discoveredDevices': {
    ...PAGE,
    ...dated('2026-07-29', 'deviceSources.id', 'deviceType', 'vendor', 'onboardingStatus'),
    ...dated('2026-07-29', 'discoveredAfter', 'discoveredBefore'),
  },
  '/v1/tasks/{id}': {
    id: undefined,
    ...PAGE,
    ...dated('2026-07-20', 'includeSteps', 'status', 'result'),
  },
};

const LATER_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '2025-06-24': ['probe'],
  '2026-08-11': [
    'onboardingDate',
    'maintenanceMode',
    'lastHardened',
    'recordingStatus',
    'storageServer',
    'patchedFirmwareVersion',
    'orphaned',
  ],
  '2026-10-08': [
    'compliance.vulnerabilitySeverity',
    'compliance.suggestedFirmwareVersion',
    'compliance.suggestedReplacementModel',
    'compliance.passwordExpiry',
    'compliance.sslCertificateExpiry',
    'compliance.sslCertificateStatus',
    'compliance.dot1xCertificateExpiry',
    'compliance.dot1xCertificateStatus',
  ],
};

const TASK_TYPES = {
  restartDevice: '2026-07-20',
  rotatePassword: '2026-07-20',
  rotateSslCertificate: '2026-07-20',
  onboardDevice: '2026-07-29',
  upgradeFirmware: '2026-09-27',
};

describe('the contract document', () => {
  const dates = OPERATIONS.map(([method, path, since]) => ({ method, path, since }));

  it.each(dates)('has $method $path since $since', ({ method, path, since }) => {
    expect(at(document, 'paths', path, method)['x-since']).toBe(since);
  });

  it('has no operation beyond these', () => {
    const found = Object.entries(at(document, 'paths')).flatMap(([path, item]) =>
      Object.keys(resolve(document, item)).map((method) => `${method} ${path}`),
    );
    expect(found.toSorted()).toEqual(OPERATIONS.map(([m, p]) => `${m} ${p}`).toSorted());
  });

  it.each(Object.entries(FILTERS))('dates every parameter of GET %s', (path, wanted) => {
    expect(parameters(path)).toEqual(wanted);
  });

  it.each(Object.entries(LATER_FIELDS))('dates the device fields of %s', (since, fields) => {
    for (const name of fields) expect([name, deviceField(name)['x-since']]).toEqual([name, since]);
  });

  it('dates every task type', () => {
    const types = at(document, 'components', 'schemas', 'TaskType')['oneOf'] as JsonObject[];
    expect(Object.fromEntries(types.map((type) => [type['const'], type['x-since']]))).toEqual(
      TASK_TYPES,
    );
  });

  it('limits pages to 1000 items, 100 by default', () => {
    expect(at(document, 'components', 'parameters', 'limit', 'schema')).toMatchObject({
      maximum: 1000,
      default: 100,
    });
  });
});

describe('what the documentation leaves open', () => {
  const named = new Set([...objects(document)].flatMap(([, value]) => dialectKeys(value)));

  it.each(DIALECT_ROWS.filter((row) => row.default !== ''))(
    'carries the dialect key $key where it holds',
    ({ key }) => {
      expect(named).toContain(key);
    },
  );

  it('names no dialect key that does not exist', () => {
    const known = new Set<string>(DIALECT_ROWS.map(({ key }) => key));
    expect([...named].filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(DIALECT_ROWS.filter((row) => row.key.endsWith('Field') && row.default !== ''))(
    'is spelt as the default of $key',
    ({ key, default: assumed }) => {
      const places = [...objects(document)].filter(([, value]) => dialectKeys(value).includes(key));
      for (const [path] of places) expect(path.at(-1)).toBe(textOf(assumed).split('.').at(-1));
    },
  );
});

function parameters(path: string): Record<string, unknown> {
  const listed = at(document, 'paths', path, 'get')['parameters'] as readonly JsonObject[];
  const resolved = listed.map((entry) => resolve(document, entry));
  return Object.fromEntries(resolved.map((entry) => [String(entry['name']), entry['x-since']]));
}

function deviceField(name: string): JsonObject {
  const [first, second] = name.split('.');
  const owner = second === undefined ? 'Device' : 'Compliance';
  return at(document, 'components', 'schemas', owner, 'properties', second ?? first ?? '');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function dialectKeys(value: JsonObject): readonly string[] {
  const written = value['x-dialect'];
  if (Array.isArray(written)) return written.map(String);
  return typeof written === 'string' ? [written] : [];
}
