import { field, nested, type JsonRow } from '../../api/decode/fields.ts';
import { UNREADABLE } from '../../api/decode/dates.ts';
import { nearest } from '../../lib/nearest-name.ts';
import { compareTexts } from '../../lib/text-order.ts';
import { WorldError, usage } from '../../model/error.ts';
import { jsonText } from '../../lib/json-text.ts';
import { csvLine, terminal } from '../../render/sinks/sinks.ts';
import { table } from '../../render/sinks/table.ts';
import { OUTPUT_VERSION } from '../../shell/output.ts';
import type { GetColumn, Columns } from './printed-columns.ts';
import { isObject } from '../../lib/objects.ts';

export type Format = 'table' | 'json' | 'ndjson' | 'csv';

/** Writes rows in one format as they arrive. */
export interface Printer {
  rows(rows: readonly JsonRow[]): void;
  end(): void;
}

export interface PrintParts {
  readonly columns: Columns;
  readonly width: number;
  readonly out: (text: string) => void;
}

/**
 * A printer for rows. json, ndjson and csv are written page by page; a table needs all rows to
 * compute its widths.
 */
export function printerFor(format: Format, parts: PrintParts): Printer {
  switch (format) {
    case 'json':
      return jsonPrinter(parts);
    case 'ndjson':
      return {
        rows: (rows) => parts.out(rows.map((row) => `${jsonText(row, 0)}\n`).join('')),
        end: () => undefined,
      };
    case 'csv':
      return csvPrinter(parts);
    case 'table':
      return tablePrinter(parts);
  }
}

/** One item with all its fields, one per line: `compliance.lifecycle.status  eos`. */
export function printFields(row: JsonRow, { width, out, columns }: PrintParts): void {
  const own = [...columns.table, ...columns.more].filter(([, , show]) => show);
  const shown = new Map(own.map((column) => [column[1], cellText(row, column)]));
  const cells = flattenFields(row, '').map(([path, value]) => [
    terminal(path),
    terminal(shown.get(path) ?? value),
  ]);
  out(
    table(cells, { width })
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** Rows are written as they arrive, so the surrounding document is written as text. */
const HEAD = `{\n  "version": ${OUTPUT_VERSION},\n  "items": `;

function jsonPrinter({ out }: PrintParts): Printer {
  let count = 0;
  return {
    rows: (rows) => {
      if (rows.length === 0) return;
      const texts = rows.map((row) => jsonText(row).replaceAll(/^/gm, '    '));
      out((count === 0 ? `${HEAD}[\n` : ',\n') + texts.join(',\n'));
      count += rows.length;
    },
    end: () => out(count === 0 ? `${HEAD}[]\n}\n` : '\n  ]\n}\n'),
  };
}

function csvPrinter({ columns, out }: PrintParts): Printer {
  const all = [...columns.table, ...columns.more].filter(([, path]) => path !== '');
  const cellOf = (value: unknown) => (typeof value === 'number' ? value : formatCell(value));
  out(csvLine(all.map(([heading]) => heading)));
  return {
    rows: (rows) =>
      out(rows.map((row) => csvLine(all.map((column) => cellOf(shownIn(row, column))))).join('')),
    end: () => undefined,
  };
}

function tablePrinter({ columns, width, out }: PrintParts): Printer {
  const shown = columns.table.filter(([, path]) => path !== '');
  const header = shown.map(([heading]) => terminal(heading.toUpperCase()));
  const lines: (readonly ReturnType<typeof terminal>[])[] = [];
  return {
    rows: (rows) => {
      for (const row of rows) lines.push(shown.map((column) => terminal(cellText(row, column))));
    },
    end: () =>
      out(
        table(lines, { width, header })
          .map((line) => `${line}\n`)
          .join(''),
      ),
  };
}

function cellText(row: JsonRow, column: GetColumn): string {
  return formatCell(shownIn(row, column));
}

/** What a row shows in a column. Throws as `valueAt`. */
function shownIn(row: JsonRow, [, path, show]: GetColumn): unknown {
  const value = valueAt(path, row);
  return show ? show(value, row) : value;
}

/**
 * The value of a column. Throws `unexpectedShape` where another value stands on the way to it: an empty cell would
 * say that the service shows none.
 */
function valueAt(path: string, row: JsonRow): unknown {
  const value = field(path)(row);
  if (value !== UNREADABLE) return value;
  const id = row['id'] ?? row['deviceId'];
  throw new WorldError('unexpectedShape', {
    at: path,
    ...(typeof id === 'string' && { path: id }),
  });
}

/** A value in one cell: references by name, enabled flags by key, everything else as JSON. */
function formatCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(formatCell).join(' ');
  if (!isObject(value)) return JSON.stringify(value);
  const name = value['name'] ?? value['id'];
  if (name !== undefined) return formatCell(name);
  const entries = Object.entries(value);
  if (entries.every(([, flag]) => typeof flag === 'boolean')) {
    return entries
      .filter(([, flag]) => flag)
      .map(([key]) => key)
      .join(' ');
  }
  return entries.map(([key, member]) => `${key}=${formatCell(member)}`).join(' ');
}

function flattenFields(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (!isObject(value)) return [[path, formatCell(value)]];
  return Object.entries(value).flatMap(([key, member]) =>
    flattenFields(member, path === '' ? key : `${path}.${key}`),
  );
}

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
        throw usage(message, hint);
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
export function counting(format: Format, parts: PrintParts): Printer {
  const { columns } = parts;
  const counts = new Map<string, { readonly values: readonly string[]; count: number }>();
  return {
    rows: (rows) => {
      for (const row of rows) {
        const values = columns.table.map((column) => cellText(row, column));
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
      const printer = printerFor(format, { ...parts, columns: { table, more: [] } });
      printer.rows(
        groups.map(([, { values, count }]) =>
          nested([...headings.map((name, at) => [name, values[at]] as const), ['count', count]]),
        ),
      );
      printer.end();
    },
  };
}
