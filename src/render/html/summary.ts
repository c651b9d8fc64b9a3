import { ACTIONS } from '../../model/plan/change.ts';
import { momentOf } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { readingText } from '../words/reading.ts';
import { htmlData, htmlText, markup, type HtmlText } from '../sinks/sinks.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS, BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { planSentence, REFUSED_SENTENCE } from '../words/review/summary.ts';
import { basisText, glanceHtml } from './glance.ts';
import { named, numberHtml } from './said.ts';
import { ACTION_LABELS } from './words.ts';

/** The subject of the plan, its totals, and how many changes it lists. */
export function summaryHtml(view: PlanView): HtmlText {
  const refused = view.verdicts.some(({ passed }) => !passed);
  const tone = refused ? markup`bad` : markup`calm`;
  const state = refused ? REFUSED_SENTENCE : planSentence(view);
  const sentence = markup`<p class="state ${tone}">${htmlText(state)}</p>`;
  return markup`<header>
<p class="kicker">fleetform plan</p>
<h1>Plan for ${named(view.inputs.service.organization)}</h1>
${sentence}${notUnderstood(view)}
${cards(view)}
${shareBar(view)}
${glanceHtml(view)}
<p class="about basis">${htmlText(basisText(view))}${comparedWith(view)}</p>
</header>`;
}

function notUnderstood(view: PlanView): HtmlText {
  const words = notUnderstoodWords(view.notUnderstood);
  return words === undefined ? markup`` : markup`<p class="state bad">${htmlText(words)}</p>`;
}

function cards({ counts }: PlanView): HtmlText {
  const items = ACTIONS.map((action) => {
    const show = htmlData({ action: ACTION_LABELS[action] });
    const inner = markup`<b>${numberHtml(counts[action])}</b> <span>${htmlText(ACTION_WORDS[action])}</span>`;
    const linked = action !== 'note' && counts[action] > 0;
    return linked
      ? markup`<li class="card ${htmlText(action)}"><a href="#changes" data-show="${show}">${inner}</a></li>`
      : markup`<li class="card ${htmlText(action)}"><span>${inner}</span></li>`;
  });
  return markup`<ul class="cards">${items}</ul>`;
}

/**
 * The proportions of run, wait and skip as one bar; screen readers skip it, since the numbers are
 * next to it.
 */
function shareBar({ counts }: PlanView): HtmlText {
  const shares = ACTIONS.filter((action) => action !== 'note' && counts[action] > 0);
  const total = shares.reduce((sum, action) => sum + counts[action], 0);
  let x = 0;
  const parts = shares.map((action) => {
    const width = (counts[action] / total) * 1_000;
    const part = markup`<rect class="fill ${htmlText(action)}" x="${fixed(x)}" y="0" width="${fixed(width)}"
height="10"/>`;
    x += width;
    return part;
  });
  return markup`<svg class="share" viewBox="0 0 1000 10" preserveAspectRatio="none"
aria-hidden="true">${parts}</svg>`;
}

/** A length in a drawing. */
export function fixed(length: number): HtmlText {
  return htmlText(String(Math.round(length * 10) / 10));
}

function comparedWith({ base }: PlanView): HtmlText {
  if (!base) return markup``;
  const { ref, commit, behind } = base;
  const left = htmlText(behind?.tip === undefined ? '' : 'where this branch left ');
  const params = behindParams(base);
  const words = behind && params ? fill(BEHIND_WORDS[behind.is], params, htmlText) : '';
  const said = words === '' ? markup`` : markup`. ${words as HtmlText}`;
  return markup`; compared with ${left}${named(ref)} <code>${htmlText(commit.slice(0, 12))}</code>${said}`;
}

/** The inputs of the plan, for the record. */
export function factsHtml({
  inputs,
  evaluatedAt,
  expiresAt,
  id,
  represented,
  total,
}: PlanView): HtmlText {
  const { service, snapshot, commit, dirty, tool } = inputs;
  const found = snapshot.discovered > 0 ? `, ${grouped(snapshot.discovered)} discovered` : '';
  const fleet = `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}${found}`;
  const work = dirty === true ? ', with changes that are not committed' : '';
  const version = commit === undefined ? 'not in a git repository' : commit.slice(0, 12) + work;
  const figures: readonly (readonly [string, HtmlText])[] = [
    ['Service', named(service.baseUrl)],
    ['Fleet', htmlText(fleet)],
    ['Read', htmlText(readingText(snapshot))],
    ['Documents', markup`<code>${htmlText(version)}</code>`],
    ['Decided', htmlText(momentOf(evaluatedAt))],
    ['Holds until', htmlText(momentOf(expiresAt))],
    ['Plan id', markup`<code>${htmlText(id)}</code>`],
    ['Made by', htmlText(tool)],
    ['Complete', htmlText(`${grouped(represented)} of ${counted(total, 'change')} represented`)],
  ];
  const items = figures.map(
    ([label, text]) => markup`<div><dt>${htmlText(label)}</dt><dd>${text}</dd></div>`,
  );
  return markup`<section aria-labelledby="facts-title">
<h2 id="facts-title">About this plan</h2>
<dl class="facts">${items}</dl>
</section>`;
}
