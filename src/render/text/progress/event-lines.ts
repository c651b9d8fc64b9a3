import { ACTIONS, type Action } from '../../../model/plan/change.ts';
import type { ProgressEvent } from '../../../model/progress.ts';
import type { Instant, Milliseconds } from '../../../lib/time.ts';
import { span } from '../../words/moment.ts';
import { waitText } from '../../words/commands.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { followReadingRate } from './reading-rate.ts';
import { terminal } from '../../sinks/sinks.ts';
import { ACTION_WORDS, TASK_WORDS } from '../../words/terms.ts';
import {
  outageWords,
  pathsUnreadWords,
  retryWords,
  unfilteredWords,
} from '../../words/commands.ts';
import { createPolicyLog, type PoliciesEvent } from './policy-lines.ts';
import { OUTCOME_WORDS, POST_WORDS } from '../../words/outcomes.ts';

/** Takes an event and the time; returns the text to write, often none. */
export type Draw = (event: ProgressEvent, now: Instant) => string;

type SingleReads = Extract<ProgressEvent, { kind: 'facts' }>;

/** Events with lines of their own rhythm. */
type Rhythmic = SingleReads | PoliciesEvent;

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
      event.kind === 'reading' && text === '' ? { what, text: line(event, now) } : undefined;
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
      return again ? '' : line(event, now);
    }
    if (event.kind === 'policies') return drawPolicies(event, now);
    const isAway = waited?.startsWith('away ') === true;
    if (isAway && REPEATED.includes(event.kind)) return '';
    if (event.kind !== 'polled') waited = undefined;
    if (event.kind === 'facts') return drawReads(event, now);
    return isWorthALine(event, printed) ? line(event, now) : '';
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

function line(event: Exclude<ProgressEvent, Rhythmic>, now: Instant): string {
  const isWithout = event.kind === 'unfiltered' || event.kind === 'pathsUnread';
  return `${terminal(isWithout ? withoutText(event) : lineText(event, now))}\n`;
}

function lineText(event: Exclude<ProgressEvent, Without | Rhythmic>, now: Instant): string {
  switch (event.kind) {
    case 'reading':
      return `reading ${event.what}: ${share(event.rows, event.total)}`;
    case 'planned':
      return `planned: ${ACTIONS.map((action) => actionText(action, event[action])).join(', ')}`;
    case 'recovering':
      return recoveringText(event);
    case 'attempt':
      return sendingText(event);
    case 'posted':
      return postedText(event);
    case 'unrecorded':
      return unrecordedText(event);
    case 'polled':
      return `task ${event.taskId}: ${share(event.completed, event.total)} completed`;
    case 'ended':
      return endedText(event);
    case 'waiting':
      return `waiting: ${waitText(event, now)}`;
    case 'away':
      return `waiting: ${outageWords(event, now)}`;
    case 'retrying':
      return `${retryWords(event)} (in ${span(event.until - now)})`;
    case 'stopping':
      return 'stopping: no new task starts; requests in progress finish and are recorded';
  }
}

function actionText(action: Action, count: number): string {
  return `${grouped(count)} ${ACTION_WORDS[action]}`;
}

function recoveringText({ open, inDoubt }: Extract<ProgressEvent, { kind: 'recovering' }>): string {
  return `finishing earlier runs: ${grouped(open)} open, ${grouped(inDoubt)} in doubt`;
}

function sendingText({
  task,
  devices,
  attemptId,
}: Extract<ProgressEvent, { kind: 'attempt' }>): string {
  return `sending: ${TASK_WORDS[task]}, ${counted(devices.length, 'device')}, attempt ${attemptId}`;
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

/** The line about a missing feature of the service, with the dialect key that declares it. */
export function withoutText(event: Without): string {
  if (event.kind === 'pathsUnread') return pathsUnreadWords(event.failure);
  return unfilteredWords(event);
}

/** One line of JSON, since another machine may need data that no ledger has. */
export function unrecordedText(event: Extract<ProgressEvent, { kind: 'unrecorded' }>): string {
  const { attemptId, taskId, place } = event;
  return JSON.stringify({ unrecorded: { attemptId, taskId, ...(place && { file: place }) } });
}

function share(done: number, total: number | undefined): string {
  return total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
}
