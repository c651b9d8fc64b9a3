import { sha256 } from '../../lib/canonical.ts';
import { printHtml, withoutLinks } from '../print/html.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import type { Block } from '../tree.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { SCRIPT_END, tableData, type PageTable } from './table-data.ts';
import { tableSection } from './table-section.ts';

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
