import { describe, expect, it } from 'vitest';
import { loadTexts } from '../../../../src/config/load.ts';
import type { Survey } from '../../../../src/apply/reading.ts';
import { lastLook } from '../../../../src/apply/send/last-look.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import { WorldError } from '../../../../src/model/error.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import type { Pass, ServiceFilter } from '../../../../src/model/ports.ts';
import { readsOnce, requestsFor } from '../../../../src/plan/admit/batch.ts';
import { candidate } from '../../../support/apply-candidate.ts';
import { aRun } from '../../../support/apply-run.ts';
import { aDevice, aMemory, aSnapshot, NOW } from '../../../support/plan-fleet.ts';

const PACE = { requestsPerSecond: 1 };
const PAGE = 995;

describe('N31 one whole pass in place of lists and ids', () => {
  it.each([
    ['two pages for a batch of ten', 2, 10, true],
    ['five pages for one device: as many as by lists and id', 5, 1, false],
    ['five pages for two', 5, 2, true],
    ['thirteen pages for ten', 13, 10, true],
    ['fourteen pages for ten: as many', 14, 10, false],
    ['more pages than fit into the age of a read', 31, 100, false],
    ['one page, which stays with lists and ids', 1, 10, false],
  ])('%s', (_, pages, size, isOnce) => {
    expect(readsOnce(size, { lists: 4, pages }, PACE)).toBe(isOnce);
  });

  it('costs its pages, or the reads beside them where these are more', () => {
    expect(requestsFor(10, { lists: 4, pages: 5 }, PACE)).toBe(10);
    expect(requestsFor(3, { lists: 4, pages: 5 }, PACE)).toBe(5);
    expect(requestsFor(1, { lists: 4, pages: 5 }, PACE)).toBe(5);
    expect(requestsFor(10, { lists: 4, pages: 40 }, PACE)).toBe(14);
  });
});

const DOCUMENTS =
  'service: {baseUrl: https://a.test, organization: acme, pace: {requestsPerSecond: 1}}';

interface Odd {
  /** The number of devices that are offline; one by default. */
  readonly offline?: number;
  /** The number of devices; two pages by default. */
  readonly devices?: number;
  readonly torn?: Pass['torn'];
  /** What the list leaves out. */
  readonly hidden?: string;
}

/** A run over a fleet of two pages, each request of which takes a second. */
function rig(odd: Odd = {}) {
  const row = (n: number, status = 'online'): Device =>
    aDevice(`dev-${n}`, { status, firmwareVersion: '1' } as Partial<Device>);
  const { devices = PAGE + 500, offline = 1 } = odd;
  const fleet = Array.from({ length: devices }, (_, n) =>
    row(n, n >= 1_200 && n < 1_200 + offline ? 'offline' : 'online'),
  );
  const asked: string[] = [];
  let time = 0;
  const list = async function* (collection: string, filter?: ServiceFilter) {
    const rows = fleet.filter(
      ({ id, status }) => id !== odd.hidden && (!filter || status === filter['status']),
    );
    for (let from = 0; from < Math.max(1, rows.length); from += PAGE) {
      asked.push([collection, ...Object.entries(filter ?? {}).flat()].join(' '));
      time += 1_000;
      yield rows.slice(from, from + PAGE);
    }
    const torn = filter ? undefined : odd.torn;
    return { total: rows.length, rows: rows.length, pages: 2, ...(torn && { torn }) };
  };
  const device = async (id: string) => {
    asked.push(id);
    time += 1_000;
    return { value: fleet.find((one) => one.id === id) };
  };
  const service = {
    holdToken: async () => undefined,
    list,
    device,
    targetFirmware: async () => [],
  };
  const clock = { now: () => NOW + time, monotonic: () => time };
  const { documents } = loadTexts([{ path: 'fleet/a.yaml', text: DOCUMENTS }]);
  const journal = { memory: aMemory(), nonce: 'run' };
  const run = aRun({ clock, service, dialect: resolveDialect(), documents, journal });
  run.reading.replace({ snapshot: aSnapshot(fleet) } as unknown as Survey);
  const batch = [0, 7, 999].map((n) => candidate(`dev-${n}`));
  return { run, batch, asked, pass: (ms: number) => (time += ms) };
}

