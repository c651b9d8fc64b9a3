import { htmlText } from '../sinks/html-sink.ts';
import { PLAIN } from '../sinks/paint.ts';
import { escapeInvisible, mark, markdown, markdownOwn, type MarkdownText } from '../sinks/sinks.ts';
import { snippet } from '../sinks/snippet.ts';
import {
  placeText,
  type Block,
  type CodeBlock,
  type EntriesBlock,
  type Entry,
  type Fact,
  type Inline,
  type Inlines,
  type Item,
  type ListBlock,
  type Section,
  type SnippetBlock,
  type TableBlock,
  type Tone,
} from '../tree.ts';
import { counted, grouped } from '../words/phrase.ts';
import { shownOf, withoutEmpty } from './left.ts';

const ALERTS = {
  bad: 'CAUTION',
  wait: 'WARNING',
  run: 'NOTE',
  calm: 'NOTE',
} as const satisfies Record<Tone, string>;

/** Data is cut to so many characters, so that no text from outside fills a comment. */
const LONGEST = 400;
const LONGEST_STEP = 1_000;

/** Blocks as lines of GitHub's Markdown; each block ends with an empty line. */
export function printMarkdown(blocks: readonly Block[], isFolded = false): readonly MarkdownText[] {
  return blocks.flatMap((block) => blockLines(block, isFolded));
}

function blockLines(block: Block, isFolded: boolean): readonly MarkdownText[] {
  if (block.is === 'section') return sectionLines(block, isFolded);
  if (block.is === 'table') return tableLines(block);
  if (block.is === 'list') return listLines(block, isFolded);
  if (block.is === 'entries') return entriesLines(block);
  if (block.is === 'title') return [mark`### ${inlineMarkdown(block.text)}`, END];
  if (block.is === 'facts')
    return [...block.facts.map((fact) => mark`- ${factMarkdown(fact)}`), END];
  if (block.is === 'next') return [mark`${NEXT}${inlineMarkdown(block.text, LONGEST_STEP)}`, END];
  // Its table follows it.
  if (block.is === 'plot') return [];
  if (block.is === 'code') return codeLines(block);
  if (block.is === 'snippet') return snippetLines(block);
  const text = inlineMarkdown(block.text);
  return block.tone ? alert(block.tone, [text]) : [text, END];
}

function entriesLines(block: EntriesBlock): readonly MarkdownText[] {
  const { shown, more } = shownOf(block.entries, { ...block, most: block.cap ?? Infinity });
  return [...shown.map(entryLine), ...moreLines(more), END];
}

/** A list: the first entries, and the others in a fold, unless it is in one. */
function listLines(list: ListBlock, isFolded: boolean): readonly MarkdownText[] {
  const { shown, more } = shownOf(list.items, { ...list, most: list.cap ?? Infinity });
  const open = isFolded ? shown.length : (list.most ?? shown.length);
  const first = shown.slice(0, open).map(itemLine);
  const others = shown.slice(open).map(itemLine);
  if (others.length === 0) return [...first, ...moreLines(more), END];
  const title = markdownOwn(counted(others.length, `more ${list.noun ?? 'row'}`));
  return [...first, END, ...foldLines(title, [...others, ...moreLines(more), END])];
}

function moreLines(more: string): readonly MarkdownText[] {
  return more === '' ? [] : [mark`- ${markdownOwn(more)}`];
}

function foldLines(summary: MarkdownText, lines: readonly MarkdownText[]): readonly MarkdownText[] {
  return [mark`<details><summary>${summary}</summary>`, END, ...lines, mark`</details>`, END];
}

const END = markdownOwn('');

function sectionLines(section: Section, isInFold: boolean): readonly MarkdownText[] {
  const { title, count, isFolded = false, tone, blocks } = section;
  const number = markdownOwn(count === undefined ? '' : `: ${grouped(count)}`);
  const head = mark`${inlineMarkdown(title)}${number}`;
  const inner = tone ? blocks.map((block) => withoutTone(block)) : blocks;
  const lines = printMarkdown(inner, isInFold || isFolded);
  if (tone) return alert(tone, [mark`**${head}**`, END, ...lines.slice(0, -1)]);
  if (!isFolded) return [mark`**${head}**`, END, ...lines];
  const summary = `${foldTitle(title)}${number}` as MarkdownText;
  return foldLines(summary, lines);
}

/** A title that is HTML, in which nothing is Markdown: data is code there, too. */
function foldTitle(parts: Inlines): string {
  return parts
    .map((part) => {
      if ('parts' in part) return foldTitle(part.parts);
      const text = htmlText(part.text);
      return part.is === 'said' ? text : `<code>${text}</code>`;
    })
    .join('');
}

const SIGNS = { same: '  ', removed: '- ', added: '+ ', hunk: '' } as const;

