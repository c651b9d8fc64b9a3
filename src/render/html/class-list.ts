import { ANYTIME } from '../../model/documents/window.ts';
import { valuesDiff } from '../text/before-after.ts';
import { spreadTexts } from '../text/class-text.ts';
import type { ChangeClass } from '../view/change-class.ts';
import { momentText } from '../words/moment.ts';
import { windowRows } from '../view/opening.ts';
import { counted } from '../words/phrase.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS, CAUSE_WORDS, GROUP_WORDS, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import { wordOr } from '../words/entry.ts';
import { windowEntry, type HoursOptions } from './report-entries.ts';
import { windowText } from './window-text.ts';
import { named, numberHtml, placed, policyName, reasoned, writtenBy } from './said.ts';
import { ACTION_LABELS, GROUP_LABELS } from './words.ts';
import { REASON_LABELS } from '../words/review/reason-labels.ts';
import { planTime } from '../words/review/review-words.ts';
import { passedText } from '../words/passed-words.ts';

/** How many classes and notes are listed; the table has all changes of the others. */
const LISTED = 40;

/** How many sites and devices of a class are named. */
const NAMED = 8;

/** Equal changes as one class: readable without a script, and on paper. */
export function classesHtml(view: PlanView): HtmlText {
  if (view.classes.length === 0) return markup``;
  const listed = view.classes.slice(0, LISTED);
  const rest = view.classes.slice(LISTED);
  const left = rest.reduce((sum, { count }) => sum + count, 0);
  const others = `${counted(rest.length, 'smaller group')} with ${counted(left, 'change')}`;
  const more = markup`<p>and ${htmlText(others)}: see the table of all changes</p>`;
  let title = '';
  const items = listed.map((theClass) => {
    const next = classTitle(theClass, view);
    const heading = next === title ? markup`` : markup`<h3>${htmlText(next)}</h3>`;
    title = next;
    return markup`${heading}${classHtml(theClass, view)}`;
  });
  return markup`<section aria-labelledby="classes-title">
<h2 id="classes-title">All changes in groups</h2>
${items}${rest.length > 0 ? more : markup``}
</section>`;
}

function classTitle({ action, group }: ChangeClass, { base }: PlanView): string {
  const words = ACTION_WORDS[action].replace(/^./, (first) => first.toUpperCase());
  return base && group ? `${words}, ${GROUP_WORDS[group]}` : words;
}

function classHtml(theClass: ChangeClass, view: PlanView): HtmlText {
  const { task, action, count, risk, at, before, after, reason, group } = theClass;
  const show = {
    action: ACTION_LABELS[action],
    task: TASK_WORDS[task],
    policy: at.policy,
    reason: wordOr(REASON_LABELS, reason.code),
    ...(theClass.wave !== undefined && { wave: theClass.wave }),
    ...(view.base && group && { group: GROUP_LABELS[group] }),
  };
  const edits = valuesDiff(spreadTexts(before), spreadTexts(after)).map(
    ({ kind, text }) => markup`<li class="${htmlText(kind)}">${named(text)}</li>`,
  );
  return markup`<details class="class">
<summary><span class="mark ${htmlText(action)}">${htmlText(ACTION_LABELS[action])}</span>
<strong>${htmlText(TASK_WORDS[task])}</strong> <span>${htmlText(counted(count, 'device'))}</span>
<span class="gist">${named(classGist(theClass))}</span>
<span class="risk ${htmlText(risk)}">${htmlText(RISK_WORDS[risk])}</span>
<span class="from">${policyName(at.policy)}</span></summary>
<div class="body"><ul class="diff">${edits}</ul>
<dl>${classRows(theClass, view).map(
    ([label, text]) => markup`<dt>${htmlText(label)}</dt>
<dd>${text}</dd>`,
  )}</dl>
<p><a href="#changes" data-show="${htmlData(show)}">Show in the table</a></p></div>
</details>`;
}

