import { WorldError } from '../../model/error.ts';
import type { PostAnswer } from '../../model/ports.ts';
import type { StartedWave } from '../../model/progress.ts';
import type { TaskRequest } from '../../model/fleet/task.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import type { Instant, Milliseconds } from '../../lib/time.ts';
import { READ_AGE } from '../../plan/admit/batch.ts';
import type { Health } from '../health.ts';
import { FOREIGN_DEVICES, haltOnForeign } from '../outbox/anomaly.ts';
import { isStoreFailure, NOT_TRIED, type Outbox } from '../outbox/outbox.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Ports } from '../ports.ts';
import { answerOrGrace } from '../stop.ts';
import { buildRequest, attemptRecord, intentOfChange, type Member } from './request.ts';
import {
  classify,
  toFailure,
  toPosted,
  resultRecord,
  type Next,
  type Posted,
} from './answer-outcome.ts';

/** The part of a run that a POST needs. */
export interface Sender extends Ports {
  readonly outbox: Outbox;
  readonly outcomes: Outcomes;
  readonly health: Health;
}

/**
 * The transport limits a POST to 20 s. This limit covers everything around it, so that no run
 * hangs. An attempt that has no answer by then is in doubt.
 */
const POST_LIMIT_MS: Milliseconds = 60_000;

/** Codes of failures that the client detects before it sends anything. */
const UNSENT_CODES = ['secretMissing', 'idUnsafe', 'writeRefused'];

/** An instant by both clocks of this process. */
export interface SendBy {
  readonly wall: Instant;
  readonly monotonic: Milliseconds;
}

/**
 * The latest instant for a POST: the end of the age limit of the reads, or the last start of the
 * window, whichever comes first (protocol X6, I11).
 */
export function postDeadline({ clock }: Ports, since: SendBy, lastStart: Instant): SendBy {
  const untilClosed = lastStart - 1 - clock.now();
  return {
    wall: Math.min(since.wall + READ_AGE, lastStart - 1),
    monotonic: Math.min(since.monotonic + READ_AGE, clock.monotonic() + untilClosed),
  };
}

/** A batch that passed its last look. */
export interface Sending {
  readonly members: readonly [Member, ...Member[]];
  readonly sendBy: SendBy;
  /** The records that the ledger must have before the ATTEMPT. */
  readonly before: readonly RecordBody[];
  /** Whether the token must be renewed because the service refused one. */
  readonly renewToken: boolean;
}

/**
 * The result of sending a batch: how it ended, and the changes that this run does not attempt
 * again.
 */
export interface Sent {
  readonly end: Next | 'lost' | 'unwritten';
  readonly done: readonly string[];
  readonly retryAfter?: Milliseconds;
}

/**
 * Writes the ATTEMPT, waits for the acknowledgement, and then sends the POST unless it is too late
 * by either clock.
 */
export async function send(run: Sender, sending: Sending): Promise<Sent> {
  const { members, sendBy, before } = sending;
  const request = buildRequest(members, run.dialect);
  const attemptId = `${run.journal.nonce}.${run.outcomes.attempts + run.outbox.unsent + 1}`;
  const body = attemptRecord(members, {
    attemptId,
    planId: run.outcomes.answersFor?.id ?? '',
    ledgerId: run.journal.memory.ledgerId,
    request,
    sendBy: sendBy.wall,
  });
  try {
    if ((await run.journal.append([...before, body])) === 'lost') return { end: 'lost', done: [] };
  } catch (error) {
    if (!isStoreFailure(error)) throw error;
    return unwritten(run, attemptId, error);
  }
  run.outcomes.setOut(body);
  const devices = body.intents.map((one) => one.device);
  run.progress({ type: 'attempt.sent', attempt: attemptId, task: request.task, devices });
  const isLateNow = (): boolean => isLate(run, sendBy);
  const waves = listWaves(members);
  const posted = await post(run, { request, attemptId, waves, isLate: isLateNow });
  return after(run, sending, posted);
}

