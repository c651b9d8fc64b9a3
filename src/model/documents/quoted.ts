import type { Diagnostic } from './diagnostic.ts';
import { type DocumentFile, SECTIONS } from './policy.ts';
import { namesSecret, secretForms } from './secret-form.ts';

declare const quoted: unique symbol;

/**
 * The text of a document that may be printed: of the same length, with `HIDDEN` for each character
 * of a secret. Everything that quotes a document takes this type, so no frame and no diff can print
 * a secret.
 */
export type QuotedText = string & { readonly [quoted]: true };

/** Replaces one character of a secret; no document may contain it. */
export const HIDDEN = '\0';

/** Start and end, in characters. */
type Range = readonly [from: number, to: number];

/**
 * Hides the value of a key that is named like a secret, every value of a payload, and everything in
 * the form of a secret, also in comments. It reads lines and not YAML, because documents that no
 * parser can read are quoted too. Where the end of a value is unclear, it hides more.
 */
export function quotable(text: string): QuotedText {
  return concealed(text, [...namedRanges(text), ...formRanges(text)]) as QuotedText;
}

/**
 * The same for the lines of one entry of a section, without the section itself: what is a name there
 * is no key, so a policy may be called `passwords`.
 */
export function quotableEntry(section: string, text: string): QuotedText {
  const above = `${section}:\n`;
  return quotable(`${above}${text}`).slice(above.length) as QuotedText;
}

/** A piece of a quoted text for people; it does not show the length of a secret. */
export function shownQuote(piece: string): string {
  return piece.replaceAll(/\0+/g, '***');
}

/** Hides the forms of secrets in a text that is not a whole document, such as one value. */
export function withoutSecretForms(text: string): string {
  return shownQuote(concealed(text, formRanges(text)));
}

function concealed(text: string, ranges: readonly Range[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (to <= done) continue;
    const start = Math.max(from, done);
    pieces.push(text.slice(done, start), hidden(text.slice(start, to)));
    done = to;
  }
  return pieces.join('') + text.slice(done);
}

/** Keeps line ends and indentation, so that every location stays valid. */
function hidden(piece: string): string {
  return piece.replace(/(?<=\n)[ \t]+|[^\r\n]/g, (found, at: number) =>
    at > 0 && /^[ \t]/.test(found) && piece[at - 1] === '\n' ? found : HIDDEN,
  );
}

