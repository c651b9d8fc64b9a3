import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { GuardrailVerdict } from '../../model/plan/plan.ts';
import { fill } from '../words/phrase.ts';
import { limitSentences } from '../words/terms.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { diagnosticWords } from '../words/findings.ts';
import type { PlanView } from '../view/view.ts';
import { OBSTACLES_TITLE, planTime } from '../words/review/review-words.ts';
import { named, nextStep, numberHtml, placed, phraseHtml, prose } from './said.ts';

const asItIs = (text: string): string => text;

/** How many warnings are listed; the JSON has all of them. */
const WARNINGS = 100;

/** Every limit of every guardrail, refused ones first, each with its number and how to allow it. */
export function guardrailsHtml(verdicts: readonly GuardrailVerdict[]): HtmlText {
  if (verdicts.length === 0) return markup``;
  return markup`<section aria-labelledby="guardrails-title">
<h2 id="guardrails-title">Guardrails</h2>
<ul class="verdicts">${verdicts.map(verdictHtml)}</ul>
</section>`;
}

function verdictHtml(verdict: GuardrailVerdict): HtmlText {
  const { limit, guardrail, passed, at, raisedBy } = verdict;
  const sentences = limitSentences(verdict);
  const [tone, word] = verdictTone(verdict);
  const place = at === undefined ? markup`built in` : placed(at);
  const raised = raisedBy
    ? markup`<br>raised by ${named(raisedBy.policy)} ${placed(raisedBy)}`
    : markup``;
  const way = passed
    ? markup``
    : markup`<br>${nextStep(fill(sentences.way, sentences.params, asItIs))}`;
  return markup`<li class="${tone}"><span class="mark ${tone}">${word}</span>
<div>${phraseHtml(sentences.said, sentences.params)}<br>
<small>${named(guardrail)} ${htmlText(limit)}, ${place}${raised}</small>${way}</div></li>`;
}

function verdictTone({ passed, raisedBy }: GuardrailVerdict): readonly [HtmlText, HtmlText] {
  if (!passed) return [markup`bad`, markup`REFUSED`];
  return raisedBy ? [markup`wait`, markup`allowed`] : [markup`run`, markup`passed`];
}

/** How many warnings are expanded; the others are collapsed. */
const OPEN = 5;

/** The planner's warnings, each with its place and the next step. */
export function warningsHtml(view: PlanView): HtmlText {
  const { warnings } = view;
  if (warnings.length === 0) return markup``;
  const more = warnings.length - WARNINGS;
  const rest =
    more > 0
      ? markup`<li>and ${numberHtml(more)} more; the plan as JSON has all of them</li>`
      : markup``;
  const others = warnings.slice(OPEN, WARNINGS);
  const folded =
    others.length === 0
      ? markup``
      : markup`<details class="plain"><summary>${numberHtml(warnings.length - OPEN)} more</summary>
<ul class="warnings">${others.map((each) => warningHtml(each, view))}${rest}</ul></details>`;
  return markup`<section aria-labelledby="warnings-title">
<h2 id="warnings-title">Warnings <span class="number">${numberHtml(warnings.length)}</span></h2>
<ul class="warnings">${warnings.slice(0, OPEN).map((each) => warningHtml(each, view))}</ul>
${folded}
</section>`;
}

/** What apply cannot do, before the plan itself. */
export function obstaclesHtml(view: PlanView): HtmlText {
  const { obstacles } = view;
  if (obstacles.length === 0) return markup``;
  return markup`<section class="state bad" aria-label="${htmlText(OBSTACLES_TITLE)}">
<p><strong>${htmlText(OBSTACLES_TITLE)}</strong></p>
<ul class="warnings">${obstacles.map((each) => warningHtml(each, view))}</ul>
</section>
`;
}

function warningHtml(warning: Diagnostic, view: PlanView): HtmlText {
  const { summary, detail, next } = diagnosticWords<string>(warning, asItIs, planTime(view));
  const place = warning.at ? markup`${placed(warning.at)} ` : markup``;
  const more = detail === undefined ? markup`` : markup` ${prose(detail)}`;
  const step = next === '' ? markup`` : markup`<br>${nextStep(next)}`;
  return markup`<li>${place}${prose(summary)}${more}${step}</li>`;
}
