import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTable } from '../../../src/live/device-table.ts';
import type { Device } from '../../../src/model/fleet/device.ts';

/** Few texts, so that values repeat, and texts that look like parts of a key or of JSON. */
const text = fc.constantFrom('a', 'b', '1:a', '11', '"', '\\', '\u0000', '\ud800', ',"id":', '-');
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const refs = fc.array(fc.record({ id: text, name: text }, { requiredKeys: ['id'] }), {
  maxLength: 2,
});
const instant = optional(fc.integer({ min: 0, max: 4e12 }));

/** Devices as a reader makes them: an absent field is left out. */
const device = fc
  .record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    probe: fc.dictionary(fc.constantFrom('ping', 'http'), text),
    available: fc.dictionary(fc.constantFrom('restartDevice', 'rotatePassword'), fc.boolean()),
    sites: refs,
    sources: refs,
    name: optional(text),
    vendor: optional(text),
    model: optional(text),
    firmwareVersion: optional(text),
    status: optional(text),
    storageServer: optional(text),
    maintenanceMode: optional(fc.boolean()),
    lifeCycle: optional(fc.constantFrom('true', 'false', 'eol')),
    orphaned: optional(fc.boolean()),
    unreadable: optional(fc.array(text, { minLength: 1, maxLength: 2 })),
    lastSeen: instant,
    passwordChangedAt: instant,
  })
  .map((fields) => {
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given) as unknown as Device;
  });

describe('the rows of a table', () => {
  it('are the devices that were added, and as JSON the bytes of each', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(device, { selector: ({ id }) => id, maxLength: 30 }),
        (devices) => {
          const table = createTable(devices);
          const byId = new Map(devices.map((each) => [each.id, each]));
          for (let row = 0; row < table.length; row += 1) {
            const found = table.at(row);
            expect(found).toEqual(byId.get(found.id));
            expect(table.jsonAt(row)).toBe(JSON.stringify(found));
          }
          expect(table.length).toBe(devices.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
