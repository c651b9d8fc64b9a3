import { jsonText } from '../../lib/json-text.ts';
import { groupBy } from '../../lib/group-by.ts';
import type {
  AdoptedDevice,
  AdoptedEntry,
  WrittenFields,
  WrittenValue,
} from '../../model/report/adoption.ts';
import { CHECK_COMMENT, ZONE_COMMENT } from '../words/documents/import-words.ts';

const WIDTH = 120;

/** The lines of an entry, indented below its section: on one line where it fits. */
export function entryYaml(entry: AdoptedEntry, columns = WIDTH): readonly string[] {
  const { section, name, fields, isGuess, isProposal, listed } = entry;
  if (listed) return listedYaml(name, listed, columns);
  const width = isProposal === true ? columns - 2 : columns;
  const lines = flowLines(scalar(name), fields, width) ?? keyLines(scalar(name), fields, 2, width);
  if (section === 'sites' && fields['timeZone'] === undefined)
    return lines.map((line) => `${line}${ZONE_COMMENT}`);
  if (isGuess === true) return lines.map((line) => `${line}${CHECK_COMMENT}`);
  return isProposal === true ? lines.map((line) => `# ${line}`) : lines;
}

/** An entry in braces, in as few lines as its members fit into; undefined where one of them does not. */
function flowLines(
  name: string,
  fields: WrittenFields,
  width: number,
): readonly string[] | undefined {
  const pieces = Object.entries(fields).map(([key, value]) => `${key}: ${flow(value, key)}`);
  const lines = [`  ${name}: {`];
  for (const [index, piece] of pieces.entries()) {
    const text = `${piece}${index === pieces.length - 1 ? '}' : ','}`;
    const last = lines.at(-1) ?? '';
    const joined = `${last}${last.endsWith('{') ? '' : ' '}${text}`;
    if (joined.length <= width) lines[lines.length - 1] = joined;
    else lines.push(`    ${text}`);
  }
  const isWhole = pieces.length > 0 && lines.every((line) => line.length <= width);
  return isWhole ? lines : undefined;
}

/** A group with its devices: the sites and their names stand beside them, for the reader. */
function listedYaml(
  name: string,
  listed: readonly AdoptedDevice[],
  columns: number,
): readonly string[] {
  const lines = [...groupBy(listed, ({ site }) => site)].flatMap(([site, mine]) => {
    const about = site === undefined ? 'no site' : scalar(site);
    const line = (devices: readonly AdoptedDevice[]): string => {
      const names = devices.flatMap(({ name: shown }) =>
        shown === undefined ? [] : [scalar(shown)],
      );
      const words = [about, ...(names.length > 0 ? [names.join(', ')] : [])].join(': ');
      return `      ${devices.map(({ id }) => `${scalar(id)},`).join(' ')} # ${words}`;
    };
    const rows: AdoptedDevice[][] = [];
    for (const device of mine) {
      const row = rows.at(-1);
      if (row && line([...row, device]).length <= columns) row.push(device);
      else rows.push([device]);
    }
    return rows.map(line);
  });
  return [`  ${scalar(name)}: {devices: [`, ...lines, '    ]}'];
}

/** The text of one document: its comment, and a section with its own and its entries. */
export function documentYaml(
  comment: string,
  { section, about }: { readonly section: string; readonly about: string },
  entries: readonly AdoptedEntry[],
): string {
  const isIdle = entries.every(({ isProposal }) => isProposal === true);
  const lines = entries.flatMap((entry) => entryYaml(entry));
  const head = `${isIdle ? '# ' : ''}${section}: # ${about}`;
  return `${[`# ${comment}`, head, ...lines].join('\n')}\n`;
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
const QUOTED: ReadonlySet<string> = new Set(['version', 'minVersion', 'from', 'to']);

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
