import { wallMoment, moment, span, type PageTime } from '../../words/moment.ts';
import { zoneClock } from '../../words/local.ts';
import { fill } from '../../words/phrase.ts';
import { computeOnce } from '../../../lib/compute-once.ts';
import type { Edit, Entry, TableHead, TablePart } from '../format.ts';

/** The texts of a column, each distinct one once, and for each row the index of its text. */
export interface Column {
  readonly texts: readonly string[];
  readonly codes: Uint32Array;
}

/** All rows of the table, in columns, in the order of the page. */
export interface Rows {
  readonly head: TableHead;
  readonly ids: readonly string[];
  /** Empty for a device without a name. */
  readonly names: readonly string[];
  column(name: string): Column;
  /** Seconds from the instant of the page; -1: now, infinite: never, NaN: unknown. */
  instants(name: string): Float64Array | undefined;
  edits(row: number): readonly Edit[];
}

/** Takes the parts of a page one by one, in order. */
interface RowReader {
  take(part: TablePart): void;
  readonly rows: Rows;
}

/** Starts to read the rows of a table. */
export function createReader(head: TableHead): RowReader {
  const ids: string[] = [];
  const names: string[] = [];
  const sources = head.sources.map((source) => ({
    ...source,
    codes: new Uint32Array(head.rows),
    entries: [[]] as Entry[],
  }));
  const instants = head.instants.map((each) => ({
    ...each,
    values: new Float64Array(head.rows),
  }));
  const edited = sources.find(({ isEdit }) => isEdit);
  return {
    rows: {
      head,
      ids,
      names,
      column: computeOnce((name) => {
        const source = sources.find(({ columns }) => columns.includes(name));
        if (!source) throw new Error(`the page has no ${name}`);
        const at = source.columns.indexOf(name);
        const texts = source.entries.map((entry) =>
          source.isEdit ? editText(entry as readonly Edit[]) : String(entry[at] ?? ''),
        );
        return distinct(source.codes, texts);
      }),
      instants: (name) => instants.find((each) => each.name === name)?.values,
      edits: (row) => (edited?.entries[edited.codes[row] ?? 0] ?? []) as readonly Edit[],
    },
    take(part) {
      const start = ids.length;
      for (const [n, { codes, entries, isOwn }] of sources.entries()) {
        const { codes: added = 0, fresh = [] } = part.sources[n] ?? {};
        const base = isOwn ? entries.length - 1 : 0;
        for (let row = 0; row < part.ids.length; row++) {
          const code = typeof added === 'number' ? added : (added[row] ?? 0);
          codes[start + row] = code === 0 ? 0 : code + base;
        }
        for (const entry of fresh) entries.push(entry);
      }
      for (const [n, { values, words }] of instants.entries())
        part.instants[n]?.forEach((value, row) => {
          values[start + row] = toInstant(value, words !== undefined);
        });
      for (const id of part.ids) ids.push(id);
      for (const name of part.names) names.push(name);
    },
  };
}

function toInstant(value: number | null, hasWords: boolean): number {
  if (value === null) return Number.NaN;
  return hasWords && value === -2 ? Infinity : value;
}

/** Entries with the same text are one. */
function distinct(codes: Uint32Array, told: readonly string[]): Column {
  const places = new Map<string, number>();
  const placeOf: number[] = [];
  const merged = codes.map((code) => {
    const known = placeOf[code];
    if (known !== undefined) return known;
    const text = told[code] ?? '';
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    placeOf[code] = place;
    return place;
  });
  return { texts: [...places.keys()], codes: merged };
}

/** The displayed name of a device: its name, else its ID. */
export function deviceName({ ids, names }: Rows, row: number): string {
  return names[row] || (ids[row] ?? '');
}

/** What a row is called in the address: `upgradeFirmware/dev-7`. */
export function rowId(rows: Rows, row: number): string {
  const { id } = rows.head.details;
  return [...id.map((name) => rowText(rows, name, row)), rows.ids[row]].join('/');
}

/** The row that has this name; -1 if there is none. */
export function findRow(rows: Rows, wanted: string): number {
  return rows.ids.findIndex((id, row) => wanted.endsWith(id) && rowId(rows, row) === wanted);
}

/** The text of a row in a column. */
export function rowText(rows: Rows, name: string, row: number): string {
  const { texts, codes } = rows.column(name);
  return texts[codes[row] ?? 0] ?? '';
}

/** The text of a row in a column, where an instant is as short as a cell. */
export function cellText(rows: Rows, name: string, row: number): string {
  const value = rows.instants(name)?.[row];
  if (value === undefined) return rowText(rows, name, row);
  const [now = '', never = ''] = rows.head.instants.find((each) => each.name === name)?.words ?? [];
  if (value === -1 && now !== '') return now;
  if (value === Infinity) return never;
  return Number.isNaN(value) ? '' : wallMoment(instantOf(rows, value), pageTime(rows));
}

/** The text of a row in a column, in full; empty for an instant that is none. */
export function fullText(rows: Rows, name: string, row: number): string {
  if (name === 'device') {
    const [label, id = ''] = [deviceName(rows, row), rows.ids[row]];
    return label === id ? id : `${label} (${id})`;
  }
  const value = rows.instants(name)?.[row];
  if (value === undefined) return rowText(rows, name, row);
  const { says = '', words } = rows.head.instants.find((each) => each.name === name) ?? {};
  if (!Number.isFinite(value) || (words && value < 0)) return '';
  const params = {
    moment: moment(instantOf(rows, value), pageTime(rows)),
    span: span(Math.abs(value) * 1_000),
  };
  return fill(says, params, String);
}

function instantOf({ head }: Rows, seconds: number): number {
  return head.now + seconds * 1_000;
}

function pageTime({ head: { now, zone } }: Rows): PageTime {
  return { now, clock: zoneClock(zone) };
}

/** The edit: `11.8.61 → 11.11.73`, or the fields with a target. */
export function editText(edits: readonly Edit[]): string {
  const wanted = edits.filter(([, before, after]) => after !== null && after !== before);
  const shown = wanted.length > 0 ? wanted : edits.slice(0, 1);
  return shown.map(oneEdit).join(', ');
}

function oneEdit([field, before, after]: Edit): string {
  if (before === null) return after === null ? '' : `${field} ${after}`;
  return after === null ? before : `${before} → ${after}`;
}
