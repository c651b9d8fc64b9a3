import type { Instant, Milliseconds } from '../lib/time.ts';
import type { QuotedText } from '../model/documents/quoted.ts';
import type { SourceLocation } from '../model/documents/source.ts';
import type { Params } from '../model/error.ts';
import type { Sink } from './sinks/sinks.ts';
import type { ZoneClock } from './words/local.ts';
import { fill, grouped, type Phrase } from './words/phrase.ts';

/** How a part of an output is meant: refused, to be looked at, fine, or beside the point. */
export type Tone = 'bad' | 'wait' | 'run' | 'calm';

/**
 * A part of a sentence. `said` is ours, `code` is a command or key of ours, and `data` comes from
 * outside: every printer shows it as it is, and it never acts. A bare string is none of them.
 */
export type Inline =
  | { readonly is: 'said'; readonly text: string }
  | { readonly is: 'data'; readonly text: string }
  | { readonly is: 'code'; readonly text: string }
  | { readonly is: 'strong'; readonly parts: Inlines; readonly tone?: Tone }
  | {
      readonly is: 'link';
      readonly parts: Inlines;
      readonly show: Readonly<Record<string, string>>;
    };

export type Inlines = readonly Inline[];

/** An entry of a list: its number or mark, one sentence, further lines, and the next step. */
export interface Item {
  readonly count?: number;
  /** The rows of the page's table that the number leads to. */
  readonly show?: Readonly<Record<string, string>>;
  readonly mark?: { readonly word: string; readonly tone: Tone };
  readonly text: Inlines;
  readonly lines?: readonly Inlines[];
  /** Lines that a terminal shows with `--all` only. */
  readonly details?: readonly Inlines[];
  readonly facts?: readonly Fact[];
  readonly next?: Inlines;
}

interface Column {
  /** A table has no head if no column has a title. */
  readonly title: string;
  readonly isNumber?: boolean;
  /** The class of its cells on a page; `bar` for the bars of its rows, which only a page draws. */
  readonly kind?: string;
  /** `page`: left out of a terminal; `wide`: of a narrow one, the last of them first. */
  readonly room?: 'page' | 'wide';
}

/** A part of a bar, beside the width of the longest one. */
interface BarPart {
  readonly tone: Tone | 'open';
  readonly share: number;
}

/** What a color of a drawing means. */
interface Legend {
  readonly kind: string;
  readonly text: string;
}

interface Row {
  readonly cells: readonly Inlines[];
  /** Its one cell is the heading of the rows below it. */
  readonly isHead?: boolean;
  /** The changes that it stands for, where rows are left out. */
  readonly count?: number;
  readonly isStrong?: boolean;
  readonly bar?: readonly BarPart[];
  /** How its cells are meant. */
  readonly tones?: readonly (Tone | undefined)[];
}

/** What a list or table leaves out of a terminal and of Markdown, each counted as `noun`. */
interface Limited {
  /** How many a terminal shows, and how many of a list Markdown shows before a reader opens the others. */
  readonly most?: number;
  readonly noun?: string;
  /** How many fit, where a printer has a limit. */
  readonly cap?: number;
  /** How many there are besides those of this tree. */
  readonly left?: number;
}

export interface TableBlock extends Limited {
  readonly is: 'table';
  readonly label: string;
  /** Its class on a page. */
  readonly kind: string;
  /** Its first column has addresses of policies: no two of them are cut to the same text. */
  readonly hasAddresses?: boolean;
  readonly legend?: readonly Legend[];
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  readonly sums?: readonly Row[];
  /** Where there is no place for all, those of the highest rank are left out first. */
  readonly rank?: number;
}

export interface ListBlock extends Limited {
  readonly is: 'list';
  /** Its entries warn. */
  readonly tone?: 'wait';
  readonly items: readonly Item[];
}

/** A line of an entry with its label; a detail is left out of a terminal. */
export interface Fact {
  readonly label: string;
  readonly text: Inlines;
  readonly isDetail?: boolean;
}

