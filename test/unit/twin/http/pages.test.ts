import { describe, expect, it } from 'vitest';
import { rig, type Wire } from '../../../support/twin-rig.ts';

const one = rig({ devices: 1100, sites: 4 });
const page = async (query: string) =>
  (await one.get<Wire['DeviceList']>(`/v1/devices${query}`)).body;

describe('a page', () => {
  it.each([
    ['', 100],
    ['?limit=7', 7],
    ['?limit=1000', 1000],
    ['?limit=5000', 1000],
    ['?limit=1000&offset=1000', 100],
    ['?offset=1100', 0],
  ])('at %s has %i rows, and the total of all', async (query, rows) => {
    const { devices, total } = await page(query);
    expect([devices?.length, total]).toEqual([rows, 1100]);
  });

  it('is followed by the next one without gap or overlap', async () => {
    const pages = await Promise.all([0, 400, 800].map((n) => page(`?limit=400&offset=${n}`)));
    const ids = pages.flatMap(({ devices }) => devices?.map(({ id }) => id) ?? []);
    expect([ids.length, new Set(ids).size]).toEqual([1100, 1100]);
  });

  it('above the maximum is refused where the twin is told to', async () => {
    const strict = rig({ manners: { overLimit: 'refuse' } });
    expect((await strict.get('/v1/devices?limit=1001')).status).toBe(400);
    expect((await strict.get('/v1/devices?limit=1000')).status).toBe(200);
  });

  it.each(['limit=0', 'limit=-1', 'limit=ten', 'offset=-1', 'offset=1.5', 'limit='])(
    'with %s is refused with 400',
    async (query) => {
      expect((await one.get(`/v1/devices?${query}`)).status).toBe(400);
    },
  );

  it.each(['/v1/sites', '/v1/deviceSources', '/v1/discoveredDevices', '/v1/firmwarePaths'])(
    'of %s is cut the same way',
    async (path) => {
      const whole = await one.get<Record<string, unknown>>(`${path}?limit=1000`);
      const cut = await one.get<Record<string, unknown>>(`${path}?limit=2&offset=1`);
      const [list = ''] = Object.keys(whole.body);
      const rows = whole.body[list] as unknown[];
      expect(cut.body).toEqual({ [list]: rows.slice(1, 3), total: whole.body['total'] });
    },
  );
});
