import { jsonText } from '../../lib/json-text.ts';
import type { AdoptedEntry, WrittenValue } from '../../model/report/adoption.ts';
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

/** Words that some readers of YAML take for another type. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;
const PLAIN = /^[A-Za-z][\w./()+-]*(?: [\w./()+-]+)*$/;

/** What begins with a digit and is no number in any reader: `30d`, `2n-ip-force`. */
const NUMBERED = /^(?:\d+[smhdw]|\d[a-z0-9]*[g-z][a-z0-9]*(?:-[a-z0-9]+)+)$/;

/** The lines of a value of the documents: each key on one line where it fits, as a reader may copy it. */
export function valueYaml(value: unknown, width: number): readonly string[] {
  const written = value as WrittenValue;
  const isWhole = typeof written !== 'object' || isList(written);
  if (isWhole || Object.keys(written).length === 0) return [flow(written)];
  return Object.entries(written).flatMap(([name, member]) => keyLines(name, member, 0, width));
}

/**
 * A text as YAML reads it again: plain where nothing can mistake it, else in double quotes with
 * every hidden character escaped. Names come from the service, and may hold anything.
 */
export function scalar(text: string): string {
  const isPlain = (PLAIN.test(text) && !RESERVED.test(text)) || NUMBERED.test(text);
  return isPlain ? text : jsonText(text, 0);
}

/** The lines of a key and its value: on one line where it fits. */
function keyLines(
  key: string,
  value: WrittenValue,
  indent: number,
  width: number,
): readonly string[] {
  const space = ' '.repeat(indent);
  const line = `${space}${key}: ${flow(value, key)}`;
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
  if (line.length <= width || isEmpty) return [line];
  const head = `${space}${key}:`;
  if (isList(value)) return [head, ...listLines(value, indent + 2, width)];
  if (typeof value !== 'object') return [line];
  return [
    head,
    ...Object.entries(value).flatMap(([name, member]) => keyLines(name, member, indent + 2, width)),
  ];
}

/** Texts share lines, and maps have one each. */
function listLines(
  values: readonly WrittenValue[],
  indent: number,
  width: number,
): readonly string[] {
  const space = ' '.repeat(indent);
  if (values.some((value) => typeof value === 'object'))
    return values.map((value) => `${space}- ${flow(value)}`);
  const lines: string[] = [];
  let line = `${space}[`;
  for (const [index, value] of values.entries()) {
    const piece = `${flow(value)}${index === values.length - 1 ? ']' : ','}`;
    const isFirst = line === `${space}[` || line.trim() === '';
    if (!isFirst && line.length + 1 + piece.length > width) {
      lines.push(line);
      line = `${space} ${piece}`;
    } else line = isFirst ? `${line}${piece}` : `${line} ${piece}`;
  }
  return [...lines, line];
}

/** Versions and times are always quoted, as the documents ask for. */
const QUOTED: ReadonlySet<string> = new Set(['version', 'from', 'to']);

function flow(value: WrittenValue, key = ''): string {
  if (typeof value !== 'string' && typeof value !== 'object') return String(value);
  if (typeof value === 'string') return QUOTED.has(key) ? jsonText(value, 0) : scalar(value);
  if (isList(value)) return `[${value.map((each) => flow(each)).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${name}: ${flow(member, name)}`);
  return `{${members.join(', ')}}`;
}

function isList(value: WrittenValue): value is readonly WrittenValue[] {
  return Array.isArray(value);
}