const WHOLE = ['devices', 'devices'];

describe('N31 a last look in a fleet of two pages', () => {
  it('reads the list once, and knows from it the devices and what is down', async () => {
    const { run, batch, asked } = rig();
    const { seen, since } = await lastLook(run, batch);
    expect(asked).toEqual(WHOLE);
    expect([...seen.values()].map(({ device }) => device?.id)).toEqual([
      'dev-0',
      'dev-7',
      'dev-999',
    ]);
    expect([...run.reading.down.keys()]).toEqual(['dev-1200']);
    expect(since.monotonic).toBe(0);
  });

  it('serves the next batch from the same pass while it is recent, and then reads anew', async () => {
    const { run, batch, asked, pass } = rig();
    await lastLook(run, batch);
    pass(20_000);
    expect((await lastLook(run, batch)).since.monotonic).toBe(0);
    expect(asked).toEqual(WHOLE);
    pass(5_000);
    expect((await lastLook(run, batch)).since.monotonic).toBe(27_000);
    expect(asked).toEqual([...WHOLE, ...WHOLE]);
  });

  it('knows from it what is down, though a read beside it failed', async () => {
    const { run, batch, asked } = rig();
    const targetFirmware = async () => {
      while (!run.reading.pass) await Promise.resolve();
      throw new WorldError('unreachable');
    };
    const failing = { ...run, service: { ...run.service, targetFirmware } };
    await expect(lastLook(failing, batch)).rejects.toThrow(WorldError);
    await lastLook(run, batch);
    expect(asked).toEqual(WHOLE);
    expect([...run.reading.down.keys()]).toEqual(['dev-1200']);
  });

  it('reads by its id what the pass does not show', async () => {
    const { run, batch, asked } = rig({ hidden: 'dev-7' });
    const { seen } = await lastLook(run, batch);
    expect(asked).toEqual([...WHOLE, 'dev-7']);
    expect(seen.get('dev-7')?.device?.id).toBe('dev-7');
  });

  it('goes by lists and ids where the pass was torn', async () => {
    const { run, batch, asked } = rig({ torn: 'overlap' });
    await lastLook(run, batch);
    expect(asked.slice(2)).toEqual(
      expect.arrayContaining(['devices status offline', 'dev-0', 'dev-999']),
    );
  });

  const LISTS = ['offline', 'partial', 'unknown'].map((status) => `devices status ${status}`);
  const MAINTENANCE = 'devices maintenanceMode true';

  it('serves the next batches from lists of several pages for half of their age', async () => {
    const { run, batch, asked, pass } = rig({ devices: 9_000, offline: 1_500 });
    const first = await lastLook(run, batch);
    const [offline = '', ...others] = LISTS;
    const lists = [offline, offline, ...others, MAINTENANCE];
    const ids = ['dev-0', 'dev-7', 'dev-999'];
    expect(asked.slice(-8)).toEqual([...lists, ...ids]);
    const before = asked.length;
    pass(2_000);
    const second = await lastLook(run, batch);
    expect(asked.slice(before)).toEqual(ids);
    expect(second.since).toEqual(first.since);
    expect(run.reading.down.size).toBe(1_500);
    pass(1_000);
    expect((await lastLook(run, batch)).since).not.toEqual(first.since);
    expect(asked.slice(before + 3)).toEqual([...lists, ...ids]);
  });

  it('asks for short lists before each batch', async () => {
    const { run, batch, asked, pass } = rig({ devices: 9_000, offline: 900 });
    await lastLook(run, batch);
    const before = asked.length;
    pass(1_000);
    await lastLook(run, batch);
    expect(asked.slice(before)).toEqual([...LISTS, MAINTENANCE, 'dev-0', 'dev-7', 'dev-999']);
  });
});
