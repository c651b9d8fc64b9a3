import { Composer, Parser, type CST, type Document, type LineCounter } from 'yaml';
import { MAX_FINDINGS } from './scan.ts';

/**
 * YAML 1.2 core and nothing else. Duplicate keys are found by our own walk, which knows both places and takes linear
 * time; keys are always text, so that a site id may be written without quotes.
 */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  merge: false,
  uniqueKeys: false,
  stringKeys: true,
  logLevel: 'silent',
} as const;

/**
 * The first document of a scanned text, empty where there is none, and the second if there is one. What is wrong with
 * a hostile text is not counted to its end, and its errors carry no stack: a mebibyte of brackets would take half a
 * minute otherwise.
 */
export function compose(
  text: string,
  lines: LineCounter,
): readonly [Document.Parsed, Document.Parsed?] {
  const stackLimit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    const tokens = untilHopeless(new Parser(lines.addNewLine).parse(text));
    const documents = new Composer(OPTIONS).compose(tokens, true, text.length);
    return [documents.next().value, documents.next().value] as [Document.Parsed, Document.Parsed?];
  } finally {
    Error.stackTraceLimit = stackLimit;
  }
}

function* untilHopeless(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === 'error') errors += 1;
    if (errors > MAX_FINDINGS) return;
  }
}
