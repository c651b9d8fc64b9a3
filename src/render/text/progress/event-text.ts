import type { ProgressEvent } from '../../../model/progress.ts';
import type { Instant } from '../../../lib/time.ts';
import { waitText } from '../../words/commands.ts';
import { counted, grouped } from '../../words/phrase.ts';
import { terminal } from '../../sinks/sinks.ts';
import { columnsText } from '../../words/review/all-clear.ts';
import { readWords } from '../../words/reading-words.ts';
import { TASK_WORDS } from '../../words/terms.ts';
import {
  LEDGER_BACK_WORDS,
  ledgerOutageWords,
  outageWords,
  pathsUnreadWords,
  retryWords,
  stoppingWords,
  taskUnreadWords,
  unfilteredWords,
} from '../../words/commands.ts';
import type { PoliciesEvent } from './policy-lines.ts';
import { OUTCOME_WORDS, POST_WORDS } from '../../words/outcomes.ts';

export type SingleReads = Extract<ProgressEvent, { kind: 'facts' }>;

/** Events with lines of their own rhythm. */
export type Rhythmic = SingleReads | PoliciesEvent;

export function eventLine(event: Exclude<ProgressEvent, Rhythmic>, now: Instant): string {
  return `${terminal(lastingText(event) ?? lineText(event as Passing, now))}\n`;
}

/** Events that a later one outdates. */
type Passing = Exclude<ProgressEvent, Without | OfLedger | OfTask | Rhythmic>;

/** The text of an event that no later one outdates: it stays above the bars of a terminal. */
export function lastingText(event: ProgressEvent): string | undefined {
  switch (event.kind) {
    case 'unfiltered':
    case 'pathsUnread':
      return withoutText(event);
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
      return sendingText(event);
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

/** What the ledger lacks, that it cannot be written, or that it can be again. */
type OfLedger = Extract<ProgressEvent, { readonly kind: 'unrecorded' | 'unwritable' | 'writable' }>;

/** A task that the service does not show. */
type OfTask = Extract<ProgressEvent, { readonly kind: 'taskUnread' }>;

/** The line about a missing feature of the service, with the dialect key that declares it. */
function withoutText(event: Without): string {
  if (event.kind === 'pathsUnread') return pathsUnreadWords(event.failure);
  return unfilteredWords(event);
}

/** One line of JSON, since another machine may need data that no ledger has. */
export function unrecordedText(event: Extract<ProgressEvent, { kind: 'unrecorded' }>): string {
  const { attemptId, taskId, place } = event;
  return JSON.stringify({ unrecorded: { attemptId, taskId, ...(place && { file: place }) } });
}

export function share(done: number, total: number | undefined): string {
  return total === undefined ? grouped(done) : `${grouped(done)} of ${grouped(total)}`;
}
