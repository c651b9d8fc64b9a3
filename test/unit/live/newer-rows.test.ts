import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTable } from '../../../src/live/device-table.ts';
import type { Device } from '../../../src/model/fleet/device.ts';

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = fc.constantFrom('a', 'b', '11.11.160');
const device = fc
  .record({
    id: fc.constantFrom('d1', 'd2', 'd3', 'd4', 'd5'),
    status: optional(text),
    firmwareVersion: optional(text),
    model: optional(text),
    lastSeen: optional(fc.integer({ min: 0, max: 2_000_000_000_000 })),
    sites: fc.constantFrom([], [{ id: 's1', name: 'One' }], [{ id: 's2' }]),
  })
  .map((fields): Device => ({ sources: [], accepts: {}, ...fields }) as unknown as Device);

describe('a table with newer rows', () => {
  it('X14 is the table of the fleet with these rows, and lacks what was not in it', () => {
    fc.assert(
      fc.property(fc.array(device), fc.array(device), (before, newer) => {
        const table = createTable(before);
        const found = table.with(newer);
        const ids = new Set(before.map(({ id }) => id));
        const known = newer.filter(({ id }) => ids.has(id)).toReversed();
        const expected = createTable([...known, ...before]);
        expect(found.length).toBe(expected.length);
        for (let row = 0; row < found.length; row += 1) {
          expect(found.at(row)).toEqual(expected.at(row));
          expect(found.jsonAt(row)).toBe(expected.jsonAt(row));
          expect(found.rowOf(found.at(row).id)).toBe(row);
        }
        for (const [row, one] of createTable(before).lastSeen.entries())
          expect(table.lastSeen[row]).toBe(one);
      }),
      { numRuns: 200 },
    );
  });
});
