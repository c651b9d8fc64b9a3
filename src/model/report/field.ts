/** What the schemas say of one field of the documents. */
export interface DocumentField {
  /** With `NAME` for the name of an entry: `firmware.NAME.version`. */
  readonly path: string;
  readonly title?: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Types of JSON Schema, and those of the items where it may be a list. */
  readonly types: readonly string[];
  readonly itemTypes: readonly string[];
  /** The only values that it may have. */
  readonly values: readonly unknown[];
  readonly default?: unknown;
  readonly examples: readonly unknown[];
  /** The fields below it, in the order of the schema; of a list or of named entries, those of one. */
  readonly fields: readonly DocumentField[];
}

/** A path that the schemas do not have: the part that they have, the names below it, and where else the name is. */
export interface UnknownField {
  readonly unknown: string;
  readonly within: string;
  readonly known: readonly string[];
  /** Paths of fields of sections that have the name, as `explain` takes them: `firmware.select`. */
  readonly elsewhere: readonly string[];
}

/** Whether a path was found. */
export function isField(found: DocumentField | UnknownField): found is DocumentField {
  return !('unknown' in found);
}
