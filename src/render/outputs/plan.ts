import { parseInstant, type Instant } from '../../lib/time.ts';
import { refusedEntries } from '../../model/documents/diagnostic.ts';
import type { PlanBase } from '../../model/plan/plan.ts';
import { findAllClear } from '../../model/report/all-clear.ts';
import { printTerminal } from '../print/terminal.ts';
import { printWithin } from '../print/within.ts';
import type { TerminalText } from '../sinks/sinks.ts';
import type { TextStyle } from '../sinks/snippet.ts';
import {
  data,
  joined,
  own,
  phrase,
  place,
  say,
  sentence,
  told,
  type Block,
  type Fact,
  type Inlines,
} from '../tree.ts';
import { isRefused, READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { notUnderstoodWords } from '../words/commands.ts';
import { momentText } from '../words/moment.ts';
import { passedSentence } from '../words/passed-words.ts';
import { counted, grouped } from '../words/phrase.ts';
import { factsText, isKnown, readingText } from '../words/reading-words.ts';
import { notComparedWords, planSentence, wholeSentence } from '../words/review/all-clear.ts';
import { hintWords, isElsewhere, mendWords } from '../words/review/hint.ts';
import {
  besideChangesWords,
  causedSentence,
  DETAILS_WORDS,
  followSentence,
  pendingSentence,
  listedSentence,
  needWords,
  planTime,
  REFUSED_SENTENCE,
  shownWords,
  UNCOMMITTED_WORDS,
  validityWords,
} from '../words/review/review-words.ts';
import { BEHIND_WORDS, behindParams, GROUP_WORDS } from '../words/terms.ts';
import { classBlocks, noteBlocks, removedBlocks } from './classes.ts';
import { limitBlocks, passedBlocks } from './guardrails.ts';
import { partText } from './naming.ts';
import { laterBlocks, needBlocks, outBlocks, policyBlocks, runBlocks } from './review.ts';
import { firstBlocks, warningBlocks } from './warnings.ts';

interface BlockOptions {
  /** Each warning and each device by itself; a view has to keep the devices. */
  readonly all?: boolean;
  /** Warnings without their next steps. */
  readonly isShort?: boolean;
  /** The lines of what starts. */
  readonly space?: number;
  /** Without what follows these: a large plan has a hundred thousand entries there. */
  readonly isBrief?: boolean;
}

/**
 * A plan from top to bottom: one sentence, a table of policies, what needs a person, and what starts
 * now and later; then the details: each group of equal changes, what is unchanged, and what it was made
 * from.
 */
export function planBlocks(view: PlanView, options: BlockOptions = {}): readonly Block[] {
  return [
    ...headBlocks(view),
    ...ranked(1, policyBlocks(view, options.all ? { most: Infinity } : {})),
    ...limitBlocks(view),
    ...ranked(2, needBlocks(view, options)),
    ...ranked(4, removedBlocks(view)),
    ...ranked(5, runBlocks(view, options)),
    ...ranked(6, warningBlocks(view, options)),
    ...(options.isBrief
      ? []
      : [...ranked(3, changeBlocks(view, options)), ...ranked(7, noteBlocks(view, options))]),
    ...ranked(9, aboutBlocks(view, options)),
    ...endBlocks(view),
  ];
}

/**
 * What a plan prints where nobody asked for more: what starts, what does not and why, and what somebody has to know
 * about its service and its documents. `show`, `--all` and the comment have the rest.
 */
function summaryBlocks(view: PlanView): readonly Block[] {
  const isClear = view.clear.standing.is === 'clear';
  return [
    ...headBlocks(view),
    ...(isClear && view.refusing.length === 0 ? [] : policyBlocks(view)),
    ...limitBlocks(view),
    ...(isClear ? [] : outBlocks(view)),
    ...inputBlocks(view),
    ...needBlocks(view),
    ...laterBlocks(view),
    ...removedBlocks(view),
    ...warningBlocks(view, { isShort: true }),
  ];
}

/** What of its inputs nobody expects: a service that is not that of the documents, nothing to compare with, edits. */
function inputBlocks({ inputs, coverage }: PlanView): readonly Block[] {
  const { dirty } = inputs;
  const compared = notComparedWords(coverage);
  return [
    ...serviceBlocks(inputs),
    ...(compared === '' ? [] : [sentence(own(compared))]),
    ...(dirty === true ? [sentence(own(UNCOMMITTED_WORDS))] : []),
  ];
}

/** A service that is not named by the documents. */
export function serviceBlocks({ service }: PlanView['inputs']): readonly Block[] {
  const { from, organization, baseUrl, documents } = service;
  if (documents === undefined) return [];
  const others = say`the documents name ${documents}`;
  return [sentence(say`Service: ${organization} at ${baseUrl}, from the ${own(from)}; ${others}.`)];
}

/** Where there is no place for all, those of the highest rank are left out first. */
function ranked(rank: number, blocks: readonly Block[]): readonly Block[] {
  return blocks.map((block) =>
    block.is === 'section' || block.is === 'table' ? { ...block, rank } : block,
  );
}

/** What everyone reads first: what the documents cause, what may follow it or refuses the plan, and what it is of. */
export function headBlocks(view: PlanView): readonly Block[] {
  const { base, part, shown } = view;
  const whole = (words: typeof planSentence) => told((sink) => words(view, sink));
  const sentences = [
    own(pendingSentence(view)),
    ...(base ? [whole(wholeSentence)] : []),
    own(followSentence(view)),
  ].filter((each) => each.length > 0);
  const passed = told((sink) => passedSentence(view.classes, sink));
  const unread = notUnderstoodWords(view.notUnderstood);
  return [
    ...firstBlocks(view),
    { is: 'title', text: whole(base ? causedSentence : planSentence) },
    ...(sentences.length > 0 ? [sentence(joined(sentences, ' '))] : []),
    ...(passed.length > 0 ? [sentence(passed, 'wait')] : []),
    ...(isRefused(view) ? [sentence(own(REFUSED_SENTENCE), 'bad')] : []),
    ...(part ? [sentence(partText(part), 'wait')] : []),
    ...(shown
      ? [
          sentence(
            told((sink) => `Shown: ${shownWords(shown, sink)}.`),
            'wait',
          ),
        ]
      : []),
    ...(unread === undefined ? [] : [sentence(own(`${unread}.`), 'wait')]),
    ...behindBlocks(base),
  ];
}

/** A branch behind its base; a warning if the plan does not show the result of a merge. */
function behindBlocks(base: PlanBase | undefined): readonly Block[] {
  const params = base && behindParams(base);
  if (!base?.behind || !params) return [];
  const { is: state } = base.behind;
  return [sentence(phrase(BEHIND_WORDS[state], params), state === 'merged' ? 'calm' : 'wait')];
}

/** Each group of equal changes. */
function changeBlocks(view: PlanView, options: BlockOptions): readonly Block[] {
  const blocks = classBlocks(view, options);
  if (blocks.length === 0) return [];
  const { changes } = view.review;
  const entries = view.counts.run + view.counts.wait + view.counts.skip;
  const count = `${grouped(changes)}${besideChangesWords(changes, entries)}`;
  const title = own(`All changes in groups: ${count}`);
  return [{ is: 'section', id: 'changes', title, isFolded: true, blocks }];
}

/** Which fleet, which documents, what they were compared with, and the limits that they keep to. */
export function aboutBlocks(
  view: PlanView,
  { all = false }: Pick<BlockOptions, 'all'>,
): readonly Block[] {
  const { base, verdicts } = view;
  const facts = [...inputFacts(view), ...(base ? [comparedFact(base)] : [])];
  const blocks = [{ is: 'facts', facts } as const, ...passedBlocks(verdicts, { all })];
  return [{ is: 'section', id: 'about', title: own('About this plan'), isFolded: true, blocks }];
}

function inputFacts(view: PlanView): readonly Fact[] {
  const { inputs, evaluatedAt, coverage } = view;
  const { clock, now } = planTime(view);
  const { service, snapshot, commit, dirty } = inputs;
  const from = service.from === 'document' ? '' : ` (from the ${service.from})`;
  const fleet = [
    `${counted(snapshot.devices, 'device')} on ${counted(snapshot.sites, 'site')}`,
    ...(snapshot.discovered > 0 ? [`${grouped(snapshot.discovered)} discovered`] : []),
  ].join(', ');
  const compared = notComparedWords(coverage);
  const how = readingText(snapshot, { clock, now });
  const read = isKnown(snapshot) ? own(how) : [data(how)];
  const work = dirty === true ? ', with uncommitted changes' : '';
  const documents =
    commit === undefined
      ? own('not in a commit: no Git repository here, or nothing committed')
      : say`commit ${commit.slice(0, 12)}${own(work)}`;
  return [
    { label: 'service', text: say`${service.organization} at ${service.baseUrl}${own(from)}` },
    { label: 'fleet', text: say`${own(fleet)}, read ${read}${own(factsText(inputs))}` },
    ...(compared === '' ? [] : [{ label: '', text: own(compared) }]),
    {
      label: 'documents',
      text: say`${documents}; decided ${own(momentText(evaluatedAt, { clock }))}`,
    },
  ];
}

function comparedFact({ ref, commit, documents, behind, counts }: PlanBase): Fact {
  const left = own(behind?.tip === undefined ? '' : 'the merge base with ');
  const named = commit.startsWith(ref) ? [] : say` (${commit.slice(0, 12)})`;
  const empty = own(documents === undefined ? ' (no documents)' : '');
  const groups = READ_IN_ORDER.map((group) => `${grouped(counts[group])} ${GROUP_WORDS[group]}`);
  const text = say`with ${left}${ref}${named}${empty}: ${own(groups.join(', '))}`;
  return { label: 'compared', text };
}

/** What of a plan is listed, and what names it. */
export function endBlocks(view: PlanView): readonly Block[] {
  const listed = listedSentence(view);
  return [
    ...(listed === '' ? [] : [sentence(own(listed))]),
    sentence(say`Plan ID ${view.id}${own(validityWords(view))}.`),
  ];
}

export interface PlanOptions extends TextStyle {
  /** Names every device, and needs a view that kept them. */
  readonly all?: boolean;
  /** Only what nobody has to ask for; `all` beats it. */
  readonly isSummary?: boolean;
  /** The command that applies it, with its arguments; `apply` if absent. */
  readonly command?: string;
  /** A question or another next step follows: this text has none. */
  readonly isPrompted?: boolean;
  /** The time now, for a saved plan, which may have expired. */
  readonly shownAt?: Instant;
}

/** The lines of a plan of a few policies, unless all are requested. */
const LINES = 80;

/** A plan and its next step: all of it, or what it says where nobody asked for more. */
export function planShown(view: PlanView, options: Omit<PlanOptions, 'paint' | 'width'>) {
  const blocks = options.all === true ? planBlocks(view, { all: true }) : summaryBlocks(view);
  return [...blocks, ...stepBlocks(view, options)];
}

/** A plan for a terminal: what starts takes the lines that the others leave. */
export function planText(view: PlanView, style: PlanOptions): readonly TerminalText[] {
  const { all = false, isSummary = false } = style;
  const print = (blocks: readonly Block[]): readonly TerminalText[] => [
    ...printTerminal([...blocks, ...stepBlocks(view, style)], { ...style, all }),
  ];
  if (isSummary || all) return [...printTerminal(planShown(view, style), { ...style, all })];
  const whole = print(planBlocks(view, { isBrief: true }));
  if (whole.length <= LINES) return whole;
  const short = planBlocks(view, { isShort: true, isBrief: true });
  const others = print(short.filter((block) => block.is !== 'section' || block.id !== 'starts'));
  return print(planBlocks(view, { isShort: true, isBrief: true, space: LINES - others.length }));
}

/** How to see the rest of a plan, and the next step. */
function stepBlocks(view: PlanView, options: Omit<PlanOptions, 'paint' | 'width'>) {
  const { all, isSummary, isPrompted } = options;
  return [
    ...(all !== true && isSummary !== true && view.total > 0 ? [sentence(own(DETAILS_WORDS))] : []),
    ...(isPrompted === true ? [] : nextBlocks(view, options)),
  ];
}

/** The next step of a whole plan. */
function nextBlocks(
  view: PlanView,
  { command, shownAt }: Pick<PlanOptions, 'command' | 'shownAt'> = {},
): readonly Block[] {
  if (view.shown) return [];
  const { service } = view.inputs;
  const page = { ...planTime(view), command, service };
  const expired = parseInstant(view.expiresAt);
  const isOver = shownAt !== undefined && expired !== undefined && expired <= shownAt;
  const { next } = isOver ? findAllClear({ ...view.situation, expired }) : view.clear;
  // A command alone is code, which a page shows as such.
  const isPlain = next.is === 'again' && next.steps === undefined && !isElsewhere(service);
  const isCommand = command === undefined && isPlain;
  const hint = isCommand
    ? [data('fleetform apply')]
    : told((sink) => hintWords(next, { ...page, sink }));
  const text = reviewStep(view) ?? hint;
  return [{ is: 'next', text }];
}

/**
 * What follows from the plan of a request: somebody mends what it refuses, or reads its first line and merges it. It
 * names a line that the request changes.
 */
function reviewStep(view: PlanView): Inlines | undefined {
  const { base, review, refusing } = view;
  if (!base || isRefused(view)) return undefined;
  const { refuses = [], lines = [] } = base;
  const finding = refusing.find((each) =>
    refuses.some((policy) => refusedEntries([each]).has(policy)),
  );
  if (finding) return told((sink) => `${mendWords(finding, sink, lines[0])}, then plan again`);
  const [row] = review.policies.filter(({ caused }) => caused > 0);
  const [at] = row ? [...row.lines, ...lines, ...row.places] : lines;
  return at && say`review ${place(at)}${own(branchNeeds(review))}, then merge`;
}

/** How many changes of the request need somebody: ` (9 need you)`. */
function branchNeeds({ groups }: PlanView['review']): string {
  const { person } = groups.find(({ group }) => group === 'branch') ?? { person: 0 };
  return person > 0 ? ` (${needWords(person)})` : '';
}

/** The maximum length of a comment of a pull request. */
export const COMMENT_LIMIT = 65_536;

/** How many lines what starts has in Markdown. */
const STARTS = 150;

/**
 * A plan as a comment of at most `limit` characters, for any number of changes; below a few thousand only the totals
 * remain. The first line identifies the comment, so that it can be edited later.
 */
export function planMarkdown(view: PlanView, { limit }: { readonly limit: number }): string {
  const marker = commentMarker(view);
  const blocks = [...planBlocks(view, { space: STARTS }), ...requestSteps(view)];
  const lines = printWithin(blocks, limit - marker.length - 1);
  return [marker, ...lines].join('\n');
}

/** The next step of the plan of a request; none where what is refused says it. */
function requestSteps(view: PlanView): readonly Block[] {
  return view.base && !reviewStep(view) ? [] : nextBlocks(view);
}

/** The same within a sentence; empty for none. */
export function nextText(view: PlanView): Inlines {
  return requestSteps(view).flatMap((each) => (each.is === 'next' ? each.text : []));
}

/** The minimum length of a plan: its head and its totals. */
export function leastMarkdown(view: PlanView): number {
  return planMarkdown(view, { limit: 0 }).length;
}

/** The line that identifies a comment; the organization separates plans of several services. */
export function commentMarker({ inputs }: Pick<PlanView, 'inputs'>): string {
  return `<!-- fleetform plan ${inputs.service.fingerprint.slice(0, 16)} -->`;
}
