import { WorldError } from '../../model/error.ts';
import { type RecordBody, ROW_WITHOUT_RESULT } from '../../model/ledger/record.ts';
import type { DialectKey } from '../../model/fleet/dialect.ts';
import { TASK_OF } from '../../model/fleet/task.ts';
import { FOREIGN_DEVICES } from '../outbox/anomaly.ts';
import { record } from '../outbox/outbox.ts';
import { endIfAway, ensureAvailable, mayPass, orMissed } from '../service-absence.ts';
import { pollTasks, pollUnrecorded, quietUntil, type Polled } from '../watch/poll-tasks.ts';
import { readBack } from '../watch/readback.ts';
import { settleDoubts, settleUnverified, verifyEnded, type ReadBack } from '../watch/settle.ts';
import type { RunEvent } from './run-event.ts';
import { type Run, awaited, beatingToTheEnd, nextPoll } from './run.ts';

/**
 * Handles all open tasks once, or those that are due: polls, verifies ended tasks, looks for evidence about doubts. A
 * service that is unavailable or answers badly is polled again next time, for a while. While the
 * ledger cannot take the outbox, nothing else can be recorded, so it only polls tasks.
 */
export async function pollInFlight(run: Run, all: boolean): Promise<RunEvent & { is: 'polled' }> {
  const before = run.outcomes.ended;
  const halt = await unlessMissed(run, () => beatingToTheEnd(run, round(run, all)));
  return {
    is: 'polled',
    inFlight: awaited(run),
    ended: run.outcomes.ended - before,
    pollAt: nextPoll(run),
    quietUntil: quietUntil(run),
    halt: halt ?? false,
  };
}

/**
 * One poll of the open intents of earlier runs; no change starts before it has finished. Throws
 * `unexpectedShape` if a task shows devices that no attempt sent (protocol X11).
 */
export async function recoverOnce(
  run: Run,
): Promise<RunEvent & { is: 'recovered' | 'unrecovered' }> {
  const halt = await unlessMissed(run, () => beatingToTheEnd(run, recover(run)));
  if (halt) throw new WorldError('unexpectedShape', { why: FOREIGN_DEVICES, ...keyOfNewIds(run) });
  const pollAt = nextPoll(run);
  return halt === undefined
    ? { is: 'unrecovered', pollAt }
    : { is: 'recovered', inFlight: awaited(run), pollAt };
}

/** The key that says that an onboarded device may have another ID, where one is being onboarded. */
function keyOfNewIds({ journal }: Run): { readonly key?: DialectKey } {
  const isOnboarding = journal.memory.open().some(({ task }) => task === TASK_OF.onboarding);
  return isOnboarding ? { key: 'onboardedId' } : {};
}

async function round(run: Run, all: boolean): Promise<boolean> {
  if (!(await run.outbox.flush())) {
    await pollUnrecorded(run);
    return false;
  }
  const polled = await pollTasks(run, all);
  if (polled.answered === 0) endIfAway(polled.missed);
  await readBackOpen(run, polled, [verifyEnded, settleDoubts]);
  await run.keepLease();
  return polled.halt;
}

/** The result of a round; undefined where the service was unavailable. */
async function unlessMissed<T>(run: Run, work: () => Promise<T>): Promise<T | undefined> {
  const began = run.clock.monotonic();
  try {
    const value = await work();
    run.health.endAbsence();
    return value;
  } catch (error) {
    if (!mayPass(error)) throw error;
    run.health.countMissed(began, error);
    return undefined;
  }
}

/**
 * Handles open intents of earlier runs before any new work: polls, verifies, and closes them where
 * evidence allows. Each task and each device is separate: one that cannot be parsed stays open.
 * @returns whether the service showed something after which no further attempt may be made
 */
async function recover(run: Run): Promise<boolean> {
  const open = run.journal.memory.open().length;
  const inDoubt = run.inFlight.inDoubt().length;
  if (open > 0) run.progress({ type: 'phase', name: 'recovering', open, inDoubt });
  await run.outbox.recordSpooled();
  await run.outbox.flush();
  const attempts = [...run.journal.memory.unanswered.keys()].filter(
    (attemptId) => !run.outbox.knows(attemptId),
  );
  const bodies = attempts.map((attemptId): RecordBody => {
    return { type: 'RESULT', attemptId, outcome: 'inDoubt', row: ROW_WITHOUT_RESULT };
  });
  await record(run, bodies, (body, memory) => {
    return body.type === 'RESULT' && memory.unanswered.has(body.attemptId);
  });
  const polled = await pollTasks(run);
  if (polled.answered === 0) endIfAway(polled.missed);
  if (polled.halt) return true;
  await readBackOpen(run, polled, [verifyEnded, settleDoubts, settleUnverified]);
  return false;
}

/** Reads devices back and closes intents by the result; the first failure counts where no task had an answer. */
async function readBackOpen(
  run: Run,
  { missed, answered }: Polled,
  closing: readonly ((run: Run, readBack: ReadBack) => Promise<unknown>)[],
): Promise<void> {
  const unread: unknown[] = [missed];
  for (const close of closing)
    unread.push(await orMissed(close(run, (intents) => readBack(run, intents))));
  const failure = unread.find((each) => each instanceof WorldError);
  if (failure && answered === 0) await ensureAvailable(run, failure);
}
