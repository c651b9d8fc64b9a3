import type { NoteClass } from '../../model/plan/change.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { PlanBase } from '../../model/plan/plan.ts';
import { parseInstant, type Instant } from '../../lib/time.ts';
import {
  type ClassOptions,
  authorLines,
  classText,
  deviceText,
  labelled,
  reasonText,
} from './class-text.ts';
import type { ChangeClass } from '../view/change-class.ts';
import { APPROVAL_CHANGES } from '../words/approval-words.ts';
import { pausedLines } from './ledger/pause-text.ts';
import { hoursLines } from './hours-text.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { factsText, readingText } from '../words/reading-words.ts';
import { type TerminalText, join, say, terminal } from '../sinks/sinks.ts';
import { type TextStyle, placeText } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { type PlanView, READ_IN_ORDER } from '../view/view.ts';
import { wrap } from '../sinks/wrap.ts';
import { scopeLines } from './review/scope-text.ts';
import { listedVerdictLines, passedVerdictLines } from './verdict-text.ts';
import { forecastLines } from './review/forecast-text.ts';
import { needsLines } from './review/needs-text.ts';
import { reviewLines, sentenceLines } from './review/policy-table.ts';
import { linesWanted, runsLines } from './review/runs-text.ts';
import {
  DETAILS_WORDS,
  listedSentence,
  OBSTACLES_TITLE,
  planTime,
  shownWords,
  validityWords,
} from '../words/review/review-words.ts';
import { NOT_COMPARED } from '../words/review/all-clear.ts';
import { hintWords } from '../words/review/hint.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { nextLines } from './run/run-text.ts';
import {
  ACTION_WORDS,
  BEHIND_WORDS,
  GROUP_WORDS,
  TASK_WORDS,
  behindParams,
} from '../words/terms.ts';
import { diagnosticWords } from '../words/findings.ts';
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
    yield* [...before, ...runsLines(view, { ...style, space: Infinity }), ...after];
    return;
  }
  const short = [...remainder(view, { ...style, all, isShort: true })];
  yield* [...before, ...runsLines(view, { ...style, space: space - short.length }), ...short];
}

/** The lines of a plan of a few policies, unless all are requested. */
const LINES = 80;

function* introduction(view: PlanView, style: RestStyle): Generator<TerminalText> {
  if (view.base?.approval)
    yield* wrap(terminal(APPROVAL_CHANGES[view.base.approval]), style.width, 2);
  yield* pausedLines(view.pauses, style);
  yield* obstacleLines(view.obstacles, { ...style, page: planTime(view) });
  yield* sentenceLines(view, style);
  yield say``;
  yield* headerLines(view, style);
  const unread = notUnderstoodWords(view.notUnderstood);
  if (unread !== undefined) yield* wrap(say`  not read   ${terminal(unread)}`, style.width, 13);
  yield* baseLines(view.base, style);
  if (view.shown)
    yield* wrap(say`  shown      ${terminal(shownWords(view.shown))}`, style.width, 13);
  yield* reviewLines(view, style);
  yield* listedVerdictLines(view.verdicts, style);
  yield* scopeLines(view.base, style);
  yield* needsLines(view, style);
}

type PageStyle = Pick<ClassOptions, 'page'> & TextStyle;

interface RestStyle extends TextStyle {
  readonly all: boolean;
  readonly command?: string;
  readonly isPrompted?: boolean;
  readonly shownAt?: Instant;
  /** Warnings without their next steps. */
  readonly isShort?: boolean;
}

