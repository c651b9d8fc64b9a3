import { Bug } from '../../lib/bug.ts';
import { WorldError } from '../../model/error.ts';
import type { PostAnswer } from '../../model/ports.ts';
import { type PostOutcome, ROW_WITHOUT_RESULT } from '../../model/ledger/record.ts';
import { formatInstant, type Milliseconds } from '../../lib/time.ts';
import type { ResultFacts } from '../../ledger/transitions.ts';
import type { Result } from '../outbox/outbox.ts';
import type { Said } from '../outcomes.ts';

/** The next step after a row of the table, so that the state machine needs no status. */
export type Next =
  'poll' | 'settle' | 'halt' | 'backOff' | 'renewToken' | 'throttled' | 'giveUp' | 'stopAttempts';

/** The part of the sent batch that the rows check. */
export interface SentBatch {
  readonly size: number;
  readonly deviceIds: readonly string[];
  /**
   * Whether the ledger already has this task for another attempt, so that it cannot be the new one.
   */
  isKnown?(taskId: string): boolean;
}

/** One row of the outcome table. */
export interface OutcomeRow {
  readonly id: string;
  readonly matches: (answer: PostAnswer, batch: SentBatch) => boolean;
  readonly outcome: PostOutcome;
  readonly next: Next;
}

/** The outcome of a POST. `retryAfter` is the pause that the service requested, in milliseconds. */
export interface Classified extends ResultFacts {
  readonly next: Next;
  readonly taskId?: string;
  readonly retryAfter?: Milliseconds;
}

/** Statuses of complete answers that prove that nothing ran, whatever the size of the batch. */
const REFUSALS = [404, 405, 406, 411, 413, 414, 415, 431];

/** HTTP/2 codes for a request that the server did not process. A proxy may use HTTP/2. */
const NOT_BEGUN = ['REFUSED_STREAM', 'GOAWAY'];

/**
 * The outcomes of a POST (protocol P01 to P12). The first matching row decides. An answer that no
 * other row matches is P10. A row has several lines if its next step differs. The transport
 * guarantees that an answer is complete: a truncated answer is a failure with the code `cut`.
 */
export const OUTCOME_TABLE: readonly OutcomeRow[] = [
  { id: 'P02', matches: failed('unsent', NOT_BEGUN), outcome: 'notSent', next: 'backOff' },
  { id: 'P01', matches: failed('unsent'), outcome: 'notSent', next: 'backOff' },
  { id: 'P03', matches: isAcceptance, outcome: 'accepted', next: 'poll' },
  { id: 'P04', matches: echoesOthers, outcome: 'inDoubt', next: 'halt' },
  { id: 'P04', matches: status(isSuccess), outcome: 'inDoubt', next: 'settle' },
  { id: 'P05', matches: status(401), outcome: 'rejected', next: 'renewToken' },
  { id: 'P06', matches: status(403), outcome: 'rejected', next: 'stopAttempts' },
  { id: 'P06', matches: status(...REFUSALS), outcome: 'rejected', next: 'giveUp' },
  { id: 'P06', matches: alone(400, 422), outcome: 'rejected', next: 'giveUp' },
  { id: 'P07', matches: status(429), outcome: 'rejected', next: 'throttled' },
  { id: 'P08', matches: status(400, 409, 422), outcome: 'inDoubt', next: 'settle' },
  { id: 'P09', matches: failed('sent', ['cut']), outcome: 'inDoubt', next: 'settle' },
  { id: 'P11', matches: failed('sent'), outcome: 'inDoubt', next: 'settle' },
  { id: ROW_WITHOUT_RESULT, matches: () => false, outcome: 'inDoubt', next: 'settle' },
  { id: 'P10', matches: () => true, outcome: 'inDoubt', next: 'settle' },
];

/** Classifies the answer to one POST by the first row that matches; the last row matches any (protocol P01 to P12). */
export function classify(answer: PostAnswer, batch: SentBatch): Classified {
  const row = OUTCOME_TABLE.find(({ matches }) => matches(answer, batch));
  if (!row) throw new Bug('the last row of the outcome table takes everything');
  const judged = { row: row.id, outcome: row.outcome, next: row.next };
  if (answer.kind === 'failed') return judged;
  const [taskId] = answer.taskIds;
  return {
    ...judged,
    status: answer.status,
    ...(row.outcome === 'accepted' && taskId !== undefined ? { taskId } : {}),
    ...(answer.retryAfter === undefined ? {} : { retryAfter: answer.retryAfter }),
  };
}

