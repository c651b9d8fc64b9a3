import type { AdoptedEntry } from '../../model/report/adoption.ts';
import { keyLines, scalar } from '../sinks/yaml.ts';
import { ZONE_COMMENT } from '../words/documents/import-words.ts';

const WIDTH = 120;

/** The lines of an entry, indented below its section: on one line where it fits. */
export function entryYaml({ section, name, fields, isProposal }: AdoptedEntry): readonly string[] {
  const lines = keyLines(scalar(name), fields, 2, isProposal === true ? WIDTH - 2 : WIDTH);
  if (section === 'sites' && fields['timeZone'] === undefined)
    return lines.map((line) => `${line}${ZONE_COMMENT}`);
  return isProposal === true ? lines.map((line) => `# ${line}`) : lines;
}

/** The text of one document: its comment lines, and sections with their entries. */
export function documentYaml(
  comments: readonly string[],
  section: string,
  entries: readonly AdoptedEntry[],
): string {
  const isIdle = entries.every(({ isProposal }) => isProposal === true);
  const lines = entries.flatMap((entry) => entryYaml(entry));
  const head = isIdle ? `# ${section}:` : `${section}:`;
  return `${[...comments.map((line) => `# ${line}`), head, ...lines].join('\n')}\n`;
}
