import { WorldError } from '../../model/error.ts';
import type { IntentState, Memory } from '../../model/ledger/memory.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { orMissed } from '../run/service-absence.ts';
import { flightOf } from '../watch/flight.ts';
import { forgetResult, keepResult } from './local-spool.ts';
import { record, type Run } from '../run/run.ts';
import { orGrace } from '../run/stop.ts';
import { readTask } from '../watch/task-state.ts';

export type Result = Extract<RecordBody, { readonly type: 'RESULT' }>;

/**
 * In the place of a row: the process that wrote the ATTEMPT knows that it wrote no byte (protocol Q1).
 */
export const NOT_TRIED = 'notTried';

/** The store of the ledger did not take or give something; what was there before still is. */
export function isStoreFailure(error: unknown): error is WorldError {
  return error instanceof WorldError && error.code === 'storeFailed';
}

/**
 * Writes a RESULT, or owes it to a ledger that cannot take it for now: no attempt is made until it has
 * been paid (I14). Told to stop, it is tried for the grace of a signal, and the failure is thrown.
 */
export async function writeResult(run: Run, body: Result): Promise<void> {
  if (run.stop.requested === 'now') return;
  try {
    await append(run, body);
  } catch (error) {
    await keepResult(run, body);
    if (!isStoreFailure(error) || run.stop.requested !== 'no') throw error;
    run.failure = error;
    run.owed.set(body.attemptId, body);
  }
}

/**
 * An ATTEMPT could not be written, as far as we were told, and was never sent, which this process alone
 * may say: it is owed until it is known whether the ledger has it all the same.
 */
export function oweNotSent(run: Run, attemptId: string): void {
  run.unsent.add(attemptId);
  run.owed.set(attemptId, notSent(attemptId));
}

/**
 * Tries again what the ledger is owed. Throws the failure once the lease has ended (protocol X16): the next run
 * finds what was kept, or an attempt in doubt.
 * @returns whether nothing is owed any more
 */
export async function pay(run: Run): Promise<boolean> {
  for (const attemptId of run.unsent)
    if (run.journal.memory.unanswered.has(attemptId)) oweNotSent(run, attemptId);
  for (const body of run.owed.values()) {
    const { attemptId } = body;
    try {
      if (await isThere(run, attemptId)) await append(run, body);
    } catch (error) {
      if (!isStoreFailure(error) || !run.journal.isHeld()) throw error;
      run.failure = error;
      return false;
    }
    run.owed.delete(attemptId);
    await forgetResult(run, attemptId);
  }
  return true;
}

/** Whether the ledger holds the ATTEMPT; one that comes through later is owed again. */
async function isThere(run: Run, attemptId: string): Promise<boolean> {
  const { journal, unsent } = run;
  if (!unsent.has(attemptId) || journal.memory.unanswered.has(attemptId)) return true;
  await refresh(run);
  return journal.memory.unanswered.has(attemptId);
}

/** The last try of a run that ends: what still fails is left for the next one. */
export async function payAtLast(run: Run): Promise<void> {
  if (run.owed.size + run.unsent.size === 0) return;
  try {
    await refresh(run);
    await pay(run);
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
  }
}

/**
 * As long as the ledger takes nothing, tasks that were accepted are looked at as far as that needs no
 * ledger: those whose acceptance is owed, and those that it has. When work began is seen in time, and
 * whoever watches sees it go on; what ended is found again once it can be written down.
 */
export async function pollUnrecorded(run: Run): Promise<void> {
  for (const [taskId, intents] of atWork(run)) {
    const answer = await orMissed(run.service.task(taskId));
    if (answer instanceof WorldError || !answer.value) continue;
    const deviceIds = intents.map(({ device }) => device);
    const { states, completed } = readTask(answer.value, { deviceIds, isOurs: () => true });
    run.progress({ kind: 'polled', taskId, completed, total: answer.value.total });
    for (const intent of intents)
      if (states.get(intent.device)?.is === 'running')
        flightOf(run, intent).runningSince ??= run.clock.now();
  }
}

/** Open intents by the service task that they are known to be in, by us if not by the ledger. */
function atWork(run: Run): ReadonlyMap<string, readonly IntentState[]> {
  const tasks = new Map<string, IntentState[]>();
  for (const intent of run.journal.memory.open()) {
    const taskId = intent.taskId ?? run.owed.get(intent.attemptId)?.taskId;
    const hasEnded = flightOf(run, intent).completedAt !== undefined;
    if (taskId === undefined || hasEnded) continue;
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), intent]);
  }
  return tasks;
}

async function append(run: Run, body: Result): Promise<void> {
  await inGrace(run, record(run, [body], isOwed));
}

async function refresh(run: Run): Promise<void> {
  await inGrace(run, run.journal.refresh());
}

/** Nobody who wants to stop waits long for a ledger. */
async function inGrace(run: Run, work: Promise<void>): Promise<void> {
  const done = await orGrace(work, run);
  if (done === 'late') throw new WorldError('storeFailed', {}, { retry: 'safe' });
}

/** An append that seemed to fail may have been taken; and another run may have settled it since. */
function isOwed(body: RecordBody, memory: Memory): boolean {
  if (body.type !== 'RESULT') return false;
  return memory
    .open()
    .filter(({ attemptId }) => attemptId === body.attemptId)
    .some(({ taskId, row }) => taskId === undefined && row !== body.row);
}

function notSent(attemptId: string): Result {
  return { type: 'RESULT', attemptId, outcome: 'notSent', row: NOT_TRIED };
}
