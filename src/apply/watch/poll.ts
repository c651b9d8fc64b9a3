import { WorldError } from '../../model/error.ts';
import {
  countAnswered,
  countMissed,
  endIfAway,
  makeSureOf,
  mayPass,
  orMissed,
} from '../run/service-absence.ts';
import { FOREIGN_DEVICES } from './foreign-tasks.ts';
import { waitedFor } from './flight.ts';
import { beatingToTheEnd, keepLease } from '../run/heartbeat.ts';
import type { RunEvent } from '../run/run-event.ts';
import { pay, pollUnrecorded } from '../outbox/outbox.ts';
import { nextPoll, type Run } from '../run/run.ts';
import { recover, settleDoubts } from './settle.ts';
import { pollTasks, verifyEnded } from './watch.ts';

/**
 * Looks after everything in flight once: polls, verifies what ended, looks for evidence about what
 * is in doubt. A service that is away, or answers with something else, is asked again next time, for
 * a while. As long as the ledger cannot take what it is owed, nothing else could be recorded either:
 * then tasks are polled, and no more.
 */
export async function pollInFlight(run: Run): Promise<RunEvent & { is: 'tended' }> {
  const before = run.ended;
  const halt = await unlessMissed(run, () => beatingToTheEnd(run, round(run)));
  return {
    is: 'tended',
    inFlight: waitedFor(run),
    ended: run.ended - before,
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
    : { is: 'recovered', inFlight: waitedFor(run), pollAt };
}

async function round(run: Run): Promise<boolean> {
  if (!(await pay(run))) {
    await pollUnrecorded(run);
    return false;
  }
  const { halt, missed, answered } = await pollTasks(run);
  if (answered === 0) endIfAway(missed);
  const unread = [missed, await orMissed(verifyEnded(run)), await orMissed(settleDoubts(run))];
  const failure = unread.find((each) => each instanceof WorldError);
  if (failure && answered === 0) await makeSureOf(run, failure);
  await keepLease(run);
  return halt;
}

/** What a round came to, or nothing where the service was not there for it. */
async function unlessMissed<T>(run: Run, work: () => Promise<T>): Promise<T | undefined> {
  const began = run.clock.monotonic();
  try {
    const value = await work();
    countAnswered(run);
    return value;
  } catch (error) {
    if (!mayPass(error)) throw error;
    countMissed(run, began, error);
    return undefined;
  }
}
