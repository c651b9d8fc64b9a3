import { describe, expect, it } from 'vitest';
import { printRows, type GetRequest } from '../../../../../src/operations/rows/print-rows.ts';
import { snapshotSource } from '../../../../../src/operations/rows/row-source.ts';
import { loadSelector } from '../../../../../src/config/selector-flag.ts';
import type { Device } from '../../../../../src/model/fleet/device.ts';
import type { Confidence } from '../../../../../src/model/fleet/snapshot.ts';
import { aSnapshot } from '../../../../support/plan-fleet.ts';

const GROUPS = `groups: {doors: {select: {name: door-*}}}
sites: {HQ: {timeZone: Europe/Berlin, tags: [emea]}}
`;

const FILES = [{ path: 'fleet/a.yaml', text: GROUPS }];

const DEVICES: readonly Device[] = [
  device('dev-1', 'door-1', ['Axis', '11.1.0'], 'HQ'),
  device('dev-2', 'lobby-1', ['Axis', '11.1.0'], 'HQ'),
  device('dev-3', 'door-2', ['Bosch', '7.1'], 'Depot'),
];

function device(
  id: string,
  name: string,
  [vendor, firmwareVersion]: readonly [string, string],
  site: string,
): Device {
  const sites = [{ id: site.toLowerCase(), name: site }];
  return { id, name, vendor, firmwareVersion, probe: {}, sites, sources: [], available: {} };
}

async function printed(request: Partial<GetRequest>, width = 200): Promise<string> {
  let text = '';
  const source = snapshotSource(aSnapshot(DEVICES));
  const io = { source, out: (more: string) => void (text += more), err: () => undefined, width };
  await printRows({ resource: 'devices', filters: [], output: 'csv', ...request }, io);
  return text.replaceAll('\r\n', '\n');
}

async function idsOf(select: string): Promise<string> {
  const lines = await printed({ selection: loadSelector(select, FILES), columns: ['id'] });
  return lines.trim().split('\n').slice(1).join(' ');
}

describe('get --select', () => {
  it('names the devices of which it is unclear whether the selector matches (semantics M20)', async () => {
    const custom = ['a', 'b', 'c', 'd'].map((id) => device(id, id, ['Axis', 'custom'], 'HQ'));
    const said: string[] = [];
    let text = '';
    const io = {
      source: snapshotSource(aSnapshot([...DEVICES, ...custom])),
      out: (more: string) => void (text += more),
      err: (more: string) => void said.push(more),
    };
    const selection = loadSelector('vendor: Axis, firmwareVersion: "<12"', FILES);
    await printRows(
      { resource: 'devices', filters: [], output: 'csv', columns: ['id'], selection },
      io,
    );
    expect(text.split(/\s+/)).toEqual(['id', 'dev-1', 'dev-2', '']);
    expect(said).toEqual([
      'Left out, because it is unclear whether the selector matches: 4 devices (a, b, c, …).',
    ]);
  });

  it.each([
    ['vendor: Axis', 'dev-1 dev-2'],
    ['{vendor: Axis, name: door-*}', 'dev-1'],
    ['group: doors', 'dev-1 dev-3'],
    ['group: doors, not: {vendor: Bosch}', 'dev-1'],
    ['site: {tag: emea}', 'dev-1 dev-2'],
    ['vendor: [Bosch, Axis], firmwareVersion: 7.*', 'dev-3'],
  ])('takes a selector as documents have it: %s', async (select, ids) => {
    expect(await idsOf(select)).toBe(ids);
  });

  it.each([
    ['vendr: Axis', 'unknownKey'],
    ['name: *-1', 'unquotedStar'],
    ['group: nobody', 'nameUnknown'],
    ['', 'empty'],
    ['{vendor: Axis}}', 'syntax'],
  ])('refuses %j with the finding of the documents', (select, code) => {
    expect(() => loadSelector(select, FILES)).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code })] }),
    );
  });

  it.each([
    ['vendr: Axis', { line: 1, column: 1 }, 'vendor'],
    ['vendor:Axis', { line: 1, column: 1 }, 'vendor: Axis'],
    ['vendor=Axis', { line: 1, column: 1 }, 'vendor: Axis'],
    ['vendor Axis', { line: 1, column: 1 }, 'vendor: Axis'],
    ['vendr = Axis', { line: 1, column: 1 }, 'vendor: Axis'],
    ['{name: a, vendor:Axis}', { line: 1, column: 11 }, 'vendor: Axis'],
  ])('shows the problem in %j as it was written', (select, at, suggestion) => {
    const refused = (): unknown => loadSelector(select, FILES);
    expect(refused).toThrow(
      expect.objectContaining({
        files: expect.arrayContaining([
          expect.objectContaining({ path: '--select', text: select }),
        ]),
        diagnostics: [
          expect.objectContaining({
            at: expect.objectContaining({ file: '--select', ...at }),
            params: expect.objectContaining({ suggestion }),
          }),
        ],
      }),
    );
    expect(refused).toThrow(
      expect.objectContaining({
        diagnostics: [
          expect.objectContaining({
            params: expect.not.objectContaining({ within: expect.anything() }),
          }),
        ],
      }),
    );
  });

  it('does not mind errors of the documents beside it', () => {
    const broken = { path: 'fleet/b.yaml', text: 'firmware: {a: {versoin: 1}}\n' };
    expect(loadSelector('group: doors', [...FILES, broken]).selector).toEqual({ group: ['doors'] });
  });
});

