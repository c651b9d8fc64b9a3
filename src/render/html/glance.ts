import { RISKS } from '../../model/plan/change.ts';
import { parseInstant } from '../../lib/time.ts';
import type { ChangeClass } from '../view/classes.ts';
import { clockOf, UTC } from '../words/local.ts';
import { moment } from '../words/moment.ts';
import { windowRows } from '../view/opening.ts';
import { counted, grouped } from '../words/phrase.ts';
import { htmlData, htmlText, markup, type HtmlText } from '../sinks/sinks.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { GROUP_WORDS, RISK_WORDS, TASK_WORDS } from '../words/terms.ts';
import { named, numberHtml } from './said.ts';
import { nextText } from './timeline/window-lanes.ts';
import { GROUP_LABELS } from './words.ts';

/** Lines of each answer; the sections below have the rest. */
const LINES = 4;

/**
 * The four questions of a reviewer with short answers: what changes, how risky, when, requested by
 * whom.
 */
export function glanceHtml(view: PlanView): HtmlText {
  const wanted = view.classes.filter(({ action }) => action === 'run' || action === 'wait');
  const answers = [
    ['What happens', whatLines(wanted)],
    ['How risky', riskLines(wanted)],
    ['When', whenLines(view)],
    ['Requested by', view.base ? groupLines(view) : authorLines(view, wanted)],
  ] as const;
  const items = answers.map(
    ([title, lines]) => markup`<div><dt>${htmlText(title)}</dt>
${lines.slice(0, LINES).map((line) => markup`<dd>${line}</dd>`)}${moreLine(lines.length)}</div>`,
  );
  return markup`<dl class="glance">${items}</dl>`;
}

function moreLine(lines: number): HtmlText {
  return lines > LINES
    ? markup`<dd class="soft">and ${numberHtml(lines - LINES)} more</dd>`
    : markup``;
}

const NOTHING: readonly HtmlText[] = [markup`nothing is to be done`];

function whatLines(wanted: readonly ChangeClass[]): readonly HtmlText[] {
  const counts = countBy(wanted, ({ task }) => TASK_WORDS[task]);
  if (counts.length === 0) return NOTHING;
  return counts.map(([task, count]) => {
    const show = htmlData({ task });
    return markup`<a href="#changes" data-show="${show}"><b>${numberHtml(count)}</b> ${htmlText(task)}</a>`;
  });
}

function riskLines(wanted: readonly ChangeClass[]): readonly HtmlText[] {
  const counts = new Map(countBy(wanted, ({ risk }) => risk));
  const lines = RISKS.toReversed().flatMap((risk) => {
    const count = counts.get(risk) ?? 0;
    if (count === 0) return [];
    const show = htmlData({ risk: RISK_WORDS[risk] });
    return [
      markup`<a class="risk ${htmlText(risk)}" href="#changes" data-show="${show}"><b>${numberHtml(count)}</b>
${htmlText(RISK_WORDS[risk])}</a>`,
    ];
  });
  return lines.length === 0 ? NOTHING : lines;
}

function whenLines(view: PlanView): readonly HtmlText[] {
  const { counts, hours, evaluatedAt, verdicts } = view;
  const now = parseInstant(evaluatedAt) ?? 0;
  const refused = verdicts.some(({ passed }) => !passed);
  const may = refused ? markup`could start now` : markup`may start now`;
  const starts = counts.run > 0 ? [markup`<b>${numberHtml(counts.run)}</b> ${may}`] : [];
  const windows = windowRows(hours).map(({ name, zone = '', ...row }) => {
    const clock = clockOf(zone) ?? UTC;
    const text = `${nextText(row, { clock, now })}${zone === '' ? '' : `, ${zone}`}`;
    return markup`${named(name)} ${htmlText(text)}`;
  });
  const later = view.timeline.waves.map(({ last }) => last);
  const end = Math.max(now, ...later);
  const last = end > now ? [markup`the last not before ${htmlText(moment(end))}`] : [];
  const frozen = (hours?.freezes ?? [])
    .slice(0, 1)
    .map(
      ({ name, changes }) =>
        markup`freeze ${named(name)} holds ${htmlText(counted(changes, 'change'))}`,
    );
  const space = LINES - starts.length - last.length - frozen.length;
  const lines = [...starts, ...windows.slice(0, space), ...frozen, ...last];
  if (lines.length > 0) return lines;
  return counts.wait > 0 ? [markup`no window is in the way; see why each waits`] : NOTHING;
}

function groupLines({ base }: PlanView): readonly HtmlText[] {
  return READ_IN_ORDER.map((group) => {
    const show = htmlData({ group: GROUP_LABELS[group] });
    return markup`<a href="#changes" data-show="${show}"><b>${numberHtml(base?.counts[group] ?? 0)}</b>
${htmlText(GROUP_WORDS[group])}</a>`;
  });
}

/** The authors of the lines behind the changes; the policies if they are unknown. */
function authorLines({ originsOf }: PlanView, wanted: readonly ChangeClass[]): readonly HtmlText[] {
  const counts = countBy(wanted, (theClass) => {
    const [origin] = originsOf(theClass);
    return origin?.is === 'commit' ? `${origin.author}: ${origin.subject}` : theClass.at.policy;
  });
  if (counts.length === 0) return NOTHING;
  return counts.map(([who, count]) => markup`<b>${htmlText(grouped(count))}</b> ${named(who)}`);
}

function countBy<Key extends string>(
  classes: readonly ChangeClass[],
  keyOf: (theClass: ChangeClass) => Key,
): readonly (readonly [Key, number])[] {
  const counts = new Map<Key, number>();
  for (const theClass of classes) {
    const key = keyOf(theClass);
    counts.set(key, (counts.get(key) ?? 0) + theClass.count);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** The basis of the plan's numbers, in one line. */
export function basisText({ inputs, represented, total }: PlanView): string {
  const { snapshot } = inputs;
  const fleet = `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`;
  return `${fleet}; ${grouped(represented)} of ${counted(total, 'change')} represented`;
}
