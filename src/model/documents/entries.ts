import { type Documents, type Section, SECTIONS } from './policy.ts';
import { isOfIncident } from './policies.ts';
import type { SourceLocation, Sourced } from './source.ts';

/** An entry of any section, with the address that people use for it. */
export interface DocumentEntry {
  readonly section: Section;
  readonly address: string;
  readonly of: Sourced<unknown>;
}

/** Every entry of the documents, section by section. */
export function* listEntries(documents: Documents): Generator<DocumentEntry> {
  for (const section of SECTIONS) {
    const all = section === 'service' ? [documents.service] : documents[section].values();
    for (const entry of all) {
      // The rollout of an incident is part of its entry.
      if (section === 'rollouts' && isOfIncident(entry.name)) continue;
      yield {
        section,
        address: section === 'service' ? section : `${section}.${entry.name}`,
        of: entry,
      };
    }
  }
}

/** The last line on which the entry has a value. */
export function lastLine({ at, places }: Sourced<unknown>): number {
  let last = at.line;
  for (const { line } of places.values()) last = Math.max(last, line);
  return last;
}

/** The entry at a line: the last of the file that begins there or above, and ends there or below. */
export function entryAt(
  entries: Iterable<DocumentEntry>,
  { file, line }: Pick<SourceLocation, 'file' | 'line'>,
): DocumentEntry | undefined {
  let found: DocumentEntry | undefined;
  for (const entry of entries) {
    const { at } = entry.of;
    if (at.file !== file || at.line > line || (found && found.of.at.line > at.line)) continue;
    found = entry;
  }
  return found && lastLine(found.of) >= line ? found : undefined;
}

/** Whether a line of an entry is one device of a list: each of them is an entry of its own. */
export function isListed({ section, of: entry }: DocumentEntry, line: number): boolean {
  if (section !== 'onboarding') return false;
  const { devices } = entry.value as {
    readonly devices: readonly { readonly at: SourceLocation }[];
  };
  return devices.some(({ at }) => at.line === line);
}
