/**
 * The format of the changes inside the report: parts of rows, in columns of codes. `parts.ts`
 * writes it; the script in `src/render/html/page/` reads it. All hidden characters in texts are
 * escaped.
 */
export interface ReportPart {
  readonly rows: number;
  readonly ids: readonly string[];
  /** Empty for a device without a name. */
  readonly names: readonly string[];
  /** A column with one value in all its rows is that value alone. */
  readonly codes: Readonly<Record<Coded, number | readonly number[]>>;
  /** Seconds from the start of the reason to the instant of the plan; null: unknown. */
  readonly since: readonly (number | null)[];
  /** Seconds from the instant of the plan; null: unknown, -1: never automatically. */
  readonly next: readonly (number | null)[];
  /** New dictionary entries of this part; the dictionaries in `OWN` start empty with each part. */
  readonly entries: { readonly [Name in keyof ReportEntries]: readonly ReportEntries[Name][] };
}

/** Columns of codes: indexes in a list of the model, or in a dictionary. */
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

/** Dictionaries whose entries mostly differ by device: one per part, so that none grows large. */
export const OWN = ['reason', 'edit'] as const;

/** The entries of each dictionary. Entry 0 is "none" and is not sent. */
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
  /** Fields with their value before and after; null: it has none, or no target. */
  readonly edit: readonly (readonly [field: string, before: string | null, after: string | null])[];
}
export type Dictionary = keyof ReportEntries;

export interface PlaceEntry {
  readonly policy: string;
  /** `file:line:column` */
  readonly at: string;
  readonly by?: CommitEntry | string;
}

/** The author of a line. */
interface CommitEntry {
  readonly commit: string;
  readonly author: string;
  readonly day: string;
  readonly subject: string;
}

export interface WindowEntry {
  readonly name: string;
  readonly zone?: string;
  /** When it opens next, in its own zone; in that of the page if it has several. */
  readonly opens?: string;
  /** When it then closes, likewise. */
  readonly closes?: string;
}

export interface ReasonEntry {
  /** Its code, and its subcode if it has one. */
  readonly code: string;
  /** Index in the decision order, from 0. */
  readonly step: number;
  readonly says: string;
  /** What to do, if no instant is known at which it continues. */
  readonly todo: string;
}
