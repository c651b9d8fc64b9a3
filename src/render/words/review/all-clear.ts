import { refusedBy, type Diagnostic } from '../../../model/documents/diagnostic.ts';
import { findAllClear, type Situation, type Standing } from '../../../model/report/all-clear.ts';
import { upToMinute } from '../../../model/report/hint.ts';
import {
  PLAN_COLUMNS,
  sumColumns,
  type ColumnCounts,
  type PlanColumn,
} from '../../../model/plan/actor.ts';
import { countDevices, type Coverage, type ExceptedCount } from '../../../model/plan/coverage.ts';
import { sumCounts } from '../../../lib/group-by.ts';
import { parseInstant, type Instant } from '../../../lib/time.ts';
import { columnMoment, shortDay, span, type PageTime } from '../moment.ts';
import { counted, fill, grouped } from '../phrase.ts';
import type { Sink } from '../../sinks/sinks.ts';
import type { DriftView } from '../../view/drift-view.ts';
import type { PlanView } from '../../view/view.ts';
import { limitSentences, OFFER_WORDS } from '../terms.ts';
import { OUT_OF_SCOPE } from './scope-words.ts';
import { COLUMN_TITLES, needWords, planTime } from './review-words.ts';

/** What the sentence is about, besides its standing. */
export interface Sighting {
  readonly coverage?: Coverage | undefined;
  readonly isTorn?: boolean | undefined;
  /** The findings that refuse policies (semantics K27). */
  readonly refusing?: readonly Diagnostic[] | undefined;
  /** The plan is of a part of the fleet. */
  readonly isPart?: boolean;
}

type Page = PageTime & { readonly now: Instant; readonly sink?: Sink };

export function planSentence(view: PlanView, sink: Sink = String): string {
  const { standing } = view.clear;
  return changesSentence(standing, sightingOf(view), { ...planTime(view), sink });
}

/** The same of a report, which is of the instant of its reading. */
export function reportSentence(situation: Situation, now: Instant): string {
  return changesSentence(findAllClear(situation).standing, situation, { now });
}

/** Why a fleet is not clear, where that is more than its changes: said before them, since with it none is an all-clear. */
export function stopSentence(situation: Situation): string | undefined {
  const { isLedgerLost, areClocksApart, outOfScope, refused = [], now } = situation;
  if (isLedgerLost)
    return 'The ledger lacks records that were seen before; apply refuses to start.';
  if (areClocksApart) return 'The clocks of this machine and the service differ.';
  const [verdict] = refused;
  if (verdict) return standingSentence({ is: 'refused', verdict }, situation, { now });
  return outOfScope ? OUT_OF_SCOPE : undefined;
}

