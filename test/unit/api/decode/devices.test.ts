import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecoders } from '../../../../src/api/decode/decode.ts';
import type { Fail, JsonRow } from '../../../../src/api/decode/fields.ts';
import { createTable, sortedTable } from '../../../../src/live/device-table.ts';
import type { Device } from '../../../../src/model/fleet/device.ts';
import type { DeviceTable } from '../../../../src/model/fleet/snapshot.ts';
import { DevicePage, DeviceRows } from '../../../../src/model/fleet/device-rows.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';

const allOf = (table: DeviceTable): Device[] =>
  Array.from({ length: table.length }, (_, row) => table.at(row));

const fail: Fail = (name) => {
  throw new Error(`unreadable ${name}`);
};

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
    id: fc.oneof(fc.string({ minLength: 1 }), fc.nat()),
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

const rows = fc.uniqueArray(row, { maxLength: 8, selector: ({ id }) => String(id) });

describe('the rows of a page of devices', () => {
  it('are read as each of them alone, whatever others of the page have', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 3 }), (pages) => {
        const decoders = createDecoders(resolveDialect());
        for (const page of pages) {
          const sent = JSON.parse(JSON.stringify(page)) as readonly JsonRow[];
          const alone = sent.map((each) => createDecoders(resolveDialect()).devices(each, fail));
          expect([...decoders.pageOf('devices', sent, () => fail)]).toEqual(alone);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('make the table that their devices make, page after page', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 4 }), (pages) => {
        const decoders = createDecoders(resolveDialect());
        const whole = new DeviceRows();
        const devices: Device[] = [];
        for (const [nth, page] of pages.entries()) {
          const named = page.map((each) => ({ ...each, id: `${nth} ${each.id}` }) as JsonRow);
          const read = decoders.pageOf('devices', named, () => fail) as DevicePage;
          whole.append(read);
          devices.push(...read);
        }
        const [table, expected] = [sortedTable(whole), createTable(devices)];
        expect(allOf(table)).toEqual(allOf(expected));
        for (let at = 0; at < table.length; at += 1)
          expect(table.jsonAt(at)).toBe(expected.jsonAt(at));
        expect([...table.codesOf('available')]).toEqual([...expected.codesOf('available')]);
        expect([...table.sites.codes]).toEqual([...expected.sites.codes]);
      }),
      { numRuns: 100 },
    );
  });
});
