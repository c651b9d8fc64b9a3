import { describe, expect, it } from 'vitest';
import { createDecoders } from '../../../../src/api/decode/decode.ts';
import { nested, type JsonRow } from '../../../../src/api/decode/fields.ts';
import { formatInstant } from '../../../../src/lib/time.ts';
import { readSnapshot, snapshotLines } from '../../../../src/live/snapshot-lines.ts';
import { createSnapshot } from '../../../../src/live/snapshot.ts';
import {
  DISCOVERED,
  type RowField,
  type RowFields,
  SITE,
  SOURCE,
} from '../../../../src/model/fleet/device.ts';
import { resolveDialect } from '../../../../src/model/fleet/dialect.ts';
import { printRows } from '../../../../src/operations/rows/print-rows.ts';
import { type ListSource, snapshotSource } from '../../../../src/operations/rows/row-source.ts';

/** The rows beside devices: their table, their list, and what `get` and a snapshot call them. */
const TABLES = [
  ['site', SITE, 'sites', 'sites'],
  ['device source', SOURCE, 'deviceSources', 'sources'],
  ['discovered device', DISCOVERED, 'discoveredDevices', 'discovered'],
] as const;

const DIALECT = resolveDialect({ onboardSecondField: 'proof', onboardSecondSource: 'proof' });
const NOON = Date.parse('2026-11-20T12:00:00Z');

/** A value that no other field has. */
function markOf(name: string, { type }: RowField): unknown {
  const ref = { id: `mark-of-${name}`, name: `name-of-${name}` };
  if (type === 'instant') return NOON;
  if (type === 'refs') return [ref];
  return type === 'ref' ? ref : `mark-of-${name}`;
}

/** The same as a service sends it. */
function sentOf(name: string, field: RowField): unknown {
  return field.type === 'instant' ? formatInstant(NOON) : markOf(name, field);
}

function pathOf({ at = '', key }: RowField): string {
  return key === undefined ? at : String(DIALECT[key]);
}

describe.each(TABLES)('each field of a %s', (_, table, list, part) => {
  const fields = Object.entries<RowField>(table satisfies RowFields).filter(
    ([name]) => name !== 'unreadable',
  );
  const row = nested(fields.map(([name, field]) => [pathOf(field), sentOf(name, field)]));
  const marked = Object.fromEntries(fields.map(([name, field]) => [name, markOf(name, field)]));
  const unclear = (name: string): never => {
    throw new Error(`${name} is not clear`);
  };
  const saved = () =>
    readSnapshot(
      snapshotLines(
        createSnapshot({
          takenAt: NOON,
          confidence: 'clean pass',
          discoveredConfidence: 'clean pass',
          devices: [],
          [part]: [marked],
        }),
      ),
    );

  it('is read', () => {
    expect(createDecoders(DIALECT)[list](row, unclear)).toEqual(marked);
  });

  it('comes back from a snapshot that was saved', async () => {
    expect((await saved())[part]).toEqual([marked]);
  });

  const service: ListSource = {
    dialect: DIALECT,
    async *listRaw() {
      yield await Promise.resolve([row]);
      return { total: 1, rows: 1, pages: 1 };
    },
  };

  it.each([
    ['from the service', () => service],
    ['from a snapshot', async () => snapshotSource(await saved())],
  ] as readonly [string, () => ListSource | Promise<ListSource>][])(
    'is what `get` prints %s',
    async (__, open) => {
      const source = await open();
      const printed = async (output: 'json' | 'csv'): Promise<string> => {
        let text = '';
        const out = (more: string): void => void (text += more);
        const io = { source, out, err: () => undefined };
        await printRows({ resource: part, filters: [], output }, io);
        return text;
      };
      const [json, csv] = [await printed('json'), await printed('csv')];
      const [got] = (JSON.parse(json) as { readonly items: readonly JsonRow[] }).items;
      // What onboarding proves itself with is for the service alone.
      for (const [name, field] of fields.filter(([, { type }]) => type !== 'kept')) {
        const inRow = pathOf(field)
          .split('.')
          .reduce<unknown>((at, step) => (at as JsonRow | undefined)?.[step], got);
        expect([name, inRow]).toEqual([name, sentOf(name, field)]);
        expect([name, csv]).toEqual([
          name,
          expect.stringMatching(field.type === 'instant' ? /2026-11-20/ : `(mark|name)-of-${name}`),
        ]);
      }
    },
  );
});
