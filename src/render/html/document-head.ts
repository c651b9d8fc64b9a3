import { sha256 } from '../../lib/canonical.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlJson, htmlText, markup } from '../sinks/html-sink.ts';

/** What a page is made of besides its content. */
interface PageParts {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** The first link of the page, for keyboards. */
  readonly jump: { readonly to: string; readonly says: string };
}

/** The head of a page, which may load, send or run nothing but its own style and script. */
export function documentHead({ title, style, script, jump }: PageParts): HtmlText {
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

/** The end of a page: its script, if it has one, which the head allows. */
export function documentEnd(script: string): HtmlText {
  const own = script === '' ? markup`` : markup`<script>${ours(script)}${SCRIPT_END}`;
  return markup`${own}
</body>
</html>`;
}

/** Data for the script of a page. */
export function dataPart(value: unknown): HtmlText {
  return markup`<script type="application/json" class="part">${htmlJson(value)}${SCRIPT_END}`;
}

/**
 * Apart from the templates: a bundler that finds it in one compiles the template for old browsers,
 * with a helper from a package.
 */
const SCRIPT_END = ours('</script>');

/** The hash of a script or style in the content security policy. */
function integrity(text: string): string {
  const bytes = sha256(text).match(/../g) ?? [];
  return `sha256-${btoa(String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 16))))}`;
}

/** A text of fleetform itself, without data of the service or the documents. */
function ours(text: string): HtmlText {
  return text as HtmlText;
}