/** Something with what is known about it, and its values before and after. */
export interface Entry {
  /** How many changes it stands for. */
  readonly count: number;
  readonly title: Inlines;
  readonly tag?: { readonly word: string; readonly tone: Tone };
  readonly origin?: Inlines;
  readonly edits?: readonly {
    readonly kind: 'same' | 'removed' | 'added';
    readonly text: Inlines;
  }[];
  readonly facts: readonly Fact[];
  /** What tells it from others while a page shows it closed; its facts say the same. */
  readonly gist?: Inlines;
}

export interface EntriesBlock extends Limited {
  readonly is: 'entries';
  readonly entries: readonly Entry[];
}

/**
 * A drawing over time: lanes below each other, in groups with an axis each. Its words and numbers are in a table beside
 * it, which a terminal and Markdown have instead.
 */
export interface PlotBlock {
  readonly is: 'plot';
  /** What it shows, and a sentence about it. */
  readonly label: string;
  readonly about: string;
  readonly from: Instant;
  readonly to: Instant;
  readonly now?: Instant;
  /** How long one count of a lane stands for. */
  readonly step?: Milliseconds;
  readonly legend?: readonly Legend[];
  readonly groups: readonly LaneGroup[];
}

/** Lanes under an axis in the local time of a zone. */
export interface LaneGroup {
  readonly title: string;
  readonly clock?: ZoneClock;
  readonly lanes: readonly Lane[];
  /** What is not drawn. */
  readonly more?: string;
}

export interface Lane {
  /** The heading above it. */
  readonly under?: string;
  readonly name: string;
  readonly about: string;
  /** What a tooltip adds. */
  readonly times?: string;
  readonly spans?: readonly LaneSpan[];
  readonly counts?: readonly number[];
  /** Shares in percent. */
  readonly points?: readonly { readonly at: Instant; readonly percent: number }[];
}

/** A time span; an unknown edge is infinite. */
export interface LaneSpan {
  readonly open: Instant;
  readonly close: Instant;
  readonly kind: string;
}

/** Lines that a reader copies or compares: no printer wraps them. */
export interface CodeBlock extends Limited {
  readonly is: 'code';
  readonly lines: readonly CodeLine[];
  /** A terminal shows what fits its width. */
  readonly isCut?: boolean;
}

/** A line as it is, or of a difference; `hunk` says where lines of it begin. */
export interface CodeLine {
  readonly kind?: 'same' | 'removed' | 'added' | 'hunk';
  readonly text: string;
}

/** A place of a document; with the text of the document its line, and a mark under it. */
export interface SnippetBlock {
  readonly is: 'snippet';
  readonly lead: string;
  readonly at: SourceLocation & { readonly length?: number };
  readonly text?: QuotedText | undefined;
}

export interface Section {
  readonly is: 'section';
  /** Ours, and one of its kind in an output. */
  readonly id: string;
  readonly title: Inlines;
  readonly count?: number;
  /** Markdown shows its title until a reader opens it. */
  readonly isFolded?: boolean;
  /** A page shows its title until a reader opens it. */
  readonly isClosed?: boolean;
  readonly rank?: number;
  /** It comes before all else, apart from the text around it. */
  readonly tone?: Tone;
  /** Its title is a sentence, and no heading. */
  readonly isPlain?: boolean;
  readonly blocks: readonly Block[];
}

/** What an output is made of. A command makes its blocks once; every format prints these. */
export type Block =
  | Section
  | TableBlock
  | ListBlock
  | EntriesBlock
  | PlotBlock
  | CodeBlock
  | SnippetBlock
  | { readonly is: 'facts'; readonly facts: readonly Fact[] }
  | { readonly is: 'title'; readonly text: Inlines; readonly tone?: Tone }
  | {
      readonly is: 'sentence';
      readonly text: Inlines;
      readonly tone?: Tone;
      /** Beside the point: small on a page. */
      readonly isSmall?: boolean;
    }
  /** What to do next; a reader copies its commands. */
  | { readonly is: 'next'; readonly text: Inlines };

/** Text from outside. */
export function data(text: string): Inline {
  return { is: 'data', text };
}

/** Text of ours, in which backticks mark code. */
export function own(text: string): Inlines {
  return parse(text, []);
}

