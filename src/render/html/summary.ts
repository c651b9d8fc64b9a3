import { momentText } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { pauseParams } from '../text/ledger/pause-text.ts';
import { PAUSED_WORDS } from '../words/report-words.ts';
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
import { obstaclesHtml } from './guardrails.ts';
import { groupsHtml, policyTableHtml } from './review.ts';
import { pageFacts, pageHead } from './page-head.ts';
import { named, prose } from './said.ts';
import { outOfScopeHtml } from './scope-verdict.ts';

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
  const first = markup`${pausedHtml(view)}${obstaclesHtml(view)}`;
  const more = rest.trim() === '' ? markup`` : markup`<p class="rest">${htmlText(rest)}</p>`;
  const body = markup`${partHtml(view)}${shownHtml(view)}${more}
${refused ? markup`<p class="state bad">${htmlText(REFUSED_SENTENCE)}</p>` : markup``}
${outOfScopeHtml(view.base)}${notUnderstood(view)}
${groupsHtml(view, READ_IN_ORDER)}
${policyTableHtml(view)}
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

/** What people have paused comes before all else (semantics N68). */
function pausedHtml({ pauses = [] }: PlanView): HtmlText {
  const lines = pauses.map((pause) => {
    const words = fill(PAUSED_WORDS, pauseParams(pause), String);
    return markup`<p class="state bad">${prose(words)}</p>`;
  });
  return markup`${lines}`;
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
