import { describe, expect, it } from 'vitest';
import { START, MINUTE, rig, taskRequest, type Rig, type Wire } from '../../support/twin-rig.ts';
import type { WorldState } from '../../../src/twin/world/state.ts';
import { createTwin } from '../../../src/twin/twin.ts';

const read = async (one: Rig, id: string) =>
  (await one.get<Wire['Device']>(`/v1/devices/${id}`)).body;
const withCondition = (one: Rig, condition: string): string =>
  one.twin.world.state.devices.find((device) => device.condition === condition)?.id ?? '';

describe('time in a twin', () => {
  it.each([
    ['well', true],
    ['stuck', true],
    ['dark', false],
    ['dead', false],
    ['unknown', false],
  ])('moves lastSeen of a device that is %s: %s', async (condition, moves) => {
    const one = rig({ devices: 200 });
    const id = withCondition(one, condition);
    const before = await read(one, id);
    one.pass(10 * MINUTE);
    const after = await read(one, id);
    expect(after.lastSeen !== before.lastSeen).toBe(moves);
  });

  it('moves lastSeen once a minute', async () => {
    const one = rig();
    const id = withCondition(one, 'well');
    one.pass(59_000);
    expect((await read(one, id)).lastSeen).toBe('2026-11-20T12:00:00Z');
    one.pass(1000);
    expect((await read(one, id)).lastSeen).toBe('2026-11-20T12:01:00Z');
  });

  it('moves lastSeen more often by the time scale', async () => {
    const one = rig({ timeScale: 30 });
    one.pass(2000);
    expect((await read(one, withCondition(one, 'well'))).lastSeen).toBe('2026-11-20T12:00:02Z');
  });

  it('shows in the Date of every answer', async () => {
    const one = rig();
    one.pass(90_000);
    const date = new Date(START + 90_000).toUTCString();
    expect((await one.get('/v1/devices')).headers.get('Date')).toBe(date);
    expect((await one.send('/v1/devices')).headers.get('Date')).toBe(date);
    expect((await one.send('/nowhere')).headers.get('Date')).toBe(date);
  });
});

describe('a saved world', () => {
  const scene = async (): Promise<Rig> => {
    const one = rig();
    await one.post(taskRequest('restartDevice', ['dev-1', 'dev-2']));
    await one.post(taskRequest('rotateSslCertificate', ['dev-3', 'dev-4']));
    one.pass(30_000);
    return one;
  };

  it('survives the way through text, in the middle of tasks', async () => {
    const one = await scene();
    const text = JSON.stringify(one.twin.save());
    const back = createTwin({ clock: one, world: JSON.parse(text) as WorldState });
    expect(JSON.stringify(back.save())).toBe(text);
  });

  it('goes on exactly as the one that was never stopped', async () => {
    const one = await scene();
    const two = rig({ world: one.twin.save() });
    two.pass(30_000);
    one.pass(10 * MINUTE);
    two.pass(10 * MINUTE);
    expect(two.twin.save()).toEqual(one.twin.save());
    const request = taskRequest('upgradeFirmware', ['dev-5']);
    expect((await two.post(request)).body).toEqual((await one.post(request)).body);
  });

  it('ends the same however often somebody looks meanwhile', async () => {
    const { twin } = await scene();
    const after = (looks: number): WorldState => {
      const one = rig({ world: twin.save() });
      for (let look = 0; look < looks; look += 1) {
        one.pass((60 / looks) * MINUTE);
        one.twin.save();
      }
      return one.twin.save();
    };
    expect(after(60)).toEqual(after(1));
    expect(after(1).events).toEqual([]);
  });

  it('does not change when its twin goes on', async () => {
    const one = await scene();
    const saved = one.twin.save();
    const before = structuredClone(saved);
    one.pass(10 * MINUTE);
    await one.get('/v1/devices');
    expect(saved).toEqual(before);
  });

  it('keeps credentials and tokens valid', async () => {
    const one = rig();
    const token = await one.token();
    const two = rig({ world: one.twin.save(), users: [] });
    const answer = await two.send('/v1/sites', { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(200);
    expect(two.twin.users).toEqual(one.twin.users);
  });
});

describe('the sites of a twin', () => {
  it.each([
    ['online', []],
    ['partial', [0, 1, 2, 3, 4]],
    ['offline', 'all'],
  ] as const)('are %s by their devices', async (status, dark) => {
    const one = rig({ devices: 30, sites: 3 });
    const devices = one.twin.world.state.devices.filter(({ siteId }) => siteId === 2);
    for (const [index, device] of devices.entries()) {
      const isDark = dark === 'all' || dark.some((n) => n === index);
      device.condition = isDark ? 'dark' : 'well';
    }
    expect((await one.get<Wire['Site']>('/v1/sites/2')).body.status).toBe(status);
  });

  it('are unknown without a device', async () => {
    const one = rig({ devices: 0 });
    expect((await one.get<Wire['Site']>('/v1/sites/1')).body.status).toBe('unknown');
  });

  it.each(['/v1/sites/99', '/v1/sites/one', '/v1/deviceSources/99', '/v1/devices/none'])(
    'and %s: an id that does not exist is a 404',
    async (path) => {
      expect((await rig().get(path)).status).toBe(404);
    },
  );
});

describe('a vulnerable device', () => {
  it('lists its vulnerabilities with number, severity and link', async () => {
    const one = rig({ devices: 200 });
    const list = await one.get<Wire['DeviceList']>('/v1/devices?isFirmwareVulnerable=1');
    const [device] = list.body.devices ?? [];
    const path = `/v1/devices/${device?.id}/vulnerabilities`;
    const { body } = await one.get<Wire['VulnerabilityList']>(path);
    expect(body.total).toBe(body.vulnerabilities?.length);
    expect(body.vulnerabilities?.[0]).toMatchObject({
      cveId: expect.stringMatching(/^CVE-\d{4}-\d+$/) as string,
      reportLink: expect.stringMatching(/^https:/) as string,
    });
    const severities = body.vulnerabilities?.map(({ severity }) => severity);
    expect(severities).toContain(device?.compliance?.vulnerabilitySeverity);
  });
});
