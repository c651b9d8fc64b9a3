import { sha256 } from '../../lib/canonical.ts';
import { printHtml, withoutLinks } from '../print/html.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import type { Block } from '../tree.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { SCRIPT_END, tableData, type PageTable, type TableWords } from './table-data.ts';
import { grouped } from '../words/phrase.ts';

interface PageContent<Row> {
  /** The title of its window. */
  readonly title: string;
  readonly head: readonly Block[];
  readonly blocks: readonly Block[];
  /** The table of all rows, after the blocks; a page without one needs no script. */
  readonly table?: { readonly of: PageTable<Row>; readonly rows: Iterable<Row> };
  readonly end?: readonly Block[];
  /** The first link of the page, for keyboards. */
  readonly jump: { readonly to: string; readonly says: string };
}

/**
 * A self-contained page: what needs no script, then the table of all rows that the script makes interactive. It yields
 * pieces, so that a page of any size is written as a stream; the rows are walked once.
 */
export function* pageHtml<Row>(content: PageContent<Row>): Generator<HtmlText> {
  const { title, head, blocks, table, end = [], jump } = content;
  const script = table ? SCRIPT : '';
  const print = (some: readonly Block[]): HtmlText =>
    table ? printHtml(some) : withoutLinks(printHtml(some));
  yield documentHead({ title, style: STYLE, script, jump });
  yield markup`<header>
${print(head)}</header>
<main>
${print(blocks)}${table ? tableSection(table.of) : markup``}
${print(end)}</main>`;
  if (table) yield* tableData(table.of, table.rows);
  const own = script === '' ? markup`` : markup`<script>${ours(script)}${SCRIPT_END}`;
  yield markup`${own}
</body>
</html>`;
}

/** What a page is made of besides its content. */
interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** The first link of the page, for keyboards. */
  readonly jump: { readonly to: string; readonly says: string };
}

/** The head of a page, which may load, send or run nothing but its own style and script. */
function documentHead({ title, style, script, jump }: PageParts): HtmlText {
  const rules = [
    `default-src 'none'`,
    `script-src '${integrity(script)}'`,
    `style-src '${integrity(style)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ours(rules)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${ours(style)}</style>
</head>
<body>
<a class="jump" href="#${ours(jump.to)}">${htmlText(jump.says)}</a>`;
}

/** The hash of a script or style in the content security policy. */
function integrity(text: string): string {
  const bytes = sha256(text).match(/../g) ?? [];
  return `sha256-${btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))}`;
}

/** A text of fleetform itself, without data of the service or the documents. */
function ours(text: string): HtmlText {
  return text as HtmlText;
}

type Head = PageTable<unknown>['head'];

/**
 * The section of the table with all rows: the placeholders that the script fills with the search, the lists, the table
 * and the details. All are hidden until the script has read the rows.
 */
function tableSection<Row>({ head, words }: Pick<PageTable<Row>, 'head' | 'words'>): HtmlText {
  const { title, count, beside = '', otherwise, row, none } = words;
  return markup`<section id="all" tabindex="-1" aria-labelledby="all-title">
<h2 id="all-title">${htmlText(title)} <span class="number">${htmlText(grouped(count))}</span>${htmlText(beside)}</h2>
${head.rows === 0 ? markup`<p>${htmlText(none)}</p>` : markup``}
<p id="reading" role="status">The script of this page draws a table here. Where scripts are switched off,
<code>${htmlText(otherwise.command)}</code> ${htmlText(otherwise.says)}</p>
<div id="live" hidden>
${tools(head, words)}
${chips(words)}
<p id="count" class="count" role="status" aria-live="polite"></p>
<p id="printed" class="printed"></p>
<div id="groups" class="printed"></div>
<div class="split">
${table(head, words)}
<aside id="details" class="details" aria-labelledby="details-title" hidden>
<div class="bar"><h3 id="details-title" tabindex="-1"></h3>
<button type="button" id="previous" aria-label="Previous ${htmlText(row)}">↑</button>
<button type="button" id="next" aria-label="Next ${htmlText(row)}">↓</button>
<button type="button" id="close" aria-label="Close the details">✕</button></div>
<div id="details-body" role="region" aria-label="All about this ${htmlText(row)}" tabindex="0"></div>
</aside>
</div>
</div>
</section>`;
}

function tools({ filters }: Head, { title, search }: TableWords): HtmlText {
  const lists = filters.map(
    ([name, label]) =>
      markup`<div class="field"><label for="f-${htmlText(name)}">${htmlText(label)}</label>
<select id="f-${htmlText(name)}"></select></div>
`,
  );
  return markup`<form class="tools" role="search" aria-label="${htmlText(title)}">
<div class="field search"><label for="search">Search ${htmlText(search)}</label>
<input type="search" id="search" autocomplete="off" spellcheck="false"></div>
${lists}<button type="button" id="clear">Clear filters</button>
</form>`;
}

function chips({ chips }: TableWords): HtmlText {
  if (!chips) return markup``;
  const buttons = chips.values.map(
    (value) =>
      markup`<button type="button" class="chip" aria-pressed="false">${htmlText(value)}</button>`,
  );
  return markup`<div class="chips" role="group" aria-label="${htmlText(chips.label)}">${buttons}</div>`;
}

function table({ rows, shown, sorting }: Head, { title, row }: TableWords): HtmlText {
  const heads = [{ name: 'device', title: 'Device', hidden: '' }, ...shown].map(
    ({ name, title: label, hidden = '' }) => {
      const order = sorting?.by === name ? 'ascending' : 'none';
      return markup`<th scope="col" class="${htmlText(hidden)}" aria-sort="${htmlText(order)}" data-column="${htmlText(name)}">
<button type="button">${htmlText(label)}<span class="arrow" aria-hidden="true"></span></button></th>`;
    },
  );
  return markup`<div id="scroller" class="scroller" tabindex="-1">
<table id="table" class="rows" aria-rowcount="${rows + 1}">
<caption class="sr">${htmlText(title)}.
The arrow keys move from row to row, Enter opens the details of one, Escape closes them.</caption>
<thead><tr aria-rowindex="1">${heads}</tr></thead>
<tbody id="above" aria-hidden="true" hidden><tr><td></td></tr></tbody>
<tbody id="rows"></tbody>
<tbody id="below" aria-hidden="true" hidden><tr><td></td></tr></tbody>
</table>
<p id="empty" class="empty" hidden>No ${htmlText(row)}s match. Clear a filter to see more.</p>
</div>`;
}