function codeLines(block: CodeBlock): readonly MarkdownText[] {
  const { shown, more } = shownOf(block.lines, block);
  const lines = shown.map(({ kind, text }) => `${kind ? SIGNS[kind] : ''}${escapeInvisible(text)}`);
  return [...fenced(lines), ...(more === '' ? [] : [markdownOwn(more), END])];
}

/** How wide the frame of a place is, which only a terminal can say. */
const FRAME = { paint: PLAIN, width: 80 };

function snippetLines({ lead, at, text }: SnippetBlock): readonly MarkdownText[] {
  const where = mark`${markdownOwn(lead)} ${markdown(placeText(at))}`;
  return [where, END, ...(text === undefined ? [] : fenced(snippet(at, text, FRAME)))];
}

/** Lines as they are, in a fence that none of them closes. */
function fenced(lines: readonly string[]): readonly MarkdownText[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run + 1)));
  return [fence, ...lines, fence, ''] as readonly string[] as readonly MarkdownText[];
}

function withoutTone(block: Block): Block {
  return block.is === 'sentence' ? { is: 'sentence', text: block.text } : block;
}

function alert(tone: Tone, lines: readonly MarkdownText[]): readonly MarkdownText[] {
  const quoted = lines.map((line) => (line === '' ? mark`>` : mark`> ${line}`));
  return [mark`> [!${markdownOwn(ALERTS[tone])}]`, ...quoted, END];
}

const NEXT = mark`**Next:** `;

function itemLine(item: Item): MarkdownText {
  const { count, mark: word, text, lines = [], details = [], facts = [], next } = item;
  const number = count === undefined ? END : mark`**${markdownOwn(grouped(count))}** `;
  const lead = word ? mark`**${markdownOwn(word.word)}** ` : number;
  const below = [
    ...[...lines, ...details].map((line) => inlineMarkdown(line)),
    ...facts.map(factMarkdown),
  ];
  const more = below.map((line) => mark`<br>${line}`);
  const step = next ? mark`<br>${NEXT}${inlineMarkdown(next)}` : END;
  return mark`- ${lead}${inlineMarkdown(text)}${joined(more, '')}${step}`;
}

function factMarkdown({ label, text }: Fact): MarkdownText {
  const name = label === '' ? END : mark`${markdownOwn(label)}: `;
  return mark`${name}${inlineMarkdown(text)}`;
}

const EDITS = { removed: mark`- `, added: mark`+ `, same: END } as const;

function entryLine({ title, tag, origin, edits = [], facts }: Entry): MarkdownText {
  const name = inlineMarkdown(title);
  const lines = [
    ...(origin ? [inlineMarkdown(origin)] : []),
    ...edits.map(({ kind, text }) => mark`${EDITS[kind]}${inlineMarkdown(text)}`),
    ...facts.map(factMarkdown),
  ];
  const rest = joined(
    lines.map((line) => mark`<br>${line}`),
    '',
  );
  return tag ? mark`- **${name}** ${markdownOwn(tag.word)}${rest}` : mark`- ${name}${rest}`;
}

function tableLines(whole: TableBlock): readonly MarkdownText[] {
  const block = withoutEmpty(whole);
  const { columns, sums = [] } = block;
  const { shown, more } = shownOf(block.rows, block);
  const rows = [...shown, ...sums].map(({ cells, isHead = false, isStrong = false }) => {
    const [first = [], ...rest] = isHead
      ? columns.map((_, n) => (n === 0 ? (cells[0] ?? []) : []))
      : cells;
    const head = isStrong ? [{ is: 'strong', parts: first } as const] : first;
    return rowLine([head, ...rest].map((cell) => inlineMarkdown(cell)));
  });
  return [
    rowLine(columns.map(({ title }) => markdownOwn(title))),
    rowLine(columns.map(({ isNumber = false }) => (isNumber ? mark`--:` : mark`:--`))),
    ...rows,
    END,
    ...(more === '' ? [] : [markdownOwn(more), END]),
  ];
}

function rowLine(cells: readonly MarkdownText[]): MarkdownText {
  return mark`| ${joined(cells, ' | ')} |`;
}

function joined(parts: readonly MarkdownText[], between: ' | ' | ''): MarkdownText {
  return parts.join(between) as MarkdownText;
}

/** A sentence for Markdown: data is a code span, whatever is in it. */
function inlineMarkdown(parts: Inlines, longest = LONGEST): MarkdownText {
  return joined(
    parts.map((part) => partMarkdown(part, longest)),
    '',
  );
}

function partMarkdown(part: Inline, longest: number): MarkdownText {
  if (part.is === 'said') return markdownOwn(part.text);
  if (part.is === 'data') return markdown(cutTo(part.text, longest));
  if (part.is === 'code') return markdown(part.text);
  const text = inlineMarkdown(part.parts, longest);
  return part.is === 'strong' ? mark`**${text}**` : text;
}

/** Cuts a long text before it goes through a sink, so that no escape is cut in two. */
function cutTo(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
