import { type HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';

/** A section of a page with its heading; `id` is ours. */
export function pageSection(id: string, title: string, body: HtmlText): HtmlText {
  return markup`<section aria-labelledby="${htmlText(id)}">
<h2 id="${htmlText(id)}">${htmlText(title)}</h2>
${body}
</section>`;
}

/** A table that scrolls by itself on a narrow screen. */
export function pageTable(
  label: string,
  titles: readonly string[],
  rows: readonly HtmlText[],
): HtmlText {
  const heads = titles.map((text) => markup`<th scope="col">${htmlText(text)}</th>`);
  return markup`<div class="wide" role="region" aria-label="${htmlText(`${label}, table`)}" tabindex="0">
<table class="starts forecast"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A paragraph of its own. */
export function pageParagraph(text: string): HtmlText {
  return markup`<p>${htmlText(text)}</p>`;
}