export function sentence(text: Inlines, tone?: Tone): Block {
  return { is: 'sentence', text, ...(tone && { tone }) };
}

/** A sentence that is beside the point: small on a page. */
export function small(text: Inlines): Block {
  return { is: 'sentence', text, isSmall: true };
}

/** A list of entries that are one sentence each. */
export function list(sentences: readonly Inlines[]): ListBlock {
  return { is: 'list', items: sentences.map((text) => ({ text })) };
}

export function strong(parts: Inlines, tone?: Tone): Inline {
  return { is: 'strong', parts, ...(tone && { tone }) };
}

export function texts(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title }));
}

export function numbers(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title, isNumber: true }));
}

/** The column of the bars of a table. */
export const BARS: Column = { title: '', kind: 'bar', room: 'page' };

/** A text of `words/`, whose parameters go through a sink. */
export function told(write: (sink: Sink) => string): Inlines {
  const values: string[] = [];
  return parse(
    write((text) => `${OPEN}${values.push(text) - 1}${CLOSE}`),
    values,
  );
}

/** A filled phrase; its parameters are data, and its counts are not. */
export function phrase(words: Phrase, params: Params = {}): Inlines {
  return told((sink) => fill(words, params, sink));
}

type Value = Inline | Inlines | string | number;

/** A template: its literal parts are ours, a number is grouped, and a text among its values is data. */
export function say(literals: TemplateStringsArray, ...values: readonly Value[]): Inlines {
  return literals.flatMap((literal, n) => {
    const value = values[n];
    return [...own(literal), ...(value === undefined ? [] : inlinesOf(value))];
  });
}

function inlinesOf(value: Value): Inlines {
  if (typeof value === 'number') return own(grouped(value));
  if (typeof value === 'string') return [data(value)];
  return 'is' in value ? [value] : value;
}

/** Joins parts with a text of ours. */
export function joined(parts: readonly (Inline | Inlines)[], between: string): Inlines {
  return parts.flatMap((part, n) => (n === 0 ? part : [...own(between), ...inlinesOf(part)]));
}

/** A text whose commands that read documents, alone or in backticks, name their folder, so that they work as printed. */
export function placed<T extends string>(text: T, folder: string | undefined): T {
  return folder === undefined
    ? text
    : (text.replace(COMMANDS, (one) => `${one} --fleet ${folder}`) as T);
}

const COMMANDS =
  /(?<=^|`)fleetform(?! (?:show|explain|twin|demo|advanced|completion|ledger schema)\b)(?![^`]*--(?:fleet|help)\b)(?: [^\s`]*[^\s`.,:;])+(?=`|$)/g;

/** A sentence whose commands name a folder. */
export function inFolder(text: Inlines, folder: string): Inlines {
  return text.map((part) => ('text' in part ? { ...part, text: placed(part.text, folder) } : part));
}

/** `file:line:column`, which editors and terminals turn into a link. */
export function placeText({ file, line, column }: SourceLocation): string {
  return `${file}:${line}:${column}`;
}

export function place(at: SourceLocation): Inline {
  return data(placeText(at));
}

/** Around the number of a value in a text of ours, which has neither. */
const [OPEN, CLOSE] = ['\u000e', '\u000f'];

const TOKENS = new RegExp(`${OPEN}\\d+${CLOSE}|\`|[^\`${OPEN}]+`, 'g');

/** Splits a text at its values and its code; what is in code is code as a whole, and a lone backtick is none. */
function parse(text: string, values: readonly string[]): Inlines {
  if (values.length === 0 && !text.includes('`')) return text === '' ? [] : [{ is: 'said', text }];
  const parts: Inline[] = [];
  let code: { readonly is: 'data' | 'said'; readonly text: string }[] | undefined;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '`') {
      if (code) parts.push({ is: 'code', text: code.map((part) => part.text).join('') });
      code = code ? undefined : [];
      continue;
    }
    const isData = token.startsWith(OPEN);
    const said = isData ? (values[Number(token.slice(1, -1))] ?? '') : token;
    (code ?? parts).push({ is: isData ? 'data' : 'said', text: said });
  }
  return code ? [...parts, { is: 'said', text: '`' }, ...code] : parts;
}
