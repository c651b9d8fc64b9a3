import { groupBy } from '../../lib/group-by.ts';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import { FLEET, policyOfScope } from '../../model/ledger/scopes.ts';
import type { PauseNote } from '../../model/plan/plan.ts';
import {
  data,
  joined,
  own,
  phrase,
  place,
  placeText,
  say,
  sentence,
  told,
  type Block,
  type Inlines,
  type Item,
  type Fact,
} from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { APPROVAL_CHANGES } from '../words/approval-words.ts';
import { diagnosticWords } from '../words/findings.ts';
import { momentText, type PageTime, moment, momentAgo } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import { PAUSED_WORDS, evidenceWords, renamingOf, STOP_WORDS } from '../words/report-words.ts';
import { OBSTACLES_TITLE, planTime } from '../words/review/review-words.ts';
import type { StoppedBy, StopEffects, StopReport } from '../../model/ledger/stopped.ts';
import { isOfIncident } from '../../model/documents/policies.ts';
import { VERDICT_WORDS } from '../words/outcomes.ts';
import { some, wordText } from './naming.ts';

/** What comes before all else: another form of approval, what is paused, and what apply cannot do. */
export function firstBlocks(view: PlanView): readonly Block[] {
  const { base, pauses, obstacles } = view;
  const title = own(`${OBSTACLES_TITLE}: ${grouped(obstacles.length)}`);
  const items = alike(obstacles).map((each) => warningItem(each, view));
  // A request that changes what an approval is says so before all else (semantics N70).
  const before = base?.approval;
  return [
    ...(before === undefined ? [] : [sentence(own(APPROVAL_CHANGES[before]), 'wait')]),
    ...pauseBlocks(pauses, planTime(view)),
    ...(items.length > 0
      ? [sentence(title, 'bad'), { is: 'list', items, tone: 'wait' } as const]
      : []),
  ];
}

/** What people have paused comes before all else in a plan and in a status (semantics N68). */
export function pauseBlocks(pauses: readonly PauseNote[] = [], page?: PageTime): readonly Block[] {
  return pauses.map((pause) => sentence(phrase(PAUSED_WORDS, pauseParams(pause, page)), 'wait'));
}

/** A pause with its instants as people read them, for `PAUSED_WORDS`. */
export function pauseParams({ since, until, ...pause }: PauseNote, page?: PageTime) {
  const end = until === undefined ? {} : { until: momentText(until, page) };
  return { ...pause, policy: policyOfScope(pause.scope), since: momentText(since, page), ...end };
}

/** How many codes of warnings are listed unless all are. */
const LISTED = 3;

/**
 * The warnings of a plan; several of one code are one entry unless all are listed.
 * @param options `isShort` leaves out the next steps, of a plan that is long without them
 */
export function warningBlocks(
  view: PlanView,
  { all = false, isShort = false }: { readonly all?: boolean; readonly isShort?: boolean },
): readonly Block[] {
  const { warnings } = view;
  if (warnings.length === 0) return [];
  const groups = all ? warnings.map((each) => [each]) : alike(warnings);
  const items = groups.map((each) => {
    const { next, ...item } = warningItem(each, view);
    return isShort || !next ? item : { ...item, next };
  });
  const list = { is: 'list', items, tone: 'wait', most: LISTED, noun: 'warning' } as const;
  const title = own('Warnings');
  const count = warnings.length;
  return [{ is: 'section', id: 'warnings', title, count, isFolded: true, blocks: [list] }];
}

/** From this number on, warnings of one code are one entry; the JSON has each of them. */
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

function alike(warnings: readonly Diagnostic[]): readonly (readonly Diagnostic[])[] {
  return [...groupBy(warnings, ({ code }) => code)].flatMap(([code, each]) =>
    each.length < FOLDED || NOT_FOLDED.has(code) ? each.map((one) => [one]) : [each],
  );
}

/** How many places of folded warnings are named. */
const PLACES = 3;