/** The user in a URL, and the text after `?` and `#`, in addition to the known forms. */
const IN_ADDRESSES: readonly RegExp[] = [
  /(?<![\w.%+-])[\w.%+-]{1,100}:[^\s"'@/:]{1,200}(?=@[\w-]{1,100}\.)/g,
  /(?<=\/\/)[^\s"']{0,500}(?=@)/g,
  /(?<=[a-z]:\/\/[^\s"'?#]{1,300}[?#])[^\s"']+?(?=[,}\]]*(?:[\s"']|$))/gi,
];

function formRanges(text: string): readonly Range[] {
  const found = [...secretForms(text), ...IN_ADDRESSES.flatMap((form) => [...text.matchAll(form)])];
  return found
    .filter(([match]) => match !== '')
    .map((match) => [match.index, match.index + match[0].length]);
}

/** A key and its colon. `=` covers a line of a shell in a comment, the line end covers `? key`. */
const KEY =
  /(?<![\w.-])(["']?)([A-Za-z_][\w.-]*(?:(?<=["'][\w.-]{1,60}) [\w.-]+)?)\1[ \t]*(?:\r?\n[ \t]*)?[:=]/g;

/** Lines that people write are shorter. In a longer line, everything after such a key is hidden. */
const LONGEST_LINE = 2_000;

function namedRanges(text: string): readonly Range[] {
  const ranges: Range[] = [];
  const state = { section: '', indent: 0 };
  let [done, line, next] = [0, 0, 0];
  for (const match of text.matchAll(KEY)) {
    const key = { at: match.index, end: match.index + match[0].length, name: match[2] ?? '' };
    for (; next <= key.at; next = lineEnd(text, next) + 1) line = next;
    if (key.at === line) Object.assign(state, { section: key.name, indent: 0 });
    else if (state.indent === 0) state.indent = key.at - line;
    if (key.at < done || !(namesSecret(key.name) || key.name === 'payload')) continue;
    const placed = {
      ...key,
      line,
      before: text.slice(line, Math.min(key.at, line + LONGEST_LINE)),
    };
    const value = valueAfter(text, placed);
    done = value.range[1];
    if (value.holds === 'members' && key.name !== 'payload' && isEntry(placed, state))
      done = key.end;
    else
      ranges.push(
        ...(value.holds === 'members' ? leaves(text, value.range) : [value.range]),
        ...anchored(text, value.range),
      );
  }
  return ranges;
}

interface Key {
  readonly at: number;
  /** The position after its colon. */
  readonly end: number;
  readonly name: string;
  /** The start of its line, and the text of the line before it. */
  readonly line: number;
  readonly before: string;
}

/** An entry may be named `camera-password`; its values are checked key by key. */
function isEntry(
  { before }: Key,
  { section, indent }: { readonly section: string; readonly indent: number },
): boolean {
  if (section === 'service' || !(SECTIONS as readonly string[]).includes(section)) return false;
  return depthIn(before) === 0
    ? before.trim() === '' && before.length === indent
    : /^["']?\w+["']?\s*:/.test(before) && depthIn(before) === 1;
}

interface Value {
  readonly holds: 'text' | 'members';
  readonly range: Range;
}

function valueAfter(text: string, { at, end, line, before }: Key): Value {
  const start = end + lead(text, end);
  const rest = lineEnd(text, start);
  if (rest - line > LONGEST_LINE) return { holds: 'text', range: [start, rest] };
  const opener = text[start] ?? '';
  if (opener === '"' || opener === "'") {
    const close = quoteEnd(text, start);
    if (close !== undefined) return { holds: 'text', range: [start, pastJunk(text, close)] };
  }
  if (opener === '{' || opener === '[') {
    const close = bracketEnd(text, start);
    if (close !== undefined) return { holds: 'members', range: [start, pastJunk(text, close)] };
  }
  if (before.includes('#')) return { holds: 'text', range: [start, rest] };
  if (depthIn(before) > 0) return { holds: 'text', range: [start, flowEnd(text, start)] };
  return inBlock(text, start, at - line);
}

/** Blanks, tags and anchors in front of a value. */
function lead(text: string, at: number): number {
  return /^[ \t]*(?:[&!][^\s,{}[\]]+[ \t]+)*/.exec(text.slice(at, at + 500))?.[0].length ?? 0;
}

/** Longer than any quoted or bracketed value that people write. */
const LONGEST_FLOW = 8_000;

/** The position after the closing quote; undefined where there is none. */
function quoteEnd(text: string, start: number): number | undefined {
  const form = text[start] === '"' ? /^"(?:[^"\\]|\\[\s\S])*"/ : /^'(?:[^']|'')*'/;
  const found = form.exec(text.slice(start, start + LONGEST_FLOW));
  return found ? start + found[0].length : undefined;
}

/**
 * The position after the closing bracket; undefined where there is none. Brackets in quotes do not
 * count.
 */
function bracketEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < Math.min(text.length, start + LONGEST_FLOW); at += 1) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") at = (quoteEnd(text, at) ?? at + 1) - 1;
    else if ('{['.includes(character)) depth += 1;
    else if ('}]'.includes(character)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/**
 * Text after a closed value that does not belong to the mapping is probably a part of the secret.
 */
function pastJunk(text: string, close: number): number {
  const rest = text.slice(close, lineEnd(text, close));
  return /^\s*(?:[,}\]#].*)?$/.test(rest) ? close : close + rest.length;
}

/**
 * An unquoted value in brackets ends before the next key, or before the brackets that end the line.
 */
function flowEnd(text: string, start: number): number {
  const ahead = text.slice(start, start + LONGEST_FLOW);
  const end = /[}\]\s]*,\s*["']?[\w.-]+["']?\s*:|[}\]][}\]\s]*,?[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/.exec(
    ahead,
  );
  return end ? start + end.index : lineEnd(text, start);
}

