import { shownQuote, type QuotedText } from '../../model/documents/quoted.ts';

/** What one side of a difference has that the other lacks. */
interface EntryParts {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * The fields and list items in which two texts of one entry differ, each with its path, such as
 * `version: "11.11.160"` or `select.device: dev-12`, whatever the layout of the YAML.
 * @param fields the fields that count; a part of any other is left out
 */
export function compareEntryParts(
  before: QuotedText,
  after: QuotedText,
  fields: readonly string[],
): EntryParts {
  const counts = (part: string): boolean =>
    fields.some((field) => /^[\w-]+/.exec(part)?.[0] === field);
  const [old, fresh] = [before, after].map((text) => splitEntry(text).filter(counts));
  if (!old || !fresh) return { removed: [], added: [] };
  const [oldParts, freshParts] = [new Set(old), new Set(fresh)];
  return {
    removed: old.filter((part) => !freshParts.has(part)),
    added: fresh.filter((part) => !oldParts.has(part)),
  };
}

/** An entry as paths with one value each. Text that is no map or list stays a value. */
function splitEntry(quoted: QuotedText): readonly string[] {
  const lines = shownQuote(quoted)
    .split('\n')
    .map(withoutComment)
    .reduce<readonly string[]>((joined, line) => {
      const last = joined.at(-1) ?? '';
      return /[[{,]$/.test(last)
        ? [...joined.slice(0, -1), `${last} ${line.trim()}`]
        : [...joined, line];
    }, [])
    .filter((line) => line.trim() !== '');
  const parts: string[] = [];
  const open: { readonly indent: number; readonly key: string }[] = [];
  for (const line of lines) {
    const indent = line.search(/\S/);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const { key, value } = readField(line.trim());
    const path = [...open.map((each) => each.key), ...(key === undefined ? [] : [key])];
    if (value === '' && key !== undefined) open.push({ indent, key });
    else collect(parts, path.slice(1), value);
  }
  return parts;
}

function withoutComment(line: string): string {
  const [text = ''] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#]|(?<=\S)#)*/.exec(line) ?? [];
  return text.trimEnd();
}

/** A line of a block: the key and the rest, or an item of a list. */
function readField(line: string): { readonly key?: string; readonly value: string } {
  const field = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'{[#][^:]*?|[^\s"'{[#]):(?:\s+(.*))?$/.exec(line);
  if (field?.[1] !== undefined) return { key: field[1], value: field[2] ?? '' };
  return { value: line.replace(/^- /, '') };
}

/** Takes a value apart where it is a map or a list in one line. */
function collect(parts: string[], path: readonly string[], value: string): void {
  const inside = /^([{[])(.*)[}\]]$/.exec(value);
  if (!inside) {
    parts.push(`${path.join('.')}: ${value}`);
    return;
  }
  for (const piece of splitAtCommas(inside[2] ?? '')) {
    const { key, value: rest } = inside[1] === '{' ? readField(piece) : { value: piece };
    collect(parts, key === undefined ? path : [...path, key], rest);
  }
}

/** The pieces between commas that are in no quotes, braces or brackets. */
function splitAtCommas(text: string): readonly string[] {
  const pieces: string[] = [];
  let [depth, from] = [0, 0];
  for (const { 0: found, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|[{}[\],]/g)) {
    if ('{['.includes(found)) depth += 1;
    if ('}]'.includes(found)) depth -= 1;
    if (found !== ',' || depth > 0) continue;
    pieces.push(text.slice(from, index));
    from = index + 1;
  }
  pieces.push(text.slice(from));
  return pieces.map((piece) => piece.trim()).filter((piece) => piece !== '');
}
