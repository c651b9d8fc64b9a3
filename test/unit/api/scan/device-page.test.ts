import { countIn } from '../../../../src/lib/count.ts';
import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeInstant, usualInstantAt } from '../../../../src/api/decode/dates.ts';
import type { Fail } from '../../../../src/api/decode/decode.ts';
import { createListDecoders } from '../../../../src/api/scan/device-page.ts';
import type { JsonRow } from '../../../../src/api/decode/fields.ts';
import { parseAnswerJson } from '../../../../src/api/decode/parse-json.ts';
import { buildTable } from '../../../../src/live/device-table.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import { isObject } from '../../../../src/lib/objects.ts';

const fail: Fail = (name) => {
  throw new Error(`unreadable ${name}`);
};

/** The page as the plain code reads it; undefined where it refuses the page. */
function plainPage(bytes: Buffer, { decoders } = createListDecoders(resolveDialect())) {
  const parsed = parseAnswerJson(bytes);
  if (!('value' in parsed) || !isObject(parsed.value)) return undefined;
  const { devices } = parsed.value;
  const total = countIn(parsed.value['total']);
  if (!Array.isArray(devices) || total === undefined) return undefined;
  try {
    const rows = devices.map((row: unknown) => decoders.devices(row as JsonRow, fail));
    return { rows, keys: rows.map(({ id }) => id), total };
  } catch {
    return undefined;
  }
}

/** The page from its bytes, its rows as objects; undefined where it has to be parsed. */
function scannedPage(
  bytes: Buffer,
  { scanDevices } = createListDecoders(resolveDialect()),
  only?: ReadonlySet<string>,
) {
  const found = scanDevices(bytes, only);
  return found && { ...found, rows: [...found.rows].filter(({ id }) => only?.has(id) ?? true) };
}

/** The rows of a page that have one of these IDs, as the plain code reads them; undefined where it refuses one. */
function plainRows(bytes: Buffer, only: ReadonlySet<string>) {
  const { decoders } = createListDecoders(resolveDialect());
  const { devices } = JSON.parse(bytes.toString()) as { readonly devices: readonly JsonRow[] };
  try {
    return devices
      .filter(({ id }) => only.has(String(id)))
      .map((each) => decoders.devices(each, fail));
  } catch {
    return undefined;
  }
}

const word = fc.constantFrom('online', 'Axis', 'P3265-V', '', 'a "b" \\ ü\u2028', '11.8.61', 'up');
const date = fc.constantFrom(
  '2026-11-20T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2024-02-29T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20',
  '2026-11-20T12:00:00+01:00',
);
/** Values that no field expects, or that no reader accepts. */
const odd = fc.constantFrom<unknown>(
  null,
  7,
  -0,
  1.5,
  1e30,
  true,
  [],
  {},
  [null],
  { id: 'x' },
  'odd',
);
const ref = fc.oneof(
  fc.record({ id: fc.oneof(fc.integer(), word), name: word }, { requiredKeys: [] }),
  word,
  odd,
);
const maybe = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: usual }, odd);

const row = fc.record(
  {
    id: fc.oneof({ weight: 12, arbitrary: fc.string({ minLength: 1 }) }, fc.nat(), odd),
    name: maybe(fc.string()),
    vendor: maybe(word),
    status: maybe(word),
    lastSeen: maybe(date),
    maintenanceMode: maybe(fc.boolean()),
    probe: maybe(fc.record({ agent: maybe(word), host: maybe(word) }, { requiredKeys: [] })),
    sites: maybe(fc.array(ref, { maxLength: 3 })),
    deviceSources: maybe(fc.array(ref, { maxLength: 2 })),
    availableTask: maybe(fc.record({ restartDevice: maybe(fc.boolean()) })),
    compliance: maybe(
      fc.record(
        {
          lifecycle: maybe(fc.record({ status: maybe(word) }, { requiredKeys: [] })),
          passwordExpiry: maybe(date),
          sslCertificateStatus: maybe(word),
          later: odd,
        },
        { requiredKeys: [] },
      ),
    ),
    orphaned: maybe(fc.boolean()),
    network: fc.jsonValue(),
    ['__proto__']: odd,
  },
  { requiredKeys: ['id'] },
);

const page = fc
  .record({
    devices: fc.array(row, { maxLength: 4 }),
    total: fc.oneof({ weight: 8, arbitrary: fc.nat() }, odd),
    space: fc.constantFrom(0, 1, '\t'),
    isLast: fc.boolean(),
  })
  .map(({ devices, total, space, isLast }) =>
    JSON.stringify(isLast ? { total, devices } : { devices, more: 'x', total }, undefined, space),
  );

