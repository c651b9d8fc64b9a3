import { describe, expect, it } from 'vitest';
import { createDecoders } from '../../../../src/api/decode/decode.ts';
import { nested, type JsonRow } from '../../../../src/api/decode/fields.ts';
import { formatInstant } from '../../../../src/lib/time.ts';
import { createTable, sortedTable } from '../../../../src/live/device-table.ts';
import { readSnapshot, snapshotLines } from '../../../../src/live/snapshot-lines.ts';
import { createSnapshot } from '../../../../src/live/snapshot.ts';
import { DeviceRows, type DevicePage } from '../../../../src/model/fleet/device-rows.ts';
import {
  DEVICE,
  DEVICE_FIELD_NAMES,
  type Device,
  type DeviceField,
  type DeviceFieldName,
  LABEL_FIELDS,
  PROBES,
} from '../../../../src/model/fleet/device.ts';
import { resolveDialect, type Dialect } from '../../../../src/model/fleet/dialect.ts';
import type { Snapshot } from '../../../../src/model/fleet/snapshot.ts';
import { AVAILABLE_TASKS } from '../../../../src/model/fleet/task.ts';
import { printRows } from '../../../../src/operations/rows/print-rows.ts';
import { type ListSource, snapshotSource } from '../../../../src/operations/rows/row-source.ts';
import { createColumns } from '../../../../src/plan/columns.ts';
import { labelDevice } from '../../../../src/plan/decide/decide.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { readPlan } from '../../../../src/plan/saved/saved.ts';
import type { TablePart } from '../../../../src/render/html/format.ts';
import { planTable } from '../../../../src/render/html/plan-table.ts';
import { tableData } from '../../../../src/render/html/table-data.ts';
import { buildPlanView } from '../../../../src/render/view/view.ts';
import { change, signedPlan } from '../../../support/render-plan.ts';

/** The fields that a service sends: what could not be read of them is ours. */
const SENT = DEVICE_FIELD_NAMES.filter((name) => name !== 'unreadable');

/** A service that has every field, those that no default knows as well. */
const DIALECT = resolveDialect(
  Object.fromEntries(
    SENT.flatMap((name) => {
      const { key }: DeviceField = DEVICE[name];
      return key === undefined ? [] : [[key, `own.${name}`]];
    }),
  ),
);

const DAY = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');

/** A value that no other field has. */
const MARK: { readonly [Type in DeviceField['type']]: (name: DeviceFieldName) => unknown } = {
  id: (name) => `mark-of-${name}`,
  ownText: (name) => `mark-of-${name}`,
  code: (name) => `mark-of-${name}`,
  text: (name) => `mark-of-${name}`,
  flag: () => true,
  instant: (name) => NOON + DEVICE_FIELD_NAMES.indexOf(name) * DAY,
  refs: (name) => [{ id: `mark-of-${name}`, name: `name-of-${name}` }],
  probes: () => Object.fromEntries(PROBES.map((probe) => [probe, `mark-of-${probe}`])),
  tasks: () => Object.fromEntries(AVAILABLE_TASKS.map((task) => [task, true])),
  names: (name) => [`mark-of-${name}`],
};

const MARKED = Object.fromEntries(
  SENT.map((name) => [name, MARK[DEVICE[name].type](name)]),
) as unknown as Device;

/** A value as a service sends it, and as rows of `get` have it. */
function sentValue(name: DeviceFieldName): unknown {
  const value = MARKED[name];
  return DEVICE[name].type === 'instant' ? formatInstant(Number(value)) : value;
}

function pathIn(dialect: Dialect, name: DeviceFieldName): string {
  const { at = '', key }: DeviceField = DEVICE[name];
  return key === undefined ? at : String(dialect[key]);
}

const ROW: JsonRow = nested(SENT.map((name) => [pathIn(DIALECT, name), sentValue(name)]));

const unclear = (name: string): never => {
  throw new Error(`${name} is not clear`);
};

const PAGE = createDecoders(DIALECT).pageOf('devices', [ROW], () => unclear) as DevicePage;

function snapshotWith(devices: Iterable<Device>): Snapshot {
  return createSnapshot({
    takenAt: NOON,
    confidence: 'clean pass',
    discoveredConfidence: 'clean pass',
    devices,
  });
}

const saved = (devices: Iterable<Device>) => readSnapshot(snapshotLines(snapshotWith(devices)));

