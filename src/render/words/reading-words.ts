import type { PlanInputs } from '../../model/plan/plan.ts';
import { momentText, span, type PageTime } from './moment.ts';
import type { PolicyProgress } from '../../model/progress.ts';
import { parseInstant, type Milliseconds } from '../../lib/time.ts';
import { counted, grouped, findWord, wordOr } from './phrase.ts';
import { COLUMN_TITLES, needWords } from './review/review-words.ts';

type Reading = PlanInputs['snapshot'];

const CONFIDENCE_TEXT = {
  'one page': ' in one page',
  'two equal passes': ', consistent',
  'clean pass': ', consistent',
  torn: ', inconsistent: devices may be missing',
} as const satisfies Record<Reading['confidence'], string>;

/** What a report says that leaves no device out on purpose. */
export const TORN_WORDS = 'The read of the fleet is inconsistent: devices may be missing.';

/** Whether a plan's reading has words here; the plan may come from another version. */
export function isKnown({ confidence }: Pick<Reading, 'confidence'>): boolean {
  return findWord(CONFIDENCE_TEXT, confidence) !== undefined;
}

/** What is read, where its name in the interface is not a word. */
const READ_WORDS: Readonly<Record<string, string>> = {
  deviceSources: 'device sources',
  discoveredDevices: 'discovered devices',
  firmwarePaths: 'firmware paths',
  deviceTasks: 'device tasks',
  answers: 'answers of the service',
};

/** What a read reads, by the name of its list: `discovered devices`. */
export function readWords(what: string): string {
  return findWord(READ_WORDS, what) ?? what;
}

/** The first line of a log. */
export const READING_WORDS = 'reading the fleet';

/** When and how the fleet was read, and what was done about an inconsistent read. */
export function readingText(reading: Reading, page: PageTime = {}): string {
  const { takenAt, confidence } = reading;
  const how = findWord(CONFIDENCE_TEXT, confidence) ?? ` ${wordOr(CONFIDENCE_TEXT, confidence)}`;
  return momentText(takenAt, page) + how + repairText(reading);
}

/** The result of repeated reads by ID after an inconsistent read; empty if there were none. */
function repairText({ repair }: Pick<Reading, 'repair'>): string {
  if (!repair) return '';
  const { present, absent, unknown } = repair;
  const found = [
    `${grouped(present)} present`,
    ...(absent > 0 ? [`${grouped(absent)} missing or forbidden`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
  ];
  return `; ${counted(present + absent + unknown, 'device')} read by ID: ${found.join(', ')}`;
}

/** How much comes from reads of earlier runs and how old it is, and what no run has read; empty if neither. */
export function factsText({ facts, snapshot }: Pick<PlanInputs, 'facts' | 'snapshot'>): string {
  const { used = 0, oldest, notRead = 0 } = facts ?? {};
  const [now, from] = [parseInstant(snapshot.takenAt) ?? 0, parseInstant(oldest ?? '')];
  const age = from === undefined ? '' : `, up to ${rounded(Math.max(0, now - from))} old`;
  return [
    ...(used > 0 ? [`; values of ${counted(used, 'device')} from earlier runs${age}`] : []),
    ...(notRead > 0 ? [`; ${grouped(notRead)} not read yet`] : []),
  ].join('');
}

/** How many single reads are ahead, how long they take at the pace of the documents, and how many cannot wait. */
export function readsAheadWords({
  reads,
  perSecond,
  takes,
  due,
}: {
  readonly reads: number;
  readonly perSecond: number;
  readonly takes: Milliseconds;
  /** Those that decide about something due within a day. */
  readonly due: number;
}): string {
  const pace = `${counted(reads, 'single read')} at ${grouped(perSecond)} a second`;
  const needed = due > 0 ? `; ${grouped(due)} of them needed today` : '';
  return `${pace}: about ${rounded(takes)} (service.pace)${needed}`;
}

/** The speed of single reads so far, and the time left. */
export function readsLeftWords(perSecond: number, left: Milliseconds): string {
  return `${grouped(perSecond)} a second, ${rounded(left)} left`;
}

/** The headings of the table of policies during a run. */
export const PROGRESS_TITLES = [
  'Policy',
  COLUMN_TITLES.running,
  COLUMN_TITLES.later,
  COLUMN_TITLES.person,
  COLUMN_TITLES.done,
  'Left',
] as const;

/** How far a run is, over all of its policies: counts, and the time left. */
export function runProgressWords(
  lines: readonly (PolicyProgress & { readonly left?: Milliseconds; readonly isLeast?: boolean })[],
): string {
  const sum = (key: 'done' | 'running' | 'failed' | 'later' | 'person') =>
    lines.reduce((all, line) => all + line[key], 0);
  const person = sum('person');
  const left = Math.max(0, ...lines.map((line) => line.left ?? 0));
  const about = lines.some(({ isLeast }) => isLeast === true) ? 'at least' : 'about';
  return [
    `${grouped(sum('running'))} running, ${grouped(sum('later'))} later`,
    ...(person > 0 ? [needWords(person)] : []),
    `${grouped(sum('done'))} verified, ${grouped(sum('failed'))} failed`,
    ...(left > 0 ? [`${about} ${rounded(left)} left`] : []),
  ].join(', ');
}

/** The time left, or the least of it, for a column. */
export function shortTimeLeft(left: Milliseconds, isLeast: boolean): string {
  const minutes = Math.max(1, Math.ceil(left / 60_000));
  const more = isLeast ? '+' : '';
  if (minutes < 60) return `${minutes}${more} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60}${more} min`;
}

/** A time as people say it: in whole minutes from two minutes on. */
function rounded(ms: Milliseconds): string {
  const unit = ms < 2 * 60_000 ? 1_000 : 60_000;
  return span(Math.max(1, Math.round(ms / unit)) * unit);
}

/** A command that only reads continues although documents are invalid. */
export function unusedDocumentsWords(errors: number): string {
  return `warning: The documents have ${counted(errors, 'error')}. Only \`service\` is used. Run \`fleetform validate\`.`;
}
