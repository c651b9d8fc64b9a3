import type { SourceLocation } from '../../model/documents/source.ts';
import { grouped } from '../words/phrase.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';

/** A name from outside, isolated from the text direction around it. */
export function named(text: string): HtmlText {
  return markup`<bdi>${htmlText(text)}</bdi>`;
}

/** A sentence of ours, in which backticks mark code. */
export function prose(text: string): HtmlText {
  const parts = text.split('`');
  // An odd number of backticks: the last one is a character like any other.
  const open = parts.length % 2 === 0 ? parts.length - 1 : parts.length;
  return markup`${parts.map((part, n) => {
    if (n % 2 === 0 || n >= open) return htmlText(n >= open ? `\`${part}` : part);
    // A line must not end within `--flag`.
    return /^--[a-z-]+$/.test(part)
      ? markup`<code class="flag">${htmlText(part)}</code>`
      : markup`<code>${htmlText(part)}</code>`;
  })}`;
}

/** The next step, in the form that all pages share. */
export function nextStep(text: string): HtmlText {
  return markup`<strong>Next:</strong> ${prose(text)}`;
}

/** The address of a policy; a narrow column breaks it after its section. */
export function policyName(address: string): HtmlText {
  const dot = address.indexOf('.') + 1;
  return markup`<bdi>${htmlText(address.slice(0, dot))}<wbr>${htmlText(address.slice(dot))}</bdi>`;
}

/** A number with separators. */
export function numberHtml(value: number): HtmlText {
  return htmlText(grouped(value));
}

/** `file:line:column` */
export function placed({ file, line, column }: SourceLocation): HtmlText {
  return markup`<code><bdi>${htmlText(`${file}:${line}:${column}`)}</bdi></code>`;
}

/** A length or position in a drawing. */
export function fixed(length: number): HtmlText {
  return htmlText(String(Math.round(length * 10) / 10));
}
