/**
 * How the changes of a plan travel inside the report: parts of rows, in columns of codes. Written by
 * `parts.ts`, read by the script of the report in `src/render/html/page/`. Every text is visible already.
 */
export interface ReportPart {
  readonly rows: number;
  readonly ids: readonly string[];
  /** Empty where a device has no name. */
  readonly names: readonly string[];
  /** A column with one value in all its rows is that value alone. */
  readonly codes: Readonly<Record<Coded, number | readonly number[]>>;
  /** Seconds from the instant of the plan back to where the reason holds since; null: not known. */
  readonly since: readonly (number | null)[];
  /** Seconds from the instant of the plan on; null: nobody can tell, -1: never by itself. */
  readonly next: readonly (number | null)[];
  /** What the dictionaries get with this part; those of `OWN` start anew with each part. */
  readonly entries: { readonly [Name in keyof ReportEntries]: readonly ReportEntries[Name][] };
}

/** Columns of codes: places in a list of the model, or in a dictionary. */
export const CODED = [
  'task',
  'action',
  'cause',
  'risk',
  'group',
  'site',
  'make',
  'place',
  'wave',
  'window',
  'losers',
  'reason',
  'edit',
] as const;
export type Coded = (typeof CODED)[number];

/** Dictionaries whose entries are mostly each device's own: one per part, so that none grows large. */
export const OWN = ['reason', 'edit'] as const;

/** What the entries of each dictionary are. Entry 0 is "none", and not sent. */
export interface ReportEntries {
  readonly site: string;
  /** Vendor and model. */
  readonly make: string;
  readonly place: PlaceEntry;
  readonly wave: string;
  readonly window: WindowEntry;
  /** Codes of places. */
  readonly losers: readonly number[];
  readonly reason: ReasonEntry;
  /** Fields with their value before and after; null: it has none, or nothing is wanted of it. */
  readonly edit: readonly (readonly [field: string, before: string | null, after: string | null])[];
}
export type Dictionary = keyof ReportEntries;

export interface PlaceEntry {
  readonly policy: string;
  /** `file:line:column` */
  readonly at: string;
  readonly by?: CommitEntry | string;
}

/** Who wrote a line. */
export interface CommitEntry {
  readonly commit: string;
  readonly author: string;
  readonly day: string;
  readonly subject: string;
}

export interface WindowEntry {
  readonly name: string;
  readonly zone?: string;
  /** When it opens next: in UTC, and by the clocks of its zone. */
  readonly opens?: string;
  readonly local?: string;
  /** When it closes then, by the clocks of its zone. */
  readonly closes?: string;
}

export interface ReasonEntry {
  /** Its code, and the finer word where it has one. */
  readonly code: string;
  /** Place in the decision order, from 0. */
  readonly step: number;
  readonly says: string;
  /** What to do, where no instant says when it goes on. */
  readonly todo: string;
}
