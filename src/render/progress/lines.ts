import type { Instant, Milliseconds } from '../../lib/time.ts';
import type { ProgressEvent } from '../../model/progress.ts';
import { terminal } from '../sinks/sinks.ts';
import { createPolicyLog, type PoliciesEvent } from './policies.ts';
import { followReadingRate } from './reading-rate.ts';
import {
  LEDGER_BACK_WORDS,
  ledgerOutageWords,
  outageWords,
  pathsUnreadWords,
  retryWords,
  stoppingWords,
  taskUnreadWords,
  unfilteredWords,
  waitText,
} from '../words/commands.ts';
import { OUTCOME_WORDS, POST_WORDS } from '../words/outcomes.ts';
import { counted, grouped } from '../words/phrase.ts';
import { readWords } from '../words/reading-words.ts';
import { columnsText } from '../words/review/all-clear.ts';
import { TASK_WORDS } from '../words/terms.ts';

/** Takes an event and the time; returns the text to write, often none. */
export type Draw = (event: ProgressEvent, now: Instant) => string;

/** How many lines a known total gets. */
const PARTS = 10;

/** Rows between lines if the total is unknown. */
const STRIDE = 10_000;

/**
 * The first events of each attempt while the service is unavailable; the line about the outage
 * covers them.
 */
const REPEATED: readonly ProgressEvent['kind'][] = ['recovering', 'retrying'];

/** Single reads get a line this often, because they may take half an hour. */
const READS_EVERY: Milliseconds = 30_000;

/**
 * Progress for logs: one line for each important event. A counter gets a line at its start, at each
 * tenth and at its end, so that the log of a large fleet stays short at any pace; single reads get
 * one every half minute, with their rate. The last count is always printed (semantics N30).
 */
export function createLines(): Draw {
  const draw = createEventLines();
  let unprinted: { readonly what: string; readonly text: string } | undefined;
  return (event, now) => {
    const what = event.kind === 'reading' ? event.what : '';
    const missing = unprinted === undefined || unprinted.what === what ? '' : unprinted.text;
    const text = draw(event, now);
    unprinted =
      event.kind === 'reading' && text === '' ? { what, text: eventLine(event, now) } : undefined;
    return missing + text;
  };
}

function createEventLines(): Draw {
  const printed = new Map<string, number>();
  const drawReads = createReadLines();
  const drawPolicies = createPolicyLog();
  let waited: string | undefined;
  return (event, now) => {
    if (event.kind === 'waiting' || event.kind === 'away') {
      const why = event.kind === 'away' ? `away ${event.failure.code}` : event.why;
      const again = waited === why;
      waited = why;
      return again ? '' : eventLine(event, now);
    }
    if (event.kind === 'policies') return drawPolicies(event, now);
    const isAway = waited?.startsWith('away ') === true;
    if (isAway && REPEATED.includes(event.kind)) return '';
    if (event.kind !== 'polled') waited = undefined;
    if (event.kind === 'facts') return drawReads(event, now);
    return isWorthALine(event, printed) ? eventLine(event, now) : '';
  };
}

function createReadLines(): (event: SingleReads, now: Instant) => string {
  const follow = followReadingRate();
  let printed = { at: -Infinity, done: Infinity };
  return (event, now) => {
    const { ahead, left } = follow(event, now);
    const isNext = event.done >= printed.done && event.done < event.total;
    if (isNext && now - printed.at < READS_EVERY) return '';
    printed = { at: now, done: event.done };
    const count = `reading details: ${share(event.done, event.total)}`;
    const said = left === undefined ? count : `${count}, ${left}`;
    return [...(ahead === undefined ? [] : [ahead]), said].map((text) => `${text}\n`).join('');
  };
}

function isWorthALine(
  event: Exclude<ProgressEvent, Rhythmic>,
  printed: Map<string, number>,
): boolean {
  switch (event.kind) {
    case 'reading':
      return nextPart(printed, `reading ${event.what}`, event.rows, event.total);
    case 'rehearsing':
      return nextPart(printed, 'rehearsing', event.done, event.of);
    case 'polled':
      return nextPart(printed, event.taskId, event.completed, event.total);
    case 'ended':
      return nextPart(printed, 'ended', event.done, event.total) || event.outcome !== 'verified';
    default:
      return true;
  }
}

