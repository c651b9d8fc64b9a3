import { describe, expect, it } from 'vitest';
import { createUsers } from '../../../../src/twin/http/users.ts';
import { rig, taskRequest, type Wire } from '../../../support/twin-rig.ts';

const one = rig();
const elsewhere = one.twin.world.state.devices.find(({ siteId }) => siteId !== 1)?.id ?? '';
const own = one.twin.world.state.devices.find(({ siteId }) => siteId === 1)?.id ?? '';

describe('a viewer of one site', () => {
  it('sees the devices of that site only, and their number as the total', async () => {
    const { body } = await one.get<Wire['DeviceList']>('/v1/devices?limit=1000', 'viewer');
    const all = one.twin.world.state.devices.filter(({ siteId }) => siteId === 1);
    expect(body.total).toBe(all.length);
    expect(new Set(body.devices?.flatMap((device) => device.sites?.map(({ id }) => id)))).toEqual(
      new Set([1]),
    );
  });

  it('sees that site and the sources that report from it', async () => {
    const sites = await one.get<Wire['SiteList']>('/v1/sites', 'viewer');
    expect(sites.body.sites?.map(({ id }) => id)).toEqual([1]);
    const sources = await one.get<Wire['DeviceSourceList']>('/v1/deviceSources', 'viewer');
    const every = await one.get<Wire['DeviceSourceList']>('/v1/deviceSources');
    expect(sources.body.total).toBeLessThan(every.body.total ?? 0);
    const hidden = every.body.deviceSources?.find(
      ({ id }) => !sources.body.deviceSources?.some((seen) => seen.id === id),
    );
    expect((await one.get(`/v1/deviceSources/${hidden?.id}`, 'viewer')).status).toBe(404);
  });

  it('sees the discovered devices of that site only', async () => {
    const path = '/v1/discoveredDevices?limit=1000';
    const { body } = await one.get<Wire['DiscoveredDeviceList']>(path, 'viewer');
    expect(new Set(body.discoveredDevices?.map(({ site }) => site?.id))).toEqual(new Set([1]));
  });

  it.each(['', '/vulnerabilities', '/passwords', '/certificates', '/targetFirmware'])(
    'gets 404 for a device elsewhere at /v1/devices/{id}%s, and 200 for his own',
    async (path) => {
      expect((await one.get(`/v1/devices/${elsewhere}${path}`, 'viewer')).status).toBe(404);
      expect((await one.get(`/v1/devices/${own}${path}`, 'viewer')).status).toBe(200);
    },
  );

  it('gets 404 for another site', async () => {
    expect((await one.get('/v1/sites/2', 'viewer')).status).toBe(404);
    expect((await one.get('/v1/sites/1', 'viewer')).status).toBe(200);
  });

  it('sees a task only if he sees each of its devices', async () => {
    const mixed = await one.post<Wire['TaskCreated']>(
      taskRequest('rotatePassword', [own, elsewhere]),
    );
    const his = await one.post<Wire['TaskCreated']>(taskRequest('rotatePassword', [own]));
    expect((await one.get(`/v1/tasks/${mixed.body.taskId}`, 'viewer')).status).toBe(404);
    expect((await one.get(`/v1/tasks/${his.body.taskId}`, 'viewer')).status).toBe(200);
  });
});

describe('permissions', () => {
  it.each([
    ['admin', 200],
    ['operator', 200],
    ['viewer', 403],
  ] as const)('let %s execute tasks: %i', async (role, status) => {
    expect((await rig().post(taskRequest('restartDevice', [own]), role)).status).toBe(status);
  });

  it.each([
    ['admin', 200],
    ['operator', 403],
    ['viewer', 403],
  ] as const)('let %s read all firmware paths: %i', async (role, status) => {
    expect((await one.get('/v1/firmwarePaths', role)).status).toBe(status);
  });
});

describe('credentials', () => {
  it('are random: two twins share none', () => {
    const secrets = [...createUsers(1), ...createUsers(1)].map(({ clientSecret }) => clientSecret);
    expect(new Set(secrets).size).toBe(6);
  });

  it('are those of a seed where there is one: no two users share a secret, nor do two seeds', () => {
    expect(createUsers(1, 7)).toEqual(createUsers(1, 7));
    const users = [...createUsers(1, 7), ...createUsers(1, 8)];
    expect(new Set(users.map(({ clientId }) => clientId)).size).toBe(6);
    expect(new Set(users.map(({ clientSecret }) => clientSecret)).size).toBe(6);
    for (const { clientSecret } of users) expect(clientSecret).toMatch(/^[\w-]{32}$/);
  });
});
