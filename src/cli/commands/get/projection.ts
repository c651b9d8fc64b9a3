import { nearest } from '../../../lib/nearest-name.ts';
import { compareTexts } from '../../../lib/text-order.ts';
import { WorldError } from '../../../model/error.ts';
import { field, nested, type JsonRow } from '../../../api/decode/fields.ts';
import type { Columns, GetColumn } from './printed-columns.ts';
import { valueAt, type Printer, type PrintParts } from './print.ts';

/**
 * The columns of `--columns`: each a heading of the resource, in any case, or the dotted path of a
 * field (`compliance.lifecycle.status`).
 */
export function chosenColumns(names: readonly string[], { table, more }: Columns): Columns {
  const known = [...table, ...more].filter(([, path]) => path !== '');
  return { table: names.map((name) => columnFor(name, known)), more: [] };
}

function columnFor(name: string, known: readonly GetColumn[]): GetColumn {
  const same = (text: string): boolean => text.toLowerCase() === name.toLowerCase();
  return known.find(([heading]) => same(heading)) ?? [name, name];
}

/**
 * A printer that throws `usage` at the end if no row had the field of a chosen column: a misspelt name
 * would print an empty column that a script takes for data. Columns of the resource are exempt, since
 * a service may not show their field, and so is an empty list.
 */
export function requiringFields(chosen: Columns, all: Columns, printer: Printer): Printer {
  const known = [...all.table, ...all.more];
  const headings = known.map(([heading]) => heading);
  const paths = new Set(known.map(([, path]) => path));
  const unseen = new Map(
    chosen.table
      .filter(([heading, path]) => !paths.has(path) && !headings.includes(heading))
      .map(([heading, path]) => [heading, field(path)]),
  );
  let count = 0;
  return {
    rows: (rows) => {
      count += rows.length;
      for (const [name, read] of unseen)
        if (rows.some((row) => read(row) !== undefined)) unseen.delete(name);
      printer.rows(rows);
    },
    end: () => {
      const [name] = unseen.keys();
      if (count > 0 && name !== undefined) {
        const suggestion = nearest(name, headings);
        const message = `No row has a field "${name}"`;
        const hint = suggestion ? { suggestion } : { known: headings.join(', ') };
        throw new WorldError('usage', { message, ...hint });
      }
      printer.end();
    },
  };
}

/** Each row with the chosen columns alone, for the formats that print whole rows. */
export function projected(columns: Columns, printer: Printer): Printer {
  return {
    rows: (rows) => printer.rows(rows.map((row) => pick(row, columns.table))),
    end: () => printer.end(),
  };
}

function pick(row: JsonRow, columns: readonly GetColumn[]): JsonRow {
  return nested(columns.map(([heading, path]) => [heading, valueAt(path, row)]));
}

/**
 * Counts rows by the text of their values in the columns, and prints one row for each combination:
 * the most frequent first, then by text.
 */
export function counting(
  parts: PrintParts & { readonly textOf: (row: JsonRow, column: GetColumn) => string },
  open: (parts: PrintParts) => Printer,
): Printer {
  const { columns } = parts;
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>();
  return {
    rows: (rows) => {
      for (const row of rows) {
        const values = columns.table.map((column) => parts.textOf(row, column));
        const key = JSON.stringify(values);
        const known = counts.get(key);
        if (known) known.count += 1;
        else counts.set(key, { values, count: 1 });
      }
    },
    end: () => {
      const headings = columns.table.map(([heading]) => heading);
      const table = [...headings, 'count'].map((heading): GetColumn => [heading, heading]);
      const groups = [...counts].sort(
        ([a, one], [b, other]) => other.count - one.count || compareTexts(a, b),
      );
      const printer = open({ ...parts, columns: { table, more: [] } });
      printer.rows(
        groups.map(([, { values, count }]) =>
          nested([...headings.map((name, at) => [name, values[at]] as const), ['count', count]]),
        ),
      );
      printer.end();
    },
  };
}
