import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { PlanBase, GuardrailVerdict } from '../../model/plan/plan.ts';
import { forecastMarkdown } from './forecast-markdown.ts';
import { forecastTitle } from '../words/review/rehearsal-words.ts';
import { pauseParams } from '../text/ledger/pause-text.ts';
import { APPROVAL_CHANGES } from '../words/approval-words.ts';
import { PAUSED_WORDS } from '../words/report-words.ts';
import { limitSentences } from '../words/terms.ts';
import { classRows } from './markdown-classes.ts';
import { authorText, linesText, own, textLength } from './source-lines.ts';
import { needsMarkdown, policyTable, runsMarkdown, runsTitle } from './review-markdown.ts';
import {
  causedSentences,
  followSentence,
  besideChangesWords,
  listedSentence,
  OBSTACLES_TITLE,
  REFUSED_SENTENCE,
  shownWords,
  planTime,
  validityWords,
} from '../words/review/review-words.ts';
import { planSentence, wholeSentence } from '../words/review/all-clear.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { momentText } from '../words/moment.ts';
import { sumCounts } from '../../lib/group-by.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, isKnown, readingText } from '../words/reading-words.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { listedVerdicts } from '../text/verdict-text.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { scopeMarkdown } from './scope-markdown.ts';
import { BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { diagnosticWords } from '../words/findings.ts';
import { GROUP_WORDS, TASK_WORDS } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { passedSentence } from '../words/passed-words.ts';
import { reasonWords } from '../words/reasons.ts';

/** The maximum length of a pull request comment. */
export const COMMENT_LIMIT = 65_536;

interface MarkdownOptions {
  /** Maximum length in characters. Below a few thousand only the totals remain. */
  readonly limit: number;
}

/** How many entries of a list are named; the others are counted. */
const LISTED = 20;

/** The greatest length of what is not folded. */
export const HEAD_LIMIT = 12_000;

/**
 * A plan as a pull request comment of at most `limit` characters, for any number of changes: one
 * sentence, a table of policies and what needs a person; then, folded, each group of equal changes
 * with its exact count and the digest of its devices. Rows that do not fit are counted in one. The
 * first line identifies the comment, so that it can be edited later.
 */
export function planMarkdown(view: PlanView, { limit }: MarkdownOptions): string {
  const whole = written(view, limit);
  return whole.length <= limit ? whole : `${least(view).join('\n')}\n`;
}

/** The minimum length of a plan: its head and its totals. */
export function leastMarkdown(view: PlanView): number {
  return least(view).join('\n').length + 1;
}

function least(view: PlanView): readonly MarkdownText[] {
  return [...neededLines(view), ...totalLines(view)];
}

/** What every comment has: the sentences, and what refuses the plan. */
function neededLines(view: PlanView): readonly MarkdownText[] {
  return [...headLines(view), ...verdictLines(view.verdicts), ...scopeMarkdown(view.base)];
}

type Section = (view: PlanView) => readonly MarkdownText[];

/** What a reviewer reads first, in its order. Each is left out where it does not fit. */
const FIRST: readonly Section[] = [policyTable, needsMarkdown, removedChangeLines];

/** What is folded besides the groups of changes, by priority. */
const FOLDED: readonly Section[] = [
  (view) => fold(runsTitle(view), runsMarkdown(view)),
  (view) => fold(`Warnings: ${grouped(view.warnings.length)}`, warningLines(view.warnings, view)),
  (view) => fold(`Noted: ${grouped(sumCounts(view.notes))}`, noteLines(view)),
  (view) => {
    const { forecast } = view;
    const page = planTime(view);
    return forecast ? fold(forecastTitle(forecast, page), forecastMarkdown(forecast, page)) : [];
  },
  (view) => fold('About this plan', aboutLines(view)),
];

/** Adds the sections that fit: folded ones in at most a third of the remaining space each. */
function written(view: PlanView, limit: number): string {
  const needed = neededLines(view);
  const last = totalLines(view);
  const taken = textLength([...needed, ...last]);
  let left = limit - taken - 1;
  let head = Math.min(left, HEAD_LIMIT - taken);
  const first = FIRST.flatMap((section) => {
    const lines = section(view);
    const length = textLength(lines);
    if (length > head || length > left / 2) return [];
    left -= length;
    head -= length;
    return lines;
  });
  const [runs = [], ...folded] = FOLDED.map((section) => {
    const lines = section(view);
    const fits = textLength(lines) <= left / 3;
    if (fits) left -= textLength(lines);
    return fits ? lines : [];
  });
  const { changes } = view.review;
  const entries = view.counts.run + view.counts.wait + view.counts.skip;
  const title = `All changes in groups: ${grouped(changes)}${besideChangesWords(changes, entries)}`;
  const space = left - textLength(fold(title, [own('')]));
  const rows = classRows(view, space);
  const lines = [...needed, ...first, ...runs, ...fold(title, rows), ...folded.flat(), ...last];
  return `${lines.join('\n')}\n`;
}

function fold(title: string, lines: readonly MarkdownText[]): readonly MarkdownText[] {
  if (lines.length === 0) return [];
  return [
    own(`<details><summary>${title}</summary>`),
    own(''),
    ...lines,
    ...(lines.at(-1) === '' ? [] : [own('')]),
    own('</details>'),
    own(''),
  ];
}

/** The line that identifies a comment; the organization separates plans of several services. */
export function commentMarker({ inputs }: Pick<PlanView, 'inputs'>): string {
  return `<!-- fleetform plan ${inputs.service.fingerprint.slice(0, 16)} -->`;
}

function headLines(view: PlanView): readonly MarkdownText[] {
  const [caused, ...others] = causedSentences(view);
  const follow = followSentence(view);
  const passed = passedSentence(view.classes, markdown);
  const sentences = [
    ...others,
    ...(caused === undefined ? [] : [wholeSentence(view)]),
    ...(follow === '' ? [] : [follow]),
    ...(passed === '' ? [] : [`**${passed}**`]),
  ];
  const unread = notUnderstoodWords(view.notUnderstood);
  return [
    own(commentMarker(view)),
    ...approvalLines(view),
    ...pausedLines(view),
    ...obstacleLines(view),
    own(`### ${caused ?? planSentence(view)}`),
    own(''),
    ...(sentences.length > 0 ? [own(sentences.join(' ')), own('')] : []),
    ...partLines(view.part),
    ...(view.shown ? [mark`**Shown:** ${markdown(shownWords(view.shown))}`, own('')] : []),
    ...(unread === undefined ? [] : [mark`**${markdown(unread)}**`, own('')]),
    ...(view.base ? behindLines(view.base) : []),
  ];
}

/** A request that changes what an approval is says so before all else (semantics N70). */
function approvalLines({ base }: PlanView): readonly MarkdownText[] {
  const before = base?.approval;
  return before === undefined ? [] : [own(`> **${APPROVAL_CHANGES[before]}**`), own('')];
}

/** What people have paused comes before all else (semantics N68). */
function pausedLines({ pauses = [] }: PlanView): readonly MarkdownText[] {
  const lines = pauses.map((pause) => {
    const words = fill(PAUSED_WORDS, pauseParams(pause), markdown) as MarkdownText;
    return mark`> **${words}**`;
  });
  return lines.length === 0
    ? []
    : [...lines.flatMap((line) => [line, own('>')]).slice(0, -1), own('')];
}

/** What apply cannot do comes before the plan itself. */
function obstacleLines(view: PlanView): readonly MarkdownText[] {
  const { obstacles } = view;
  if (obstacles.length === 0) return [];
  return [
    own(`> **${OBSTACLES_TITLE}: ${grouped(obstacles.length)}**`),
    own('>'),
    ...warningLines(obstacles, view).map((line) => mark`> ${line}`),
    own(''),
  ];
}

/** The part of the fleet, and what it leaves out. */
function partLines(part: PlanView['part']): readonly MarkdownText[] {
  if (!part) return [];
  const said = own(partWords(part, markdown));
  return [mark`**Only a part of the fleet:** ${said}. ${own(outsideWords(part))}`, own('')];
}

/** Which fleet, which documents, and what they were compared with. */
function aboutLines(view: PlanView): readonly MarkdownText[] {
  const { inputs, base, evaluatedAt } = view;
  const { service, snapshot, commit, dirty } = inputs;
  const devices = own(counted(snapshot.devices, 'device'));
  const sites = own(counted(snapshot.sites, 'site'));
  const work = dirty === true ? own(', with uncommitted changes') : own('');
  const from =
    commit === undefined ? own('no commit') : mark`commit ${markdown(commit.slice(0, 12))}`;
  const how = readingText(snapshot) + factsText(inputs);
  const read = mark`read ${isKnown(snapshot) ? own(how) : markdown(how)}`;
  const { passed, more } = listedVerdicts(view.verdicts);
  const rest = more > 0 ? own(`; ${counted(more, 'more limit')}`) : own('');
  return [
    mark`- Fleet: ${markdown(service.organization)} at ${markdown(service.baseUrl)}: ${devices} on ${sites}, ${read}`,
    mark`- Documents: ${from}${work}; decided ${own(momentText(evaluatedAt))}`,
    ...(base ? [baseLine(base)] : []),
    ...(passed.length > 0
      ? [
          mark`- Guardrails passed: ${own(passed.map((each) => verdictWords(each).said).join('; '))}${rest}`,
        ]
      : []),
  ];
}

function baseLine({ ref, commit, behind, counts }: PlanBase): MarkdownText {
  const left = own(behind?.tip === undefined ? '' : 'the merge base with ');
  const groups = READ_IN_ORDER.map((group) => `${grouped(counts[group])} ${GROUP_WORDS[group]}`);
  return mark`- Compared with ${left}${markdown(ref)} (${markdown(commit.slice(0, 12))}): ${own(groups.join(', '))}`;
}

/** A branch behind its base; a warning if the plan does not show the result of a merge. */
function behindLines(base: PlanBase): readonly MarkdownText[] {
  const params = behindParams(base);
  if (!base.behind || !params) return [];
  const { is: state } = base.behind;
  const words = fill(BEHIND_WORDS[state], params, markdown) as MarkdownText;
  return [own(state === 'merged' ? '> [!NOTE]' : '> [!WARNING]'), mark`> ${words}`, own('')];
}

function verdictLines(verdicts: readonly GuardrailVerdict[]): readonly MarkdownText[] {
  const { listed } = listedVerdicts(verdicts);
  if (listed.length === 0) return [];
  const refused = listed.some(({ passed }) => !passed);
  const head = refused
    ? ['> [!CAUTION]', `> ${REFUSED_SENTENCE}`]
    : ['> [!IMPORTANT]', '> An exception raises a limit of this plan.'];
  return [
    ...head.map(own),
    ...listed.slice(0, REFUSALS).map(verdictLine),
    ...moreLine(listed.length - REFUSALS, '> - '),
    own(''),
  ];
}

/** How many refused or raised limits are listed. */
const REFUSALS = 5;

function verdictLine(verdict: GuardrailVerdict): MarkdownText {
  const { guardrail, passed, at, raisedBy } = verdict;
  const { said, way } = verdictWords(verdict);
  const place = at ? placeText(at) : own('built in');
  const raised = raisedBy
    ? mark`; raised by ${markdown(raisedBy.policy)}, ${placeText(raisedBy)}`
    : own('');
  const out = passed ? own('') : mark`; ${way}`;
  const word = own(passed ? 'Raised' : '**Refused**');
  return mark`> - ${word}: ${said} (${markdown(guardrail)}, ${place}${raised})${out}.`;
}

function warningLines(warnings: readonly Diagnostic[], view: PlanView): readonly MarkdownText[] {
  if (warnings.length === 0) return [];
  const listed = warnings.slice(0, LISTED).map((warning) => {
    const { summary, next } = diagnosticWords(warning, markdown, planTime(view));
    const place = warning.at ? mark`${placeText(warning.at)}: ` : own('');
    return mark`- ${place}${summary} ${next}`;
  });
  return [...listed, ...moreLine(warnings.length - LISTED, '- ')];
}

/** How many removed groups are listed. */
const REMOVED = 6;

function removedChangeLines(view: PlanView): readonly MarkdownText[] {
  const { base } = view;
  if (!base || base.gone.length === 0) return [];
  const count = base.gone.reduce((sum, each) => sum + each.count, 0);
  const rows = base.gone
    .slice(0, REMOVED)
    .map(({ task, at, lines = [], reason, count: devices }) => {
      const what = own(`${TASK_WORDS[task]}, ${counted(devices, 'device')}`);
      const why = own(reasonWords(reason, { ...planTime(view), sink: markdown }).summary);
      const authors = authorText({ places: [], lines }, view, own(', '));
      const who = authors === '' ? own('') : mark` ${own('by')} ${authors}`;
      const changed =
        lines.length > 0 ? mark`; ${own('changed')} ${linesText(lines)}${who}` : own('');
      return mark`- ${what}: ${markdown(at.policy)}, ${placeText(at)}; ${why}${changed}`;
    });
  const title = own(`**Removed from the plan: ${grouped(count)}**`);
  return [title, own(''), ...rows, ...moreLine(base.gone.length - REMOVED, '- '), own('')];
}

/** The unchanged devices, with reasons. */
function noteLines(view: PlanView): readonly MarkdownText[] {
  const { notes } = view;
  if (notes.length === 0) return [];
  const rows = notes.slice(0, LISTED).map(({ at, reason, count }) => {
    const { summary } = reasonWords(reason, { ...planTime(view), sink: markdown });
    return mark`| ${own(grouped(count))} | ${markdown(at.policy)} | ${summary} |`;
  });
  const rest = notes.slice(LISTED).reduce((sum, { count }) => sum + count, 0);
  const more = rest > 0 ? [own(`| ${grouped(rest)} | | for other reasons |`)] : [];
  return [
    ...['| Devices | Policy | Why |', '| --: | :-- | :-- |'].map(own),
    ...rows,
    ...more,
    own(''),
  ];
}

function totalLines(view: PlanView): readonly MarkdownText[] {
  const { id } = view;
  const listed = listedSentence(view);
  return [
    ...(listed === '' ? [] : [own(listed)]),
    mark`Plan ID ${markdown(id)}${own(validityWords(view))}.`,
  ];
}

function moreLine(count: number, prefix: string): readonly MarkdownText[] {
  return count > 0 ? [own(`${prefix}and ${grouped(count)} more`)] : [];
}

function placeText({ file, line }: { readonly file: string; readonly line: number }): MarkdownText {
  return markdown(`${file}:${line}`);
}

/** What a verdict says, and the way out; the scope and the policies are names, and escaped. */
function verdictWords(verdict: GuardrailVerdict): Record<'said' | 'way', MarkdownText> {
  const { said, way, params } = limitSentences(verdict);
  const escaped = (text: string): string =>
    text === verdict.scope || text === params['policies'] ? markdown(text) : text;
  return { said: own(fill(said, params, escaped)), way: own(fill(way, params, escaped)) };
}
