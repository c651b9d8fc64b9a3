import type { PlanBase } from '../../model/plan/plan.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import { hoursLines } from './hours-text.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import { type TerminalText, say, terminal } from '../sinks/sinks.ts';
import { type TextStyle } from '../sinks/snippet.ts';
import { isRefused, type PlanView, READ_IN_ORDER } from '../view/view.ts';
import { wrap } from '../sinks/wrap.ts';
import { classBlocks } from '../outputs/classes.ts';
import { forecastBlocks } from '../outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../outputs/guardrails.ts';
import { noteBlocks, removedBlocks } from '../outputs/removed.ts';
import { firstBlocks, warningBlocks } from '../outputs/warnings.ts';
import { ALL_BY, printTerminal } from '../print/terminal.ts';
import { linesWanted, needBlocks, policyBlocks, runBlocks } from '../outputs/review.ts';
import {
  DETAILS_WORDS,
  listedSentence,
  followSentence,
  planTime,
  REFUSED_SENTENCE,
  shownWords,
  validityWords,
} from '../words/review/review-words.ts';
import { NOT_COMPARED, planSentence } from '../words/review/all-clear.ts';
import { passedSentence } from '../words/passed-words.ts';
import { hintWords } from '../words/review/hint.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { BEHIND_WORDS, GROUP_WORDS, behindParams } from '../words/terms.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { outsideWords, partWords } from '../words/part-words.ts';

/** The style of a plan; `all` names every device, and needs a view that kept them. */
export interface PlanOptions extends TextStyle {
  readonly all?: boolean;
  /** The command that applies it, with its arguments; `apply` if absent. */
  readonly command?: string;
  /** A question or another next step follows: this text has none. */
  readonly isPrompted?: boolean;
  /** The time now, for a saved plan, which may have expired. */
  readonly shownAt?: Instant;
}

/**
 * A plan as text from top to bottom: its subject, one sentence, a table of policies, what needs a
 * person, and what starts now and later. With `all` the details follow: each group of equal changes
 * with every device, the windows, and what is unchanged.
 */
export function* planText(view: PlanView, style: PlanOptions): Generator<TerminalText> {
  const all = style.all ?? false;
  const before = [...introduction(view, { ...style, all })];
  const after = [...remainder(view, { ...style, all })];
  const space = LINES - before.length;
  if (all || linesWanted(view) + after.length <= space) {
    yield* [...before, ...printTerminal(runBlocks(view, {}), style), ...after];
    return;
  }
  const short = [...remainder(view, { ...style, all, isShort: true })];
  const runs = runBlocks(view, { space: space - short.length });
  yield* [...before, ...printTerminal(runs, style), ...short];
}

/** The lines of a plan of a few policies, unless all are requested. */
const LINES = 80;

function* introduction(view: PlanView, style: RestStyle): Generator<TerminalText> {
  yield* printTerminal(firstBlocks(view), style);
  if (view.obstacles.length > 0) yield say``;
  yield* sentenceLines(view, style);
  yield say``;
  yield* headerLines(view, style);
  const unread = notUnderstoodWords(view.notUnderstood);
  if (unread !== undefined) yield* wrap(say`  not read   ${terminal(unread)}`, style.width, 13);
  yield* baseLines(view.base, style);
  if (view.shown)
    yield* wrap(say`  shown      ${terminal(shownWords(view.shown))}`, style.width, 13);
  const policies = policyBlocks(view, {});
  if (policies.length > 0) yield say``;
  yield* printTerminal(policies, style);
  yield* printTerminal([...guardrailBlocks(view.verdicts), ...scopeBlocks(view.base)], style);
  yield* printTerminal(needBlocks(view), { ...style, allBy: ALL_BY });
}

/** What everyone reads first: one sentence, and what may follow it or refuses the plan. */
function* sentenceLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  for (const line of wrap(terminal(planSentence(view)), style.width))
    yield tint(style.paint, 'bold', line);
  const follow = followSentence(view);
  if (follow !== '') yield* wrap(terminal(follow), style.width);
  const passed = passedSentence(view.classes, terminal);
  if (passed !== '')
    for (const line of wrap(passed as TerminalText, style.width))
      yield tint(style.paint, 'yellow', line);
  if (isRefused(view))
    for (const line of wrap(terminal(REFUSED_SENTENCE), style.width))
      yield tint(style.paint, 'red', line);
}

interface RestStyle extends TextStyle {
  readonly all: boolean;
  readonly command?: string;
  readonly isPrompted?: boolean;
  readonly shownAt?: Instant;
  /** Warnings without their next steps. */
  readonly isShort?: boolean;
}

