import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { serveTwin, type ServedTwin } from '../../../src/twin/serve.ts';
import { basic, rig, taskRequest, type Rig } from '../../support/twin-rig.ts';

describe('a served twin', () => {
  let served: ServedTwin | undefined;
  const serve = async (one: Rig): Promise<string> => {
    served = await serveTwin(one.twin, 0);
    return served.url;
  };
  afterEach(() => served?.close());

  it('listens on loopback alone, on a free port', async () => {
    expect(await serve(rig())).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  });

  it.each([
    '/v1/devices?limit=20&status=online',
    '/v1/devices/dev-1',
    '/v1/devices/dev-1/certificates',
    '/v1/sites',
    '/v1/devices?limit=none',
    '/v1/devices/none',
    '/nowhere',
  ])('answers %s as the twin in process does', async (path) => {
    const one = rig();
    const url = await serve(one);
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const inside = await one.send(path, { headers });
    const outside = await fetch(url + path, { headers });
    expect([outside.status, await outside.json()]).toEqual([inside.status, await inside.json()]);
    for (const name of ['date', 'content-type']) {
      expect(outside.headers.get(name)).toBe(inside.headers.get(name));
    }
    expect(outside.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('takes tokens and tasks with their bodies', async () => {
    const one = rig();
    const url = await serve(one);
    const init = { method: 'POST', headers: basic('admin') };
    const token = (await (await fetch(`${url}/v1/auth/acme`, init)).json()) as Record<
      string,
      string
    >;
    const answer = await fetch(`${url}/v1/tasks`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token['access_token']}` },
      body: JSON.stringify(taskRequest('restartDevice', ['dev-1'])),
    });
    const { id } = one.twin.world.state.tasks[0] ?? {};
    expect(await answer.json()).toEqual({ taskId: id });
  });

  it('answers who is nobody without waiting for the body, and goes on', async () => {
    const { port } = new URL(await serve(rig()));
    const headers = { host: `127.0.0.1:${port}`, 'content-length': 1e12 };
    const status = await new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/tasks', headers });
      sent.on('response', (answer) => {
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write('{');
    });
    expect(status).toBe(401);
    expect(await statusFor(port, `localhost:${port}`)).toBe(401);
  });

  it.each([
    ['lostAnswer', 1],
    ['lostRequest', 0],
  ] as const)('cuts the connection on %s', async (type, tasks) => {
    const one = rig({ faults: [{ match: { path: '/v1/tasks' }, fault: { type } }] });
    const url = await serve(one);
    const init = {
      method: 'POST',
      headers: { Authorization: `Bearer ${await one.token()}` },
      body: JSON.stringify(taskRequest('restartDevice', ['dev-1'])),
    };
    await expect(fetch(`${url}/v1/tasks`, init)).rejects.toThrow('fetch failed');
    expect(one.twin.world.state.tasks).toHaveLength(tasks);
    expect((await fetch(`${url}/v1/auth/acme`, { method: 'POST' })).status).toBe(401);
  });

  it.each([
    ['evil.example', 421],
    ['127.0.0.1', 421],
    ['localhost:PORT', 401],
  ])('answers a request to the host %s with %i', async (host, status) => {
    const { port } = new URL(await serve(rig()));
    expect(await statusFor(port, host.replace('PORT', port))).toBe(status);
  });

  it('rejects where the port is taken', async () => {
    const { port } = new URL(await serve(rig()));
    await expect(serveTwin(rig().twin, Number(port))).rejects.toThrow('EADDRINUSE');
  });
});

/** The status of a request that names this host: `fetch` would not send another one. */
function statusFor(port: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/v1/devices', headers: { host } });
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject);
    sent.end();
  });
}
