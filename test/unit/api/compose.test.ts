import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/api/compose.ts';
import { parseBase } from '../../../src/api/base-url.ts';
import { createRedactor } from '../../../src/api/redact.ts';
import { resolveDialect } from '../../../src/model/fleet/dialect.ts';
import { BASE_URL, json, START } from '../../support/api-service.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';
import { CLIENT_SECRETS } from '../../support/canary.ts';
import { overFetch } from '../../../src/model/http.ts';
import { request } from '../../support/http.ts';

function setUp(statuses: readonly number[] = []) {
  const log: string[] = [];
  const clock = createVirtualClock(START);
  const left = [...statuses];
  const transport = overFetch(async (request) => {
    const { host, pathname } = new URL(request.url);
    log.push(`${clock.monotonic()} ${request.method} ${host}${pathname}`);
    if (pathname.includes('/auth/')) return json({ access_token: 'token', expires_in: 3_600 });
    return json({}, left.shift() ?? 200);
  });
  const { send } = compose({
    transport,
    clock,
    random: () => 0,
    base: parseBase(BASE_URL),
    organization: 'acme',
    credentials: () => Promise.resolve({ clientId: 'ci', clientSecret: CLIENT_SECRETS.admin }),
    dialect: resolveDialect(),
    pace: { requestsPerSecond: 1, tokenRequestsPerMinute: 5 },
    redactor: createRedactor(),
    secrets: () => undefined,
    trace: (line) => void log.push((JSON.parse(line) as { path: string }).path),
  });
  return { send, log };
}

describe('the layers together', () => {
  it('let no request, and so no token, out to another origin', async () => {
    const { send, log } = setUp();
    const answer = send(request('https://evil.test/v1/devices'));
    await expect(answer).rejects.toMatchObject({ code: 'baseUrlUnsafe' });
    expect(log.filter((line) => line.includes('evil'))).toEqual([]);
  });

  it('pace and trace every try, and every try that a new token wants', async () => {
    const { send, log } = setUp([401, 503, 200]);
    await send(request(`${BASE_URL}/v1/devices`));
    expect(log).toEqual([
      '0 POST api.test/v1/auth/acme',
      '/v1/auth/acme',
      '0 GET api.test/v1/devices',
      '/v1/devices',
      '0 POST api.test/v1/auth/acme',
      '/v1/auth/acme',
      '1000 GET api.test/v1/devices',
      '/v1/devices',
      '2000 GET api.test/v1/devices',
      '/v1/devices',
    ]);
  });
});
