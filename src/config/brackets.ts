import { CST, Lexer } from 'yaml';

/** A token of the parser's lexer. Where indentation breaks brackets off, and at the end, it is `flow-error-end`. */
export interface Token {
  readonly type: string;
  readonly text: string;
  readonly at: number;
}

/** The tokens of a text, by the parser's own lexer: it neither recurses nor builds values. */
export function* tokens(text: string): Generator<Token> {
  let at = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : (CST.tokenType(token) ?? 'scalar');
    isScalar = token === CST.SCALAR;
    const isMark = isScalar || token === CST.DOCUMENT || token === CST.FLOW_END;
    if (!isScalar) yield { type, text: isMark ? '' : token, at };
    if (!isMark) at += token.length;
  }
  yield { type: 'flow-error-end', text: '', at };
}

/** What is wrong in brackets or quotes. */
export interface BracketMistake {
  readonly problem: string;
  readonly at: Token;
  /** The start of the outermost bracket around it. */
  readonly since: number;
  /** The bracket around it, and the end of what is written before it. */
  readonly open?: number;
  readonly after?: number;
  readonly closer?: string;
}

/** What was read last in a bracket: nothing, a comma, a text that may be a key, its colon, or a whole value. */
type Read = 'start' | 'comma' | 'text' | 'colon' | 'value';

interface Open {
  readonly at: Token;
  readonly closer: string;
  read: Read;
}

interface Reader {
  readonly open: Open[];
  last?: Token;
  /** The last blanks or comment, and the last comment. */
  beside?: Token;
  comment?: Token;
}

const BESIDE: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'anchor', 'tag']);

/** The first mistake in the brackets and quotes of a text that the parser refuses, by what a person left out. */
export function bracketMistake(text: string): BracketMistake | undefined {
  const reader: Reader = { open: [] };
  for (const token of tokens(text)) {
    const isBeside = BESIDE.has(token.type);
    const found = isBeside ? undefined : read(reader, token);
    if (found) return { since: reader.open[0]?.at.at ?? found.at.at, ...found };
    reader[isBeside ? 'beside' : 'last'] = token;
    if (token.type === 'comment') reader.comment = token;
  }
  return undefined;
}

type Found = Omit<BracketMistake, 'since'>;

function read(reader: Reader, token: Token): Found | undefined {
  const { open, last } = reader;
  const { type, text } = token;
  const top = open.at(-1);
  if (type === 'flow-error-end') return top && unclosed(reader, top);
  if (type.endsWith('quoted-scalar') && !endsWithQuote(text))
    return { problem: 'quoteOpen', at: token };
  if (last?.type === 'double-quoted-scalar' && isInside(last, token))
    return { problem: 'quoteOpen', at: last };
  if (type === 'flow-map-start' || type === 'flow-seq-start') return opened(reader, token);
  if (type === 'flow-map-end' || type === 'flow-seq-end') return closed(reader, token);
  return top && inBrackets(reader, top, token);
}

function inBrackets(reader: Reader, top: Open, token: Token): Found | undefined {
  const { last } = reader;
  const { type } = token;
  if (type === 'comma') {
    if (top.read === 'start' || top.read === 'comma') return { problem: 'commaTooMany', at: token };
    top.read = 'comma';
  } else if (type === 'map-value-ind') {
    const word = top.read === 'value' && last && lastWord(last);
    if (word) return { problem: 'commaMissing', open: top.at.at, ...word };
    top.read = 'colon';
  } else return item(reader, top, token);
  return undefined;
}

/** A quote behind a backslash does not end a text. */
function endsWithQuote(text: string): boolean {
  const [end] = /\\*$/.exec(text.slice(-100, -1)) ?? [''];
  return text.length > 1 && text.at(-1) === text[0] && (text[0] === "'" || end.length % 2 === 0);
}

/** The text between two quotes that belong to different values: the first has no end. */
function isInside(quoted: Token, { type, text, at }: Token): boolean {
  return type === 'scalar' && quoted.at + quoted.text.length === at && text.includes('"');
}

function opened(reader: Reader, token: Token): Found | undefined {
  const top = reader.open.at(-1);
  if (top?.closer === '}' && (top.read === 'start' || top.read === 'comma'))
    return { problem: 'bracketTwice', at: token };
  const found = top && item(reader, top, token);
  reader.open.push({ at: token, closer: token.text === '{' ? '}' : ']', read: 'start' });
  return found;
}

function closed({ open }: Reader, token: Token): Found | undefined {
  const top = open.at(-1);
  if (!top) return { problem: 'bracketTooMany', at: token };
  if (top.closer !== token.text) {
    const isLeftOpen = open.some(({ closer }) => closer === token.text);
    const { closer } = top;
    return isLeftOpen
      ? { problem: 'bracketOpen', at: top.at, closer }
      : { problem: 'bracketWrong', at: token, open: top.at.at, closer };
  }
  open.pop();
  return undefined;
}

/** A text, or a bracket, inside brackets. */
function item({ last }: Reader, top: Open, token: Token): Found | undefined {
  if (top.read === 'text' && top.closer === '}' && last)
    return { problem: 'colonMissing', at: last };
  if ((top.read === 'text' || top.read === 'value') && last) {
    const after = last.at + last.text.length;
    return { problem: 'commaMissing', at: token, open: top.at.at, after };
  }
  top.read = top.read === 'colon' ? 'value' : 'text';
  return undefined;
}

function unclosed({ beside, comment }: Reader, { at, closer }: Open): Found {
  if (beside?.text.includes('\t')) return { problem: 'TAB_AS_INDENT', at: beside, open: at.at };
  const isHidden = comment && comment.at > at.at && comment.text.includes(closer);
  return isHidden
    ? { problem: 'bracketInComment', at: comment, open: at.at }
    : { problem: 'bracketOpen', at, closer };
}

/** The key that an unquoted text ends with, where the comma before it is missing. */
function lastWord({ type, text, at }: Token): Pick<BracketMistake, 'at' | 'after'> | undefined {
  const word = text.split(/\s/).at(-1) ?? '';
  if (type !== 'scalar' || word === text) return undefined;
  const start = at + text.length - word.length;
  const after = at + text.slice(0, -word.length).trimEnd().length;
  return { at: { type, text: word, at: start }, after };
}
