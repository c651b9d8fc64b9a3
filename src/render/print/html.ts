import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import { PLAIN } from '../sinks/paint.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { snippet } from '../sinks/snippet.ts';
import {
  placeText,
  type Block,
  type Entry,
  type Fact,
  type Inline,
  type Inlines,
  type Item,
  type ListBlock,
  type PlotBlock,
  type Section,
  type SnippetBlock,
  type TableBlock,
} from '../tree.ts';
import { grouped } from '../words/phrase.ts';
import { stepWords } from '../words/review/rehearsal-words.ts';
import { shownOf } from './left.ts';
import { plotSvg } from './plot-svg.ts';

/** How many entries of a list or table a page has; its table of all changes has the others. */
const LONGEST = 100;

const NONE = markup``;
const NEXT = markup`<strong>Next:</strong> `;

/** Blocks as a part of a page; `level` is that of the headings of its sections. */
export function printHtml(blocks: readonly Block[], level: 2 | 3 = 2): HtmlText {
  return markup`${blocks.map((block) => blockHtml(block, level))}`;
}

/** The same without what leads to rows, for a page that has no table of them. */
export function withoutLinks(html: HtmlText): HtmlText {
  return html.replace(/<a href="#all"[^>]*>(.*?)<\/a>/gs, '$1') as HtmlText;
}

function blockHtml(block: Block, level: 2 | 3): HtmlText {
  if (block.is === 'section') return sectionHtml(block, level);
  if (block.is === 'table') return tableHtml(block);
  if (block.is === 'list') return listHtml(block);
  if (block.is === 'plot') return plotHtml(block);
  if (block.is === 'facts') return factsHtml(block.facts);
  if (block.is === 'entries') {
    const { shown, more } = shownOf(block.entries, { ...block, most: LONGEST });
    return markup`${shown.map(entryHtml)}${more === '' ? NONE : markup`<p>${htmlText(more)}</p>`}`;
  }
  if (block.is === 'code') return codeBlockHtml(block.lines.map(({ text }) => text));
  if (block.is === 'snippet') return snippetHtml(block);
  if (block.is === 'title') return markup`<h1>${inlineHtml(block.text)}</h1>\n`;
  if (block.is === 'next') return markup`<p>${NEXT}${inlineHtml(block.text)}</p>\n`;
  const { text, tone, isSmall } = block;
  return markup`<p${classOf([tone ? `state ${tone}` : '', isSmall ? 'about' : ''])}>${inlineHtml(text)}</p>\n`;
}

function sectionHtml(section: Section, level: 2 | 3): HtmlText {
  const { id, title, count, isClosed, blocks } = section;
  const number =
    count === undefined ? NONE : markup` <span class="number">${countCell(count)}</span>`;
  const head = markup`${inlineHtml(title)}${number}`;
  if (isClosed)
    return markup`<details class="class"><summary>${head}</summary>
<div class="body">${printHtml(blocks, 3)}</div></details>
`;
  return markup`<section aria-labelledby="${htmlText(id)}-title">
<h${level} id="${htmlText(id)}-title">${head}</h${level}>
${printHtml(blocks, 3)}</section>
`;
}

function codeBlockHtml(lines: readonly string[]): HtmlText {
  const text = lines.map(htmlText).join('\n') as HtmlText;
  return markup`<pre><code>${text}</code></pre>\n`;
}

/** The frame of a place is as wide as that of a narrow terminal. */
const FRAME = { paint: PLAIN, width: 80 };

function snippetHtml({ lead, at, text }: SnippetBlock): HtmlText {
  const where = markup`<p>${htmlText(lead)} ${dataHtml(placeText(at))}</p>\n`;
  if (text === undefined) return where;
  return markup`${where}${codeBlockHtml(snippet(at, text, FRAME))}`;
}

function plotHtml(block: PlotBlock): HtmlText {
  const { label, legend, step } = block;
  const steps =
    step === undefined ? NONE : markup`<p class="about">${htmlText(stepWords(step))}</p>`;
  return markup`${steps}${legendHtml(legend)}<div class="wide" role="region" aria-label="${htmlText(`${label}, drawing`)}" tabindex="0">
${plotSvg(block)}</div>
`;
}

