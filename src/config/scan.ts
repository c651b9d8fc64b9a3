import { type Diagnostic, error, warning } from '../model/documents/diagnostic.ts';
import type { DocumentFile } from '../model/documents/policy.ts';
import { type Spot, errorOfAll, wholeFile } from './findings.ts';
import { type Token, tokens } from './brackets.ts';

/** Limits on the documents (semantics D2). */
export const MAX_FILE_BYTES = 1_048_576;
export const MAX_FILES = 5_000;
export const MAX_FLEET_BYTES = 20 * 1_048_576;

/** The most findings of one kind per file, against hostile files. */
export const MAX_FINDINGS = 50;

/**
 * Control characters, byte order marks, and characters that editors hide or reorder: a reviewer
 * must see what is there. A carriage return without a line feed hides the line before it.
 */
const FORBIDDEN = new RegExp(
  [
    '[\\0-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e]',
    '[\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\ufffe\\uffff]',
    '[\\u{e0000}-\\u{e0fff}]',
    '\\p{Surrogate}',
    '\\r(?!\\n)',
  ].join('|'),
  'gu',
);

/** A line that `git merge` leaves. It begins in the first column, where no value of a document does. */
const CONFLICT_MARK = /^(?:[<>|]{7} .*|[<>=|]{7})\r?$/gm;

/** A space of another alphabet or a no-break space, where YAML wants a blank: it indents a line, or follows a colon. */
const OTHER_SPACE = /(?:^[ \t]*(?:- *)?|: *)([\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])/m;

/**
 * Finds what must be refused before the parser sees the text. Text that is nested too deep, or has marks of a merge,
 * must not be parsed; other text goes through `withoutForbidden`.
 */
export function scan(file: DocumentFile): readonly Diagnostic[] {
  const found = forbiddenCharacters(file);
  if (found.length > 0) return found;
  const [first, ...others] = [...file.text.matchAll(CONFLICT_MARK)];
  if (first) {
    const at = spotAt(file, first.index, first[0].trimEnd().length);
    const { line: to } = spotAt(file, (others.at(-1) ?? first).index, 1);
    const params = { problem: 'mergeConflict', from: at.line, ...(to > at.line && { to }) };
    return [error('syntax', at, params)];
  }
  const [space, character] = OTHER_SPACE.exec(file.text) ?? [];
  if (space !== undefined && character !== undefined) {
    const at = spotAt(file, file.text.indexOf(space) + space.length - 1, 1);
    const params = { line: at.line, character: codePoint(character) };
    return [error('syntax', at, { problem: 'noBreakSpace', ...params })];
  }
  const deep = depthExceeds(file.text, MAX_NESTING);
  if (deep === undefined) return [];
  return [error('nestedTooDeep', spotAt(file, deep, 1), { limit: MAX_NESTING })];
}

/** A comment of `init` or `import` that asks a person for a value. */
const FILL_IN = /(?:^|[ \t])# (FILL IN)\b/gm;

/** One warning at the first placeholder of a file: such values are valid, and of no real fleet. */
export function placeholders(file: DocumentFile): readonly Diagnostic[] {
  const found = [...file.text.matchAll(FILL_IN)];
  const [first] = found;
  if (!first) return [];
  const at = first.index + first[0].length - 'FILL IN'.length;
  return [warning('fillIn', spotAt(file, at, 'FILL IN'.length), { count: found.length })];
}

/** The text with forbidden characters replaced, so that one round checks the rest. */
export function withoutForbidden(file: DocumentFile): DocumentFile {
  const text = file.text.replace(FORBIDDEN, (found, at: number) =>
    at === 0 && found === '\ufeff' ? found : '\ufffd'.repeat(found.length),
  );
  return { ...file, text };
}

/** Checks the number and size of files before their content is read. */
export function checkLimits(
  files: readonly { readonly path: string; readonly bytes: number }[],
): readonly Diagnostic[] {
  const findings = files
    .filter(({ bytes }) => bytes > MAX_FILE_BYTES)
    .map(({ path, bytes }) =>
      error('fileTooLarge', wholeFile(path), { bytes, limit: MAX_FILE_BYTES }),
    );
  if (files.length > MAX_FILES)
    findings.push(errorOfAll('tooManyFiles', { count: files.length, limit: MAX_FILES }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes > MAX_FLEET_BYTES)
    findings.push(errorOfAll('fleetTooLarge', { bytes, limit: MAX_FLEET_BYTES }));
  return findings;
}

/** Decodes strict UTF-8. Returns a finding instead of a text for an invalid byte. */
export function decode(path: string, bytes: Uint8Array): string | Diagnostic {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const offset = lenient.indexOf('\ufffd');
    return error('notUtf8', spotAt({ path, text: lenient }, offset, 1), { offset });
  }
}

