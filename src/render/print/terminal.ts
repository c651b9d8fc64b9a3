import { cutAddresses } from '../sinks/addresses.ts';
import { tint, type Colour } from '../sinks/paint.ts';
import { join, say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { snippet, type TextStyle } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { cut, pad, textWidth } from '../sinks/width.ts';
import { wrap } from '../sinks/wrap.ts';
import {
  placed,
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
import { grouped } from '../words/phrase.ts';
import { shownOf } from './left.ts';

/** How blocks look in a terminal. */
interface PrintStyle extends TextStyle {
  /** Shows the details and every entry; absent in a command that has no such flag. */
  readonly all?: boolean;
  /** What a reader does for the entries that are left out, where that is not `--all`. */
  readonly allBy?: string;
  /** The folder of the documents, which each command of ours names. */
  readonly place?: string | undefined;
  /** The width of tables; that of the text if absent. */
  readonly cells?: number;
}

const COLOURS = { bad: 'red', wait: 'yellow', run: 'green', calm: 'dim' } as const satisfies Record<
  Tone,
  Colour
>;

/** Blocks as lines of a terminal. */
export function* printTerminal(
  blocks: readonly Block[],
  style: PrintStyle,
): Generator<TerminalText> {
  for (const [index, block] of blocks.entries()) {
    const before = blocks[index - 1];
    const isList = block.is === 'list' && before?.is === 'list';
    const isBelow = block.is !== 'entries' && !isList && before;
    // What is said of the one table, and the next step, follow it at once.
    const isClose =
      (block.is === 'sentence' || block.is === 'next') &&
      before?.is === 'table' &&
      before.kind === 'policies';
    if (isBelow && !isClose && (hasGap(block) || isApart(before) || isTitled(block))) yield say``;
    yield* blockLines(block, style, 0);
  }
}

/** Whether an empty line comes before a block. */
function hasGap({ is }: Block): boolean {
  return is === 'section' || is === 'entries';
}

/** Whether an empty line follows a block. */
function isApart(block: Block): boolean {
  return hasGap(block) || block.is === 'table' || block.is === 'list';
}

function isTitled(block: Block): boolean {
  return block.is === 'table' && block.columns.some(({ title }) => title !== '');
}

function* blockLines(block: Block, style: PrintStyle, indent: number): Generator<TerminalText> {
  if (block.is === 'section') yield* sectionLines(block, style);
  else if (block.is === 'table') yield* tableLines(block, style);
  else if (block.is === 'plot') return;
  else if (block.is === 'code') yield* codeLines(block, style, indent);
  else if (block.is === 'snippet') yield* snippetLines(block, style);
  else if (block.is === 'facts') yield* factLines(block.facts, style);
  else if (block.is === 'list') yield* listLines(block, style);
  else if (block.is === 'entries') yield* entriesLines(block, style);
  else if (block.is === 'next')
    yield* nextLines(inlineText(block.text, style), style, indent, indent + 6).map((line) =>
      tint(style.paint, 'cyan', line),
    );
  else {
    const { is, text, tone } = block;
    const colour = tone ? COLOURS[tone] : is === 'title' ? 'bold' : undefined;
    const lines = wrapped(inlineText(text, style), indent, 2, style);
    yield* colour ? lines.map((line) => tint(style.paint, colour, line)) : lines;
  }
}

function* entriesLines(block: EntriesBlock, style: PrintStyle): Generator<TerminalText> {
  const { shown, more } = shownOf(block.entries, style.all ? {} : block);
  for (const entry of shown) yield* entryLines(entry, style);
  if (more !== '') yield* [say``, leftLine(more, style)];
}

/** What is left out, and how to see it. */
function leftLine(more: string, { all, allBy }: PrintStyle): TerminalText {
  return terminal(`  ${more}${allBy ?? (all === undefined ? '' : ' (--all lists them)')}`);
}

function* sectionLines(section: Section, style: PrintStyle): Generator<TerminalText> {
  const { title, count, blocks, tone, isPlain = false } = section;
  const number = count === undefined ? '' : `: ${grouped(count)}`;
  const colour = tone === 'bad' ? 'red' : 'bold';
  const lines = wrap(say`${inlineText(title, style)}${terminal(number)}`, style.width, 2);
  yield* isPlain ? lines : lines.map((line) => tint(style.paint, colour, line));
  for (const block of blocks) {
    if (block.is === 'section') yield say``;
    yield* blockLines(block, style, 2);
  }
}

const CODE = {
  removed: ['- ', 'red'],
  added: ['+ ', 'green'],
  same: ['  ', 'dim'],
  hunk: ['', 'cyan'],
} as const;

function* codeLines(block: CodeBlock, style: PrintStyle, indent: number): Generator<TerminalText> {
  const { shown, more } = shownOf(block.lines, style.all ? {} : block);
  for (const { kind, text } of shown) {
    const [sign, colour] = kind ? CODE[kind] : (['', undefined] as const);
    const line = say`${terminal(' '.repeat(indent) + sign)}${terminal(text)}`;
    const fitting = block.isCut ? cut(line, style.width) : line;
    yield colour ? tint(style.paint, colour, fitting) : fitting;
  }
  if (more !== '') yield leftLine(more, style);
}

function* snippetLines({ lead, at, text }: SnippetBlock, style: PrintStyle) {
  yield say`  ${terminal(lead)} ${tint(style.paint, 'bold', terminal(placeText(at)))}`;
  if (text !== undefined) yield* snippet(at, text, style);
}

function* listLines(list: ListBlock, style: PrintStyle): Generator<TerminalText> {
  const { shown, more } = shownOf(list.items, style.all ? {} : list);
  for (const item of shown) yield* itemLines(item, list, style);
  if (more !== '') yield leftLine(more, style);
}

/** Nothing but a command: a sentence that begins with the name of the tool has a word that ends with a mark. */
const LONE_COMMAND = /^fleetform(?: [^\s`]*[^\s`.,:;])+$/;

/** The next step; its commands stay whole, so that they can be copied. */
function nextLines(given: TerminalText, style: PrintStyle, indent: number, hang: number) {
  const text = placed(given, style.place);
  const isLong = LONE_COMMAND.test(text) && textWidth(text) + hang > style.width;
  return wrapped(isLong ? say`next: \`${text}\`` : say`next: ${text}`, indent, hang, style);
}

function* itemLines(item: Item, list: ListBlock, style: PrintStyle): Generator<TerminalText> {
  const { tone } = list;
  const { text, lines = [], details = [], facts = [], next } = item;
  const lead = leadText(item, list, style);
  const under = item.count === undefined ? 4 : textWidth(lead);
  const first = say`${lead}${inlineText(text, style)}`;
  const head = wrap(first, style.width, Math.max(4, textWidth(lead)));
  yield* tone ? head.map((line) => tint(style.paint, COLOURS[tone], line)) : head;
  for (const line of [...lines, ...(style.all ? details : [])])
    yield* wrapped(inlineText(line, style), under, under + 2, style).map((each) =>
      tint(style.paint, 'dim', each),
    );
  for (const fact of facts) yield* labelled(fact.label, inlineText(fact.text, style), style);
  if (next) yield* nextLines(inlineText(next, style), style, under, under + 2);
}

function* entryLines(entry: Entry, style: PrintStyle): Generator<TerminalText> {
  const { title, tag, origin, edits = [], facts } = entry;
  const words = inlineText(title, style);
  yield say``;
  if (tag) {
    const space = Math.max(2, style.width - 2 - textWidth(words) - textWidth(tag.word));
    const gap = terminal(' '.repeat(space));
    yield say`  ${tint(style.paint, 'bold', words)}${gap}${tint(style.paint, COLOURS[tag.tone], terminal(tag.word))}`;
  } else yield* wrapped(words, 2, 4, style);
  if (origin)
    yield* wrapped(inlineText(origin, style), 4, 4, style).map((line) =>
      tint(style.paint, 'dim', line),
    );
  for (const { kind, text } of edits) {
    const [sign, colour] = CODE[kind];
    const line = say`    ${terminal(sign)}${inlineText(text, style)}`;
    yield tint(style.paint, colour, cut(line, style.width));
  }
  for (const { label, text, isDetail = false } of facts)
    if (!isDetail) yield* labelled(label, inlineText(text, style), style);
}

/** Facts with their labels in one column. */
function* factLines(facts: readonly Fact[], style: PrintStyle): Generator<TerminalText> {
  const widest = Math.max(0, ...facts.map(({ label }) => textWidth(label)));
  const columns = Math.max(LABELS, widest + 2);
  for (const { label, text } of facts)
    yield* labelled(label, inlineText(text, style), style, { indent: 2, columns });
}

/** The least width of the labels of a block of facts, and those of an entry. */
const LABELS = 11;
const OF_ENTRY = { indent: 4, columns: 9 };

/** A label in its column with its text next to it, wrapped in its own column. */
function labelled(
  label: string,
  text: TerminalText,
  { paint, width }: TextStyle,
  { indent, columns } = OF_ENTRY,
): readonly TerminalText[] {
  const [margin, hang] = [terminal(' '.repeat(indent)), terminal(' '.repeat(indent + columns))];
  const name = tint(paint, 'dim', terminal(label.padEnd(columns)));
  return wrap(text, width - indent - columns).map((line, row) =>
    row === 0 ? say`${margin}${name}${line}` : say`${hang}${line}`,
  );
}

/** The number or the mark of an entry; the marks of a list are of one width. */
function leadText({ count, mark }: Item, { items }: ListBlock, { paint }: PrintStyle) {
  if (count !== undefined) return terminal(`${grouped(count).padStart(6)}  `);
  if (!mark) return say`  `;
  const width = Math.max(...items.map((item) => item.mark?.word.length ?? 0));
  return say`  ${tint(paint, COLOURS[mark.tone], terminal(mark.word.padEnd(width)))}  `;
}

function wrapped(text: TerminalText, indent: number, hang: number, { width }: TextStyle) {
  return wrap(say`${terminal(' '.repeat(indent))}${text}`, width, hang);
}

function* tableLines(block: TableBlock, style: PrintStyle): Generator<TerminalText> {
  if (block.rows.some(({ isHead }) => isHead)) return yield* groupedLines(block, style);
  if (!isTitled(block)) return yield* plainLines(block, style);
  const { columns, sums = [], hasAddresses = false } = block;
  const { shown, more } = shownOf(block.rows, style.all ? {} : block);
  const kept = fittingColumns(block, shown, style);
  const cells = (row: Pick<TableBlock['rows'][number], 'cells'>) => cellsOf(row, kept, style);
  const rows = shown.map(cells);
  const below = sums.map(cells);
  const titles = titlesOf(columns, kept);
  const beside = (headers: readonly Header[]): number =>
    sumWidths(measureColumns([...headers, ...rows, ...below]).slice(1));
  const names = rows.map(([name = say``]) => name);
  const one = [titles.map(terminal)];
  const longest = names.reduce((most, name) => Math.max(most, textWidth(name)), 0);
  const headers = hasAddresses && longest + beside(one) > style.width ? splitTitles(titles) : one;
  const first = hasAddresses
    ? cutAddresses(names, Math.max(12, style.width - beside(headers)))
    : names;
  const [above, header = above] = headers;
  yield* table([...rows.map((row, n) => [first[n] ?? say``, ...row.slice(1)]), ...below], {
    width: style.cells ?? style.width,
    keepsNumbers: !hasAddresses,
    ...(header && { header }),
    ...(above && above !== header && { above }),
    align: kept.map((index) => alignOf(block)[index] ?? 'left'),
    head: (line) => tint(style.paint, 'dim', line),
  });
  if (more !== '') yield leftLine(more, style);
}

/** The columns of a table that a terminal has room for. */
function fittingColumns(
  { columns, sums = [], hasAddresses = false }: TableBlock,
  shown: TableBlock['rows'],
  style: TextStyle,
): readonly number[] {
  const kept = columns.flatMap(({ room }, index) => (room === 'page' ? [] : [index]));
  if (!hasAddresses) return kept;
  const rows = [...shown, ...sums].map((row) => cellsOf(row, kept, style));
  const widths = measureColumns([...splitTitles(titlesOf(columns, kept)), ...rows]);
  while (columns[kept.at(-1) ?? 0]?.room === 'wide' && isTooWide(widths, style)) {
    kept.pop();
    widths.pop();
  }
  return kept;
}

function cellsOf(
  { cells }: { readonly cells: readonly Inlines[] },
  kept: readonly number[],
  style: TextStyle,
): readonly TerminalText[] {
  return kept.map((index) => inlineText(cells[index] ?? [], style));
}

function titlesOf(columns: TableBlock['columns'], kept: readonly number[]): readonly string[] {
  return kept.map((index) => (columns[index]?.title ?? '').toUpperCase());
}

/** Names without titles, each with a text that goes on below itself: half a name is none that a person can paste. */
function plainLines(block: TableBlock, style: PrintStyle): readonly TerminalText[] {
  const rows = block.rows.map(({ cells }) => cells.map((cell) => inlineText(cell, style)));
  const widest = Math.max(...rows.map(([name = say``]) => textWidth(name)));
  const [align = 'left'] = alignOf(block);
  const hang = 4 + Math.min(widest, Math.floor(style.width / 2));
  return rows.flatMap(([name = say``, text = say``]) =>
    wrapped(say`${pad(name, hang - 4, align)}  ${text}`, 2, hang, style),
  );
}

/** A table with headings in it: no titles, each group with columns of its own, its texts cut at the right. */
function* groupedLines(block: TableBlock, style: PrintStyle): Generator<TerminalText> {
  let group: TerminalText[][] = [];
  const flush = function* (): Generator<TerminalText> {
    const lines = table(group, { width: style.width - 4, align: alignOf(block) });
    yield* lines.map((line) => say`    ${line}`);
    group = [];
  };
  for (const { isHead, cells } of block.rows) {
    if (isHead) {
      yield* flush();
      yield cut(say`  ${inlineText(cells[0] ?? [], style)}`, style.width);
    } else {
      const texts = cells.map((cell, column) => {
        const text = inlineText(cell, style);
        return block.columns[column]?.isNumber ? pad(text, NUMBER, 'right') : text;
      });
      group.push(texts);
    }
  }
  yield* flush();
}

/** The least width of a number in a table without titles. */
const NUMBER = 4;

function alignOf({ columns }: TableBlock): readonly ('left' | 'right')[] {
  return columns.map(({ isNumber = false }) => (isNumber ? 'right' : 'left'));
}

type Header = readonly TerminalText[];

/** The words of titles on two lines, which leaves more of the names; the second has those of one word. */
function splitTitles(titles: readonly string[]): readonly [Header, Header] {
  const words = titles.map((title) => title.split(' '));
  return [
    words.map((each) => terminal(each.slice(0, -1).join(' '))),
    words.map((each) => terminal(each.at(-1) ?? '')),
  ];
}

/** The widths of columns, with the spaces before each. */
function measureColumns(rows: readonly Header[]): number[] {
  const [header = []] = rows;
  return header.map(
    (_, column) => 2 + Math.max(...rows.map((row) => textWidth(row[column] ?? ''))),
  );
}

function sumWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

/** How much of an address stays where columns that need room go. */
const ADDRESS = 24;

function isTooWide([first = 0, ...others]: readonly number[], { width }: TextStyle): boolean {
  return Math.min(ADDRESS, first - 2) + sumWidths(others) > width;
}

/** A sentence for a terminal: data as it is, without what a terminal would act on. */
function inlineText(parts: Inlines, style: Pick<PrintStyle, 'paint' | 'place'>): TerminalText {
  return join(
    parts.map((part) => partText(part, style)),
    '',
  );
}

function partText(part: Inline, style: Pick<PrintStyle, 'paint' | 'place'>): TerminalText {
  if (part.is === 'said' || part.is === 'data') return terminal(part.text);
  if (part.is === 'code') return placed(say`\`${terminal(part.text)}\``, style.place);
  const text = inlineText(part.parts, style);
  if (part.is === 'link') return text;
  return tint(style.paint, part.tone ? COLOURS[part.tone] : 'bold', text);
}
