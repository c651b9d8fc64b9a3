import { WorldError } from '../../model/error.ts';
import { keepLease } from '../run/heartbeat.ts';
import { isStoreFailure, pay } from '../outbox/outbox.ts';
import type { Run } from '../run/run.ts';

/**
 * Whether the ledger lets no attempt be made (protocol U6), and for how long: a lease that was not renewed for half
 * its life, a RESULT that is owed, a take-over that may have gone unnoticed pass; what does not pass is
 * a store that failed, and a lease that has ended.
 */
export async function heldByLedger(run: Run): Promise<'held' | 'stopAttempts' | undefined> {
  await keepLease(run);
  const isPaid = await pay(run);
  const { journal, failure } = run;
  if (isPaid && !run.overslept && journal.mayAttempt()) return undefined;
  if (!isStoreFailure(failure)) run.failure = new WorldError('storeFailed');
  return !isPaid || (journal.isFit() && journal.isHeld()) ? 'held' : 'stopAttempts';
}
