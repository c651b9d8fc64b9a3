import { describe, expect, it } from 'vitest';
import { keepOrigin, parseBase } from '../../../src/api/base-url.ts';
import { readOnly } from '../../../src/api/compose.ts';
import type { Transport } from '../../../src/model/ports.ts';
import { fakeService, json } from '../../support/api-service.ts';
import { answer, request } from '../../support/http.ts';

const reached = () => {
  const urls: string[] = [];
  const next: Transport = async (request) => {
    urls.push(request.url);
    return answer('{}');
  };
  return { urls, next };
};

describe('the address of the service', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com/', 'https://api.example.com', ''],
    ['https://api.example.com:8443/base/', 'https://api.example.com:8443', '/base'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://127.9.9.9:1', 'http://127.9.9.9:1', ''],
    ['http://localhost:80', 'http://localhost', ''],
    ['http://[::1]:8080', 'http://[::1]:8080', ''],
  ])('%s is taken', (text, origin, prefix) => {
    expect(parseBase(text)).toEqual({ origin, prefix });
  });

  it.each([
    ['http://api.example.com', 'http'],
    ['http://127.0.0.1.example.com', 'http'],
    ['http://localhost.example.com', 'http'],
    ['http://0.0.0.0:80', 'http'],
    ['ftp://127.0.0.1', 'notHttps'],
    ['https://user:pass@api.example.com', 'userinfo'],
    ['https://user@api.example.com', 'userinfo'],
    ['https://api.example.com?a=1', 'query'],
    ['https://api.example.com/?', 'query'],
    ['https://api.example.com/#x', 'fragment'],
    ['api.example.com', 'unreadable'],
    ['', 'unreadable'],
    ['https:///api.example.com', 'unreadable'],
    ['https:api.example.com', 'unreadable'],
    ['https:/api.example.com', 'unreadable'],
    ['https://', 'unreadable'],
    ['https:////api.example.com', 'unreadable'],
    ['https:\\\\api.example.com', 'unreadable'],
    ['https://\t/api.example.com', 'unreadable'],
    ['http:///127.0.0.1', 'unreadable'],
    ['file:///etc/passwd', 'notHttps'],
    ['file://host/x', 'notHttps'],
    ['data:,x', 'notHttps'],
    ['javascript:alert(1)', 'notHttps'],
    ['blob:https://api.example.com/1', 'notHttps'],
    ['about:blank', 'notHttps'],
    ['mailto:a', 'notHttps'],
    ['ws://127.0.0.1', 'notHttps'],
  ])('%s is refused as %s', (text, why) => {
    expect(() => parseBase(text)).toThrow(
      expect.objectContaining({ code: 'baseUrlUnsafe', params: expect.objectContaining({ why }) }),
    );
  });

  it('is not repeated where it holds a password', () => {
    expect(() => parseBase('https://ci:pass-1@api.test')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('pass-1') }),
    );
    expect(() => parseBase('nonsense:pass-1@')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('pass-1') }),
    );
  });
});

describe('the origin', () => {
  it.each([
    'https://evil.test/v1/devices',
    'https://api.test.evil.test/v1/devices',
    'http://api.test/v1/devices',
    'https://api.test:444/v1/devices',
    'https://api.test/other/v1/devices',
    'https://api.test/based/v1/devices',
    'https://api.test/base/../v1/devices',
  ])('is kept: %s is never asked', async (url) => {
    const { next, urls } = reached();
    const send = keepOrigin(next, parseBase('https://api.test/base'));
    await expect(send(request(url))).rejects.toMatchObject({ code: 'baseUrlUnsafe' });
    expect(urls).toEqual([]);
  });

  it('lets its own requests through', async () => {
    const { next, urls } = reached();
    const url = 'https://api.test/base/v1/devices';
    await keepOrigin(next, parseBase('https://api.test/base'))(request(url));
    expect(urls).toEqual([url]);
  });

  it('sees no token go to where a redirect points', async () => {
    const { client, calls } = fakeService(() =>
      json({}, 307, { location: 'https://evil.test/v1/devices' }),
    );
    await expect(client.device('d-1')).rejects.toMatchObject({ code: 'redirected' });
    expect(calls()).toHaveLength(1);
  });

  it('keeps a path in front of every endpoint', async () => {
    const { client, seen } = fakeService(() => json({}, 404), {
      baseUrl: 'https://api.test/base',
    });
    await client.device('d-1');
    expect(seen.map(({ path }) => path)).toEqual(['/base/v1/auth/acme', '/base/v1/devices/d-1']);
  });
});

describe('read only', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('refuses %s before it leaves', async (method) => {
    const { next, urls } = reached();
    const send = readOnly(next, '/v1/auth/acme');
    const asked = request('https://api.test/v1/tasks', { method });
    await expect(send(asked)).rejects.toMatchObject({
      code: 'writeRefused',
      params: { method, path: '/v1/tasks' },
    });
    expect(urls).toEqual([]);
  });

  it('lets reads and the request for a token out', async () => {
    const { next, urls } = reached();
    const send = readOnly(next, '/v1/auth/acme');
    await send(request('https://api.test/v1/devices'));
    await send(request('https://api.test/v1/auth/acme', { method: 'POST' }));
    expect(urls).toHaveLength(2);
    const other = request('https://api.test/v1/auth/other', { method: 'POST' });
    await expect(send(other)).rejects.toMatchObject({ code: 'writeRefused' });
  });

  it('makes a client that cannot create a task', async () => {
    const { client, calls } = fakeService(() => json({ taskId: 't' }), { readOnly: true });
    const request = { task: 'restartDevice', devices: [{ deviceId: 'd-1' }] } as const;
    await expect(client.createTask(request)).rejects.toMatchObject({ code: 'writeRefused' });
    expect(calls()).toHaveLength(0);
  });
});
