import { WorldError } from '../../model/error.ts';
import type { PostAnswer } from '../../model/ports.ts';
import type { TaskRequest } from '../../model/fleet/task.ts';
import { formatInstant, type Milliseconds } from '../../lib/time.ts';
import type { Said } from '../run/accounting.ts';
import { distrust, FOREIGN_DEVICES } from '../watch/foreign-tasks.ts';
import { taskIdsOf } from '../watch/known-tasks.ts';
import { classify, type Classified } from './outcome.ts';
import type { AttemptEnd } from '../run/reaction.ts';
import { NOT_TRIED, writeResult, type Result } from '../outbox/outbox.ts';
import type { Run } from '../run/run.ts';
import { answerOrGrace } from '../run/stop.ts';

/** What a POST came to; `said` is what its changes end as, where they end with it. */
export interface Posted {
  readonly end: AttemptEnd;
  readonly said?: Omit<Said, 'intentId'>;
  readonly retryAfter?: Milliseconds;
}

/**
 * The transport gives a POST 20 s; this is for everything around it, so that no run waits for ever.
 * What is not answered by then is in doubt.
 */
const POST_LIMIT_MS: Milliseconds = 60_000;

/** Failures that the client promises to find before it hands anything on. */
const UNSENT_CODES = ['secretMissing', 'idUnsafe', 'writeRefused'];

/**
 * The POST of an attempt that the ledger knows, and its RESULT, durable before this returns or owed to
 * the ledger. A POST that became too late is not sent, which its own process alone may say. Throws
 * what the client refused to send, once that is recorded.
 */
export async function post(
  run: Run,
  sending: {
    readonly request: TaskRequest;
    readonly attemptId: string;
    isLate(): boolean;
  },
): Promise<Posted> {
  const { request, attemptId } = sending;
  if (sending.isLate() || run.stop.requested !== 'no') {
    await writeResult(run, { type: 'RESULT', attemptId, outcome: 'notSent', row: NOT_TRIED });
    run.failure = new WorldError('timedOut', { path: '/v1/tasks' });
    return { end: 'backOff' };
  }
  const answer = await answerOf(run, request, sending.isLate);
  if (answer instanceof WorldError) {
    await writeResult(run, { type: 'RESULT', attemptId, outcome: 'notSent', row: 'P01' });
    throw answer;
  }
  const deviceIds = request.devices.map(({ deviceId }) => deviceId);
  const isKnown = (taskId: string): boolean => tasksOf(run).has(taskId);
  const judged = classify(answer, { size: deviceIds.length, deviceIds, isKnown });
  const { row, outcome, taskId } = judged;
  const { task } = request;
  try {
    await writeResult(run, resultOf(attemptId, judged, answer));
  } finally {
    // Only now: who reads that it was accepted may stop us, and must not find it in doubt.
    run.progress({ kind: 'posted', task, attemptId, outcome, row, ...(taskId && { taskId }) });
  }
  if (judged.next === 'halt') await distrust(run, FOREIGN_DEVICES, [attemptId]);
  const failure = failureOf(judged, answer);
  if (failure) run.failure = failure;
  return postedOf(judged);
}

/** Every service task that the ledger knows, those of earlier attempts among them. */
function tasksOf({ journal }: Run): ReadonlySet<string> {
  return new Set([...journal.memory.intents.values()].flatMap(taskIdsOf));
}

async function answerOf(
  run: Run,
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

function resultOf(
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

function postedOf({ next, row, retryAfter, status }: Classified): Posted {
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
    case 'waitAsTold':
      return { end: next, ...pause };
  }
}

/** What to tell people, should this be what ends the run. */
function failureOf({ next, status = 0, row }: Classified, answer: PostAnswer): Error | undefined {
  const asked = { method: 'POST', path: '/v1/tasks', status };
  const needs = 'Admin or Operator';
  switch (next) {
    case 'stopAttempts':
      return new WorldError('forbidden', { ...asked, needs });
    case 'renewToken':
      return new WorldError('credentialsRefused', { status });
    case 'giveUp':
      return new WorldError('postRefused', { status, row });
    case 'waitAsTold':
      return new WorldError('tooManyRequests', asked);
    case 'backOff':
      return new WorldError('unreachable', { cause: answer.kind === 'failed' ? answer.code : row });
    case 'poll':
    case 'settle':
    case 'halt':
      return undefined;
  }
}
