import type { Params } from '../../model/error.ts';
import type { Sink, TerminalText } from '../sinks/sinks.ts';
import { withReadableInstants, type PageTime } from './moment.ts';
import { fill, type Phrase } from './phrase.ts';

/** What happened, details, and the next step; as safe as the sink made it. */
export interface Words<Text extends string = TerminalText> {
  readonly summary: Text;
  readonly detail?: Text;
  readonly next: Text;
}

/** The phrases of a code, with gaps for its parameters. */
export interface CodePhrases {
  readonly says: Phrase;
  readonly more?: Phrase;
  readonly next: Phrase;
}

export function paramsText(params: Params): string {
  const said = Object.entries(withReadableInstants(params));
  return said.map(([name, value]) => `${name} ${String(value)}`).join(', ');
}

/** Replaces a subcode by its words. */
export function finer(
  params: Params,
  name: 'problem' | 'why' | 'what',
  words: Readonly<Record<string, string>> | undefined,
): Params {
  const code = params[name];
  const said = words !== undefined && typeof code === 'string' ? findWord(words, code) : undefined;
  return said === undefined ? params : { ...params, [name]: said };
}

export function codeWords(
  entry: CodePhrases,
  params: Params,
  sink: Sink,
  page: PageTime = {},
): Words<string> {
  return fillPhrases(entry, withReadableInstants(params, page), sink);
}

/**
 * Text of an author is quoted verbatim, including instants, because people search for it and copy
 * it.
 */
export function shownParams(params: Params, page: PageTime = {}): Params {
  const written = Object.entries(params).filter(([name]) => QUOTED.includes(name));
  return { ...withReadableInstants(params, page), ...Object.fromEntries(written) };
}

const QUOTED: readonly string[] = ['value', 'text', 'limit'];

export function fillPhrases(entry: CodePhrases, shown: Params, sink: Sink): Words<string> {
  const detail = entry.more === undefined ? '' : fill(entry.more, shown, sink).trim();
  return {
    summary: fill(entry.says, shown, sink),
    ...(detail !== '' && { detail }),
    next: fill(entry.next, shown, sink),
  };
}

/**
 * The English of a code from a file or the service; the code itself if this version does not know
 * it.
 */
export function wordOr(words: Readonly<Record<string, string>>, code: string): string {
  return findWord(words, code) ?? code;
}

/** The English of a code that may be a text of the service; undefined in that case. */
export function findWord<Word>(
  words: Readonly<Record<string, Word>>,
  code: string,
): Word | undefined {
  return Object.hasOwn(words, code) ? words[code] : undefined;
}
