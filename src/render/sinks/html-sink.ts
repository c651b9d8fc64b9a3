import { type HtmlText, escapeInvisible } from './sinks.ts';

/**
 * Escapes text for HTML, between tags or in a double-quoted attribute (T04): no character begins or
 * ends a tag, an entity or a quote.
 */
export function htmlText(text: string): HtmlText {
  return escapeInvisible(text).replace(/[<>&"'`]/g, asEntity) as HtmlText;
}

/**
 * Data in an HTML script element: JSON without the start of a tag or comment, so that nothing ends
 * the element. Hidden characters in its texts appear as `\u{..}`.
 */
export function htmlJson(value: unknown): HtmlText {
  return JSON.stringify(value, shownMember).replace(
    /[<>&]/g,
    (found) => `\\u00${found.charCodeAt(0).toString(16)}`,
  ) as HtmlText;
}

/** The same data in a double-quoted attribute. */
export function htmlData(value: unknown): HtmlText {
  return JSON.stringify(value, shownMember).replace(/[<>&"'`]/g, asEntity) as HtmlText;
}

function shownMember(_: string, member: unknown): unknown {
  return typeof member === 'string' ? escapeInvisible(member) : member;
}

function asEntity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

/** A template for HTML: its literal parts are ours, and its values went through the sink. */
export function markup(
  literals: TemplateStringsArray,
  ...values: readonly (HtmlText | number | readonly HtmlText[])[]
): HtmlText {
  const pieces = values.map((value) => (Array.isArray(value) ? value.join('') : String(value)));
  return String.raw({ raw: literals }, ...pieces) as HtmlText;
}