describe('get --count-by and --columns', () => {
  it.each([
    [{ columns: ['id', 'nam'] }, 'name'],
    [{ columns: ['nam'], output: 'ndjson' }, 'name'],
    [{ countBy: ['vendr'] }, 'vendor'],
    [{ countBy: ['compliance.unheard.of'] }, undefined],
  ] as const)('refuses %j, a field that no row has', async (request, suggestion) => {
    await expect(printed(request)).rejects.toMatchObject({
      code: 'usage',
      params: {
        message: expect.stringMatching(/^No row has a field /),
        ...(suggestion && { suggestion }),
      },
    });
  });

  it('prints a column of the resource that no row has, as a service may not show it', async () => {
    expect(await printed({ columns: ['id', 'recording'] })).toContain('id,recording\n');
    expect(await printed({ columns: ['id', 'probe'] })).toContain('id,probe\n');
  });

  it('counts rows by values, the most frequent first', async () => {
    expect(await printed({ countBy: ['vendor', 'Firmware'] })).toBe(
      'vendor,firmware,count\nAxis,11.1.0,2\nBosch,7.1,1\n',
    );
    expect(JSON.parse(await printed({ countBy: ['site'], output: 'json' }))).toEqual({
      version: 1,
      items: [
        { site: 'HQ', count: 2 },
        { site: 'Depot', count: 1 },
      ],
    });
  });

  it('prints the columns that are named, also of whole rows', async () => {
    expect(await printed({ columns: ['name', 'id'] })).toBe(
      'name,id\ndoor-1,dev-1\nlobby-1,dev-2\ndoor-2,dev-3\n',
    );
    const [first = ''] = (await printed({ columns: ['id', 'sites'], output: 'ndjson' })).split(
      '\n',
    );
    expect(JSON.parse(first)).toEqual({ id: 'dev-1', sites: [{ id: 'hq', name: 'HQ' }] });
  });

  it('cuts no cell where the output has no width', async () => {
    const name = 'n'.repeat(300);
    const source = snapshotSource(aSnapshot([device('dev-9', name, ['Axis', '1'], 'HQ')]));
    let text = '';
    const io = { source, out: (more: string) => void (text += more), err: () => undefined };
    await printRows(
      { resource: 'devices', filters: [], output: 'table' },
      { ...io, width: Infinity },
    );
    expect(text).toContain(name);
  });
});

describe('get --snapshot', () => {
  it('names the command that shows one device', async () => {
    await expect(printed({ resource: 'device', id: 'dev-1' })).rejects.toMatchObject({
      params: { suggestion: "get devices --select 'device: dev-1'" },
    });
    expect(await idsOf('device: dev-1')).toBe('dev-1');
  });

  it('refuses a list that was not read, and prints an empty one that was', async () => {
    const read = async (discoveredConfidence: Confidence): Promise<number> => {
      const source = snapshotSource({ ...aSnapshot(DEVICES), discoveredConfidence });
      const io = { source, out: () => undefined, err: () => undefined };
      return printRows({ resource: 'discovered', filters: [], output: 'csv' }, io);
    };
    expect(await read('one page')).toBe(0);
    await expect(read('torn')).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['vendor: Axxis', '0 of 3 devices match.'],
    ['vendor: Axis', ''],
  ])('says on stderr that no device matches: %s', async (select, said) => {
    let err = '';
    const source = snapshotSource(aSnapshot(DEVICES));
    const io = { source, out: () => undefined, err: (text: string) => void (err += text) };
    const selection = loadSelector(select, FILES);
    await printRows({ resource: 'devices', filters: [], output: 'csv', selection }, io);
    expect(err).toBe(said);
  });

  it.each([
    [{ resource: 'device', id: 'dev-1' }, 'A snapshot is read by lists, not by `get device`'],
    [{ resource: 'firmware-paths' }, 'A snapshot has no firmware-paths'],
    [{ filters: ['vendor=Axis'] }, 'A snapshot takes no --filter; use --select'],
  ])('refuses what a snapshot does not have: %j', async (request, message) => {
    await expect(printed(request)).rejects.toMatchObject({ code: 'usage', params: { message } });
  });
});

describe('flags that do not fit', () => {
  it.each([
    [{ resource: 'sites', selection: loadSelector('vendor: Axis', FILES) }],
    [{ columns: ['id'], countBy: ['id'] }],
    [{ resource: 'device', id: 'dev-1', countBy: ['id'] }],
  ])('are refused, not ignored: %j', async (request) => {
    await expect(printed(request)).rejects.toMatchObject({ code: 'usage' });
  });
});
