import { describe, expect, it } from 'vitest';
import type { DeviceState } from '../../../src/twin/world/state.ts';
import {
  HOUR,
  MINUTE,
  START,
  rig,
  taskRequest,
  type Rig,
  type Wire,
} from '../../support/twin-rig.ts';

const ID = 'dev-1';

/** A twin whose first device is a healthy camera on old firmware. */
function camera(with_: Partial<DeviceState> = {}): {
  readonly one: Rig;
  readonly device: DeviceState;
} {
  const one = rig();
  const device = one.twin.world.device(ID);
  if (device === undefined) throw new Error('no device');
  const well = { condition: 'well', maintenance: false, vendor: 'Axis', model: 'P3265-V' } as const;
  Object.assign(device, well, { firmwareVersion: '10.9.4' }, with_);
  return { one, device };
}

const read = async (one: Rig, path = ''): Promise<Wire['Device']> =>
  (await one.get<Wire['Device']>(`/v1/devices/${ID}${path}`)).body;
const outcome = (tasks: readonly Wire['DeviceTask'][]) =>
  tasks.map(({ status, result }) => [status, result]);

it.each(['__proto__', 'constructor', 'toString'])('a device may be called %s', async (id) => {
  const { one, device } = camera();
  one.twin.world.addDevice({ ...structuredClone(device), id });
  const [task] = await one.run('upgradeFirmware', [id], { targetVersion: '11.11.160' });
  expect(task).toMatchObject({ status: 'completed', result: 'succeeded' });
});

describe('upgradeFirmware', () => {
  it('flashes every version on the way, and the device runs the target', async () => {
    const { one } = camera();
    const [task] = await one.run('upgradeFirmware', [ID], { targetVersion: '11.11.160' });
    expect(task).toMatchObject({ status: 'completed', result: 'succeeded' });
    const flashed = task?.steps?.filter(({ name }) => name === 'flashFirmware');
    expect(flashed?.map(({ message }) => message)).toEqual(['10.12.236', '11.11.160']);
    expect(await read(one)).toMatchObject({ firmwareVersion: '11.11.160', status: 'online' });
  });

  it('takes the newest approved version where none is named', async () => {
    const { one, device } = camera();
    await one.run('upgradeFirmware', [ID]);
    expect(device.firmwareVersion).toBe('11.11.160');
  });

  it('stops at a version on the way when that is the target', async () => {
    const { one, device } = camera();
    await one.run('upgradeFirmware', [ID], { targetVersion: '10.12.236' });
    expect(device.firmwareVersion).toBe('10.12.236');
  });

  it('takes the payload of the device before the default one', async () => {
    const { one, device } = camera();
    const devices = [{ deviceId: ID, payload: { targetVersion: '11.11.124' } }];
    const defaultPayload = { targetVersion: '11.11.160' };
    await one.post({ taskType: 'upgradeFirmware', devices, defaultPayload });
    one.pass(HOUR);
    expect([one.twin.world.device(ID), device.firmwareVersion]).toEqual([device, '11.11.124']);
  });

  it('is offline while it flashes, and lastSeen stands still meanwhile', async () => {
    const { one } = camera();
    await one.post(taskRequest('upgradeFirmware', [ID]));
    const seen: Wire['Device'][] = [];
    for (let second = 0; second < 1200; second += 10) {
      one.pass(10_000);
      seen.push(await read(one));
    }
    const offline = seen.filter(({ status }) => status === 'offline');
    expect(offline.length).toBeGreaterThan(10);
    expect(new Set(offline.map(({ lastSeen }) => lastSeen)).size).toBe(2);
    expect(seen.at(-1)?.status).toBe('online');
  });

  it('fails for a version that is not approved, with the reason in the step', async () => {
    const { one, device } = camera();
    const [task] = await one.run('upgradeFirmware', [ID], { targetVersion: '12.0.0' });
    expect(task?.result).toBe('failed');
    expect(task?.steps?.[0]).toMatchObject({ status: 'runFailed', name: 'checkTarget' });
    expect(device.firmwareVersion).toBe('10.9.4');
  });

  it('succeeds without flashing where the version runs already', async () => {
    const { one } = camera({ firmwareVersion: '11.11.160' });
    const [task] = await one.run('upgradeFirmware', [ID], { targetVersion: '11.11.160' });
    expect([task?.result, task?.steps?.length]).toEqual(['succeeded', 1]);
  });
});

describe('rotatePassword', () => {
  it('moves the last change and the expiry, and shows no value', async () => {
    const { one } = camera();
    await one.run('rotatePassword', [ID], { length: 20 });
    const { body } = await one.get<Wire['PasswordList']>(`/v1/devices/${ID}/passwords`);
    const [entry = {}] = body.passwords ?? [];
    expect(Object.keys(entry)).toEqual(['userName', 'lastChanged', 'expiry']);
    expect(Date.parse(entry.lastChanged ?? '')).toBeGreaterThan(START);
    expect((await read(one)).compliance?.passwordExpiry).toBe(entry.expiry);
  });
});