/** The waves that a batch has devices of. */
function listWaves(members: readonly Member[]): readonly StartedWave[] {
  const waves = members.map(({ change: { at, wave } }) => ({
    policy: at.policy,
    ...(wave !== undefined && { wave }),
  }));
  return [...new Map(waves.map((each) => [`${each.policy} ${each.wave}`, each])).values()];
}

/**
 * The ledger may have the ATTEMPT despite the error. Only this process knows that the POST was not
 * sent (protocol Q1).
 */
function unwritten(run: Sender, attemptId: string, error: WorldError): Sent {
  run.outbox.holdNotSent(attemptId);
  run.health.failure = error;
  return { end: 'unwritten', done: [] };
}

function after(
  run: Sender,
  { members, renewToken }: Sending,
  { end, said, retryAfter }: Posted,
): Sent {
  const isFinal = said !== undefined && (end !== 'renewToken' || renewToken);
  const isOver = isFinal || end === 'poll';
  for (const { change } of isOver ? members : []) {
    const intentId = intentOfChange(change, run.journal.memory.ledgerId);
    run.outcomes.noteTried(intentId);
    if (isFinal) run.outcomes.end(change, { ...said, intentId });
  }
  return {
    end,
    done: isOver ? members.map(({ change }) => change.id) : [],
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Whether it is too late for the POST, by either clock. */
export function isLate({ clock }: Ports, sendBy: SendBy): boolean {
  return clock.now() > sendBy.wall || clock.monotonic() > sendBy.monotonic;
}

/**
 * Sends the POST of an attempt that is in the ledger. The RESULT is in the ledger or in the outbox
 * before this function returns. If it is too late, nothing is sent, and only this process can
 * record that. Throws an error of the client after that is recorded.
 */
async function post(
  run: Sender,
  sending: {
    readonly request: TaskRequest;
    readonly attemptId: string;
    readonly waves: readonly StartedWave[];
    isLate(): boolean;
  },
): Promise<Posted> {
  const { request, attemptId, waves } = sending;
  if (sending.isLate() || run.stop.requested !== 'no') {
    await run.outbox.write({ type: 'RESULT', attemptId, outcome: 'notSent', row: NOT_TRIED });
    run.health.failure = new WorldError('timedOut', { path: '/v1/tasks' });
    return { end: 'backOff' };
  }
  const answer = await awaitAnswer(run, request, sending.isLate);
  if (answer instanceof WorldError) {
    await run.outbox.write({ type: 'RESULT', attemptId, outcome: 'notSent', row: 'P01' });
    throw answer;
  }
  const deviceIds = request.devices.map(({ deviceId }) => deviceId);
  const isKnown = (taskId: string): boolean => run.outbox.hasTask(taskId);
  const judged = classify(answer, { size: deviceIds.length, deviceIds, isKnown });
  const { row, outcome, taskId } = judged;
  const { task } = request;
  try {
    await run.outbox.write(resultRecord(attemptId, judged, answer));
  } finally {
    // The observer runs after the record is written: it may stop the run, and the attempt must not
    // be in doubt then.
    const known = { attempt: attemptId, task, waves, outcome, row, ...(taskId && { taskId }) };
    run.progress({ type: 'attempt.answered', ...known });
  }
  if (judged.next === 'halt') await haltOnForeign(run, FOREIGN_DEVICES, [attemptId]);
  const failure = toFailure(judged, answer);
  if (failure) run.health.failure = failure;
  return toPosted(judged);
}

async function awaitAnswer(
  run: Ports,
  request: TaskRequest,
  isLate: () => boolean,
): Promise<PostAnswer | WorldError> {
  const { clock, stop } = run;
  const sent = run.service.createTask(request, { isLate }).catch((error: unknown) => {
    const isUnsent = error instanceof WorldError && UNSENT_CODES.includes(error.code);
    if (isUnsent) return error;
    return { kind: 'failed', phase: 'sent', code: 'failed' } satisfies PostAnswer;
  });
  const answer = await answerOrGrace(sent, { clock, stop, limit: POST_LIMIT_MS });
  return answer === 'late' ? { kind: 'failed', phase: 'sent', code: 'timedOut' } : answer;
}
