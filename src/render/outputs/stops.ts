import type { StoppedBy, StopEffects, StopReport } from '../../model/ledger/stopped.ts';
import {
  joined,
  own,
  phrase,
  say,
  type Block,
  type Fact,
  type Inlines,
  type Item,
} from '../tree.ts';
import { isOfIncident } from '../../model/documents/policies.ts';
import { moment, momentAgo, type PageTime } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import { VERDICT_WORDS } from '../words/outcomes.ts';
import { evidenceWords, STOP_WORDS } from '../words/report-words.ts';
import { some, wordText } from './naming.ts';

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
  const next = isAborted ? STOP_WORDS.afterAbort : STOP_WORDS.afterPause;
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
      { label: 'next', text: phrase(next, { scope, ...(rule === 'foreignDevices' && RENAMING) }) },
    ],
  };
}

/** What a fleet writes whose devices are not known under the ID that they were onboarded with. */
const RENAMING = { renaming: 'service.dialect.onboardedId: unknown' };

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