/** Whether a count has entered a part that has no line yet. */
function nextPart(
  printed: Map<string, number>,
  key: string,
  done: number,
  total: number | undefined,
): boolean {
  const part = total === undefined ? done / STRIDE : (done / Math.max(1, total)) * PARTS;
  const reached = Math.floor(part);
  if (reached <= (printed.get(key) ?? -1)) return false;
  printed.set(key, reached);
  return true;
}

export type SingleReads = Extract<ProgressEvent, { kind: 'facts' }>;

/** Events with lines of their own rhythm. */
type Rhythmic = SingleReads | PoliciesEvent;

function eventLine(event: Exclude<ProgressEvent, Rhythmic>, now: Instant): string {
  return `${terminal(lastingText(event) ?? lineText(event as Passing, now))}\n`;
}

/** Events that a later one outdates. */
type Passing = Exclude<ProgressEvent, Without | OfLedger | OfTask | Rhythmic>;

/** The text of an event that no later one outdates: it stays above the bars of a terminal. */
export function lastingText(event: ProgressEvent): string | undefined {
  switch (event.kind) {
    case 'unfiltered':
    case 'pathsUnread':
      return event.kind === 'pathsUnread'
        ? pathsUnreadWords(event.failure)
        : unfilteredWords(event);
    case 'taskUnread':
      return taskUnreadWords(event);
    case 'unrecorded':
      return unrecordedText(event);
    case 'unwritable':
      return ledgerOutageWords(event);
    case 'writable':
      return LEDGER_BACK_WORDS;
    default:
      return undefined;
  }
}

function lineText(event: Passing, now: Instant): string {
  switch (event.kind) {
    case 'reading':
      return `reading ${readWords(event.what)}: ${share(event.rows, event.total)}`;
    case 'rehearsing':
      return `rehearsing: ${Math.round((100 * event.done) / event.of)}% of ${counted(event.of, 'simulation')}`;
    case 'planned':
      return `planned: ${columnsText(event.columns)}`;
    case 'recovering':
      return recoveringText(event);
    case 'attempt':
      return `sending: ${TASK_WORDS[event.task]}, ${counted(event.devices.length, 'device')}, attempt ${event.attemptId}`;
    case 'posted':
      return postedText(event);
    case 'polled':
      return `task ${event.taskId}: ${share(event.completed, event.total)} completed`;
    case 'ended':
      return endedText(event);
    case 'waiting':
      return `waiting: ${waitText(event, now)}`;
    case 'away':
      return `waiting: ${outageWords(event, now)}`;
    case 'retrying':
      return retryWords(event, now);
    case 'stopping':
      return stoppingWords(event.unrecorded);
  }
}

function recoveringText({ open, inDoubt }: Extract<ProgressEvent, { kind: 'recovering' }>): string {
  return `finishing earlier runs: ${grouped(open)} open, ${grouped(inDoubt)} in doubt`;
}

function endedText(event: Extract<ProgressEvent, { kind: 'ended' }>): string {
  const { outcome, task, device, done, total } = event;
  const what = `${OUTCOME_WORDS[outcome].label}: ${TASK_WORDS[task]}`;
  return `${what} on ${device} (${share(done, total)})`;
}

function postedText(event: Extract<ProgressEvent, { kind: 'posted' }>): string {
  const task = event.taskId === undefined ? '' : `, task ${event.taskId}`;
  const what = `${POST_WORDS[event.outcome]}: ${TASK_WORDS[event.task]}`;
  return `${what}, attempt ${event.attemptId}${task}`;
}

/** A feature that the service does not offer. */
type Without = Extract<ProgressEvent, { readonly kind: 'unfiltered' | 'pathsUnread' }>;

/** What the ledger lacks, that it cannot be written, or that it can be again. */
type OfLedger = Extract<ProgressEvent, { readonly kind: 'unrecorded' | 'unwritable' | 'writable' }>;

/** A task that the service does not show. */
type OfTask = Extract<ProgressEvent, { readonly kind: 'taskUnread' }>;

/** The line about a missing feature of the service, with the dialect key that declares it. */
/** One line of JSON, since another machine may need data that no ledger has. */
export function unrecordedText(event: Extract<ProgressEvent, { kind: 'unrecorded' }>): string {
  const { attemptId, taskId, place } = event;
  return JSON.stringify({ unrecorded: { attemptId, taskId, ...(place && { file: place }) } });
}

export function share(done: number, total: number | undefined): string {
  return total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
}
