import type { PlanBase } from '../../model/plan/plan.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import {
  IN_SCOPE,
  inScopeParams,
  OUT_OF_SCOPE,
  scopeFindings,
  type ScopeFinding,
} from '../words/review/scope-words.ts';
import { nextStep, numberHtml, phraseHtml } from './said.ts';
import { fill } from '../words/phrase.ts';

/** How many findings are listed; the JSON of the plan has all of them. */
const LISTED = 100;

/** One line at the head of the page, if a request does not keep to its scope. */
export function outOfScopeHtml(base: PlanBase | undefined): HtmlText {
  if (!base?.scope || base.scope.passed) return markup``;
  return markup`<p class="state bad">${htmlText(OUT_OF_SCOPE)}</p>`;
}

/** Whether a request keeps to the scope that its commits name, and what is outside. */
export function scopeHtml(base: PlanBase | undefined): HtmlText {
  if (!base?.scope) return markup``;
  const findings = scopeFindings(base.scope);
  const more = findings.length - LISTED;
  const rest = more > 0 ? markup`<li>and ${numberHtml(more)} more</li>` : markup``;
  const items = base.scope.passed
    ? markup`<li class="run"><span class="mark run">passed</span>
<div>${phraseHtml(IN_SCOPE, inScopeParams(base.scope))}</div></li>`
    : markup`${findings.slice(0, LISTED).map(findingHtml)}${rest}`;
  return markup`<section aria-labelledby="scope-title">
<h2 id="scope-title">Scope</h2>
<ul class="verdicts">${items}</ul>
</section>`;
}

function findingHtml({ said, way, params }: ScopeFinding): HtmlText {
  return markup`<li class="bad"><span class="mark bad">REFUSED</span>
<div>${phraseHtml(said, params)}<br>${nextStep(fill(way, params, String))}</div></li>`;
}