function forbiddenCharacters(file: DocumentFile): Diagnostic[] {
  const findings: Diagnostic[] = [];
  for (const match of file.text.matchAll(FORBIDDEN)) {
    if (match.index === 0 && match[0] === '\ufeff') continue;
    if (findings.length === MAX_FINDINGS) break;
    const at = spotAt(file, match.index, match[0].length);
    findings.push(error('forbiddenCharacter', at, { character: codePoint(match[0]) }));
  }
  return findings;
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${hex}`;
}

function spotAt(
  file: { readonly path: string; readonly text: string },
  offset: number,
  length: number,
): Spot {
  const before = file.text.slice(0, offset);
  const line = before.split('\n').length;
  return { file: file.path, line, column: offset - before.lastIndexOf('\n'), length };
}

/** Deepest nesting of maps and lists in a document (semantics D2). */
export const MAX_NESTING = 32;

/** An open block map or list, by the column of its entries. */
interface Block {
  readonly column: number;
  readonly kind: 'map' | 'list';
}

interface State {
  readonly blocks: Block[];
  flow: number;
  column: number;
  /** Start of the current block entry, since the last indicator or line break. */
  start: number | undefined;
}

const OPENS: ReadonlySet<string> = new Set(['flow-map-start', 'flow-seq-start']);
const CLOSES: ReadonlySet<string> = new Set(['flow-map-end', 'flow-seq-end']);
const BLANK: ReadonlySet<string> = new Set(['space', 'comment', 'byte-order-mark']);

/**
 * Measures the nesting of a text in one pass over its tokens, because the parser aborts the whole
 * process on deep nesting of a few kilobytes and no `catch` sees it. Quotes, comments and block
 * text cannot hide brackets from it alone, because it reads the parser's own tokens. Returns the offset at which the limit is exceeded, else
 * undefined.
 */
export function depthExceeds(text: string, limit: number): number | undefined {
  const state: State = { blocks: [], flow: 0, column: 0, start: undefined };
  for (const token of tokens(text)) {
    take(state, token);
    if (state.blocks.length + state.flow > limit) return token.at;
  }
  return undefined;
}

function take(state: State, { type, text }: Token): void {
  if (type === 'flow-error-end') state.flow = 0;
  else if (type === 'doc-mode') state.blocks.length = 0;
  else if (OPENS.has(type)) open(state);
  else if (CLOSES.has(type)) state.flow = Math.max(0, state.flow - 1);
  else if (state.flow === 0) takeInBlock(state, type);
  advance(state, text);
}

function open(state: State): void {
  if (state.flow === 0) state.start ??= state.column;
  state.flow += 1;
}

function takeInBlock(state: State, type: string): void {
  if (type === 'seq-item-ind') {
    enter(state.blocks, { column: state.column, kind: 'list' });
    state.start = undefined;
  } else if (type === 'explicit-key-ind') {
    enter(state.blocks, { column: state.column, kind: 'map' });
    state.start = undefined;
  } else if (type === 'map-value-ind') {
    enter(state.blocks, { column: state.start ?? state.column, kind: 'map' });
    state.start = undefined;
  } else if (!BLANK.has(type) && type !== 'newline') state.start ??= state.column;
}

/** Closes the blocks that do not contain this entry, then opens its own if necessary. */
function enter(blocks: Block[], block: Block): void {
  for (let top = blocks.at(-1); top && endsBefore(top, block); top = blocks.at(-1)) blocks.pop();
  const top = blocks.at(-1);
  if (top?.column !== block.column || top.kind !== block.kind) blocks.push(block);
}

/** A list may have the column of its map key, so a key in that column ends the list. */
function endsBefore(open: Block, entry: Block): boolean {
  if (open.column !== entry.column) return open.column > entry.column;
  return open.kind === 'list' && entry.kind === 'map';
}

function advance(state: State, token: string): void {
  const lineEnd = token.lastIndexOf('\n');
  if (lineEnd < 0) {
    state.column += token.length;
    return;
  }
  state.column = token.length - lineEnd - 1;
  if (state.flow === 0) state.start = undefined;
}