/** The rest of the line, and all lines with a larger indent than the key. */
function inBlock(text: string, start: number, column: number): Value {
  const first = lineEnd(text, start);
  const isBare = /^\s*(?:#.*)?$/.test(text.slice(start, first));
  let end = first;
  for (let at = first + 1; at < text.length; at = lineEnd(text, at) + 1) {
    const line = text.slice(at, lineEnd(text, at));
    const indent = line.length - line.trimStart().length;
    const belongs = indent > column || (isBare && indent === column && line[indent] === '-');
    if (line.trim() !== '' && !belongs) break;
    if (line.trim() !== '') end = at + line.length;
  }
  const below = text.slice(first, end).trimStart();
  const isMap = isBare && /^(?:-\s|["']?[A-Za-z_][\w.-]*["']?\s*:(?:\s|$))/.test(below);
  return { holds: isMap ? 'members' : 'text', range: [start, end] };
}

/** Shows keys, brackets and references to the environment, and hides everything else. */
const SHOWN = new RegExp(
  [
    /\bfromEnv["']?\s*:\s*["']?[A-Za-z_]\w*["']?(?=\s*(?:[,}\]]|#|$))/,
    /["']?[A-Za-z_][\w-]*["']?\s*:(?=\s)/,
    /[{}[\],\s]+/,
    /(?<=\s)-(?=\s)/,
    /(\S)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'my',
);
const LEAF = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^']|'')*'|[^\s{}[\],]+/y;

function leaves(text: string, [from, to]: Range): readonly Range[] {
  const ranges: Range[] = [];
  for (let at = from; at < to;) {
    SHOWN.lastIndex = at;
    const found = SHOWN.exec(text);
    if (found && found[1] === undefined) at = SHOWN.lastIndex;
    else {
      LEAF.lastIndex = at;
      const end = LEAF.exec(text) ? LEAF.lastIndex : at + 1;
      ranges.push([at, Math.min(end, to)]);
      at = end;
    }
  }
  return ranges;
}

/** The text behind an alias that is the value of a secret. */
function anchored(text: string, [from, to]: Range): readonly Range[] {
  const alias = /^\*([\w.-]+)\s*$/.exec(text.slice(from, Math.min(to, from + 100)))?.[1];
  const at = alias === undefined ? -1 : text.indexOf(`&${alias} `);
  return alias === undefined || at < 0
    ? []
    : [[at + alias.length + 2, lineEnd(text, at + alias.length)]];
}

function depthIn(before: string): number {
  const bare = before.replaceAll(/"[^"]*"|'[^']*'/g, '');
  return (bare.match(/[{[]/g)?.length ?? 0) - (bare.match(/[}\]]/g)?.length ?? 0);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' && end > at ? end - 1 : end;
}

/** Unusable documents: all problems at once, and the texts that they refer to. */
export class InvalidDocuments extends Error {
  override readonly name = 'InvalidDocuments';
  readonly diagnostics: readonly Diagnostic[];
  readonly files: readonly DocumentFile[];

  constructor(diagnostics: readonly Diagnostic[], files: readonly DocumentFile[]) {
    const count = diagnostics.length === 1 ? '1 finding' : `${diagnostics.length} findings`;
    super(`the documents have ${count}; see \`diagnostics\``);
    this.diagnostics = diagnostics;
    this.files = files;
  }
}

/** The texts that frames may show, by path. */
export function quotedFiles(files: readonly DocumentFile[]): ReadonlyMap<string, QuotedText> {
  return new Map(files.map(({ path, text }) => [path, quotable(text)]));
}
