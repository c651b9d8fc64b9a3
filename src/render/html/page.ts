import { printHtml } from '../print/html.ts';
import { markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import type { Block } from '../tree.ts';
import { documentEnd, documentHead } from './document-head.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { tableData, type PageTable } from './table-data.ts';
import { tableSection } from './table-section.ts';

/** What a page has. */
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
  yield documentHead({ title, style: STYLE, script, jump });
  yield markup`<header>
${printHtml(head)}</header>
<main>
${printHtml(blocks)}${table ? tableSection(table.of) : markup``}
${printHtml(end)}</main>`;
  if (table) yield* tableData(table.of, table.rows);
  yield documentEnd(script);
}
