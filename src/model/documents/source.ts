import { compareTexts } from '../../lib/text-order.ts';

/**
 * A place in a document. `line` and `column` count from 1; `file` is relative to the fleet
 * folder's parent.
 */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The location of a change's cause and the address of the policy there (`firmware.axis-p32`). */
export interface At extends SourceLocation {
  readonly policy: string;
}

/**
 * An entry of a document and its location. `places` maps a JSON pointer inside the entry
 * (`/select/vendor`, `/version`) to the location of that value; `''` is the entry itself.
 */
export interface Sourced<T> {
  readonly name: string;
  readonly value: T;
  readonly at: SourceLocation;
  readonly places: ReadonlyMap<string, SourceLocation>;
}

/**
 * The location of a value inside an entry; else of the nearest enclosing value, else of the entry.
 */
export function locateValue(entry: Sourced<unknown>, pointer: string): SourceLocation {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const place = entry.places.get(at);
    if (place) return place;
  }
  return entry.at;
}

/** In the order of files, and of their texts. */
export function comparePlaces(a: SourceLocation, b: SourceLocation): number {
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

/** The location alone, of a value that has more. */
export function placeOnly({ file, line, column }: SourceLocation): SourceLocation {
  return { file, line, column };
}
