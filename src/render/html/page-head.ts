import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';

/** The beginning of a page of the family: what it is, its one sentence, and what follows it. */
interface PageHead {
  /** What the page is and of whom, such as `Plan for acme`. */
  readonly kicker: HtmlText;
  readonly title: string;
  /** What comes before all else: what is paused, what cannot work. */
  readonly first?: HtmlText;
  readonly body: HtmlText;
}

/** The head that plan, rehearsal and report share. */
export function pageHead({ kicker, title, first = markup``, body }: PageHead): HtmlText {
  return markup`<header>
${first}<p class="kicker">${kicker}</p>
<h1>${htmlText(title)}</h1>
${body}
</header>`;
}

/** A section of a page with its heading; `id` is ours. With a count, the count follows the title. */
export function pageSection(id: string, title: string, body: HtmlText, count?: HtmlText): HtmlText {
  const number = count === undefined ? markup`` : markup` <span class="number">${count}</span>`;
  return markup`<section aria-labelledby="${htmlText(id)}">
<h2 id="${htmlText(id)}">${htmlText(title)}${number}</h2>
${body}
</section>`;
}

/** The end of a page: what it was made from, for the record. */
export function pageFacts(
  title: string,
  facts: readonly (readonly [string, HtmlText])[],
): HtmlText {
  const items = facts.map(
    ([label, text]) => markup`<div><dt>${htmlText(label)}</dt><dd>${text}</dd></div>`,
  );
  return pageSection('facts-title', title, markup`<dl class="facts">${items}</dl>`);
}
