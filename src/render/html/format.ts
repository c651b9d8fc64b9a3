import type { Instant } from '../../lib/time.ts';

/**
 * The table of a page with all its rows, between the modules that write it and the script that shows it. A row is
 * about a device. Texts are shown as they are; hidden characters in them are escaped.
 */
export interface TableHead {
  readonly rows: number;
  /** The instant of the page, and the zone of its instants. */
  readonly now: Instant;
  readonly zone: string;
  readonly sources: readonly TableSource[];
  readonly instants: readonly TableInstants[];
  /** The columns after the device, in order. */
  readonly shown: readonly ShownColumn[];
  /** Columns with a list of their values to choose from, and its label. */
  readonly filters: readonly Labelled[];
  /** The column whose values are buttons. */
  readonly chips?: string;
  /** Columns that a search looks into, besides name and ID. */
  readonly searched: readonly string[];
  /** How the rows are sorted until a reader sorts them; absent: as they come. */
  readonly sorting?: Sorting;
  readonly details: TableDetails;
  readonly paper: TablePaper;
  /** `{shown} of {all} devices` */
  readonly counted: string;
}

/** Where rows have texts from: an entry is a text for each column, and rows share entries. */
export interface TableSource {
  readonly columns: readonly string[];
  /** Its entries are lists of edits, whose short text is its one column. */
  readonly isEdit?: true;
  /** Most of its entries differ by device: their codes start anew with each part. */
  readonly isOwn?: true;
}

/** A column of instants, in seconds from the instant of the page. */
export interface TableInstants {
  readonly name: string;
  /** With `{moment}` and `{span}`, for the details. */
  readonly says: string;
  /** What the values -1 and -2 are called where they are no instants. */
  readonly words?: readonly [now: string, never: string];
}

export interface ShownColumn {
  readonly name: string;
  readonly title: string;
  /** The column that its texts are from; absent: the one of its name. */
  readonly of?: string;
  /** A mark is colored by its text; prose has code in backticks. */
  readonly kind?: 'mark' | 'prose';
  /** Its texts in order; absent: as texts are sorted. */
  readonly order?: readonly string[];
  /** Where it has no room: on a narrow screen, or on paper as well. */
  readonly hidden?: 'narrow' | 'paper';
}

type Labelled = readonly [column: string, label: string];

export interface Sorting {
  /** The name of a shown column, or `device`. */
  readonly by: string;
  readonly descending: boolean;
}

/** What opens beside the table. */
interface TableDetails {
  /** The name of an open row in the address, and the columns that come before the ID of its device. */
  readonly address: string;
  readonly id: readonly string[];
  /** The column before the device in the heading. */
  readonly title?: string;
  readonly facts: readonly TableFact[];
  /** The checks in their order, of which the column `step` says the number and `says` the outcome. */
  readonly steps?: readonly string[];
}

interface TableFact {
  readonly label: string;
  /** Their texts are joined with commas. */
  readonly of: readonly string[];
  readonly isProse?: true;
}

/** What is printed: the first rows, after groups of all of them where there are more. */
interface TablePaper {
  readonly most: number;
  /** With `{view}`, `{all}` and `{shown}`. */
  readonly whole: string;
  readonly cut: string;
  /** The columns by which rows are in one group; none: there are no groups. */
  readonly groups: readonly Labelled[];
  readonly others: string;
}

/** A field with its value before and after; null: it has none, or no target. */
export type Edit = readonly [field: string, before: string | null, after: string | null];

export type Entry = readonly string[] | readonly Edit[];

/** Some rows, in order. Code 0 is "none". */
export interface TablePart {
  readonly ids: readonly string[];
  /** Empty for a device without a name. */
  readonly names: readonly string[];
  /** For each source the codes of the rows, one number where all have the same, and entries that are new. */
  readonly sources: readonly {
    readonly codes: number | readonly number[];
    readonly fresh: readonly Entry[];
  }[];
  readonly instants: readonly (readonly (number | null)[])[];
}