/** What distinguishes a class from its neighbors: the edit, the wave, the reason, the sites. */
function classGist({ before, after, wave, action, reason, window, sites }: ChangeClass): string {
  const [old, wanted] = [spreadTexts(before), spreadTexts(after)];
  const edits = Object.entries(wanted)
    .filter(([field, value]) => field !== 'generation' && value !== old[field])
    .map(([field, value]) =>
      (value === 'true' ? [field] : [old[field], value])
        .filter((each) => each !== undefined)
        .map((each) => momentText(String(each))),
    )
    .map((values) => values.join(' → '));
  const [site] = sites;
  const where = sites.length === 1 ? (site?.name ?? '') : counted(sites.length, 'site');
  const why = action === 'run' ? '' : wordOr(REASON_LABELS, reason.code);
  const zone = window?.zone ?? '';
  return [...edits, why, wave ?? '', where, zone].filter(Boolean).join(' · ');
}

/** How many commits and changed lines of a class are named. */
const COMMITS_NAMED = 3;
const LINES_NAMED = 6;

function classRows(
  theClass: ChangeClass,
  view: PlanView,
): readonly (readonly [string, HtmlText])[] {
  const { originsOf, hours } = view;
  const page = planTime(view);
  const { action, cause, reason, sinceDiffers, lastNext, at, places, wave, losers, passes } =
    theClass;
  const { why, next } = reasoned(reason, { ...page, sinceDiffers, lastNext });
  const windows = windowRows(hours);
  const because = action === 'run' ? markup`${htmlText(CAUSE_WORDS[cause])}: ${why}` : why;
  const origins = originsOf(theClass).slice(0, COMMITS_NAMED);
  const authors = origins.map((origin) => markup`<div>${writtenBy(origin)}</div>`);
  const changed = theClass.lines.slice(0, LINES_NAMED).map((place) => markup`${placed(place)} `);
  const others = places.length - 1;
  const more = others > 0 ? markup` and ${htmlText(counted(others, 'more place'))}` : markup``;
  const over = losers.map((loser) => markup`${named(loser.policy)} ${placed(loser)} `);
  return [
    ['Why', because],
    ...(action === 'run' ? [] : ([['Next', next]] as const)),
    ...(passes ? ([['Passes', htmlText(passedText(passes, String))]] as const) : []),
    ['Defined at', markup`${placed(at)}${more}`],
    ...(changed.length > 0 ? ([['Changed lines', markup`${changed}`]] as const) : []),
    ...(authors.length > 0 ? ([['By', markup`${authors}`]] as const) : []),
    ...(wave === undefined ? [] : ([['Wave', named(wave)]] as const)),
    ...windowRow(theClass, { windows, page }),
    ...(over.length > 0 ? ([['Wins over', markup`${over}`]] as const) : []),
    [
      'Sites',
      listed(
        theClass.sites.map((site) => sitePart(site)),
        theClass.sites.length,
      ),
    ],
    [
      'Devices',
      listed(
        theClass.devices.map(({ id, name }) => named(name ?? id)),
        theClass.count,
      ),
    ],
  ];
}

function sitePart({ name, count }: ChangeClass['sites'][number]): HtmlText {
  return markup`${name === '' ? markup`no site` : named(name)} ${numberHtml(count)}`;
}

function listed(parts: readonly HtmlText[], count: number): HtmlText {
  const named = parts.slice(0, NAMED);
  const more =
    count > named.length ? markup` and ${numberHtml(count - named.length)} more` : markup``;
  const list = named.map((part, n) => (n === 0 ? part : markup`, ${part}`));
  return markup`${list}${more}`;
}

function windowRow(
  { window, action }: ChangeClass,
  options: HoursOptions,
): readonly (readonly [string, HtmlText])[] {
  if (!window || window.name === ANYTIME) return [];
  return [['Window', named(windowText(windowEntry(window, options), action))]];
}
