import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, jsonLines } from '../support/blackbox.ts';
import { expectQuietEnd } from '../support/blackbox-reader.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const place = createPlace();
let twin: TwinProcess;

/** A world with a task in it, which the twin saves when it ends. */
beforeAll(async () => {
  const before = await startTwin(place, { world: 'world.json' });
  const { code } = await place.run('apply --yes', before.as('admin'));
  expect(code).toBe(0);
  await before.stop();
  twin = await startTwin(place, { world: 'world.json' });
}, PATIENCE.timeout);
afterAll(() => place[Symbol.dispose]());

describe.concurrent('get', PATIENCE, () => {
  const READS = [
    'devices',
    'device dev-11',
    'sites',
    'sites 1',
    'sources',
    'sources 1',
    'discovered',
    'vulnerabilities dev-11',
    'passwords dev-11',
    'certificates dev-11',
    'target-firmware dev-11',
    'firmware-paths',
  ];

  it.each(READS)('%s is read as data on stdout alone', async (what) => {
    const { code, out, err } = await place.run(`get ${what} -o ndjson`, twin.as('admin'));
    expect([code, err]).toEqual([0, '']);
    for (const row of jsonLines(out)) expect(row).toBeTypeOf('object');
  });

  it.each(['devices', 'certificates dev-11'])('%s is read in every format', async (what) => {
    const [table, json, ndjson, csv] = await Promise.all(
      ['table', 'json', 'ndjson', 'csv'].map((format) =>
        place.run(`get ${what} -o ${format}`, twin.as('admin')),
      ),
    );
    for (const each of [table, json, ndjson, csv]) expect(each).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(json?.out ?? '')).toBeTypeOf('object');
    const rows = jsonLines(ndjson?.out ?? '').length;
    expect(rows).toBeGreaterThan(0);
    expect(csv?.out.trimEnd().split('\n').length).toBe(rows + 1);
    // No cell is cut outside a terminal.
    expect(table?.out.trimEnd().split('\n').length).toBe(rows + 1);
    expect(table?.out).not.toContain('…');
  });

  it('a task is read with its steps', async () => {
    const { tasks } = JSON.parse(place.read('world.json')) as {
      tasks: readonly { readonly id: string }[];
    };
    const id = tasks[0]?.id ?? '';
    const { code, out } = await place.run(`get task ${id} --steps -o json`, twin.as('operator'));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      item: { taskId: id, deviceTasks: [{ steps: expect.any(Array) }] },
    });
  });
});

describe.concurrent('a reader that goes away', PATIENCE, () => {
  it.each(['why dev-1', 'status', 'audit', 'get devices -o json'])(
    '%s ends quietly',
    async (args) => {
      await expectQuietEnd(place, twin.as('admin'), args);
    },
  );
});
