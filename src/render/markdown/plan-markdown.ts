import type { PlanBase } from '../../model/plan/plan.ts';
import { classBlocks } from '../outputs/classes.ts';
import { needBlocks, policyBlocks, runBlocks } from '../outputs/review.ts';
import {
  causedSentences,
  followSentence,
  besideChangesWords,
  listedSentence,
  shownWords,
  planTime,
  validityWords,
} from '../words/review/review-words.ts';
import { planSentence, wholeSentence } from '../words/review/all-clear.ts';
import { outsideWords, partWords } from '../words/part-words.ts';
import { momentText } from '../words/moment.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, isKnown, readingText } from '../words/reading-words.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { forecastBlocks } from '../outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../outputs/guardrails.ts';
import { noteBlocks, removedBlocks } from '../outputs/removed.ts';
import { firstBlocks, warningBlocks } from '../outputs/warnings.ts';
import { own, printMarkdown, printWithin, textLength } from '../print/markdown.ts';
import { BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { GROUP_WORDS } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { passedSentence } from '../words/passed-words.ts';

/** The maximum length of a pull request comment. */
export const COMMENT_LIMIT = 65_536;

interface MarkdownOptions {
  /** Maximum length in characters. Below a few thousand only the totals remain. */
  readonly limit: number;
}

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
  const limits = [...guardrailBlocks(view.verdicts), ...scopeBlocks(view.base)];
  return [...headLines(view), ...printMarkdown(limits)];
}

type Section = (view: PlanView) => readonly MarkdownText[];

/** What a reviewer reads first, in its order. Each is left out where it does not fit. */
const FIRST: readonly Section[] = [
  (view) => printMarkdown(policyBlocks(view, {})),
  (view) => printMarkdown(needBlocks(view)),
  (view) => printMarkdown(removedBlocks(view)),
];

/** What is folded besides the groups of changes, by priority. */
const FOLDED: readonly Section[] = [
  (view) => printMarkdown(runBlocks(view, { space: STARTS })),
  (view) => printMarkdown(warningBlocks(view, {})),
  (view) => printMarkdown(noteBlocks(view, {})),
  (view) => printMarkdown(forecastBlocks(view.forecast, planTime(view))),
  (view) => fold('About this plan', aboutLines(view)),
];

/** How many lines what starts has. */
const STARTS = 150;

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
  const rows = printWithin(classBlocks(view, {}), space);
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
    ...printMarkdown(firstBlocks(view)),
    own(`### ${caused ?? planSentence(view)}`),
    own(''),
    ...(sentences.length > 0 ? [own(sentences.join(' ')), own('')] : []),
    ...partLines(view.part),
    ...(view.shown ? [mark`**Shown:** ${markdown(shownWords(view.shown))}`, own('')] : []),
    ...(unread === undefined ? [] : [mark`**${markdown(unread)}**`, own('')]),
    ...(view.base ? behindLines(view.base) : []),
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
  return [
    mark`- Fleet: ${markdown(service.organization)} at ${markdown(service.baseUrl)}: ${devices} on ${sites}, ${read}`,
    mark`- Documents: ${from}${work}; decided ${own(momentText(evaluatedAt))}`,
    ...(base ? [baseLine(base)] : []),
    own(''),
    ...printMarkdown(passedBlocks(view.verdicts, {})),
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

function totalLines(view: PlanView): readonly MarkdownText[] {
  const { id } = view;
  const listed = listedSentence(view);
  return [
    ...(listed === '' ? [] : [own(listed)]),
    mark`Plan ID ${markdown(id)}${own(validityWords(view))}.`,
  ];
}