function* remainder(view: PlanView, style: RestStyle): Generator<TerminalText> {
  const { originsOf } = view;
  const options = { ...style, page: planTime(view), originsOf };
  yield* removedChangeLines(view.base, options);
  yield* warningLines(view, options);
  if (style.all) {
    yield* classLines(view, { ...options, waved: wavedPolicies(view) });
    yield* hoursLines(view, style);
    yield* noteLines(view.notes, options);
  }
  yield* forecastLines(view.forecast, planTime(view), style);
  yield* passedVerdictLines(view.verdicts, style);
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

/** Changes of the base that these documents no longer request. */
function* removedChangeLines(
  base: PlanBase | undefined,
  style: Pick<ClassOptions, 'page' | 'originsOf' | 'all'> & TextStyle,
): Generator<TerminalText> {
  if (!base || base.gone.length === 0) return;
  const count = base.gone.reduce((sum, each) => sum + each.count, 0);
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Removed since ${base.ref}: ${grouped(count)}`));
  if (!style.all) return yield* removedInShort(base.gone, style);
  for (const { task, at, lines = [], reason, count: devices, devices: named } of base.gone) {
    const more = devices > named.length ? `, … and ${grouped(devices - named.length)} more` : '';
    const title = `${TASK_WORDS[task]} · ${counted(devices, 'device')}`;
    yield say``;
    yield say`  ${tint(style.paint, 'bold', terminal(title))}`;
    yield* wrap(say`    ${terminal(at.policy)}  ${placeText(at)}`, style.width, 4);
    yield* authorLines({ places: [], lines }, style);
    yield* labelled('why', reasonText(reason, style.page).why, style);
    yield* labelled('devices', say`${join(named.map(deviceText), ', ')}${terminal(more)}`, style);
  }
}

/** How many removed groups are listed in short. */
const REMOVED = 5;

function* removedInShort(removed: PlanBase['gone'], style: PageStyle): Generator<TerminalText> {
  for (const { task, at, reason, count } of removed.slice(0, REMOVED)) {
    const { why } = reasonText(reason, style.page);
    const number = terminal(grouped(count).padStart(6));
    const line = say`${number}  ${terminal(at.policy)}  ${terminal(TASK_WORDS[task])}: ${why}  ${placeText(at)}`;
    yield* wrap(line, style.width, 8);
  }
  const more = removed.length - REMOVED;
  if (more > 0) yield terminal(`        and ${counted(more, 'more group')} (--all lists them)`);
}

/** What apply cannot do comes before the plan itself, each with its next step. */
function* obstacleLines(
  obstacles: readonly Diagnostic[],
  style: PageStyle,
): Generator<TerminalText> {
  if (obstacles.length === 0) return;
  yield tint(style.paint, 'red', terminal(`${OBSTACLES_TITLE}: ${grouped(obstacles.length)}`));
  for (const alike of byCode(obstacles)) yield* warningText(alike, style);
  yield say``;
}

/** How many codes of warnings are listed unless all are requested. */
const WARNED = 3;

function* warningLines(view: PlanView, style: RestStyle & PageStyle): Generator<TerminalText> {
  if (view.warnings.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Warnings: ${grouped(view.warnings.length)}`));
  const codes = byCode(view.warnings);
  const listed = style.all ? codes : codes.slice(0, WARNED);
  const rest = codes.slice(listed.length).flat();
  if (style.isShort) yield* listed.flatMap((alike) => warningInShort(alike, style));
  else
    for (const alike of listed)
      yield* alike.length < FOLDED || alike.some(({ code }) => NOT_FOLDED.has(code))
        ? alike.flatMap((each) => warningText([each], style))
        : warningText(alike, style);
  if (rest.length > 0)
    yield terminal(`  and ${counted(rest.length, 'other warning')} (--all lists them)`);
}

/** From this number on, warnings of one code are folded into one; the JSON has each of them. */
const FOLDED = 3;

/** Warnings that are never folded, because each names its own devices. */
const NOT_FOLDED: ReadonlySet<Diagnostic['code']> = new Set([
  'exceptionEnded',
  'exceptionEnding',
  'exceptionOpens',
  'orderStated',
  'percentIsZero',
  'selectorUnclear',
  'singletonBlocked',
  'unreachableBeforeDeadline',
  'unreachableBeforeExpiry',
  'valueUnreadable',
]);

/** How many places of folded warnings are named. */
const PLACES = 3;

function byCode(warnings: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  const codes = [...new Set(warnings.map(({ code }) => code))];
  return codes.map((wanted) => warnings.filter(({ code }) => code === wanted));
}

