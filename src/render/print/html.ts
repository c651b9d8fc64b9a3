import { countCell, dataTable, type TableRow } from '../html/data-table.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import type {
  Block,
  Entry,
  Fact,
  Inline,
  Inlines,
  Item,
  ListBlock,
  Section,
  TableBlock,
} from '../tree.ts';
import { shownOf } from './left.ts';
import { plotsHtml } from './plots.ts';

/** How many entries of a list or table a page has; its table of all changes has the others. */
const LONGEST = 100;

const NONE = markup``;
const NEXT = markup`<strong>Next:</strong> `;

/** Blocks as a part of a page. */
export function printHtml(blocks: readonly Block[]): HtmlText {
  return markup`${blocks.map(blockHtml)}`;
}

function blockHtml(block: Block): HtmlText {
  if (block.is === 'section') return sectionHtml(block);
  if (block.is === 'table') return tableHtml(block);
  if (block.is === 'list') return listHtml(block);
  if (block.is === 'plots') return plotsHtml(block, ({ name }) => inlineHtml(name));
  if (block.is === 'facts') return factsHtml(block.facts);
  if (block.is === 'entries') {
    const { shown, more } = shownOf(block.entries, { ...block, most: LONGEST });
    return markup`${shown.map(entryHtml)}${more === '' ? NONE : markup`<p>${htmlText(more)}</p>`}`;
  }
  if (block.is === 'title') return markup`<h1>${inlineHtml(block.text)}</h1>\n`;
  if (block.is === 'next') return markup`<p>${NEXT}${inlineHtml(block.text)}</p>\n`;
  const { text, tone } = block;
  const kind = tone ? markup` class="state ${htmlText(tone)}"` : NONE;
  return markup`<p${kind}>${inlineHtml(text)}</p>\n`;
}

function sectionHtml({ id, title, count, blocks }: Section): HtmlText {
  const number =
    count === undefined ? NONE : markup` <span class="number">${countCell(count)}</span>`;
  return markup`<section aria-labelledby="${htmlText(id)}-title">
<h2 id="${htmlText(id)}-title">${inlineHtml(title)}${number}</h2>
${printHtml(blocks)}</section>
`;
}

/** A list: what a comment leaves out is folded. */
function listHtml(list: ListBlock): HtmlText {
  const { most = LONGEST } = list;
  const [open, folded] = [list.items.slice(0, most), list.items.slice(most, LONGEST)];
  const { more } = shownOf(list.items, { ...list, most: LONGEST });
  const rest = more === '' ? NONE : markup`<p>${htmlText(more)}</p>`;
  const fold =
    folded.length === 0
      ? NONE
      : markup`<details class="plain"><summary>${countCell(folded.length)} more</summary>
${itemsHtml(folded, list)}</details>`;
  return markup`${itemsHtml(open, list)}${fold}${rest}`;
}

function itemsHtml(items: readonly Item[], { tone }: ListBlock): HtmlText {
  const [first] = items;
  const lead = first?.mark ? 'verdicts' : first?.count === undefined ? '' : 'needs';
  const kind = tone === undefined ? lead : 'warnings';
  return markup`<ul class="${htmlText(kind)}">${items.map(itemHtml)}</ul>\n`;
}

function itemHtml(item: Item): HtmlText {
  const { count, show, mark, text, lines = [], details = [], facts = [], next } = item;
  const number = count === undefined ? NONE : markup`<b>${countCell(count)}</b>`;
  const lead = mark
    ? markup`<span class="mark ${htmlText(mark.tone)}">${htmlText(mark.word)}</span>`
    : show
      ? linkHtml(number, show)
      : number;
  const more = [...lines, ...details].map((line) => markup`<br><small>${inlineHtml(line)}</small>`);
  const known = facts.length > 0 ? factsHtml(facts) : NONE;
  const step = next ? markup`<br>${NEXT}${inlineHtml(next)}` : NONE;
  const kind = mark ? markup` class="${htmlText(mark.tone)}"` : NONE;
  return markup`<li${kind}>${lead}<div>${inlineHtml(text)}${more}${known}${step}</div></li>\n`;
}

/** Something with values before and after; a reader opens what is known about it. */
function entryHtml({ title, tag, origin, edits = [], facts }: Entry): HtmlText {
  const risk = tag
    ? markup`\n<span class="risk ${htmlText(tag.tone)}">${htmlText(tag.word)}</span>`
    : NONE;
  const from = origin ? markup` <span class="from">${inlineHtml(origin)}</span>` : NONE;
  const changed = edits.map(
    ({ kind, text }) => markup`<span class="${htmlText(kind)}">${inlineHtml(text)}</span>`,
  );
  return markup`<details class="class"><summary><strong>${inlineHtml(title)}</strong>${risk}${from}
<span class="diff">${changed}</span></summary>
<div class="body">${factsHtml(facts)}</div></details>
`;
}

function factsHtml(facts: readonly Fact[]): HtmlText {
  return markup`<dl>${facts.map(factHtml)}</dl>\n`;
}

function factHtml({ label, text }: Fact): HtmlText {
  const name = label === '' ? NONE : markup`<dt>${htmlText(label)}</dt>`;
  return markup`${name}<dd>${inlineHtml(text)}</dd>
`;
}

function tableHtml(block: TableBlock): HtmlText {
  const { label, kind, columns, rows, sums = [] } = block;
  const { shown, more } = shownOf(rows, { ...block, most: LONGEST });
  const cells = (row: TableBlock['rows'][number]): TableRow =>
    row.isHead
      ? { spans: inlineHtml(row.cells[0] ?? []) }
      : { cells: row.cells.map(inlineHtml), ...(row.isStrong && { kind: 'caused' }) };
  const rest = more === '' ? NONE : markup`<p>${htmlText(more)}</p>`;
  return markup`${dataTable({ label, kind, columns, rows: shown.map(cells), sums: sums.map(cells) })}${rest}`;
}

/** A sentence for a page: data is code in the font of its text, isolated from its direction. */
function inlineHtml(parts: Inlines): HtmlText {
  return markup`${parts.map(partHtml)}`;
}

function partHtml(part: Inline): HtmlText {
  if (part.is === 'said') return htmlText(part.text);
  if (part.is === 'data') return dataHtml(part.text);
  if (part.is === 'code') return codeHtml(part.text);
  const text = inlineHtml(part.parts);
  if (part.is === 'link') return linkHtml(text, part.show);
  return part.tone
    ? markup`<strong class="${htmlText(part.tone)}">${text}</strong>`
    : markup`<strong>${text}</strong>`;
}

/** A narrow column breaks the address of a policy after its section. */
function dataHtml(text: string): HtmlText {
  const dot = text.indexOf('.') + 1;
  return markup`<code class="datum">${htmlText(text.slice(0, dot))}${dot > 0 ? markup`<wbr>` : NONE}${htmlText(text.slice(dot))}</code>`;
}

/** A line must not end within `--flag`. */
function codeHtml(text: string): HtmlText {
  return /^--[a-z-]+$/.test(text)
    ? markup`<code class="flag">${htmlText(text)}</code>`
    : markup`<code>${htmlText(text)}</code>`;
}

/** Filters the page's table of all changes. */
function linkHtml(text: HtmlText, show: Readonly<Record<string, string>>): HtmlText {
  return markup`<a href="#all" data-show="${htmlData(show)}">${text}</a>`;
}
