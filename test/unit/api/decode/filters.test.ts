import { describe, expect, it } from 'vitest';
import { listFilters, buildQuery, type Filtered } from '../../../../src/api/decode/filters.ts';
import { nearest } from '../../../../src/lib/nearest-name.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import { drain, fakeService, json, pageOf } from '../../../support/api-service.ts';
import { at, contract, resolve } from '../../../support/openapi.ts';

const dialect = resolveDialect();
const DATED: readonly (readonly [Filtered, string])[] = [
  ['devices', 'onboardingDateBefore'],
  ['discoveredDevices', 'discoveredAfter'],
  ['discoveredDevices', 'discoveredBefore'],
];
const NOT_FILTERS = ['id', 'limit', 'offset', 'includeSteps'];

/** The query parameters of an operation, by the contract document. */
function contractFilters(path: string): readonly string[] {
  const document = contract();
  const { parameters } = at(document, 'paths', path, 'get');
  const list = Array.isArray(parameters) ? parameters : [];
  const names = list.map((parameter) => String(resolve(document, parameter)['name']));
  return names.filter((name) => !NOT_FILTERS.includes(name)).sort();
}

describe('the filters of a list', () => {
  it.each<[Filtered, string]>([
    ['devices', '/v1/devices'],
    ['sites', '/v1/sites'],
    ['deviceSources', '/v1/deviceSources'],
    ['discoveredDevices', '/v1/discoveredDevices'],
    ['task', '/v1/tasks/{id}'],
  ])('are those of the contract: %s', (list, path) => {
    const names = listFilters(list, dialect).map(({ name }) => name);
    expect([...names].sort()).toEqual(contractFilters(path));
  });

  it('are sent in the spelling of the dialect', () => {
    const query = buildQuery(
      'devices',
      { 'availableTask.rotateSslCertificate': true, 'availableTask.passwordRotation': 1 },
      dialect,
    );
    expect(query).toEqual({
      'availableTask.rotateSSLCertificate': '1',
      'availableTask.rotatePassword': '1',
    });
    const other = resolveDialect({
      filterRotatePassword: 'canRotate',
      filterPasswordExpiryBefore: 'pwEndBefore',
    });
    const sent = buildQuery('devices', { 'availableTask.rotatePassword': true }, other);
    expect(sent).toEqual({ canRotate: '1' });
    const instant = '2027-01-31T00:00:00Z';
    expect(buildQuery('devices', { pwEndBefore: instant }, other)).toEqual({
      pwEndBefore: instant,
    });
    expect(() => buildQuery('devices', { passwordExpiryBefore: instant }, other)).toThrow(
      'filterUnknown',
    );
  });

  it.each([
    ['iso', '2027-01-31T01:00:00+01:00', '2027-01-31T00:00:00Z'],
    ['iso', '2027-01-31', '2027-01-31T00:00:00Z'],
    ['seconds', '2027-01-31T00:00:00Z', '1801353600'],
    ['seconds', '2027-01-31', '1801353600'],
    ['milliseconds', '2027-01-31T00:00:00.250Z', '1801353600250'],
  ] as const)('send a date as the dialect says: %s, %s', (filterDateForm, written, sent) => {
    const spoken = resolveDialect({ filterDateForm, dateForm: 'seconds' });
    for (const [list, name] of DATED)
      expect(buildQuery(list, { [name]: written }, spoken)).toEqual({ [name]: sent });
  });

  it.each(['iso', 'seconds', 'milliseconds'] as const)(
    'take no number and no day that does not exist for a date, whatever is sent: %s',
    (filterDateForm) => {
      const spoken = resolveDialect({ filterDateForm });
      for (const written of ['1801353600', '2027-02-31', '2027-02-31T00:00:00Z', '31.01.2027', 'T'])
        expect(() => buildQuery('devices', { passwordExpiryBefore: written }, spoken)).toThrow(
          'filterUnknown',
        );
    },
  );

  it('are gone where the service does not have the field', () => {
    const without = resolveDialect({ storageServerField: '' });
    expect(() => buildQuery('devices', { storageServer: 'rec-1' }, without)).toThrow(
      'filterUnknown',
    );
    expect(listFilters('devices', without).map(({ name }) => name)).not.toContain('');
  });

  it.each([
    [{ orphaned: true }, '1'],
    [{ orphaned: false }, '0'],
    [{ orphaned: 'true' }, '1'],
    [{ orphaned: 0 }, '0'],
  ])('send %j as a digit', (filter, sent) => {
    expect(buildQuery('devices', filter, dialect)).toEqual({ orphaned: sent });
  });

  it.each<[Filtered, Record<string, string>, string | undefined]>([
    ['devices', { stauts: 'online' }, 'status'],
    ['devices', { lifecycleStatus: 'eos' }, 'lifeCycleStatus'],
    ['devices', { zzz: '1' }, undefined],
    ['devices', { limit: '5' }, undefined],
    ['devices', { toString: '1' }, undefined],
    ['devices', { status: 'offlne' }, 'status=offline'],
    ['devices', { 'probe.app': 'x' }, 'probe.app=up|down|unknown|unmonitored'],
    ['devices', { maintenanceMode: 'yes' }, 'maintenanceMode=1'],
    ['devices', { lastHardenedAfter: '2026-01' }, 'lastHardenedAfter=2027-01-31T00:00:00Z'],
    ['discoveredDevices', { 'deviceSources.id': 'one' }, 'deviceSources.id=1'],
    ['task', { result: 'success' }, 'result=succeeded|failed|rolledBack|aborted'],
  ])('of %s refuse %j', (list, filter, suggestion) => {
    expect(() => buildQuery(list, filter, dialect)).toThrow(
      expect.objectContaining({
        code: 'filterUnknown',
        params: expect.objectContaining({ collection: list, ...(suggestion && { suggestion }) }),
      }),
    );
  });

  it('refuse before anything is sent', async () => {
    const { client, seen } = fakeService(() => json({}));
    expect(() => client.listRaw('devices', { stauts: 'x' })).toThrow('filterUnknown');
    await expect(client.list('devices', { stauts: 'x' }).next()).rejects.toThrow('filterUnknown');
    expect(seen).toHaveLength(0);
  });
});