/** Every form that has all fields of a device: each gives the device again. */
const WHOLE: Readonly<Record<string, (device: Device) => Device | Promise<Device> | undefined>> = {
  'a row by itself': () => createDecoders(DIALECT).devices(ROW, unclear),
  'a page of rows': () => [...PAGE][0],
  'rows of several pages': () => {
    const rows = new DeviceRows();
    rows.append(PAGE);
    return sortedTable(rows).at(0);
  },
  'a table': (device) => createTable([device]).at(0),
  'the JSON of a table': (device) => JSON.parse(createTable([device]).jsonAt(0)) as Device,
  'a snapshot that was saved': async (device) => (await saved([device])).devices.at(0),
};

describe('each field of a device comes out of', () => {
  describe.each(Object.entries(WHOLE))('%s', (_, form) => {
    it.each(SENT)('%s', async (name) => {
      expect((await form(MARKED))?.[name]).toEqual(MARKED[name]);
    });
  });

  it.each(['a table', 'the JSON of a table', 'a snapshot that was saved'])(
    '%s: what could not be read as well',
    async (form) => {
      const unreadable = ['status'];
      expect((await WHOLE[form]?.({ ...MARKED, unreadable }))?.unreadable).toEqual(unreadable);
    },
  );
});

/** A service with one device. */
const SERVICE: ListSource = {
  dialect: DIALECT,
  async *listRaw() {
    yield await Promise.resolve([ROW]);
    return { total: 1, rows: 1, pages: 1 };
  },
};

const SOURCES = {
  'from the service': () => SERVICE,
  'from a snapshot': async () => snapshotSource(await saved([MARKED])),
};

async function got(source: ListSource, output: 'json' | 'ndjson' | 'csv'): Promise<string> {
  let text = '';
  const out = (more: string): void => void (text += more);
  await printRows(
    { resource: 'devices', filters: [], output },
    { source, out, err: () => undefined },
  );
  return text;
}

const IN_TEXT: { readonly [Type in DeviceField['type']]?: RegExp } = {
  flag: /true/,
  probes: /mark-of-agent/,
  tasks: /restartDevice/,
};

/** What the mark of a field looks like in a text. */
function markOf(name: DeviceFieldName): RegExp {
  const { type } = DEVICE[name];
  const text = type === 'instant' ? String(sentValue(name)).slice(0, 10) : `(mark|name)-of-${name}`;
  return IN_TEXT[type] ?? new RegExp(text);
}

describe.each(Object.entries(SOURCES))('`get devices` %s has', (_, open) => {
  it.each(SENT)('%s, as JSON, JSON lines and a table of all columns', async (name) => {
    const source = await open();
    const path = pathIn(source.dialect, name).split('.');
    const inRow = (row: unknown): unknown =>
      path.reduce((at, part) => (at as JsonRow | undefined)?.[part], row);
    const whole = JSON.parse(await got(source, 'json')) as { readonly items: readonly unknown[] };
    expect(inRow(whole.items[0])).toEqual(sentValue(name));
    expect(inRow(JSON.parse(await got(source, 'ndjson')))).toEqual(sentValue(name));
    const [head = '', cells = ''] = (await got(source, 'csv')).split('\r\n');
    expect(cells).toMatch(markOf(name));
    expect(new Set(head.split(',')).size).toBe(head.split(',').length);
  });
});

describe('what people recognize a device by comes out of', () => {
  const marked = change(labelDevice(MARKED));
  const plan = signedPlan([marked]);
  const shown = ['id', 'name', ...LABEL_FIELDS] as const;

  it.each(shown)('the columns and the file of a plan: %s', async (name) => {
    const columns = createColumns();
    columns.add(marked);
    expect([...columns.view()][0]?.device[name]).toEqual(MARKED[name]);
    const lines = [...planLines(plan)];
    expect((JSON.parse(lines.join('\n')) as typeof plan).changes).toMatchObject([
      { device: { [name]: MARKED[name] } },
    ]);
    expect([...(await readPlan(lines)).changes][0]?.device[name]).toEqual(MARKED[name]);
  });

  it.each([...shown, 'sites'] as const)('the page of a plan: %s', (name) => {
    const table = planTable(buildPlanView(plan), 1);
    const [, part] = [...tableData(table, plan.changes)].map(dataIn);
    const { details, shown: columns } = table.head;
    const told = new Set(['device', ...columns.map((column) => column.of ?? column.name)]);
    for (const { of } of details.facts) for (const column of of) told.add(column);
    const texts = table.sources.flatMap(({ columns: names }, at) =>
      names.flatMap((each, nth) => (told.has(each) ? [part?.sources[at]?.fresh[0]?.[nth]] : [])),
    );
    const device = [part?.ids[0], part?.names[0]];
    expect([...device, ...texts].join(' ')).toMatch(markOf(name));
  });
});

/** What the script of a page reads. */
function dataIn(html: string): TablePart {
  return JSON.parse(/>(.*)<\/script>/s.exec(html)?.[1] ?? '') as TablePart;
}