function legendHtml(legend: PlotBlock['legend']): HtmlText {
  if (!legend) return NONE;
  const items = legend.map(
    ({ kind, text }) => markup`<li${classOf([kind])}>${htmlText(text)}</li>`,
  );
  return markup`<ul class="legend" aria-hidden="true">${items}</ul>
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
function entryHtml({ title, tag, origin, edits = [], facts, gist }: Entry): HtmlText {
  const risk = tag
    ? markup`\n<span class="risk ${htmlText(tag.tone)}">${htmlText(tag.word)}</span>`
    : NONE;
  const from = origin ? markup` <span class="from">${inlineHtml(origin)}</span>` : NONE;
  const about = gist ? markup` <span class="gist">${inlineHtml(gist)}</span>` : NONE;
  const changed = edits.map(
    ({ kind, text }) => markup`<span class="${htmlText(kind)}">${inlineHtml(text)}</span>`,
  );
  return markup`<details class="class"><summary><strong>${inlineHtml(title)}</strong>${risk}${about}${from}
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

/**
 * A table: empty columns are left out, a zero is pale, and on a narrow screen each row becomes a block in which every
 * value has its column's title beside it, so that nothing is cut (decision 0090).
 */
function tableHtml(block: TableBlock): HtmlText {
  const { label, kind, legend, columns, rows, sums = [], most = 0 } = block;
  const { shown, more } = shownOf(rows, { ...block, most: Math.max(most, LONGEST) });
  const all = [...shown, ...sums].filter(({ isHead = false }) => !isHead);
  const kept = columns
    .map((column, index) => ({ ...column, index }))
    .filter(
      ({ kind: of, index }) =>
        index === 0 || of === 'bar' || all.some(({ cells }) => (cells[index] ?? []).length > 0),
    );
  const heads = kept.map(({ title, isNumber }) =>
    title === ''
      ? markup`<td></td>`
      : markup`<th scope="col"${classOf([isNumber ? 'n' : ''])}>${htmlText(title)}</th>`,
  );
  const top = columns.some(({ title }) => title !== '')
    ? markup`<thead><tr>${heads}</tr></thead>\n`
    : NONE;
  const foot =
    sums.length > 0 ? markup`<tfoot>${sums.map((row) => rowHtml(row, kept))}</tfoot>` : NONE;
  const rest = more === '' ? NONE : markup`<p>${htmlText(more)}</p>`;
  return markup`${legendHtml(legend)}<div class="wide" role="region" aria-label="${htmlText(`${label}, table`)}" tabindex="0">
<table class="data ${htmlText(kind)}">
${top}<tbody>${shown.map((row) => rowHtml(row, kept))}</tbody>${foot}</table></div>
${rest}`;
}

type Row = TableBlock['rows'][number];
type KeptColumn = TableBlock['columns'][number] & { readonly index: number };

function rowHtml(row: Row, columns: readonly KeptColumn[]): HtmlText {
  if (row.isHead)
    return markup`<tr class="head"><th scope="rowgroup" colspan="${columns.length}">${inlineHtml(row.cells[0] ?? [])}</th></tr>
`;
  return markup`<tr${classOf([row.isStrong ? 'caused' : ''])}>${columns.map((column) => cellHtml(row, column))}</tr>
`;
}

function cellHtml(row: Row, { index, title, isNumber, kind = '' }: KeptColumn): HtmlText {
  if (kind === 'bar') return markup`<td class="bar">${barHtml(row)}</td>`;
  const html = inlineHtml(row.cells[index] ?? []);
  const isPale = html === '0' || html === '–' || html === '-';
  const kinds = classOf([isNumber ? 'n' : '', kind, isPale ? 'none' : (row.tones?.[index] ?? '')]);
  const named = title === '' || html === '' ? NONE : markup` data-label="${htmlText(title)}"`;
  if (index === 0 && html !== '')
    return markup`<th scope="row"${kinds}${isNumber ? named : NONE}>${html}</th>`;
  return markup`<td${kinds}${named}>${html}</td>`;
}

const BAR = { width: 300, height: 14 };

function barHtml({ bar = [] }: Row): HtmlText {
  let x = 0;
  const parts = bar
    .filter(({ share }) => share > 0)
    .map(({ tone, share }) => {
      const width = Math.max(1, Math.round(share * BAR.width * 10) / 10);
      const part = markup`<rect class="fill ${htmlText(tone)}" x="${x}" y="0" width="${width}" height="${BAR.height}"/>`;
      x = Math.round((x + width) * 10) / 10;
      return part;
    });
  return markup`<svg viewBox="0 0 ${BAR.width} ${BAR.height}" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function countCell(count: number): HtmlText {
  return htmlText(grouped(count));
}

/** The attribute for classes of ours; nothing if there are none. */
function classOf(kinds: readonly string[]): HtmlText {
  const names = kinds.filter((kind) => kind !== '').join(' ');
  return names === '' ? NONE : markup` class="${htmlText(names)}"`;
}

/** A sentence for a page: data is code in the font of its text, isolated from its direction. */
function inlineHtml(parts: Inlines): HtmlText {
  return markup`${parts.map(partHtml)}`;
}

function partHtml(part: Inline): HtmlText {
  if (part.is === 'said') return htmlText(part.text);
  if (part.is === 'data') return dataHtml(part.text);
  // A line must not end within `--flag`.
  if (part.is === 'code')
    return /^--[a-z-]+$/.test(part.text)
      ? markup`<code class="flag">${htmlText(part.text)}</code>`
      : markup`<code>${htmlText(part.text)}</code>`;
  const text = inlineHtml(part.parts);
  if (part.is === 'link') return linkHtml(text, part.show);
  return part.tone
    ? markup`<strong class="${htmlText(part.tone)}">${text}</strong>`
    : markup`<strong>${text}</strong>`;
}

/** A narrow column breaks the address of a policy after its section. */
function dataHtml(text: string): HtmlText {
  const [section = ''] = /^[a-z]+\./i.exec(text) ?? [];
  const rest = htmlText(text.slice(section.length));
  const lead = section === '' ? NONE : markup`${htmlText(section)}<wbr>`;
  return markup`<code class="datum">${lead}${rest}</code>`;
}

/** Filters the page's table of all changes. */
function linkHtml(text: HtmlText, show: Readonly<Record<string, string>>): HtmlText {
  return markup`<a href="#all" data-show="${htmlData(show)}">${text}</a>`;
}
