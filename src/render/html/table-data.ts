import type { Instant } from '../../lib/time.ts';
import { internBy, type Interned } from '../../lib/intern.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlJson, markup } from '../sinks/html-sink.ts';
import type { Entry, TableHead, TableInstants, TablePart, TableSource } from './format.ts';

/** The table of a page: how it is shown, and where its rows have their texts from. */
export interface PageTable<Row> {
  readonly head: Omit<TableHead, 'sources' | 'instants'>;
  readonly words: TableWords;
  readonly deviceOf: (row: Row) => { readonly id: string; readonly name?: string | undefined };
  readonly sources: readonly RowSource<Row>[];
  readonly instants: readonly (TableInstants & { readonly of: (row: Row) => number | null })[];
}

/** The words of a table that are no data; all are ours. */
export interface TableWords {
  readonly title: string;
  /** How many rows the title counts, and what follows that number. */
  readonly count: number;
  readonly beside?: string;
  /** Where the same rows are for a reader without scripts. */
  readonly otherwise: { readonly command: string; readonly says: string };
  /** The label of the search field. */
  readonly search: string;
  /** The row of the caption and of the details: `change`. */
  readonly row: string;
  readonly none: string;
  /** The label of the chips, and their values. */
  readonly chips?: { readonly label: string; readonly values: readonly string[] };
}

/** Where rows have texts from. */
export interface RowSource<Row> extends TableSource {
  /** Starts to number what rows share. */
  readonly start: () => Numbered<Row>;
}

interface Numbered<Row> {
  /** 0 where a row has nothing. */
  codeOf(row: Row): number;
  /** The entries that are new since the last call. */
  fresh(): readonly Entry[];
}

/**
 * A source of texts.
 * @param of what a row has of it; undefined for nothing
 * @param entryOf a text for each column, computed once for each distinct value
 * @param keyOf a text that differs where values do
 */
export function source<Row, Value>({
  of,
  entryOf,
  keyOf = String,
  ...about
}: TableSource & {
  readonly of: (row: Row) => Value | undefined;
  readonly entryOf: (value: Value) => Entry;
  readonly keyOf?: (value: Value) => string;
}): RowSource<Row> {
  return {
    ...about,
    start() {
      const { values, codeOf }: Interned<Value | undefined> = internBy<Value | undefined>(
        undefined,
        (value) => keyOf(value as Value),
      );
      let sent = 1;
      return {
        codeOf: (row) => codeOf(of(row)),
        fresh() {
          const entries = values.slice(sent).map((value) => entryOf(value as Value));
          sent = values.length;
          return entries;
        },
      };
    },
  };
}

/** A source of one column, whose texts are as rows have them. */
export function textSource<Row>(
  column: string,
  of: (row: Row) => string | undefined,
): RowSource<Row> {
  return source({ columns: [column], of, entryOf: (text) => [text] });
}

/** A column of texts; one that is hidden as a `detail` is only among the details of a row. */
export type TextColumn<Row> = readonly [
  name: string,
  title: string,
  text: (row: Row) => string | undefined,
  hidden?: 'narrow' | 'detail',
];

interface TextTable<Row> extends Pick<PageTable<Row>, 'deviceOf'> {
  /** What a row is: `device`; and the column that tells apart rows of one device. */
  readonly row: string;
  readonly id?: string;
  readonly columns: readonly TextColumn<Row>[];
  readonly search: string;
  /** The command that lists the same rows. */
  readonly command: string;
}

/** A table of texts alone: all of them are searched and among the details, and those that are shown have lists. */
export function textTable<Row>(
  { row, id, columns, search, command, deviceOf }: TextTable<Row>,
  rows: readonly Row[],
  now: Instant,
): { readonly of: PageTable<Row>; readonly rows: readonly Row[] } {
  const shown = columns.flatMap(([name, title, , hidden]) =>
    hidden === 'detail' ? [] : [{ name, title, ...(hidden && { hidden }) }],
  );
  const facts = [['device', 'Device'] as const, ...columns].map(([of, label]) => ({
    label,
    of: [of],
  }));
  const of = {
    deviceOf,
    sources: columns.map(([name, , text]) => textSource(name, text)),
    instants: [],
  };
  const head = {
    rows: rows.length,
    now,
    zone: 'UTC',
    shown,
    filters: shown.map(({ name, title }) => [name, title] as const),
    searched: columns.map(([name]) => name),
    ...(id === undefined && { sorting: { by: 'device', descending: false } }),
    details: { address: row, id: id === undefined ? [] : [id], facts },
    paper: {
      most: 2_000,
      whole: `Printed: all {view} rows of the table, of {all} ${row}s.`,
      cut: `Printed: the first {shown} of {view} rows of the table, of {all} ${row}s. Filter the table to print others; ${command} lists all.`,
      groups: [],
      others: '',
    },
    counted: `{shown} of {all} ${row}s`,
  };
  const otherwise = { command, says: `lists all ${row}s.` };
  const [title, none] = [`All ${row}s`, `There are no ${row}s.`];
  return {
    of: { ...of, head, words: { title, count: rows.length, otherwise, search, row, none } },
    rows,
  };
}

/** Rows in one part: large enough to be compact, small enough to be released after writing. */
const ROWS = 4_096;

/** The data of a table for the script of its page: the head, then its rows in parts; walks them once. */
export function* tableData<Row>(
  { head, deviceOf, sources, instants }: Omit<PageTable<Row>, 'words'>,
  rows: Iterable<Row>,
): Generator<HtmlText> {
  yield dataPart({
    ...head,
    sources: sources.map(({ start: _, ...about }) => about),
    instants: instants.map(({ of: _, ...about }) => about),
  } satisfies TableHead);
  const shared = sources.map(({ start }) => start());
  let part: Row[] = [];
  const encode = (): HtmlText => {
    const numbered = sources.map((each, n) => (each.isOwn ? each.start() : shared[n]));
    const data: TablePart = {
      ids: part.map((row) => deviceOf(row).id),
      names: part.map((row) => deviceOf(row).name ?? ''),
      sources: numbered.map((each) => {
        const codes = part.map((row) => each?.codeOf(row) ?? 0);
        const isAlike = codes.every((code) => code === codes[0]);
        return { codes: isAlike ? (codes[0] ?? 0) : codes, fresh: each?.fresh() ?? [] };
      }),
      instants: instants.map(({ of }) => part.map(of)),
    };
    part = [];
    return dataPart(data);
  };
  for (const row of rows) if (part.push(row) === ROWS) yield encode();
  if (part.length > 0) yield encode();
}

/** Data for the script of a page. */
function dataPart(value: unknown): HtmlText {
  return markup`<script type="application/json" class="part">${htmlJson(value)}${SCRIPT_END}`;
}

/**
 * Apart from the templates: a bundler that finds it in one compiles the template for old browsers,
 * with a helper from a package.
 */
export const SCRIPT_END = '</script>' as HtmlText;
