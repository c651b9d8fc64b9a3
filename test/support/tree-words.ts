import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { withoutEmpty } from '../../src/render/print/left.ts';
import { printHtml } from '../../src/render/print/html.ts';
import { printMarkdown } from '../../src/render/print/markdown.ts';
import { printTerminal } from '../../src/render/print/terminal.ts';
import {
  placeText,
  type Block,
  type Entry,
  type Fact,
  type Inlines,
  type Item,
} from '../../src/render/tree.ts';
import { grouped } from '../../src/render/words/phrase.ts';
import { textOf } from './html.ts';
import { LOOK } from './render-look.ts';

/** A tree as text: a block on a line, with what it holds below it; data is in angle quotes. */
export function treeText(blocks: readonly Block[]): string {
  return linesOf(blocks, '').join('\n');
}

function linesOf(blocks: readonly Block[], indent: string): readonly string[] {
  return blocks.flatMap((block) => {
    const inner = `${indent}  `;
    if (block.is === 'next') return [`${indent}next: ${partsText(block.text)}`];
    if (block.is === 'title' || block.is === 'sentence') return [indent + partsText(block.text)];
    if (block.is === 'section') {
      const title =
        `${partsText(block.title)} ${block.count === undefined ? '' : grouped(block.count)}`.trim();
      return [`${indent}# ${title}`, ...linesOf(block.blocks, inner)];
    }
    if (block.is === 'list') return block.items.flatMap((item) => itemLines(item, indent));
    if (block.is === 'facts') return block.facts.map((fact) => indent + factText(fact));
    if (block.is === 'plot') return [];
    if (block.is === 'code') return block.lines.map(({ text }) => `${indent}│ ${text}`);
    if (block.is === 'snippet') return [`${indent}${block.lead} ‹${placeText(block.at)}›`];
    if (block.is === 'entries') return block.entries.flatMap((entry) => entryLines(entry, indent));
    const rows = [...block.rows, ...(block.sums ?? [])].map(({ cells }) => cells.map(partsText));
    return [block.columns.map(({ title }) => title), ...rows].map((cells) =>
      `${indent}| ${cells.join(' | ')}`.trimEnd(),
    );
  });
}

function itemLines(item: Item, indent: string) {
  const { count, mark, text, lines = [], details = [], facts = [], next } = item;
  const lead = mark?.word ?? (count === undefined ? '' : grouped(count));
  return [
    `${indent}- ${lead} ${partsText(text)}`,
    ...[...lines, ...details].map((line) => `${indent}  ${partsText(line)}`),
    ...facts.map((fact) => `${indent}  ${factText(fact)}`),
    ...(next ? [`${indent}  next: ${partsText(next)}`] : []),
  ];
}

function factText({ label, text }: Fact): string {
  return `${label} ${partsText(text)}`.trim();
}

function entryLines({ title, tag, origin, edits = [], facts }: Entry, indent: string) {
  return [
    `${indent}- ${partsText(title)} ${tag?.word ?? ''}`.trimEnd(),
    ...(origin ? [`${indent}  ${partsText(origin)}`] : []),
    ...edits.map(
      ({ kind, text }) => `${indent}  ${kind === 'same' ? '' : SIGNS[kind]}${partsText(text)}`,
    ),
    ...facts.map((fact) => `${indent}  ${factText(fact)}`),
  ];
}

const SIGNS = { removed: '- ', added: '+ ' } as const;

function partsText(parts: Inlines): string {
  return parts
    .map((part) => {
      if ('parts' in part) return partsText(part.parts);
      if (part.is === 'data') return `‹${part.text}›`;
      return part.is === 'code' ? `\`${part.text}\`` : part.text;
    })
    .join('');
}

/** The words of a text, without marks of a format. */
function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a tree, and of each format in which it was printed whole. */
export function formatWords(blocks: readonly Block[]) {
  const whole = blocks.map((block) => withoutLimits(block));
  const text = [...printTerminal(whole, { ...LOOK, width: 20_000, all: true })].join('\n');
  const tree = fromMarkdown(printMarkdown(whole).join('\n'), {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  const page = parseFragment(`${printHtml(whole)}`);
  const ofTree = treeText(whole.map(forTerminal));
  return {
    terminal: wordsIn(text),
    forTerminal: wordsIn(ofTree),
    tree: wordsIn(treeText(whole)),
    markdown: wordsIn(markdownText(tree)),
    html: wordsIn(spaced(page)),
  };
}

/** A terminal leaves out wide columns, and the titles of a table with headings in it. */
function forTerminal(block: Block): Block {
  if (block.is === 'section') return { ...block, blocks: block.blocks.map(forTerminal) };
  if (block.is === 'entries') return { ...block, entries: block.entries.map(withoutDetails) };
  if (block.is !== 'table') return block;
  const { columns, rows, sums = [] } = block;
  const kept = (row: (typeof rows)[number]) => ({
    ...row,
    cells: row.cells.filter((_, n) => columns[n]?.room !== 'page'),
  });
  const isGrouped = rows.some(({ isHead }) => isHead);
  return {
    ...block,
    columns: isGrouped ? [] : columns.filter(({ room }) => room !== 'page'),
    rows: rows.map(kept),
    sums: sums.map(kept),
  };
}

function withoutDetails(entry: Entry): Entry {
  return { ...entry, facts: entry.facts.filter(({ isDetail }) => !isDetail) };
}

function withoutLimits(block: Block): Block {
  if (block.is === 'section') return { ...block, blocks: block.blocks.map(withoutLimits) };
  if (!('most' in block || 'left' in block) && block.is !== 'table') return block;
  const { most: _, left: __, ...whole } = block;
  return whole.is === 'table' ? withoutEmpty(whole) : whole;
}

function markdownText(node: Nodes): string {
  if (node.type === 'html') return `${textOf(parseFragment(node.value))} `;
  if ('value' in node) return node.value.replace(/^\[!\w+\]/, ' ');
  const between = ['text', 'inlineCode', 'strong'].includes(node.type) ? '' : ' ';
  return 'children' in node
    ? node.children.map(markdownText).join(inner(node.type)) + between
    : ' ';
}

/** Parts of a sentence follow each other; everything else is apart. */
function inner(type: Nodes['type']): string {
  return ['paragraph', 'tableCell', 'strong'].includes(type) ? '' : ' ';
}

function spaced(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node && typeof node.value === 'string') return node.value;
  if (!('childNodes' in node)) return ' ';
  // A closed entry says in short what its facts say.
  if ('attrs' in node && node.attrs.some(({ value }) => value === 'gist')) return ' ';
  const text = node.childNodes.map(spaced).join('');
  const isInline = 'tagName' in node && ['code', 'strong', 'a', 'b', 'wbr'].includes(node.tagName);
  return isInline ? text : ` ${text} `;
}