describe('a page of devices read from its bytes', () => {
  it('is the page that was parsed, for any rows', () => {
    const decoders = createListDecoders(resolveDialect());
    let scanned = 0;
    fc.assert(
      fc.property(page, (text) => {
        const bytes = Buffer.from(text);
        const found = scannedPage(bytes, decoders);
        if (!found) return;
        scanned += 1;
        expect(found).toEqual(plainPage(bytes));
      }),
      { numRuns: 500 },
    );
    expect(scanned).toBeGreaterThan(50);
  });

  it('makes the table that its parsed rows make, page after page', () => {
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 4 }), fc.nat(2), (texts, from) => {
        const decoders = createListDecoders(resolveDialect());
        const [columns, plain] = [buildTable(), buildTable()];
        for (const [nth, text] of texts.entries()) {
          const found = decoders.scanDevices(Buffer.from(text));
          if (!found || new Set(found.keys).size < found.keys.length) continue;
          const rows = found.rows.slice(from);
          const named = [...rows].map((device) => ({ ...device, id: `${nth} ${device.id}` }));
          const ids = named.map(({ id }) => id);
          if (rows.columns) columns.addPage({ ...rows, columns: { ...rows.columns, ids } });
          for (const device of named) plain.add(device);
        }
        const [table, expected] = [columns.table(), plain.table()];
        expect(table.length).toBe(expected.length);
        for (let row = 0; row < table.length; row += 1) {
          expect(table.at(row)).toEqual(expected.at(row));
          expect(table.jsonAt(row)).toBe(expected.jsonAt(row));
        }
        expect(table.traits.codes).toEqual(expected.traits.codes);
        expect(table.text.name).toEqual(expected.text.name);
      }),
      { numRuns: 200 },
    );
  });

  it('reads no row but those that are asked for, and has the IDs of all', () => {
    const decoders = createListDecoders(resolveDialect());
    let left = 0;
    fc.assert(
      fc.property(page, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), (text, asked) => {
        const bytes = Buffer.from(text);
        const whole = scannedPage(bytes, decoders);
        if (!whole) return;
        const only = new Set(whole.keys.filter((_, index) => asked[index]));
        const found = scannedPage(bytes, decoders, only);
        if (!found) throw new Error('a page that can be read whole can be read in part');
        left += found.keys.length - found.rows.length;
        expect(found).toEqual({ ...whole, rows: plainRows(bytes, only) });
      }),
      { numRuns: 1_000 },
    );
    expect(left).toBeGreaterThan(10);
  });

  it('has the rows that are asked for, and the IDs of others, of each damaged page that is JSON', () => {
    const decoders = createListDecoders(resolveDialect());
    const bytes = fc.constantFrom(...Buffer.from('"{}[]:,\\01-.eutn \n'), 0, 0x1f, 0x7f);
    const only = new Set(['up', 'down']);
    let read = 0;
    fc.assert(
      fc.property(page, fc.nat(), bytes, (text, at, byte) => {
        const damaged = Buffer.from(text);
        damaged[at % damaged.length] = byte;
        const found = isUtf8(damaged) && scannedPage(damaged, decoders, only);
        if (!found) return;
        const parsed = parseAnswerJson(damaged);
        if (!('value' in parsed)) return;
        read += 1;
        const { devices } = parsed.value as { devices: { id: unknown }[] };
        expect(found.keys).toEqual(devices.map(({ id }) => String(id)));
        expect(found.rows).toEqual(plainRows(damaged, only));
      }),
      { numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it.each([
    '{"devices":[{"id":"\\u0061"}],"total":1}',
    '{"devices":[{"\\u0069d":"a"}],"total":1}',
    '{"devices":[{"id":"b","name":"]}\\"},{\\\\","sites":[{},[]]},{"id":"a"}],"total":2}',
    '{"devices":[{"network":{"id":"b"},"id":"a"}],"total":1}',
  ])('finds the row of a in %s', (text) => {
    expect(scannedPage(Buffer.from(text), undefined, new Set(['a']))?.rows).toMatchObject([
      { id: 'a' },
    ]);
  });

  it('has the place of a row that was not asked for, and no device in it', () => {
    const { scanDevices } = createListDecoders(resolveDialect());
    const text = '{"devices":[{"id":"a"},{"id":"b"},{"id":"c"}],"total":3}';
    const rows = scanDevices(Buffer.from(text), new Set(['a', 'c']))?.rows.slice(1);
    expect(rows?.length).toBe(2);
    expect([0, 1, 2].map((index) => rows?.at(index)?.id)).toEqual([undefined, 'c', undefined]);
  });

  it('has room for more rows than were requested', () => {
    const rows = Array.from({ length: 2_100 }, (_, at) => ({
      id: `d-${at}`,
      model: `m-${at % 3}`,
    }));
    const found = scannedPage(Buffer.from(JSON.stringify({ devices: rows, total: 2_100 })));
    expect(found?.rows.map(({ id, model }) => ({ id, model }))).toEqual(rows);
  });

  it('is no page that the parser refuses, however it is damaged', () => {
    const decoders = createListDecoders(resolveDialect());
    const bytes = fc.constantFrom(...Buffer.from('"{}[]:,\\01-.eutn \n'), 0, 0x1f, 0x7f);
    fc.assert(
      fc.property(page, fc.nat(), bytes, fc.nat(2), (text, at, byte, how) => {
        const whole = Buffer.from(text);
        const place = at % (whole.length + 1);
        const damage = how === 0 ? [] : [byte];
        const rest = whole.subarray(how === 1 ? place : place + 1);
        const damaged = Buffer.concat([whole.subarray(0, place), Buffer.from(damage), rest]);
        if (!isUtf8(damaged)) return;
        const plain = plainPage(damaged);
        const found = scannedPage(damaged, decoders);
        if (found) expect(found).toEqual(plain);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    '{"devices":[{"id":"a","status":"online","status":7}],"total":1}',
    '{"devices":[{"id":"a","compliance":{"lifecycle":{}},"compliance":7}],"total":1}',
    '{"devices":[{"id":"a","\\u0073tatus":"online"}],"total":1}',
    '{"devices":[{"id":"a","compliance":[]}],"total":1}',
    '{"devices":[{"id":"a","network":{"n":1.5e3}}],"total":1}',
    '{"devices":[{"id":"a"}],"devices":[],"total":1}',
    '{"devices":[{"id":"a"}],"total":1,"total":2}',
    '{"devices":[{"id":"a"}],"total":-1}',
    '{"devices":[{"id":""}],"total":1}',
    '{"devices":[{"name":"a"}],"total":1}',
    '{"devices":[{"id":"a"}],"total":1}}',
    '{"devices":[{"id":"a"},],"total":1}',
    '{"devices":[{"id":"a"}] "total":1}',
    '{"devices":[{"id":"a","maintenanceMode":truely}],"total":1}',
    '{"devices":[{"id":01}],"total":1}',
  ])('gives %s no meaning of its own', (text) => {
    const bytes = Buffer.from(text);
    const found = scannedPage(bytes);
    if (found) expect(found).toEqual(plainPage(bytes));
  });

  it('reads names of sites anew when a list changes them', () => {
    const lists = createListDecoders(resolveDialect());
    const bytes = Buffer.from('{"devices":[{"id":"a","sites":[{"id":1}]}],"total":1}');
    const sites = () => scannedPage(bytes, lists)?.rows[0]?.sites;
    expect(sites()).toEqual([{ id: '1' }]);
    lists.decoders.sites({ id: 1, name: 'HQ' }, fail);
    expect(sites()).toEqual([{ id: '1', name: 'HQ' }]);
  });

  it('gives equal values of a field the same object, so that a table finds them at once', () => {
    const text =
      '{"devices":[{"id":"a","probe":{"agent":"up"}},{"id":"b","probe":{"agent":"up"}}],"total":2}';
    const [first, second] = scannedPage(Buffer.from(text))?.rows ?? [];
    expect(first?.probe).toBe(second?.probe);
  });
});

it('the usual form of a date means what its text does', () => {
  const part = fc.nat(99).map((value) => String(value).padStart(2, '0'));
  const text = fc
    .tuple(fc.integer({ min: 1985, max: 2104 }), fc.array(part, { minLength: 5, maxLength: 5 }))
    .map(
      ([year, [mo = '', d = '', h = '', m = '', s = '']]) => `${year}-${mo}-${d}T${h}:${m}:${s}Z`,
    );
  const real = fc
    .date({ min: new Date('1980-01-01'), max: new Date('2120-01-01'), noInvalidDate: true })
    .map((each) => `${each.toISOString().slice(0, 19)}Z`);
  fc.assert(
    fc.property(fc.oneof(text, real), (each) => {
      const found = usualInstantAt(Buffer.from(each), 0, each.length);
      if (found !== undefined) expect(found).toBe(decodeInstant(each, 'iso'));
    }),
  );
  const usual = '2028-02-29T23:59:59Z';
  expect(usualInstantAt(Buffer.from(usual), 0, usual.length)).toBe(Date.parse(usual));
});