describe('a filter that the service ignores', () => {
  const rows = [
    { id: 'd-1', status: 'offline', orphaned: false, availableTask: { rotatePassword: true } },
    { id: 'd-2', status: 'online', orphaned: true, availableTask: { rotatePassword: false } },
  ];
  const read = (filter: Record<string, string>) => {
    const { client } = fakeService(({ query }) => pageOf('devices', rows, query));
    return drain(client.listRaw('devices', filter));
  };

  it.each([
    [{ status: 'offline' }, 'd-2', 'online'],
    [{ orphaned: '0' }, 'd-2', '1'],
    [{ 'availableTask.rotatePassword': '1' }, 'd-2', '0'],
  ])('is found by its rows: %j', async (filter, id, found) => {
    await expect(read(filter)).rejects.toMatchObject({
      code: 'filterNotHonoured',
      params: { id, found },
    });
  });

  it('cannot be told where rows do not show it', async () => {
    expect((await read({ isFirmwareLatest: '1' })).rows).toHaveLength(2);
    expect((await read({ storageServer: 'rec-1' })).rows).toHaveLength(2);
  });
});

describe('a filter that the service refuses', () => {
  const refusing = (status: number, filter: Record<string, string>) =>
    drain(fakeService(() => new Response('', { status })).client.listRaw('devices', filter));

  it('is named, with the key of the form of dates where it has one', async () => {
    const filter = { onboardingDateBefore: '2026-01-31', status: 'offline' };
    await expect(refusing(400, filter)).rejects.toMatchObject({
      code: 'filterRefused',
      params: { status: 400, key: 'filterDateForm', form: 'iso', filter: expect.any(String) },
    });
    await expect(refusing(422, { status: 'offline' })).rejects.toSatisfy(
      ({ code, params }) => code === 'filterRefused' && !('key' in params),
    );
  });

  it('is not blamed for a failure of the service, nor where there is none', async () => {
    await expect(refusing(400, {})).rejects.toMatchObject({ code: 'unexpectedStatus' });
    await expect(refusing(403, { status: 'offline' })).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the nearest name', () => {
  it.each([
    ['stauts', ['status', 'name'], 'status'],
    ['STATUS', ['status'], 'status'],
    ['x', ['status'], undefined],
    ['', ['a'], undefined],
    ['devces', ['device', 'devices'], 'devices'],
  ])('to %s among %j is %s', (text, names, found) => {
    expect(nearest(text, names)).toBe(found);
  });
});
