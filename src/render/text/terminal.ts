import type { NoteClass } from '../../model/plan/change.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { PlanBase, PlanInputs, PlanWave } from '../../model/plan/plan.ts';
import { type Instant, parseInstant } from '../../lib/time.ts';
import {
  type ClassOptions,
  authorLines,
  classText,
  deviceText,
  labelled,
  reasonText,
} from './class-text.ts';
import type { ChangeClass } from '../view/classes.ts';
import { hoursLines } from './hours-text.ts';
import { momentOf } from '../words/moment.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { readingText } from '../words/reading.ts';
import { type TerminalText, join, say, terminal } from '../sinks/sinks.ts';
import { type TextStyle, placeText } from '../sinks/snippet.ts';
import { table } from '../sinks/table.ts';
import { type PlanView, READ_IN_ORDER } from '../view/view.ts';
import { wrap } from '../sinks/width.ts';
import { verdictLines } from './verdict-text.ts';
import {
  ACTION_WORDS,
  BEHIND_WORDS,
  GROUP_WORDS,
  TASK_WORDS,
  behindParams,
} from '../words/terms.ts';
import { diagnosticWords } from '../words/findings.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { PLAN_WAVE_WORDS } from '../words/report-words.ts';
import { wordOf } from '../words/entry.ts';

/** The style of a plan; `all` names every device, and needs a view that kept them. */
export interface PlanOptions extends TextStyle {
  readonly all?: boolean;
}

/**
 * A plan as text from top to bottom: its subject, what is refused, runs, waits and is skipped, what
 * is unchanged, and the totals at the end, which a terminal shows last.
 */
export function* planText(view: PlanView, style: PlanOptions): Generator<TerminalText> {
  const now = parseInstant(view.evaluatedAt) ?? 0;
  yield* headerLines(view.inputs, style);
  const unread = notUnderstoodWords(view.notUnderstood);
  if (unread !== undefined) yield* wrap(say`  not read   ${terminal(unread)}`, style.width, 13);
  yield* baseLines(view.base, style);
  yield* verdictLines(view.verdicts, style);
  yield* warningLines(view, style);
  const { originsOf } = view;
  const waved = wavedPolicies(view);
  yield* classLines(view, { ...style, now, all: style.all ?? false, waved, originsOf });
  yield* removedChangeLines(view.base, { ...style, now, originsOf });
  yield* waveLines(view.waves, style);
  yield* hoursLines(view, style);
  yield* noteLines(view.notes, { ...style, now });
  yield* totalLines(view, style);
}

function* headerLines(inputs: PlanInputs, style: TextStyle): Generator<TerminalText> {
  const { service, snapshot, commit, dirty } = inputs;
  const from = service.from === 'document' ? '' : ` (from the ${service.from})`;
  const fleet = [
    `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`,
    ...(snapshot.discovered > 0 ? [`${grouped(snapshot.discovered)} discovered`] : []),
    `read ${readingText(snapshot)}`,
  ].join(', ');
  const organization = tint(style.paint, 'bold', terminal(service.organization));
  yield* wrap(
    say`Plan for ${organization} at ${terminal(service.baseUrl)}${terminal(from)}`,
    style.width,
    2,
  );
  yield* wrap(say`  fleet      ${terminal(fleet)}`, style.width, 13);
  const work = dirty === true ? ', with changes that are not committed' : '';
  const version =
    commit === undefined
      ? 'in no commit: no git repository here, or nothing committed in it'
      : `commit ${commit.slice(0, 12)}${work}`;
  yield* wrap(say`  documents  ${terminal(version)}`, style.width, 13);
}

