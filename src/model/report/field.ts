import type { DocumentField } from './output.gen.ts';

export type { DocumentField } from './output.gen.ts';

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
