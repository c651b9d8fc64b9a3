import { describe, expect, it } from 'vitest';
import { proxyFor, type Environment } from '../../../../src/api/transport/proxy.ts';

const SERVICE = 'https://api.example.com';
const PROXY = 'http://proxy.corp:3128';
const via = (env: Environment, origin = SERVICE): string | undefined => {
  const proxy = proxyFor(origin, env);
  return proxy && `${proxy.isEncrypted ? 'tls' : 'plain'} ${proxy.host}:${proxy.port}`;
};

describe('the proxy of a request', () => {
  it.each<[Environment, string | undefined]>([
    [{}, undefined],
    [{ HTTPS_PROXY: '' }, undefined],
    [{ HTTPS_PROXY: PROXY }, 'plain proxy.corp:3128'],
    [{ https_proxy: PROXY }, 'plain proxy.corp:3128'],
    [{ https_proxy: PROXY, HTTPS_PROXY: 'http://other:1' }, 'plain proxy.corp:3128'],
    [{ HTTPS_PROXY: 'proxy.corp:3128' }, 'plain proxy.corp:3128'],
    [{ HTTPS_PROXY: 'http://proxy.corp' }, 'plain proxy.corp:80'],
    [{ HTTPS_PROXY: 'https://proxy.corp' }, 'tls proxy.corp:443'],
    [{ HTTPS_PROXY: 'http://[::1]:3128' }, 'plain ::1:3128'],
    [{ HTTP_PROXY: PROXY, ALL_PROXY: PROXY }, undefined],
  ])('with %j is %s', (env, wanted) => expect(via(env)).toBe(wanted));

  it.each([
    ['api.example.com', true],
    ['API.example.com', true],
    ['example.com', true],
    ['.example.com', true],
    ['*.example.com', true],
    ['other.net, api.example.com', true],
    ['other.net api.example.com', true],
    ['api.example.com:443', true],
    ['*', true],
    ['api.example.com:8443', false],
    ['ample.com', false],
    ['pi.example.com', false],
    ['api.example.com.evil', false],
    ['', false],
    [',', false],
  ])('is none where NO_PROXY is %j: %s', (NO_PROXY, isDirect) => {
    expect(via({ HTTPS_PROXY: PROXY, NO_PROXY })).toBe(
      isDirect ? undefined : 'plain proxy.corp:3128',
    );
  });

  it('is none for loopback and for plain HTTP', () => {
    const origins = ['https://localhost:1', 'https://127.0.0.1', 'https://[::1]:1', 'http://a.b'];
    expect(origins.map((origin) => via({ HTTPS_PROXY: PROXY }, origin))).toEqual(
      origins.map(() => undefined),
    );
  });

  it('is told who we are', () => {
    const proxy = proxyFor(SERVICE, { HTTPS_PROXY: 'http://me:p%40ss@proxy.corp:3128' });
    const pair = Buffer.from('me:p@ss').toString('base64');
    expect(proxy).toEqual({
      isEncrypted: false,
      host: 'proxy.corp',
      port: 3128,
      authorization: `Basic ${pair}`,
    });
  });

  it.each([
    ['socks5://canary:canary@proxy:1', 'scheme'],
    ['http://canary:%zz@proxy:1', 'unreadable'],
    ['http://canary@:1:x', 'unreadable'],
  ])('%s is refused, and not repeated', (HTTPS_PROXY, why) => {
    let failure: unknown;
    try {
      proxyFor(SERVICE, { HTTPS_PROXY });
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      code: 'proxyUnusable',
      params: { variable: 'HTTPS_PROXY', why },
    });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('canary');
  });
});