function failed(phase: 'unsent' | 'sent', codes?: readonly string[]): OutcomeRow['matches'] {
  return (answer) =>
    answer.kind === 'failed' && answer.phase === phase && (codes?.includes(answer.code) ?? true);
}

function status(
  ...wanted: readonly (number | ((code: number) => boolean))[]
): OutcomeRow['matches'] {
  return (answer) =>
    answer.kind === 'answered' &&
    wanted.some((one) => (typeof one === 'number' ? one === answer.status : one(answer.status)));
}

function alone(...codes: readonly number[]): OutcomeRow['matches'] {
  return (answer, batch) => batch.size === 1 && status(...codes)(answer, batch);
}

function isSuccess(code: number): boolean {
  return code >= 200 && code < 300;
}

function isAcceptance(answer: PostAnswer, batch: SentBatch): boolean {
  if (answer.kind !== 'answered' || !isSuccess(answer.status) || !answer.json) return false;
  const [taskId, ...more] = answer.taskIds;
  if (taskId === undefined || taskId === '' || more.length > 0) return false;
  if (batch.isKnown?.(taskId)) return false;
  return answer.deviceIds === undefined || sameSet(answer.deviceIds, batch.deviceIds);
}

function echoesOthers(answer: PostAnswer, batch: SentBatch): boolean {
  if (answer.kind !== 'answered' || !isSuccess(answer.status)) return false;
  const ours = new Set(batch.deviceIds);
  return answer.deviceIds?.some((id) => !ours.has(id)) ?? false;
}

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some);
  return (
    set.size === some.length && some.length === others.length && others.every((id) => set.has(id))
  );
}

/** The result of a POST. `said` is the ending of its changes, if the POST ends them. */
export interface Posted {
  readonly end: Next;
  readonly said?: Omit<Said, 'intentId'>;
  readonly retryAfter?: Milliseconds;
}

export function resultRecord(
  attemptId: string,
  { outcome, row, status, taskId, retryAfter }: Classified,
  answer: PostAnswer,
): Result {
  const date = answer.kind === 'answered' ? answer.date : undefined;
  return {
    type: 'RESULT',
    attemptId,
    outcome,
    row,
    ...(status !== undefined && { status }),
    ...(taskId !== undefined && { taskId }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(date !== undefined && { answeredAt: formatInstant(date) }),
  };
}

/** The effect of an outcome on the changes of a batch, and on later attempts. */
export function toPosted({ next, row, retryAfter, status }: Classified): Posted {
  const detail = status === undefined ? row : `${row} ${status}`;
  const pause = retryAfter === undefined ? {} : { retryAfter };
  switch (next) {
    case 'settle':
    case 'halt':
      return { end: next, said: { outcome: 'inDoubt', reason: { code: 'inDoubt' }, detail } };
    case 'giveUp':
    case 'stopAttempts':
    case 'renewToken':
      return { end: next, said: { outcome: 'failed', detail } };
    case 'poll':
    case 'backOff':
    case 'throttled':
      return { end: next, ...pause };
  }
}

/** The error to report if this outcome ends the run. */
export function toFailure(
  { next, status = 0, row }: Classified,
  answer: PostAnswer,
): Error | undefined {
  const request = { method: 'POST', path: '/v1/tasks', status };
  const needs = 'Admin or Operator';
  switch (next) {
    case 'stopAttempts':
      return new WorldError('forbidden', { ...request, needs });
    case 'renewToken':
      return new WorldError('credentialsRefused', { status });
    case 'giveUp':
      return new WorldError('postRefused', { status, row });
    case 'throttled':
      return new WorldError('tooManyRequests', request);
    case 'backOff':
      return new WorldError('unreachable', { cause: answer.kind === 'failed' ? answer.code : row });
    case 'poll':
    case 'settle':
    case 'halt':
      return undefined;
  }
}