/** Reviewers read the first group: the changes that the documents since the base cause. */
function* baseLines(base: PlanBase | undefined, style: TextStyle): Generator<TerminalText> {
  if (!base) return;
  const { ref, commit, documents, behind } = base;
  const left = behind?.tip === undefined ? '' : 'where this branch left ';
  const named = commit.startsWith(ref) ? '' : ` (${commit.slice(0, 12)})`;
  const empty = documents === undefined ? ', which has no documents' : '';
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
  style: Pick<ClassOptions, 'now' | 'originsOf'> & TextStyle,
): Generator<TerminalText> {
  if (!base || base.gone.length === 0) return;
  const count = base.gone.reduce((sum, each) => sum + each.count, 0);
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Gone since ${base.ref}: ${grouped(count)}`));
  for (const { task, at, lines = [], reason, count: devices, devices: named } of base.gone) {
    const more = devices > named.length ? `, … and ${grouped(devices - named.length)} more` : '';
    const title = `${TASK_WORDS[task]} · ${counted(devices, 'device')}`;
    yield say``;
    yield say`  ${tint(style.paint, 'bold', terminal(title))}`;
    yield* wrap(say`    ${terminal(at.policy)}  ${placeText(at)}`, style.width, 4);
    yield* authorLines({ places: [], lines }, style);
    yield* labelled('why', reasonText(reason, style).why, style);
    yield* labelled('devices', say`${join(named.map(deviceText), ', ')}${terminal(more)}`, style);
  }
}

function* warningLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  if (view.warnings.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', say`Warnings`);
  for (const alike of byCode(view.warnings))
    yield* alike.length < FOLDED || alike.some(({ code }) => NOT_FOLDED.has(code))
      ? alike.flatMap((each) => warningText([each], style))
      : warningText(alike, style);
}

/** From this number on, warnings of one code are folded into one; the JSON has each of them. */
const FOLDED = 3;

/** Warnings that are never folded, because each names its own devices. */
const NOT_FOLDED: ReadonlySet<Diagnostic['code']> = new Set([
  'exceptionEnded',
  'exceptionEnding',
  'exceptionOpens',
  'percentIsZero',
  'singletonBlocked',
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
  style: TextStyle,
): readonly TerminalText[] {
  if (!first) return [];
  const { summary, next } = diagnosticWords(first);
  const place = first.at ? say`${placeText(first.at)} ` : say``;
  return [
    ...wrap(say`  ${place}${summary}`, style.width, 4),
    ...(more.length > 0 ? wrap(say`    ${moreText(more)}`, style.width, 6) : []),
  ]
    .map((line) => tint(style.paint, 'yellow', line))
    .concat(wrap(say`    ${next}`, style.width, 4));
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

function* noteLines(
  notes: readonly NoteClass[],
  style: TextStyle & { readonly now: Instant },
): Generator<TerminalText> {
  if (notes.length === 0) return;
  yield say``;
  const count = notes.reduce((sum, note) => sum + note.count, 0);
  yield tint(style.paint, 'bold', terminal(`Without change: ${grouped(count)}`));
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
function folded(
  notes: readonly NoteClass[],
  style: TextStyle & { readonly now: Instant },
): readonly FoldedNote[] {
  const lines = new Map<string, FoldedNote>();
  for (const { at, reason, count } of notes) {
    const { why } = reasonText(reason, style);
    const key = `${at.policy} ${why}`;
    const devices = (lines.get(key)?.devices ?? 0) + count;
    lines.set(key, { policy: at.policy, why, devices });
  }
  return [...lines.values()].sort((a, b) => b.devices - a.devices);
}

function* totalLines(view: PlanView, style: TextStyle): Generator<TerminalText> {
  const { counts, represented, total, id, expiresAt } = view;
  const sentence = stateText(view);
  yield say``;
  if (sentence !== undefined) yield* wrap(terminal(sentence), style.width);
  yield terminal(`${grouped(represented)} of ${counted(total, 'change')} represented.`);
  const parts = (['run', 'wait', 'skip', 'note'] as const).map((action) =>
    terminal(`${grouped(counts[action])} ${ACTION_WORDS[action]}`),
  );
  yield tint(style.paint, 'bold', say`Plan: ${join(parts, ', ')}.`);
  yield* wrap(
    say`Plan id ${terminal(id)}, holds until ${terminal(momentOf(expiresAt))}.`,
    style.width,
    2,
  );
}

/** The state of a plan in a sentence; undefined if some changes run. */
export function stateText({ counts, verdicts, inputs }: PlanView): string | undefined {
  const devices = counted(inputs.snapshot.devices, 'device');
  if (verdicts.some((verdict) => !verdict.passed))
    return 'A guardrail refuses this plan: apply will not run it.';
  if (counts.run > 0) return undefined;
  if (counts.wait > 0) return 'Nothing can run now; what waits says when it may.';
  if (counts.skip > 0) return 'Nothing to do, apart from what is skipped above.';
  if (counts.note === 0) return `Nothing to do: the policies select none of ${devices}.`;
  return `Nothing to do: the fleet is as the documents want it.`;
}

/**
 * The waves of each policy that has several left, or one that is not open: how many changes each
 * has, when it may open, and how long it soaks. Empty if there are none.
 */
function* waveLines(waves: readonly PlanWave[], style: TextStyle): Generator<TerminalText> {
  const policies = [...new Set(waves.map(({ policy }) => policy))];
  const groups = policies
    .map((policy) => waves.filter((wave) => wave.policy === policy))
    .filter((group) => group.length > 1 || group.some(isShut));
  if (groups.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', terminal(`Waves: ${grouped(groups.flat().length)}`));
  for (const group of groups) {
    yield say``;
    yield say`  ${tint(style.paint, 'bold', terminal(group[0]?.policy ?? ''))}`;
    const columns = Math.max(...group.map(({ name }) => name.length));
    for (const wave of group) yield* waveText(wave, columns, style);
  }
}

function isShut({ after, approval, stopped }: PlanWave): boolean {
  return [after, approval, stopped].some((each) => each !== undefined);
}

function waveText(wave: PlanWave, columns: number, style: TextStyle): readonly TerminalText[] {
  const { name, changes, soak, after, opens, approval, stopped } = wave;
  const state = stopped ?? (after === undefined ? 'open' : 'shut');
  const params = {
    changes: counted(changes, 'change'),
    state,
    ...(after !== undefined && { after }),
    ...(opens !== undefined && { opens: momentOf(opens) }),
    ...(approval !== undefined && { approval }),
    ...(soak !== undefined && { soak }),
  };
  const words = fill(
    wordOf(PLAN_WAVE_WORDS, state) ?? '{changes}, {state}',
    params,
    terminal,
  ) as TerminalText;
  const head = terminal(name.padEnd(columns));
  return wrap(say`    ${head}  ${words}`, style.width, columns + 6);
}