describe('rotateSslCertificate', () => {
  it('installs a new certificate and moves its expiry; the 802.1X one stays', async () => {
    const old = { serial: 'aa', notBefore: START - HOUR, notAfter: START + HOUR };
    const { one } = camera({ ssl: old, dot1x: { ...old, serial: 'bb' } });
    const path = `/v1/devices/${ID}/certificates`;
    const before = (await one.get<Wire['CertificateList']>(path)).body.certificates ?? [];
    await one.run('rotateSslCertificate', [ID]);
    const after = (await one.get<Wire['CertificateList']>(path)).body.certificates ?? [];
    expect(after.map(({ type }) => type)).toEqual(['ssl', '802.1x']);
    expect(after[0]?.certificate).not.toBe(before[0]?.certificate);
    expect(after[1]).toEqual(before[1]);
    expect(Date.parse(after[0]?.notBefore ?? '')).toBeGreaterThan(START);
    expect((await read(one)).compliance?.sslCertificateExpiry).toBe(after[0]?.notAfter);
  });
});

describe('restartDevice', () => {
  it('clears a stuck probe after an offline dip', async () => {
    const { one } = camera({ condition: 'stuck' });
    expect(await read(one)).toMatchObject({
      status: 'partial',
      probe: { app: 'down', host: 'up' },
    });
    await one.post(taskRequest('restartDevice', [ID]));
    one.pass(20_000);
    expect((await read(one)).status).toBe('offline');
    one.pass(5 * MINUTE);
    expect(await read(one)).toMatchObject({ status: 'online', probe: { app: 'up' } });
  });

  it('brings a device gone dark back, and lastSeen moves again', async () => {
    const { one } = camera({ condition: 'dark', lastSeen: START - 2 * HOUR });
    expect(await read(one)).toMatchObject({ status: 'offline', lastSeen: '2026-11-20T10:00:00Z' });
    const [task] = await one.run('restartDevice', [ID]);
    expect(task?.result).toBe('succeeded');
    expect(await read(one)).toMatchObject({ status: 'online', lastSeen: '2026-11-20T13:00:00Z' });
  });

  it('fails where neither the device nor its switch answers', async () => {
    const { one } = camera({ condition: 'dead' });
    expect(outcome(await one.run('restartDevice', [ID]))).toEqual([['completed', 'failed']]);
  });
});

describe('onboardDevice', () => {
  it('turns a discovered device into a managed one under the same id', async () => {
    const one = rig();
    const { discovered } = one.twin.world.state;
    const ready = discovered.find(({ onboardingStatus }) => onboardingStatus === 'readyToOnboard');
    const id = ready?.device.id ?? '';
    expect((await one.get(`/v1/devices/${id}`)).status).toBe(404);
    expect(outcome(await one.run('onboardDevice', [id]))).toEqual([['completed', 'succeeded']]);
    const { body } = await one.get<Wire['Device']>(`/v1/devices/${id}`);
    expect(body).toMatchObject({ id, name: ready?.device.name, status: 'online' });
    expect(Date.parse(body.onboardingDate ?? '')).toBeGreaterThan(START);
    const left = await one.get<Wire['DiscoveredDeviceList']>('/v1/discoveredDevices?limit=1000');
    expect(left.body.discoveredDevices?.some((found) => found.id === id)).toBe(false);
    expect(outcome(await one.run('onboardDevice', [id]))).toEqual([['completed', 'failed']]);
  });

  it.each(['enrichmentRequired', 'archived'])('fails for a device that is %s', async (word) => {
    const one = rig();
    const found = one.twin.world.state.discovered.find((d) => d.onboardingStatus === word);
    const tasks = await one.run('onboardDevice', [found?.device.id ?? '']);
    expect(outcome(tasks)).toEqual([['completed', 'failed']]);
    expect(one.twin.world.device(found?.device.id ?? '')).toBeUndefined();
  });
});

describe('a stuck probe', () => {
  it.each([
    ['upgradeFirmware', 'online'],
    ['rotateSslCertificate', 'online'],
    ['rotatePassword', 'partial'],
  ])('after %s leaves the device %s: a reboot clears it', async (type, status) => {
    const { one } = camera({ condition: 'stuck' });
    await one.run(type, [ID]);
    expect((await read(one)).status).toBe(status);
  });
});

describe('any task', () => {
  it.each(['upgradeFirmware', 'rotatePassword', 'rotateSslCertificate'])(
    '%s fails on an offline device and changes nothing',
    async (type) => {
      const { one, device } = camera({ condition: 'dark' });
      const before = structuredClone(device);
      const [task] = await one.run(type, [ID]);
      expect(task?.result).toBe('failed');
      expect(task?.steps?.[0]?.message).toBe('the device does not answer');
      expect(device).toEqual(before);
    },
  );

  it('is aborted on a device that another one works on, until that one is done', async () => {
    const { one, device } = camera();
    const changed = device.accounts[0]?.lastChanged;
    await one.post(taskRequest('upgradeFirmware', [ID]));
    for (const _attempt of [1, 2]) {
      one.pass(MINUTE);
      await one.post(taskRequest('rotatePassword', [ID]));
    }
    one.pass(MINUTE);
    expect(device.accounts[0]?.lastChanged).toBe(changed);
    expect(outcome(await one.run('rotatePassword', [ID]))).toEqual([['completed', 'aborted']]);
    expect(outcome(await one.run('rotatePassword', [ID]))).toEqual([['completed', 'succeeded']]);
  });
});
