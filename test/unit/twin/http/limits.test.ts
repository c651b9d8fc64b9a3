import { describe, expect, it } from 'vitest';
import { createLimiter } from '../../../../src/twin/http/request-limits.ts';
import { rig } from '../../../support/twin-rig.ts';

describe('the rate limit', () => {
  it('takes so many requests a second per family, and says how long to wait for the next', () => {
    const take = createLimiter(2);
    expect([take('devices', 0), take('devices', 0), take('devices', 0)]).toEqual([0, 0, 500]);
    expect(take('sites', 0)).toBe(0);
    expect([take('devices', 500), take('devices', 500)]).toEqual([0, 500]);
  });

  it('saves up no more than a second of rest', () => {
    const take = createLimiter(1);
    expect([take('devices', 0), take('devices', 60_000), take('devices', 60_000)]).toEqual([
      0, 0, 1000,
    ]);
  });

  it('below one a second makes the wait longer', () => {
    const take = createLimiter(0.5);
    expect([take('auth', 0), take('auth', 0), take('auth', 2000)]).toEqual([0, 2000, 0]);
  });

  it('answers 429 with the seconds to wait, and an answer after them', async () => {
    const one = rig({ rateLimit: 1 });
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const read = () => one.send('/v1/sites', { headers });
    expect((await read()).status).toBe(200);
    const refused = await read();
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
    one.pass(1000);
    expect((await read()).status).toBe(200);
  });

  it('is off by default', async () => {
    const one = rig();
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.get('/v1/sites')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
