import type { ReportName, ReportRow, State } from '../../../model/report/fleet-report.ts';
import { REPORT_FIELDS, type ReportField } from '../../../model/report/report-fields.ts';
import { rowCell } from '../../data/fleet-rows.ts';
import { tint } from '../../sinks/paint.ts';
import { terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { table } from '../../sinks/table.ts';
import {
  ALERT_WORDS,
  FLEET_WORDS,
  HEADING_WORDS,
  STATE_WORDS,
} from '../../words/fleet/fleet-words.ts';
import { momentText } from '../../words/moment.ts';
import { fill, grouped } from '../../words/phrase.ts';

export interface ReportTextStyle extends TextStyle {
  /** Every row instead of the first ones. */
  readonly all: boolean;
  /** Only a terminal has a width that cells are cut to. */
  readonly cells: number;
}

/** How many rows a table of devices shows without `--all`. */
export const FIRST = 20;

/** A table whose first `texts` columns are text and whose others are numbers. */
export function numberTable(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  { texts, style }: { readonly texts: number; readonly style: ReportTextStyle },
): readonly TerminalText[] {
  return table(
    rows.map((cells) => cells.map(terminal)),
    {
      width: style.cells,
      keepsNumbers: true,
      header: heads.map((head) => terminal(head.toUpperCase())),
      align: heads.map((_, column) => (column < texts ? 'left' : 'right')),
      head: (line) => tint(style.paint, 'dim', line),
    },
  );
}

/** The rows of a report with its most useful fields; the first ones unless all are wanted. */
export function* rowTable(
  title: string,
  rows: readonly ReportRow[],
  { name, ...style }: ReportTextStyle & { readonly name: ReportName },
): Generator<TerminalText> {
  if (rows.length === 0) return yield terminal(FLEET_WORDS.nothing);
  yield tint(style.paint, 'bold', terminal(`${title}: ${grouped(rows.length)}`));
  const fields = REPORT_FIELDS[name].filter(({ shown }) => shown);
  const shown = style.all ? rows : rows.slice(0, FIRST);
  yield* table(
    shown.map((row) => fields.map((field) => terminal(shownCell(row, field)))),
    {
      width: style.cells,
      keepsNumbers: true,
      header: fields.map(({ name: field }) =>
        terminal(HEADING_WORDS[field] ?? field.toUpperCase()),
      ),
      align: fields.map(({ type }) => (type === 'number' ? 'right' : 'left')),
      head: (line) => tint(style.paint, 'dim', line),
    },
  );
  yield* moreLine(rows.length - shown.length);
}

/** How many rows are left out; nothing where none is. */
export function* moreLine(left: number): Generator<TerminalText> {
  if (left > 0) yield fill(FLEET_WORDS.more, { left: grouped(left) }, terminal) as TerminalText;
}

/** A cell for people: words for states and alerts, minutes for instants. */
function shownCell(row: ReportRow, field: ReportField): string {
  const cell = row[field.name] ?? null;
  if (field.name.endsWith('State')) return STATE_WORDS[cell as State];
  if (field.name === 'alert') return ALERT_WORDS[cell as keyof typeof ALERT_WORDS];
  const text = rowCell(cell, field);
  return field.type === 'instant' || field.name === 'value' ? momentText(text) : text;
}
