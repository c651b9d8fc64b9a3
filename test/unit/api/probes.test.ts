import { describe, expect, it } from 'vitest';
import { createProbes } from '../../../src/api/probes.ts';
import type { HttpAnswer } from '../../../src/model/ports.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { START } from '../../support/twin-rig.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { answer } from '../../support/http.ts';

function probesOn(respond: () => HttpAnswer = () => answer('{}')) {
  const sent: string[] = [];
  const lines: string[] = [];
  const clock = createVirtualClock(START);
  const probes = createProbes({
    transport: async ({ method, url, body = '' }) => {
      const { pathname, search } = new URL(url);
      sent.push(`${method} ${pathname}${search} ${body}`.trimEnd());
      return respond();
    },
    clock,
    baseUrl: 'https://api.test/base',
    credentials: () => Promise.resolve({ clientId: 'a', clientSecret: CLIENT_SECRETS.admin }),
    pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5 },
    secrets: (name) => (name === 'KEY' ? 'a-secret-of-the-body' : undefined),
    trace: (line) => void lines.push(line),
    signal: new AbortController().signal,
  });
  return { probes, sent, lines, clock };
}

describe('probes', () => {
  it('send reads and the one request for a token, below the base path', async () => {
    const { probes, sent } = probesOn();
    await probes.read('/v1/devices', { limit: '5' }, 'token');
    await probes.requestToken('/token/acme', { key: { fromEnv: 'KEY' } });
    expect(sent).toEqual([
      'GET /base/v1/devices?limit=5',
      'POST /base/token/acme {"key":"a-secret-of-the-body"}',
    ]);
  });

  it('leave no origin, and post to no other path', async () => {
    const { probes, sent } = probesOn();
    await expect(probes.read('/../../v1/devices', {}, 'token')).rejects.toMatchObject({
      code: 'baseUrlUnsafe',
    });
    expect(sent).toEqual([]);
  });

  it('return any status as an answer, and repeat nothing', async () => {
    const { probes, sent } = probesOn(() => answer('{}', { status: 503 }));
    expect((await probes.read('/v1/sites', {}, 'token')).status).toBe(503);
    expect(sent).toHaveLength(1);
  });

  it('keep to the pace of each endpoint', async () => {
    const { probes, clock } = probesOn();
    for (const path of ['/v1/devices', '/v1/devices', '/v1/sites', '/v1/devices'])
      await probes.read(path, {}, 'token');
    expect(clock.monotonic()).toBe(2_000);
  });

  it('write no secret and no token into a trace', async () => {
    const { probes, lines } = probesOn(() => answer('{"access":"a-token-of-the-service"}'));
    probes.learn('a-token-of-the-service');
    await probes.requestToken('/token/acme', { key: { fromEnv: 'KEY' } });
    await probes.read('/v1/sites', {}, 'a-token-of-the-service');
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/a-secret-of-the-body|a-token-of-the-service|canary/);
  });
});
