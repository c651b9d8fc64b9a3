import type { ReportRow, State } from '../../../model/report/fleet-report.ts';
import { STATE_WORDS } from '../../words/fleet/fleet-words.ts';
import { DEVICE_COLUMNS, type DeviceColumn, type DevicePart } from './part-format.ts';

const ROWS = 4_096;

/** The devices of a report in parts; a value is sent once, with the first part that has it. */
export function* deviceParts(rows: readonly ReportRow[]): Generator<DevicePart> {
  const columns = DEVICE_COLUMNS.map(([name]) => ({ name, codes: new Map<string, number>() }));
  for (let from = 0; from < rows.length; from += ROWS) {
    const part = rows.slice(from, from + ROWS);
    const encoded = columns.map(({ name, codes }) => encode(name, part, codes));
    yield {
      ids: part.map((row) => String(row['device'])),
      names: part.map((row) => String(row['name'] ?? '')),
      codes: encoded.map(({ coded }) => coded),
      fresh: encoded.map(({ fresh }) => fresh),
    };
  }
}

function encode(
  name: DeviceColumn,
  rows: readonly ReportRow[],
  codes: Map<string, number>,
): { readonly coded: readonly number[]; readonly fresh: readonly string[] } {
  const fresh: string[] = [];
  const coded = rows.map((row) => {
    const text = valueText(name, row);
    const known = codes.get(text) ?? codes.size;
    if (known === codes.size) {
      codes.set(text, known);
      fresh.push(text);
    }
    return known;
  });
  return { coded, fresh };
}

function valueText(name: DeviceColumn, row: ReportRow): string {
  if (name === 'make') return `${String(row['vendor'] ?? '')} ${String(row['model'] ?? '')}`.trim();
  const text = String(row[name] ?? '');
  return name.endsWith('State') ? STATE_WORDS[text as State] : text;
}
