import { momentText } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import {
  causedSentences,
  followSentence,
  listedSentence,
  REFUSED_SENTENCE,
  shownWords,
} from '../words/review/review-words.ts';
import { planSentence, wholeSentence } from '../words/review/all-clear.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { passedSentence } from '../words/passed-words.ts';
import { policyBlocks } from '../outputs/review.ts';
import { pageFacts, pageHead } from './page-head.ts';
import { named, numberHtml, prose } from './said.ts';
import { GROUP_LABELS } from './words.ts';
import { OUT_OF_SCOPE } from '../words/review/scope-words.ts';
import { firstBlocks } from '../outputs/warnings.ts';
import { printHtml } from '../print/html.ts';

/** The subject of the plan, one sentence, and a table with a line for each policy. */
export function summaryHtml(view: PlanView): HtmlText {
  const refused = view.verdicts.some(({ passed }) => !passed);
  const [caused, ...others] = causedSentences(view);
  const lead = caused ?? planSentence(view);
  const rest = [
    ...others,
    ...(caused === undefined ? [] : [wholeSentence(view)]),
    followSentence(view),
    passedSentence(view.classes, String),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
  const first = printHtml(firstBlocks(view));
  const more = rest.trim() === '' ? markup`` : markup`<p class="rest">${htmlText(rest)}</p>`;
  const body = markup`${partHtml(view)}${shownHtml(view)}${more}
${refused ? markup`<p class="state bad">${htmlText(REFUSED_SENTENCE)}</p>` : markup``}
${outOfScopeHtml(view)}${notUnderstood(view)}
${groupsHtml(view)}
${printHtml(policyBlocks(view, { all: true }))}
<p class="about basis">${htmlText(basisText(view))}${comparedWith(view)}</p>`;
  const kicker = markup`Plan for ${named(view.inputs.service.organization)}, ${htmlText(momentText(view.evaluatedAt))}`;
  return pageHead({ kicker, title: lead, first, body });
}

/** The basis of the plan's numbers, in one line. */
function basisText(view: PlanView): string {
  const { snapshot } = view.inputs;
  const fleet = `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`;
  return view.total === 0 ? `${fleet}.` : `${fleet}. ${listedSentence(view)}`;
}

/** The part of the fleet, and what it leaves out. */
function partHtml({ part }: PlanView): HtmlText {
  if (!part) return markup``;
  const said = partWords(part, htmlText) as HtmlText;
  return markup`<p class="state calm">Only a part of the fleet: ${said}. ${htmlText(outsideWords(part))}</p>`;
}

function shownHtml({ shown }: PlanView): HtmlText {
  if (!shown) return markup``;
  return markup`<p class="state calm">Shown: ${htmlText(shownWords(shown))}</p>`;
}

/** One line, if a request does not keep to its scope. */
function outOfScopeHtml({ base }: PlanView): HtmlText {
  if (!base?.scope || base.scope.passed) return markup``;
  return markup`<p class="state bad">${htmlText(OUT_OF_SCOPE)}</p>`;
}

function notUnderstood(view: PlanView): HtmlText {
  const words = notUnderstoodWords(view.notUnderstood);
  return words === undefined ? markup`` : markup`<p class="state bad">${htmlText(words)}</p>`;
}

function comparedWith({ base }: PlanView): HtmlText {
  if (!base) return markup``;
  const { ref, commit, behind } = base;
  const left = htmlText(behind?.tip === undefined ? '' : 'the merge base with ');
  const params = behindParams(base);
  const words = behind && params ? fill(BEHIND_WORDS[behind.is], params, String) : '';
  const said = words === '' ? markup`` : markup`. ${prose(words.replace(/\.$/, ''))}`;
  return markup` Compared with ${left}${named(ref)} <code>${htmlText(commit.slice(0, 12))}</code>${said}.`;
}

export function factsHtml({ inputs, evaluatedAt, expiresAt, id, ...view }: PlanView): HtmlText {
  const { service, snapshot, commit, dirty, tool } = inputs;
  const found = snapshot.discovered > 0 ? `, ${grouped(snapshot.discovered)} discovered` : '';
  const fleet = `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}${found}`;
  const work = dirty === true ? ', with uncommitted changes' : '';
  const version = commit === undefined ? 'not in a git repository' : commit.slice(0, 12) + work;
  const figures: readonly (readonly [string, HtmlText])[] = [
    ['Service', named(service.baseUrl)],
    ['Fleet', htmlText(fleet)],
    ['Read', htmlText(readingText(snapshot) + factsText(inputs))],
    ['Documents', markup`<code>${htmlText(version)}</code>`],
    ['Decided', htmlText(momentText(evaluatedAt))],
    ['Valid until', htmlText(momentText(expiresAt))],
    ['Plan ID', markup`<code>${htmlText(id)}</code>`],
    ['Made by', htmlText(/^\d/.test(tool) ? `fleetform ${tool}` : tool)],
    ...(view.total === 0 ? [] : [['Listed', htmlText(listedSentence(view))] as const]),
  ];
  return pageFacts('About this plan', figures);
}

/** The groups of a plan with a base, each linked to its changes. */
function groupsHtml({ base }: PlanView): HtmlText {
  if (!base) return markup``;
  const items = READ_IN_ORDER.map((group) => {
    const show = htmlData({ group: GROUP_LABELS[group] });
    return markup`<li><a href="#all" data-show="${show}"><b>${numberHtml(base.counts[group])}</b>
${htmlText(GROUP_LABELS[group].toLowerCase())}</a></li>`;
  });
  return markup`<ul class="groups">${items}</ul>`;
}
