import { lineEdits, withoutEdits, type LineEdit } from '../../model/documents/line-edits.ts';
import type { DocumentFile } from '../../model/documents/policy.ts';
import type { SourceLocation } from '../../model/documents/source.ts';

export type DocumentText = Pick<DocumentFile, 'path' | 'text'>;

/** The documents of both sides of a comparison. */
export interface BothTexts {
  readonly before: readonly DocumentText[];
  readonly after: readonly DocumentText[];
}

export interface FileEdit extends LineEdit {
  readonly file: string;
}

/** Edits, grouped by location. */
export type EditsByPlace = readonly (readonly FileEdit[])[];

/** The edits between two sets of documents by place, in order of file and line. */
export function listEdits({ before, after }: BothTexts): EditsByPlace {
  const [old, now] = [textsByPath(before), textsByPath(after)];
  const files = [...new Set([...old.keys(), ...now.keys()])].sort();
  return files.flatMap((file) =>
    lineEdits(old.get(file) ?? '', now.get(file) ?? '').map((place) =>
      place.map((edit) => ({ ...edit, file })),
    ),
  );
}

/** The later documents without these edits; a file that only they add is absent. */
export function filesWithout(
  { before, after }: BothTexts,
  edits: readonly FileEdit[],
): readonly DocumentText[] {
  const [old, now] = [textsByPath(before), textsByPath(after)];
  for (const file of new Set(edits.map((edit) => edit.file))) {
    const text = withoutEdits(
      now.get(file) ?? '',
      edits.filter((edit) => edit.file === file),
    );
    if (text === '' && !old.has(file)) now.delete(file);
    else now.set(file, text);
  }
  return [...now].map(([path, text]) => ({ path, text }));
}

function textsByPath(files: readonly DocumentText[]): Map<string, string> {
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** The lines of an edit: those that it adds, else those that it removes, with `base:` before their file. */
export function editPlaces(
  { file, at, added, was: before, removed }: FileEdit,
  base: string,
): readonly SourceLocation[] {
  if (added > 0)
    return Array.from({ length: added }, (_, index) => ({ file, line: at + index + 1, column: 1 }));
  return removed.map((_, index) => ({
    file: `${base}:${file}`,
    line: before + index + 1,
    column: 1,
  }));
}
