import type { Params } from '../../model/error.ts';
import type { Sink, TerminalText } from '../sinks/sinks.ts';
import { withReadableInstants, type PageTime } from './moment.ts';

/**
 * A sentence with gaps. `{name}` is a parameter; `{name=its name}` has a default;
 * `{n|device|devices}` is a count with its noun, `{n#}` one without. A part in square brackets is left out if one of
 * its parameters is missing or blank; the text after `||` in it then replaces it, and so on. Two pairs of brackets show one.
 * One of `{n|device|devices} such as {name}` is just named.
 */
export type Phrase = string;

const OPTIONAL = /\[([^\][]*)\]/g;
const EXAMPLE = /\{(\w+)\|\w+\|\w+\} such as (\{\w+\})/g;
const GAP = /\{(\w+)(#?)(?:=([^}|]*))?(?:\|([^|}]*)\|([^}]*))?\}/g;

/** Fills a phrase. Parameters go through the sink; the rest of the sentence is ours. */
export function fill(phrase: Phrase, params: Params, sink: Sink): string {
  return phrase
    .replace(OPTIONAL, (_, part: string) => chosen(part, params))
    .replace(EXAMPLE, (all, count: string, one: string) => (params[count] === 1 ? one : all))
    .replace(GAP, (...match: (string | undefined)[]) => filled(match, params, sink));
}

function chosen(part: string, params: Params): string {
  const choices = part.split('||');
  const last = choices.length > 1 ? choices.pop() : '';
  return choices.find((choice) => complete(choice, params)) ?? last ?? '';
}

function filled(match: readonly (string | undefined)[], params: Params, sink: Sink): string {
  const [, name = '', hash, instead, one, many] = match;
  const value = params[name];
  if (isMissing(value)) return instead ?? many ?? '(not said)';
  const isCount = hash === '#' || (one !== undefined && many !== undefined);
  const count = isCount && typeof value === 'number' ? grouped(value) : sink(String(value));
  if (one === undefined || many === undefined) return count;
  return `${count} ${value === 1 ? one : many}`;
}

function complete(part: string, params: Params): boolean {
  return [...part.matchAll(GAP)].every(([, name, , instead]) => {
    const value = params[name ?? ''];
    return instead !== undefined || !isMissing(value);
  });
}

/** A text of spaces alone shows nothing, so it is as good as none; a sink makes every other blank visible. */
function isMissing(value: Params[string] | undefined): boolean {
  return value === undefined || (typeof value === 'string' && /^\p{Zs}*$/u.test(value));
}

/** `Device type` of `deviceType`. */
export function nameTitle(name: string): string {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A number with a comma between groups of three: `12,345`. Fractions keep one decimal. */
export function grouped(value: number): string {
  const [whole = '', decimals] = String(Math.round(value * 10) / 10).split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? spaced : `${spaced}.${decimals}`;
}

/** A number with its noun: `1 device`, `1,000 devices`, `2 policies`. */
export function counted(count: number, noun: string): string {
  const several = /[^aeou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${grouped(count)} ${count === 1 ? noun : several}`;
}

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
