import type { LineOrigin } from '../../model/documents/origin.ts';
import type { Reason } from '../../model/plan/reason.ts';
import type { SourceLocation } from '../../model/documents/source.ts';
import type { Instant } from '../../lib/time.ts';
import type { Params } from '../../model/error.ts';
import { fill, grouped, type Phrase } from '../words/phrase.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { originWords } from '../words/terms.ts';
import { reasonWords } from '../words/reasons.ts';

const asItIs = (text: string): string => text;

/** A name from outside, isolated from the text direction around it. */
export function named(text: string): HtmlText {
  return markup`<bdi>${htmlText(text)}</bdi>`;
}

/** A phrase with its parameters. */
export function phraseHtml(phrase: Phrase, params: Params = {}): HtmlText {
  return htmlText(fill(phrase, params, asItIs));
}

/** A number with separators. */
export function numberHtml(value: number): HtmlText {
  return htmlText(grouped(value));
}

/** `file:line:column` */
export function placed({ file, line, column }: SourceLocation): HtmlText {
  return markup`<code><bdi>${htmlText(`${file}:${line}:${column}`)}</bdi></code>`;
}

/** A reason: why, since when, and when or how the change may continue. */
export function reasoned(
  reason: Reason,
  {
    now,
    sinceDiffers,
    lastNext,
  }: {
    readonly now: Instant;
    readonly sinceDiffers: boolean;
    readonly lastNext?: Instant | undefined;
  },
): { readonly why: HtmlText; readonly next: HtmlText } {
  const { summary, detail, next } = reasonWords(reason, { now, lastNext, sink: asItIs });
  const since = detail === undefined ? '' : `${sinceDiffers ? ', the first' : ','} ${detail}`;
  return { why: htmlText(`${summary}${since}`), next: htmlText(next) };
}

/** The author of a line; the text is escaped already. */
export function writtenBy(origin: LineOrigin): HtmlText {
  if (origin.is !== 'commit') return htmlText(originWords(origin));
  const { commit, author, subject, at } = origin;
  const day = new Date(at).toISOString().slice(0, 10);
  const id = markup`<code>${htmlText(commit.slice(0, 12))}</code>`;
  return markup`${id} ${named(author)} ${htmlText(day)}: ${named(subject)}`;
}
