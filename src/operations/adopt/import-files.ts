import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { partsBySize } from '../../lib/group-by.ts';
import type { DocumentFile } from '../../model/documents/policy.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import { ADOPTED_SECTIONS, type AdoptedEntry } from '../../model/report/adoption.ts';
import { documentYaml, entryYaml } from '../../render/data/yaml.ts';
import { originComment, SECTION_COMMENTS } from '../../render/words/documents/import-words.ts';
import type { ImportFile, ImportPlace } from './import.ts';
import { requireFolder } from '../../store/files.ts';

/** Characters of one file: a byte limit holds for each, and a character has up to four. */
const MOST_TEXT = 240_000;

/**
 * The documents of these entries: a file for each section, more where one would be too long. None
 * has the name of a file that exists.
 */
export function composeFiles(
  entries: readonly AdoptedEntry[],
  { name, out, editorLine, existing }: ImportPlace,
  { organization, day }: { readonly organization: string; readonly day: string },
): readonly ImportFile[] {
  const taken = new Set(existing.files.map(({ path }) => path));
  const place = (base: string, text: string): ImportFile => {
    const more = Array.from({ length: 99 }, (_, index) => `${base}-imported-${index + 2}`);
    const free = [base, `${base}-imported`, ...more].find(
      (each) => !taken.has(`${name}/${each}.yaml`),
    );
    const file = `${free ?? base}.yaml`;
    taken.add(`${name}/${file}`);
    return { file, path: `${name}/${file}`, shown: join(out, file), text };
  };
  return ADOPTED_SECTIONS.flatMap((section) => {
    const own = entries.filter((entry) => entry.section === section);
    return partsBySize(own, lengthOf, MOST_TEXT).map((part, index) => {
      const head = { section, about: SECTION_COMMENTS[section] };
      const text = `${editorLine}\n${documentYaml(originComment(organization, day), head, part)}`;
      return place(index === 0 ? section : `${section}-${index + 1}`, text);
    });
  });
}

/** The characters of an entry in its file. */
function lengthOf(entry: AdoptedEntry): number {
  return entryYaml(entry).reduce((sum, line) => sum + line.length + 1, 0);
}

/** Writes files that do not exist; one that appeared meanwhile is not replaced, and ends the import. */
export async function writeFiles(folder: string, files: readonly ImportFile[]): Promise<void> {
  await requireFolder(folder);
  for (const { file, text } of files) writeFileSync(join(folder, file), text, { flag: 'wx' });
}

/** The lines of an entry in its document: from its key to the next one that is not below it. */
export function sliceEntry(
  files: readonly DocumentFile[],
  { file, line, column }: SourceLocation,
): string {
  const text = files.find(({ path }) => path === file)?.text ?? '';
  const [first = '', ...rest] = text.split('\n').slice(line - 1);
  const end = rest.findIndex((each) => each.trim() !== '' && each.search(/\S/) < column);
  const body = end < 0 ? rest : rest.slice(0, end);
  while (body.at(-1)?.trim() === '') body.pop();
  return `${[first, ...body].join('\n')}\n`;
}