/** A warning, what there is more to say, and the next step. */
export function warningItem([first, ...more]: readonly Diagnostic[], view: PlanView): Item {
  if (!first) return { text: [] };
  const words = (part: 'summary' | 'detail' | 'next'): Inlines =>
    told((sink) => diagnosticWords(first, sink, planTime(view))[part] ?? '');
  const at = first.at ? say`${place(first.at)} ` : [];
  const [detail, next] = [words('detail'), words('next')];
  return {
    text: [...at, ...words('summary')],
    ...(more.length > 0 && { lines: [moreText(more)] }),
    ...(detail.length > 0 && { details: [detail] }),
    ...(next.length > 0 && { next }),
  };
}

/** `and 12 more like it: fleet/a.yaml:4:5, fleet/a.yaml:9:5, …` */
function moreText(more: readonly Diagnostic[]): Inlines {
  const all = more.flatMap(({ at }) => (at ? [placeText(at)] : []));
  const places = [...new Set(all)];
  const named = places.slice(0, PLACES).map(data);
  const list = joined([...named, ...(places.length > PLACES ? [own('…')] : [])], ', ');
  return say`and ${more.length} more like it${named.length > 0 ? say`: ${list}` : []}`;
}

/** How many devices and tasks of a stop are named; the others are counted. */
const NAMED = 4;

/** Stop rules that have tripped, and the way out of each. */
export function stopBlocks(
  title: string,
  stops: readonly StopReport[],
  page: PageTime,
): readonly Block[] {
  if (stops.length === 0) return [];
  const items = stops.map((stop) => stopItem(stop, page));
  const list = { is: 'list', items, tone: 'wait' } as const;
  return [{ is: 'section', id: 'stops', title: own(title), count: stops.length, blocks: [list] }];
}

/**
 * A stop rule that has tripped: what failed, with the command that shows the service's own steps,
 * what it holds, what will be tried again and when, and what a person may do (semantics H8).
 */
function stopItem(stop: StopReport, page: PageTime): Item {
  const { scope, rule, counts, at, action, bad, effects } = stop;
  const isAborted = action === 'abort';
  const afterStop = scope === FLEET ? STOP_WORDS.afterHalt : STOP_WORDS.afterPause;
  const next = isAborted ? STOP_WORDS.afterAbort : afterStop;
  const tasks = [...new Set(bad.flatMap(({ taskId }) => taskId ?? []))];
  const more = tasks.length - NAMED;
  return {
    text: say`${scope}  ${own(isAborted ? 'aborted' : 'paused')} by ${rule}${own(evidenceWords(counts, bad.length))}`,
    facts: [
      { label: 'since', text: own(momentAgo(at, page)) },
      ...(bad.length > 0
        ? [{ label: 'failed', text: some(bad.map(badText), { most: NAMED, noun: '' }) }]
        : []),
      ...tasks.slice(0, NAMED).map((taskId, index) => ({
        label: index === 0 ? 'steps' : '',
        text: say`${phrase(STOP_WORDS.steps, { taskId })}${own(index === NAMED - 1 && more > 0 ? `, and ${grouped(more)} more` : '')}`,
      })),
      ...(effects ? effectFacts(effects, stop, page) : []),
      { label: 'next', text: phrase(next, { scope, ...renamingOf(rule) }) },
    ],
  };
}

function badText({ device, verdict, step }: StoppedBy): Inlines {
  const how = wordText(VERDICT_WORDS, verdict);
  return step === undefined ? say`${device} ${how}` : say`${device} ${how} (${step})`;
}

function effectFacts(
  { held, again, againFrom, setAside }: StopEffects,
  { scope, action }: StopReport,
  page: PageTime,
): readonly Fact[] {
  const isAborted = action === 'abort';
  const incident = isOfIncident(scope) ? { incident: scope } : {};
  const from = againFrom === undefined ? {} : { from: moment(againFrom, page) };
  const tried = [
    ...(again > 0 && !isAborted ? [phrase(STOP_WORDS.again, { again, ...from })] : []),
    ...(setAside > 0 ? [phrase(STOP_WORDS.setAside, { setAside, ...incident })] : []),
  ];
  return [
    ...(held > 0
      ? [{ label: 'held', text: phrase(isAborted ? STOP_WORDS.ended : STOP_WORDS.held, { held }) }]
      : []),
    ...(tried.length > 0 ? [{ label: 'again', text: joined(tried, '; ') }] : []),
  ];
}
