import { sha256 } from '../../lib/canonical.ts';
import type { Changes } from '../../model/plan/change.ts';
import { parseInstant } from '../../lib/time.ts';
import { windowRows } from '../view/opening.ts';
import { planSentence } from '../words/review/review-words.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlJson, htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { changesHtml } from './changes-table.ts';
import { classesHtml, notesHtml } from './class-list.ts';
import { guardrailsHtml, warningsHtml } from './guardrails.ts';
import { needsHtml, runsHtml } from './review.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { reportParts } from './report-parts.ts';
import { sitesHtml } from './site-bars.ts';
import { removedChangesHtml } from './removed-changes.ts';
import { factsHtml, summaryHtml } from './summary.ts';
import { timelineHtml } from './timeline/section.ts';

/**
 * A plan as one self-contained page: a summary for reviewers that needs no script, then every
 * change in a table that the script makes interactive. It yields pieces, so that a plan of any size
 * is written as a stream; the changes are walked once.
 */
export function* planHtml(view: PlanView, changes: Changes): Generator<HtmlText> {
  yield headHtml(view);
  yield summaryHtml(view);
  yield markup`<main>
${needsHtml(view)}
${runsHtml(view)}
${removedChangesHtml(view)}
${guardrailsHtml(view.verdicts)}
${warningsHtml(view.warnings)}
${timelineHtml(view)}
${sitesHtml(view)}
${classesHtml(view)}
${changesHtml(view, changes.length)}
${notesHtml(view)}
${factsHtml(view)}
</main>`;
  const now = parseInstant(view.evaluatedAt) ?? 0;
  const options = { now, originsOf: view.originsOf, windows: windowRows(view.hours) };
  for (const part of reportParts(changes, options))
    yield markup`<script type="application/json" class="part">${htmlJson(part)}</script>`;
  yield markup`<script>${ours(SCRIPT)}</script>
</body>
</html>`;
}

/** The page may load, send or run nothing but its own style and script. */
function headHtml(view: PlanView): HtmlText {
  const { inputs } = view;
  const rules = [
    `default-src 'none'`,
    `script-src '${integrity(SCRIPT)}'`,
    `style-src '${integrity(STYLE)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types 'none'`,
  ].join('; ');
  const title = `Plan for ${inputs.service.organization}: ${planSentence(view)}`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${ours(rules)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${ours(STYLE)}</style>
</head>
<body>
<a class="jump" href="#changes">To the table of all changes</a>`;
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
