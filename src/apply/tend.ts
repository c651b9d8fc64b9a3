import { WorldError } from '../model/error.ts';
import { waitedFor } from './flight.ts';
import type { RunEvent } from './machine.ts';
import { nextTend, type Run } from './run.ts';
import { settleDoubts } from './settle.ts';
import { pollTasks, verifyEnded } from './watch.ts';

/** Rounds in a row that may fail because the service is away; the work goes on there without us. */
const ABSENT_ROUNDS = 10;

/**
 * Looks after everything in flight once: polls, verifies what ended, looks for evidence about what
 * is in doubt. A service that is away is asked again next time, for a while.
 */
export async function tend(run: Run): Promise<RunEvent & { is: 'tended' }> {
  const before = run.ended;
  const halt = await round(run);
  return {
    is: 'tended',
    inFlight: waitedFor(run),
    ended: run.ended - before,
    tendAt: nextTend(run),
    halt,
  };
}

async function round(run: Run): Promise<boolean> {
  try {
    const halt = await pollTasks(run);
    await verifyEnded(run);
    await settleDoubts(run);
    await run.journal.renew();
    run.roundsMissed = 0;
    return halt;
  } catch (error) {
    const mayPass = error instanceof WorldError && error.retry === 'safe';
    run.roundsMissed += 1;
    if (!mayPass || run.roundsMissed >= ABSENT_ROUNDS) throw error;
    return false;
  }
}
