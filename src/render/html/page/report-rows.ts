import { ACTIONS, CAUSES, GROUPS, RISKS } from '../../../model/plan/change.ts';
import { TASK_TYPES } from '../../../model/fleet/task.ts';
import {
  CODED,
  OWN,
  type Coded,
  type ReportEntries,
  type PlaceEntry,
  type ReasonEntry,
  type ReportPart,
} from '../format.ts';

/** Every change of the plan, in columns, in the order of the plan. */
export interface ReportRows {
  readonly length: number;
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly codes: Readonly<Record<Coded, Uint32Array>>;
  /** Seconds before the instant of the plan; NaN: unknown. */
  readonly since: Float64Array;
  /** Seconds after it; Infinity: never automatically; NaN: unknown. */
  readonly next: Float64Array;
  readonly entries: { readonly [Name in keyof ReportEntries]: readonly ReportEntries[Name][] };
}

/** Takes the parts of a report one by one, in order. */
interface RowReader {
  take(part: ReportPart): void;
  readonly rows: ReportRows;
}

/** Starts to read a report with this number of rows. */
export function createReader(length: number): RowReader {
  const codes = Object.fromEntries(
    CODED.map((name) => [name, new Uint32Array(length)]),
  ) as unknown as Record<Coded, Uint32Array>;
  const ids: string[] = [];
  const names: string[] = [];
  const since = new Float64Array(length).fill(Number.NaN);
  const next = new Float64Array(length).fill(Number.NaN);
  const entries = noEntries();
  const rows: ReportRows = { length, ids, names, codes, since, next, entries };
  return {
    rows,
    take(part) {
      const start = ids.length;
      for (const name of CODED) {
        const base = isOwn(name) ? entries[name].length - 1 : 0;
        fillCodes(codes[name], part.codes[name], { start, rows: part.rows, base });
      }
      for (const id of part.ids) ids.push(id);
      for (const name of part.names) names.push(name);
      part.since.forEach((value, row) => void (since[start + row] = value ?? Number.NaN));
      part.next.forEach((value, row) => void (next[start + row] = toInstant(value)));
      for (const [name, added] of Object.entries(part.entries))
        for (const entry of added) (entries[name as keyof ReportEntries] as unknown[]).push(entry);
    },
  };
}

function fillCodes(
  column: Uint32Array,
  codes: number | readonly number[],
  { start, rows, base }: { readonly start: number; readonly rows: number; readonly base: number },
): void {
  for (let row = 0; row < rows; row++) {
    const code = typeof codes === 'number' ? codes : (codes[row] ?? 0);
    column[start + row] = code === 0 ? 0 : code + base;
  }
}

function toInstant(next: number | null): number {
  if (next === null) return Number.NaN;
  return next < 0 ? Infinity : next;
}

function isOwn(name: Coded): name is (typeof OWN)[number] {
  return (OWN as readonly string[]).includes(name);
}

/** Entry 0 of each dictionary is "none". */
function noEntries(): { [Name in keyof ReportEntries]: ReportEntries[Name][] } {
  const place: PlaceEntry = { policy: '', at: '' };
  const reason: ReasonEntry = { code: '', step: 0, says: '', todo: '' };
  return {
    site: [''],
    make: [''],
    place: [place],
    wave: [''],
    window: [{ name: '' }],
    losers: [[]],
    reason: [reason],
    edit: [[]],
  };
}

export function rowEntry<Name extends keyof ReportEntries>(
  { codes, entries }: ReportRows,
  name: Name,
  row: number,
): ReportEntries[Name] {
  const all: readonly ReportEntries[Name][] = entries[name];
  return (all[codes[name][row] ?? 0] ?? all[0]) as ReportEntries[Name];
}

/** The model's value for one row. */
export const rowWord = {
  task: ({ codes }: ReportRows, row: number) => TASK_TYPES[codes.task[row] ?? 0] ?? TASK_TYPES[0],
  action: ({ codes }: ReportRows, row: number) => ACTIONS[codes.action[row] ?? 0] ?? ACTIONS[0],
  cause: ({ codes }: ReportRows, row: number) => CAUSES[codes.cause[row] ?? 0] ?? CAUSES[0],
  risk: ({ codes }: ReportRows, row: number) => RISKS[codes.risk[row] ?? 0] ?? RISKS[0],
  group: ({ codes }: ReportRows, row: number) => GROUPS[(codes.group[row] ?? 0) - 1],
};

/** The id of the change in a row: `upgradeFirmware/dev-7`. */
export function rowChangeId(rows: ReportRows, row: number): string {
  return `${rowWord.task(rows, row)}/${rows.ids[row] ?? ''}`;
}

/** The row of a change, by its ID; -1 if the plan does not have it. */
export function rowOfChange(rows: ReportRows, change: string): number {
  const id = change.slice(change.indexOf('/') + 1);
  for (let row = rows.ids.indexOf(id); row >= 0; row = rows.ids.indexOf(id, row + 1))
    if (rowChangeId(rows, row) === change) return row;
  return -1;
}

/** The displayed name of a device: its name, else its ID. */
export function rowDevice({ ids, names }: ReportRows, row: number): string {
  return names[row] || (ids[row] ?? '');
}

/** The edit: `11.8.61 → 11.11.73`, or the fields with a target. */
export function editText(edit: ReportEntries['edit']): string {
  const wanted = edit.filter(([, before, after]) => after !== null && after !== before);
  const shown = wanted.length > 0 ? wanted : edit.slice(0, 1);
  return shown.map(([field, before, after]) => oneEdit(field, before, after)).join(', ');
}

function oneEdit(field: string, before: string | null, after: string | null): string {
  if (before === null) return after === null ? '' : `${field} ${after}`;
  return after === null ? before : `${before} → ${after}`;
}