function warningText(
  [first, ...more]: readonly Diagnostic[],
  style: PageStyle,
): readonly TerminalText[] {
  if (!first) return [];
  const { summary, next } = diagnosticWords(first, terminal, style.page);
  const place = first.at ? say`${placeText(first.at)} ` : say``;
  return [
    ...wrap(say`  ${place}${summary}`, style.width, 4),
    ...(more.length > 0 ? wrap(say`    ${moreText(more)}`, style.width, 6) : []),
  ]
    .map((line) => tint(style.paint, 'yellow', line))
    .concat(wrap(say`    ${next}`, style.width, 4));
}

/** Its place, what it says in two lines, and how many there are of its code. */
function warningInShort(
  [first, ...more]: readonly Diagnostic[],
  style: PageStyle,
): readonly TerminalText[] {
  if (!first) return [];
  const place = first.at ? say`${placeText(first.at)} ` : say``;
  const others = more.length > 0 ? terminal(` (and ${grouped(more.length)} like it)`) : say``;
  const words = say`  ${place}${diagnosticWords(first, terminal, style.page).summary}${others}`;
  return wrap(words, style.width, 4).map((line) => tint(style.paint, 'yellow', line));
}

/** `and 12 more like it: fleet/a.yaml:4:5, fleet/a.yaml:9:5, …` */
function moreText(more: readonly Diagnostic[]): TerminalText {
  const places = [...new Set(more.flatMap(({ at }) => (at ? [placeText(at)] : [])))];
  const named = [...places.slice(0, PLACES), ...(places.length > PLACES ? [say`…`] : [])];
  const count = terminal(grouped(more.length));
  const where = named.length > 0 ? say`: ${join(named, ', ')}` : say``;
  return say`and ${count} more like it${where}`;
}

function* classLines(view: PlanView, style: ClassOptions): Generator<TerminalText> {
  let title: TerminalText | undefined;
  for (const theClass of view.classes) {
    const next = classTitle(theClass, view);
    if (next !== title) {
      title = next;
      yield say``;
      yield tint(style.paint, 'bold', title);
    }
    yield say``;
    yield* classText(theClass, style);
  }
}

function wavedPolicies({ waves }: PlanView): ReadonlySet<string> {
  const policies = waves.map(({ policy }) => policy);
  return new Set(policies.filter((policy, n) => policies.indexOf(policy) !== n));
}

/** `To run: 40`; in a plan with a base, also who requested the changes. */
function classTitle({ action, group }: ChangeClass, { classes, base }: PlanView): TerminalText {
  const alike = classes.filter((each) => each.action === action && each.group === group);
  const count = alike.reduce((sum, each) => sum + each.count, 0);
  const words = `${ACTION_WORDS[action]}: ${grouped(count)}`;
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  return terminal(base && group ? `${title}, ${GROUP_WORDS[group]}` : title);
}

function* noteLines(notes: readonly NoteClass[], style: PageStyle): Generator<TerminalText> {
  if (notes.length === 0) return;
  yield say``;
  const count = notes.reduce((sum, note) => sum + note.count, 0);
  yield tint(style.paint, 'bold', terminal(`Noted: ${grouped(count)}`));
  yield* table(
    folded(notes, style).map(({ policy, why, devices }) => [
      terminal(` ${counted(devices, 'device')}`),
      terminal(policy),
      why,
    ]),
    { width: style.width, align: ['right'] },
  );
}

interface FoldedNote {
  readonly policy: string;
  readonly why: TerminalText;
  readonly devices: number;
}

/**
 * Folds classes with the same text into one line; the JSON and `why DEVICE` show the differences.
 */
function folded(notes: readonly NoteClass[], style: PageStyle): readonly FoldedNote[] {
  const lines = new Map<string, FoldedNote>();
  for (const { at, reason, count } of notes) {
    const { why } = reasonText(reason, style.page);
    const key = `${at.policy} ${why}`;
    const devices = (lines.get(key)?.devices ?? 0) + count;
    lines.set(key, { policy: at.policy, why, devices });
  }
  return [...lines.values()].sort((a, b) => b.devices - a.devices);
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
  yield* nextLines(terminal(`next: ${hint}`), style);
}