/** The same after what the documents since the base change. */
export function wholeSentence(view: PlanView, sink: Sink = String): string {
  const sentence = planSentence(view, sink);
  return view.review.changes > 0
    ? `In all ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
    : sentence;
}

function sightingOf({ situation: { coverage, isTorn, refusing }, part }: PlanView): Sighting {
  return { coverage, isTorn, refusing, isPart: part !== undefined };
}

/**
 * The first sentence of a plan, a run or a status: whether all is clear, and what that covers. Only
 * this file says that there are no changes and no drift (semantics M31).
 */
export function changesSentence(standing: Standing, sighting: Sighting, page: Page): string {
  switch (standing.is) {
    case 'clear':
      return clearSentence(sighting, page);
    case 'unread':
      return sentence([`No changes so far: ${readText(sighting)}`, ...besideTexts(sighting, page)]);
    case 'torn':
      return sentence([
        `No changes in ${counted(sighting.coverage?.matching ?? 0, 'device')}`,
        TORN,
        ...besideTexts(sighting, page),
      ]);
    default:
      return standingSentence(standing, sighting, page);
  }
}

/** The title of a report of drift, and of the issue about it. */
export function driftTitle({ plan, clear, situation }: DriftView, sink: Sink = String): string {
  return driftSentence(clear.standing, situation, { ...planTime(plan), sink }).replace(/\.$/, '');
}

/** The first sentence of a comparison with what fleetform applied. */
function driftSentence(standing: Standing, sighting: Sighting, page: Page): string {
  const { coverage } = sighting;
  const beside = [goneText(coverage, page)].filter((text) => text !== '');
  switch (standing.is) {
    case 'clear':
      return sentence([`No drift in ${counted(coverage?.selected ?? 0, 'device')}`, ...beside]);
    case 'unread':
      return sentence([`No drift so far: ${readText(sighting)}`, ...beside]);
    case 'torn':
      return sentence([
        `No drift in ${counted(coverage?.selected ?? 0, 'device')}`,
        TORN,
        ...beside,
      ]);
    default:
      return standingSentence(standing, sighting, page);
  }
}

type Open = Exclude<Standing, { readonly is: 'clear' | 'unread' | 'torn' }>;

function standingSentence(standing: Open, sighting: Sighting, page: Page): string {
  switch (standing.is) {
    case 'refused': {
      const { said, params } = limitSentences(standing.verdict);
      return `Refused: ${fill(said, params, page.sink ?? String)}. Nothing was started.`;
    }
    case 'uncovered': {
      const all = counted(standing.devices, 'device');
      const none = sighting.isPart === true ? 'no device in this part' : `none of ${all}`;
      return `Nothing is covered: the policies select ${none}.`;
    }
    case 'drifted':
      return `Drift: ${counted(standing.count, 'change')} to restore what fleetform applied`;
    case 'doubt':
      return `${doubtText(standing.count)}.`;
    case 'running': {
      const { count } = standing;
      const running = fill('{n|task is|tasks are} still running', { n: count }, String);
      return sentence([running, matchingText(sighting), ...goneOrTorn(sighting, page)]);
    }
    case 'waits': {
      const next =
        standing.at === undefined
          ? []
          : [`the next starts ${columnMoment(upToMinute(standing.at), page)}`];
      const waits = fill('{n|change waits|changes wait}', { n: standing.count }, String);
      return sentence([waits, ...next, ...goneOrTorn(sighting, page)]);
    }
    case 'person':
      return sentence([
        `Nothing can start: ${personText(standing)}`,
        `${matchingText(sighting)}`,
        ...goneOrTorn(sighting, page),
      ]);
    case 'selected':
      return sentence([
        selectedText(standing.counts),
        ...(standing.doubts > 0 ? [doubtText(standing.doubts)] : []),
        ...unreadText(sighting),
        ...goneOrTorn(sighting, page),
      ]);
  }
}

const TORN = 'the reading is inconsistent';

function doubtText(count: number): string {
  return `${grouped(count)} ${count === 1 ? 'outcome is' : 'outcomes are'} in doubt`;
}

/** Said where no record of the last 30 days says which devices are known (semantics M30); empty where one does. */
export function notComparedWords(coverage: Coverage | undefined): string {
  if (!coverage || coverage.known) return '';
  return 'Missing devices cannot be told yet: no `apply` of the last 30 days recorded the fleet.';
}

function sentence(clauses: readonly string[]): string {
  return `${clauses.join('; ')}.`;
}

/** All that is selected matches; where that is not all of the fleet, how much it is. */
function clearSentence(sighting: Sighting, page: Page): string {
  const { coverage, isPart } = sighting;
  const where = isPart === true ? ' in this part' : '';
  if (!coverage) return `No changes${where}.`;
  const { selected, matching, seen, matchingBelieved = coverage.believed, oldest } = coverage;
  const beside = besideTexts(sighting, page);
  if (selected === 0 && coverage.onboarded !== undefined)
    return sentence([`No changes${where}: ${onboardedText(coverage.onboarded)}`, ...beside]);
  const isAll = matching === selected && beside.length === 0;
  const fleet = countDevices(seen);
  const isPartOfFleet = isPart !== true && selected < fleet;
  const all = isPartOfFleet
    ? `all ${grouped(selected)} selected of ${counted(fleet, 'device')}`
    : `all ${counted(selected, 'device')}`;
  const subject = isAll ? all : counted(matching, 'device');
  const from = parseInstant(oldest ?? '') ?? page.now;
  const aged =
    matchingBelieved > 0
      ? `, ${grouped(matchingBelieved)} by values up to ${span(page.now - from)} old`
      : '';
  const verb = matching === 1 && !isAll ? 'matches' : 'match';
  return sentence([`No changes${where}: ${subject} ${verb}${aged}`, ...beside]);
}

/** What documents of onboarding alone cover once nothing is left of it. */
function onboardedText(count: number): string {
  return fill('{n|device is|devices are} onboarded, no other is selected', { n: count }, String);
}

/** What an all-clear does not cover: devices that are gone, and changes that are left out. */
function besideTexts({ coverage, refusing }: Sighting, page: Page): readonly string[] {
  if (!coverage) return refusedTexts(refusing, page);
  const { acknowledged, excluded, notOffered } = coverage;
  const excepted = [
    ...(acknowledged.length > 0 ? [`${grouped(sumCounts(acknowledged))} acknowledged`] : []),
    ...(excluded.length > 0
      ? [`${grouped(sumCounts(excluded))} excluded${untilText(excluded, page)}`]
      : []),
  ].join(', ');
  const offers = Object.entries(notOffered).map(
    ([task, count]) => `no ${OFFER_WORDS[task] ?? task} for ${grouped(count)}`,
  );
  const lacking = offers.length > 0 ? `the service offers ${offers.join(', ')}` : '';
  return [
    ...refusedTexts(refusing, page),
    ...[goneText(coverage, page), excepted, lacking].filter((text) => text !== ''),
  ];
}

function untilText(excluded: readonly ExceptedCount[], page: Page): string {
  const [first] = excluded;
  const at = parseInstant(first?.until ?? '');
  if (at === undefined) return '';
  const isOne = excluded.every(({ until }) => until === first?.until);
  return `${isOne ? '' : ', the first'} until ${shortDay(at, page)}`;
}

function goneText(coverage: Coverage | undefined, { sink = String }: Page): string {
  const { gone = 0, idle = [] } = coverage ?? {};
  const lost =
    idle.length === 1 ? `${sink(idle[0] ?? '')} selects` : `${idle.length} policies select`;
  return [
    ...(gone > 0
      ? [`${counted(gone, 'known device')} missing from ${gone === 1 ? 'its site' : 'their sites'}`]
      : []),
    ...(idle.length > 0 ? [`${lost} no device any more`] : []),
  ].join('; ');
}

function goneOrTorn({ coverage, isTorn, refusing }: Sighting, page: Page): readonly string[] {
  return [
    ...refusedTexts(refusing, page),
    ...[goneText(coverage, page), isTorn === true ? TORN : ''].filter((text) => text !== ''),
  ];
}

/** `rotations.passwords is refused`; nothing where no policy is. */
function refusedTexts(refusing: Sighting['refusing'] = [], { sink = String }: Page) {
  const [policy = '', ...others] = refusedBy(refusing);
  if (policy === '') return [];
  return [
    others.length > 0 ? `${others.length + 1} policies are refused` : `${sink(policy)} is refused`,
  ];
}

function matchingText({ coverage }: Sighting): string {
  const matching = coverage?.matching ?? 0;
  return `${counted(matching, 'device')} ${matching === 1 ? 'matches' : 'match'}`;
}

/** `48 of 60 devices are read`. */
function readText({ coverage }: Sighting): string {
  const { selected = 0, unread = 0 } = coverage ?? {};
  return `${grouped(selected - unread)} of ${counted(selected, 'device')} are read`;
}

function unreadText({ coverage }: Sighting): readonly string[] {
  const { unread = 0 } = coverage ?? {};
  return unread > 0 ? [`${counted(unread, 'device')} not read yet`] : [];
}

function personText({ count, isDecided }: Extract<Standing, { is: 'person' }>): string {
  const changes = counted(count, 'change');
  if (isDecided) return `${changes} ${count === 1 ? 'waits' : 'wait'} for an approval or a pause`;
  return `${changes} ${count === 1 ? 'needs' : 'need'} a person`;
}

/** `6 selected: 2 now, 3 later, 1 needs you`. */
export function selectedText(counts: ColumnCounts): string {
  return `${grouped(sumColumns(counts))} selected: ${countsText(counts).join(', ')}`;
}

/** The columns that have something, as words. */
export function countsText(
  counts: Readonly<Partial<Record<PlanColumn, number>>>,
): readonly string[] {
  return PLAN_COLUMNS.flatMap((column) => {
    const count = counts[column] ?? 0;
    if (count === 0) return [];
    if (column === 'person') return [needWords(count)];
    return [`${grouped(count)} ${COLUMN_TITLES[column].toLowerCase()}`];
  });
}
