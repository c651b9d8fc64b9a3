import { describe, expect, it } from 'vitest';
import { createMeter } from '../../../../src/api/compose.ts';
import { requestsOfRun } from '../../../../src/model/ledger/run-requests.ts';
import { answer, request } from '../../../support/http.ts';

const MADE = { tokens: 1, lists: 11, devices: 20, details: 31, polls: 9, tasks: 2 };

describe('N33 the requests of a run', () => {
  it('are compared with the fewest that its work takes', () => {
    const { least } = requestsOfRun({ made: MADE, fleet: 4_000, sent: 20, onboards: true });
    expect(least).toEqual({ tokens: 1, lists: 8, devices: 20, details: 20, polls: 9, tasks: 2 });
  });

  it('are counted as they leave, each by what it is for', async () => {
    const meter = createMeter({ origin: 'https://a.test', prefix: '/api' });
    const send = meter.counted(async () => answer());
    const ask = (path: string, method = 'GET') =>
      send(request(`https://a.test/api${path}`, { method }));
    await ask('/oauth/acme/token', 'POST');
    for (const path of ['/v1/devices?limit=1', '/v1/sites', '/v1/discoveredDevices'])
      await ask(path);
    await ask('/v1/devices/a%2Fb');
    await ask('/v1/devices/a/passwords');
    await ask('/v1/tasks', 'POST');
    await ask('/v1/tasks/t-1?offset=0');
    const counts = meter.counts();
    expect(counts).toEqual({ tokens: 1, lists: 3, devices: 1, details: 1, polls: 1, tasks: 1 });
  });
});
