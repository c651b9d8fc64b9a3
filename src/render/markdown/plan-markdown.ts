import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { PlanBase, GuardrailVerdict } from '../../model/plan/plan.ts';
import { parseInstant } from '../../lib/time.ts';
import { ganttLines } from './gantt.ts';
import { limitSentences } from '../words/terms.ts';
import { authorText, classRows, linesText } from './markdown-classes.ts';
import { momentOf } from '../words/moment.ts';
import { counted, fill, grouped, type Phrase } from '../words/phrase.ts';
import { isKnown, repairText } from '../words/reading.ts';
import { mark, markdown, type MarkdownText } from '../sinks/sinks.ts';
import { timelineOf } from '../view/timeline.ts';
import { listedVerdicts } from '../text/verdict-text.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { ACTION_WORDS, BEHIND_WORDS, behindParams } from '../words/terms.ts';
import { diagnosticWords } from '../words/findings.ts';
import { GROUP_WORDS, TASK_WORDS } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { reasonWords } from '../words/reasons.ts';

/** The maximum length of a pull request comment. */
export const COMMENT_LIMIT = 65_536;

export interface MarkdownOptions {
  /** Maximum length in characters. Below a few thousand only the totals remain. */
  readonly limit: number;
}

/** A text of fleetform itself, without data of the service or the documents. */
const own = (text: string): MarkdownText => text as MarkdownText;

/** How many entries of a list are named; the others are counted. */
const LISTED = 20;

/**
 * A plan as a pull request comment of at most `limit` characters, for any number of changes. Equal
 * changes are one row with their exact count and the digest of their devices; rows that do not fit
 * are counted in one. The first line identifies the comment, so that it can be edited later.
 */
export function planMarkdown(view: PlanView, { limit }: MarkdownOptions): string {
  const whole = written(view, limit, SECTIONS);
  return whole.length <= limit ? whole : written(view, limit, []);
}

/** The minimum length of a plan: its head and its totals. */
export function leastMarkdown(view: PlanView): number {
  return written(view, 0, []).length;
}

type Section = (view: PlanView) => readonly MarkdownText[];

/** The optional sections, by priority. */
const SECTIONS: readonly Section[] = [
  ({ warnings }) => warningLines(warnings),
  (view) => removedChangeLines(view),
  (view) => noteLines(view),
  (view) => timelineLines(view),
];

