import { CST, Lexer } from 'yaml';

/** Deepest nesting of maps and lists in a document (semantics D2). */
export const MAX_DEPTH = 32;

/** An open block map or list: the column its entries stand in. */
interface Block {
  readonly column: number;
  readonly kind: 'map' | 'list';
}

interface State {
  readonly blocks: Block[];
  flow: number;
  column: number;
  /** Where the current entry of a block began, since the last indicator or line break. */
  start: number | undefined;
  /** The next token is the text of a plain or block scalar, whatever it looks like. */
  scalar: boolean;
}

const OPENS: ReadonlySet<string> = new Set(['flow-map-start', 'flow-seq-start']);
const CLOSES: ReadonlySet<string> = new Set(['flow-map-end', 'flow-seq-end']);
const BLANK: ReadonlySet<string> = new Set(['space', 'comment', 'byte-order-mark']);

/**
 * Counts how deep a text nests, in one pass over its tokens: the parser aborts the whole process on deep nesting
 * (a few kilobytes are enough), and no `catch` sees it. The tokens are those the parser itself would see, so quotes,
 * comments and block text cannot hide a bracket from one of the two; the lexer neither recurses nor builds anything.
 * Returns the offset at which the limit is passed, or undefined.
 */
export function depthExceeds(text: string, limit: number): number | undefined {
  const state: State = { blocks: [], flow: 0, column: 0, start: undefined, scalar: false };
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    take(state, token);
    if (state.blocks.length + state.flow > limit) return offset;
    if (!isMark(token)) offset += token.length;
  }
  return undefined;
}

function take(state: State, token: string): void {
  if (isMark(token)) {
    if (token === CST.FLOW_END) state.flow = 0;
    if (token === CST.DOCUMENT) state.blocks.length = 0;
    state.scalar = token === CST.SCALAR;
    return;
  }
  const type = state.scalar ? 'scalar' : CST.tokenType(token);
  state.scalar = false;
  if (type !== null && OPENS.has(type)) open(state);
  else if (type !== null && CLOSES.has(type)) state.flow = Math.max(0, state.flow - 1);
  else if (state.flow === 0) takeInBlock(state, type ?? 'scalar');
  advance(state, token);
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

/** Closes every block that this entry is not inside of, then opens its own if it is not open yet. */
function enter(blocks: Block[], block: Block): void {
  for (let top = blocks.at(-1); top && endsBefore(top, block); top = blocks.at(-1)) blocks.pop();
  const top = blocks.at(-1);
  if (top?.column !== block.column || top.kind !== block.kind) blocks.push(block);
}

/** A list may stand at the column of the map key that it belongs to, so a key at that column ends the list. */
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

/** The lexer announces documents, scalars and broken flows with single control characters that are not text. */
function isMark(token: string): boolean {
  return token === CST.DOCUMENT || token === CST.FLOW_END || token === CST.SCALAR;
}