function* remainder(view: PlanView, style: RestStyle): Generator<TerminalText> {
  const short = { ...style, allBy: ALL_BY };
  yield* printTerminal([...removedBlocks(view), ...warningBlocks(view, style)], short);
  if (style.all) {
    yield* printTerminal(classBlocks(view, style), style);
    yield* hoursLines(view, style);
    yield* printTerminal(noteBlocks(view, style), style);
  }
  yield* printTerminal(forecastBlocks(view.forecast, planTime(view)), { ...style, all: false });
  const passed = passedBlocks(view.verdicts, style);
  if (!style.all && passed.length > 0) yield say``;
  yield* printTerminal(passed, style);
  yield* totalLines(view, style);
}

type HeaderPart = 'inputs' | 'part' | 'evaluatedAt' | 'coverage';

function* headerLines(
  { inputs, part, evaluatedAt, coverage }: Pick<PlanView, HeaderPart>,
  style: TextStyle,
): Generator<TerminalText> {
  const { service, snapshot, commit, dirty } = inputs;
  const compared = coverage && !coverage.known ? [NOT_COMPARED] : [];
  const from = service.from === 'document' ? '' : ` (from the ${service.from})`;
  const fleet = [
    `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`,
    ...(snapshot.discovered > 0 ? [`${grouped(snapshot.discovered)} discovered`] : []),
    ...compared,
    `read ${readingText(snapshot, { now: parseInstant(evaluatedAt) })}${factsText(inputs)}`,
  ].join(', ');
  const organization = tint(style.paint, 'bold', terminal(service.organization));
  yield* wrap(
    say`Plan for ${organization} at ${terminal(service.baseUrl)}${terminal(from)}`,
    style.width,
    2,
  );
  yield* partLines(part, style);
  yield* wrap(say`  fleet      ${terminal(fleet)}`, style.width, 13);
  const work = dirty === true ? ', with uncommitted changes' : '';
  const version =
    commit === undefined
      ? 'not in a commit: no Git repository here, or nothing committed'
      : `commit ${commit.slice(0, 12)}${work}`;
  yield* wrap(say`  documents  ${terminal(version)}`, style.width, 13);
}

/** The part of the fleet, and what it leaves out. */
function* partLines(part: PlanView['part'], style: TextStyle): Generator<TerminalText> {
  if (!part) return;
  const said = tint(style.paint, 'bold', partWords(part, terminal) as TerminalText);
  yield* wrap(say`  part       ${said}`, style.width, 13);
  yield* wrap(say`             ${terminal(outsideWords(part))}`, style.width, 13);
}

/** Reviewers read the first group: the changes that the documents since the base cause. */
function* baseLines(base: PlanBase | undefined, style: TextStyle): Generator<TerminalText> {
  if (!base) return;
  const { ref, commit, documents, behind } = base;
  const left = behind?.tip === undefined ? '' : 'the merge base with ';
  const named = commit.startsWith(ref) ? '' : ` (${commit.slice(0, 12)})`;
  const empty = documents === undefined ? ' (no documents)' : '';
  yield* wrap(say`  compared   with ${terminal(left + ref + named + empty)}`, style.width, 13);
  const params = behindParams(base);
  if (behind && params) {
    const words = fill(BEHIND_WORDS[behind.is], params, terminal) as TerminalText;
    const colour = behind.is === 'merged' ? 'dim' : 'yellow';
    yield* wrap(say`             ${words}`, style.width, 13).map((line) =>
      tint(style.paint, colour, line),
    );
  }
  for (const group of READ_IN_ORDER) {
    const count = terminal(grouped(base.counts[group]).padStart(7));
    yield say`           ${count} ${terminal(GROUP_WORDS[group])}`;
  }
}

/** Of a saved plan that is shown later, whether it has expired. */
function expiry({ expiresAt }: PlanView, shownAt: Instant | undefined) {
  const expired = parseInstant(expiresAt);
  const isOver = shownAt !== undefined && expired !== undefined && expired <= shownAt;
  return isOver ? { expired } : {};
}

function* totalLines(view: PlanView, style: RestStyle): Generator<TerminalText> {
  const { id, total } = view;
  yield say``;
  const listed = listedSentence(view);
  if (listed !== '') yield terminal(listed);
  yield* wrap(say`Plan ID ${terminal(id)}${terminal(validityWords(view))}.`, style.width, 2);
  if (!style.all && total > 0) yield* wrap(terminal(DETAILS_WORDS), style.width, 2);
  if (style.isPrompted || view.shown) return;
  const options = { ...planTime(view), command: style.command };
  const { next } = findAllClear({ ...view.situation, ...expiry(view, style.shownAt) });
  const hint = hintWords(next, options);
  yield* wrap(terminal(`next: ${hint}`), style.width, 6);
}