/** Adds the optional sections that fit, each in at most a third of the remaining space. */
function written(view: PlanView, limit: number, sections: readonly Section[]): string {
  const needed = [...headLines(view), ...verdictLines(view.verdicts)];
  const last = totalLines(view);
  let left = limit - lengthOf([...needed, ...last]) - 1;
  const optional = sections.map((section) => {
    const lines = section(view);
    const fits = lengthOf(lines) <= left / 3;
    if (fits) left -= lengthOf(lines);
    return fits ? lines : [];
  });
  const [warnings = [], removed = [], notes = [], timeline = []] = optional;
  const rows = classRows(view, { space: left, now: parseInstant(view.evaluatedAt) ?? 0 });
  const lines = [...needed, ...warnings, ...rows, ...removed, ...timeline, ...notes, ...last];
  return `${lines.join('\n')}\n`;
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** The line that identifies a comment; the organization separates plans of several services. */
export function markerOf({ inputs }: Pick<PlanView, 'inputs'>): string {
  return `<!-- fleetform plan ${inputs.service.fingerprint.slice(0, 16)} -->`;
}

function headLines(view: PlanView): readonly MarkdownText[] {
  const { counts, inputs, base, evaluatedAt } = view;
  const { service, snapshot, commit, dirty } = inputs;
  const parts = (['run', 'wait', 'skip', 'note'] as const).map(
    (action) => `${grouped(counts[action])} ${ACTION_WORDS[action]}`,
  );
  const devices = own(counted(snapshot.devices, 'device'));
  const sites = own(counted(snapshot.sites, 'site'));
  const work = dirty === true ? own(', with changes that are not committed') : own('');
  const from =
    commit === undefined ? own('no commit') : mark`commit ${markdown(commit.slice(0, 12))}`;
  const how = isKnown(snapshot) ? own(snapshot.confidence) : markdown(snapshot.confidence);
  const confidence = mark`read ${own(momentOf(snapshot.takenAt))} in ${how}${own(repairText(snapshot))}`;
  const fleet = mark`${devices} on ${sites}, ${confidence}`;
  const documents = mark`documents of ${from}${work}; decided ${own(momentOf(evaluatedAt))}`;
  const unread = notUnderstoodWords(view.notUnderstood);
  return [
    own(markerOf(view)),
    own(`### Plan: ${parts.join(', ')}`),
    own(''),
    mark`${markdown(service.organization)} at ${markdown(service.baseUrl)}: ${fleet}; ${documents}.`,
    own(''),
    ...(unread === undefined ? [] : [mark`**${markdown(unread)}**`, own('')]),
    ...baseLines(base),
  ];
}

/** Reviewers approve the first group. */
function baseLines(base: PlanView['base']): readonly MarkdownText[] {
  if (!base) return [];
  const counts = READ_IN_ORDER.map(
    (group) => `| ${grouped(base.counts[group])} | ${GROUP_WORDS[group]} |`,
  );
  const { ref, commit, behind } = base;
  const left = own(behind?.tip === undefined ? '' : 'where this branch left ');
  return [
    ...behindLines(base),
    mark`Compared with ${left}${markdown(ref)} (${markdown(commit.slice(0, 12))}):`,
    ...['', '| Changes | |', '| --: | :-- |', ...counts, ''].map(own),
  ];
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
  const { listed, passed, more } = listedVerdicts(verdicts);
  const rest = more > 0 ? own(`; ${counted(more, 'more limit')}`) : own('');
  const fine =
    passed.length === 0
      ? []
      : [own(`Guardrails passed: ${passed.map(passedText).join('; ')}${rest}.`), own('')];
  if (listed.length === 0) return fine;
  const refused = listed.some(({ passed }) => !passed);
  const head = refused
    ? ['> [!CAUTION]', '> A guardrail refuses this plan: apply will not run it.']
    : ['> [!IMPORTANT]', '> An exception raises a limit for this plan.'];
  return [
    ...head.map(own),
    ...listed.slice(0, LISTED).map(verdictLine),
    ...moreLine(listed.length - LISTED, '> - '),
    own(''),
    ...fine,
  ];
}

function passedText(verdict: GuardrailVerdict): MarkdownText {
  const { said, params } = limitSentences(verdict);
  const { scope } = verdict;
  return own(fill(said, params, (text) => (text === scope ? markdown(text) : text)));
}

function verdictLine(verdict: GuardrailVerdict): MarkdownText {
  const { scope, guardrail, passed, at, raisedBy } = verdict;
  const { said, way, params } = limitSentences(verdict);
  const filled = (phrase: Phrase): MarkdownText =>
    own(fill(phrase, params, (text) => (text === scope ? markdown(text) : text)));
  const place = at ? placeOf(at) : own('built in');
  const raised = raisedBy
    ? mark`; raised by ${markdown(raisedBy.policy)}, ${placeOf(raisedBy)}`
    : own('');
  const out = passed ? own('') : mark`; ${filled(way)}`;
  const word = own(passed ? 'Raised' : '**Refused**');
  return mark`> - ${word}: ${filled(said)} (${markdown(guardrail)}, ${place}${raised})${out}.`;
}

function warningLines(warnings: readonly Diagnostic[]): readonly MarkdownText[] {
  if (warnings.length === 0) return [];
  const listed = warnings.slice(0, LISTED).map((warning) => {
    const { summary, next } = diagnosticWords(warning, markdown);
    const place = warning.at ? mark`${placeOf(warning.at)}: ` : own('');
    return mark`- ${place}${summary} ${next}`;
  });
  const title = own(`**Warnings: ${grouped(warnings.length)}**`);
  return [title, own(''), ...listed, ...moreLine(warnings.length - LISTED, '- '), own('')];
}

function removedChangeLines(view: PlanView): readonly MarkdownText[] {
  const { base } = view;
  if (!base || base.gone.length === 0) return [];
  const count = base.gone.reduce((sum, each) => sum + each.count, 0);
  const rows = base.gone
    .slice(0, LISTED)
    .map(({ task, at, lines = [], reason, count: devices }) => {
      const what = own(`${TASK_WORDS[task]}, ${counted(devices, 'device')}`);
      const why = own(reasonWords(reason, { sink: markdown }).summary);
      const authors = authorText({ places: [], lines }, view, own(', '));
      const who = authors === '' ? own('') : mark` ${own('by')} ${authors}`;
      const changed =
        lines.length > 0 ? mark`; ${own('changed')} ${linesText(lines)}${who}` : own('');
      return mark`- ${what}: ${markdown(at.policy)}, ${placeOf(at)}; ${why}${changed}`;
    });
  const title = own(`**No longer wanted and gone from the plan: ${grouped(count)}**`);
  return [title, own(''), ...rows, ...moreLine(base.gone.length - LISTED, '- '), own('')];
}

function timelineLines(view: PlanView): readonly MarkdownText[] {
  const timeline = timelineOf(view);
  if (timeline.waves.length === 0) return [];
  return [
    ...['<details><summary>Waves and windows, at the earliest</summary>', '', '```mermaid'].map(
      own,
    ),
    ...ganttLines(timeline).map(own),
    ...['```', '', '</details>', ''].map(own),
  ];
}

/** The unchanged devices, with reasons. */
function noteLines({ notes, counts, evaluatedAt }: PlanView): readonly MarkdownText[] {
  if (notes.length === 0) return [];
  const now = parseInstant(evaluatedAt) ?? 0;
  const rows = notes.slice(0, LISTED).map(({ at, reason, count }) => {
    const { summary } = reasonWords(reason, { now, sink: markdown });
    return mark`| ${own(grouped(count))} | ${markdown(at.policy)} | ${summary} |`;
  });
  const rest = notes.slice(LISTED).reduce((sum, { count }) => sum + count, 0);
  const more = rest > 0 ? [own(`| ${grouped(rest)} | | for other reasons |`)] : [];
  return [
    ...[`<details><summary>Not touched: ${grouped(counts.note)}</summary>`, ''].map(own),
    ...['| Devices | Policy | Why |', '| --: | :-- | :-- |'].map(own),
    ...rows,
    ...more,
    ...['', '</details>', ''].map(own),
  ];
}

function totalLines({ represented, total, id, expiresAt }: PlanView): readonly MarkdownText[] {
  return [
    own(`${grouped(represented)} of ${counted(total, 'change')} represented.`),
    mark`Plan id ${markdown(id)}, holds until ${own(momentOf(expiresAt))}.`,
  ];
}

function moreLine(count: number, prefix: string): readonly MarkdownText[] {
  return count > 0 ? [own(`${prefix}and ${grouped(count)} more`)] : [];
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): MarkdownText {
  return markdown(`${file}:${line}`);
}
