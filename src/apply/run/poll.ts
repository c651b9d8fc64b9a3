import { WorldError } from '../../model/error.ts';
import type { RecordBody } from '../../model/ledger/record.ts';
import { FOREIGN_DEVICES } from '../outbox/anomaly.ts';
import { record } from '../outbox/outbox.ts';
import { ROW_WITHOUT_RESULT } from '../send/outcome.ts';
import { endIfAway, makeSureOf, mayPass, orMissed } from '../service-absence.ts';
import { pollTasks, pollUnrecorded } from '../watch/poll-tasks.ts';
import { readBack } from '../watch/readback.ts';
import { settleDoubts, settleUnverified, verifyEnded, type ReadBack } from '../watch/settle.ts';
import { awaited, beatingToTheEnd, nextPoll } from './heartbeat.ts';
import type { RunEvent } from './run-event.ts';
import type { Run } from './run.ts';

/**
 * Looks after everything in flight once: polls, verifies what ended, looks for evidence about what
 * is in doubt. A service that is away, or answers with something else, is asked again next time, for
 * a while. As long as the ledger cannot take the outbox, nothing else could be recorded either:
 * then tasks are polled, and no more.
 */
export async function pollInFlight(run: Run): Promise<RunEvent & { is: 'polled' }> {
  const before = run.outcomes.ended;
  const halt = await unlessMissed(run, () => beatingToTheEnd(run, round(run)));
  return {
    is: 'polled',
    inFlight: awaited(run),
    ended: run.outcomes.ended - before,
    pollAt: nextPoll(run),
    halt: halt ?? false,
  };
}

/** The same for what earlier runs left open; nothing new is begun before it has been looked at. */
export async function recoverOnce(
  run: Run,
): Promise<RunEvent & { is: 'recovered' | 'unrecovered' }> {
  const halt = await unlessMissed(run, () => beatingToTheEnd(run, recover(run)));
  if (halt) throw new WorldError('unexpectedShape', { what: FOREIGN_DEVICES });
  const pollAt = nextPoll(run);
  return halt === undefined
    ? { is: 'unrecovered', pollAt }
    : { is: 'recovered', inFlight: awaited(run), pollAt };
}

async function round(run: Run): Promise<boolean> {
  if (!(await run.outbox.flush())) {
    await pollUnrecorded(run);
    return false;
  }
  const { halt, missed, answered } = await pollTasks(run);
  if (answered === 0) endIfAway(missed);
  const readBack = readingBack(run);
  const unread = [
    missed,
    await orMissed(verifyEnded(run, readBack)),
    await orMissed(settleDoubts(run, readBack)),
  ];
  const failure = unread.find((each) => each instanceof WorldError);
  if (failure && answered === 0) await makeSureOf(run, failure);
  await run.keepLease();
  return halt;
}

/** What a round came to, or nothing where the service was not there for it. */
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
 * What earlier runs left open, before any new work: polled, verified, and settled where evidence
 * allows. Each task and each device stands for itself: what is not understood of one stays open.
 * @returns whether the service showed something after which no further attempt may be made
 */
async function recover(run: Run): Promise<boolean> {
  const open = run.journal.memory.open().length;
  if (open > 0) run.progress({ kind: 'recovering', open, inDoubt: run.inFlight.inDoubt().length });
  await run.outbox.recordSpooled();
  await run.outbox.flush();
  await answerForTheDead(run);
  const { halt, missed, answered } = await pollTasks(run);
  if (answered === 0) endIfAway(missed);
  if (halt) return true;
  const readBack = readingBack(run);
  const unread = [
    missed,
    await orMissed(verifyEnded(run, readBack)),
    await orMissed(settleDoubts(run, readBack)),
    await orMissed(settleUnverified(run, readBack)),
  ];
  const failure = unread.find((each) => each instanceof WorldError);
  if (failure && answered === 0) await makeSureOf(run, failure);
  return false;
}

/**
 * Attempts of runs that died before they could write a RESULT are in doubt from here on (row P12); what
 * became of its own, this process knows.
 */
async function answerForTheDead(run: Run): Promise<void> {
  const attempts = [...run.journal.memory.unanswered.keys()].filter(
    (attemptId) => !run.outbox.knows(attemptId),
  );
  const bodies = attempts.map((attemptId): RecordBody => {
    return { type: 'RESULT', attemptId, outcome: 'inDoubt', row: ROW_WITHOUT_RESULT };
  });
  await record(run, bodies, (body, memory) => {
    return body.type === 'RESULT' && memory.unanswered.has(body.attemptId);
  });
}

/** The reading back of devices, for whoever settles intents by what it shows. */
function readingBack(run: Run): ReadBack {
  return (intents) => readBack(run, intents);
}
