import { WorldError } from '../../model/error.ts';
import type { Change } from '../../model/plan/change.ts';
import type { Command } from './command.ts';
import type { AttemptEnd } from './reaction.ts';
import { recordStops } from './rollouts.ts';
import { type Run, awaited, beating, keepLease, nextPoll } from './run.ts';
import type { RunEvent } from './run-event.ts';
import { isStoreFailure } from '../outbox/outbox.ts';
import { chooseBatch } from '../send/admission.ts';
import type { Candidate } from '../send/candidate.ts';
import { lastLook, type LastLook } from '../send/last-look.ts';
import { isLate, send, postDeadline } from '../send/post.ts';
import { intentOfChange, planRecords, rolloutRecords, type Member } from '../send/request.ts';
import { isSnapshotStale, sift } from '../send/recheck.ts';
import { mayPass } from '../service-absence.ts';
import { Interrupted } from '../stop.ts';
import type { Milliseconds } from '../../lib/time.ts';

type Attempt = Command & { readonly do: 'attempt' };

/** The result of an attempt, before the machine gets it. */
type Came = Pick<RunEvent & { is: 'attempted' }, 'end' | 'done' | 'parked' | 'size'> & {
  readonly retryAfter?: Milliseconds;
};

/**
 * One attempt: chooses a batch, checks it again, writes ATTEMPT, and only then POSTs (protocol X7,
 * I2). If it ends before ATTEMPT, the ledger is unchanged. Throws `Interrupted`, or a `WorldError`
 * that no retry fixes.
 */
export async function attempt(run: Run, command: Attempt): Promise<RunEvent & { is: 'attempted' }> {
  const held = await heldByLedger(run);
  const came = held ? nothing(held) : await tryCandidates(run, command);
  return { is: 'attempted', ...came, inFlight: awaited(run), pollAt: nextPoll(run) };
}

/**
 * Whether the ledger prevents attempts (protocol U6). Temporary: a lease that was not renewed for
 * half its duration, a result in the outbox, a take-over that may be unnoticed. Permanent: a store
 * that failed, and a lease that has ended.
 */
export async function heldByLedger(run: Run): Promise<'held' | 'stopAttempts' | undefined> {
  await keepLease(run);
  const isFlushed = await run.outbox.flush();
  const { journal, health } = run;
  if (isFlushed && !health.hasOverslept && journal.mayAttempt()) return undefined;
  if (!isStoreFailure(health.failure)) health.failure = new WorldError('storeFailed');
  return !isFlushed || (journal.isFit() && journal.isHeld()) ? 'held' : 'stopAttempts';
}

async function tryCandidates(run: Run, command: Attempt): Promise<Came> {
  const rollouts = await recordStops(run);
  const { batch, parked } = chooseBatch(run, rollouts, command);
  for (const [id, reason] of parked) run.outcomes.park(id, reason);
  const came = batch.length === 0 ? nothing('nothing') : await tryBatch(run, batch, command);
  return { ...came, parked: new Set([...parked.keys(), ...came.parked]) };
}

async function tryBatch(
  run: Run,
  batch: readonly Candidate[],
  { renewToken }: Attempt,
): Promise<Came> {
  const newest = await lookForNewer(run);
  if (newest) return { ...nothing(newest), size: batch.length };
  const reads = await readSafely(run, batch);
  if (!reads) return { ...nothing('unread'), size: batch.length };
  for (const { discovered } of reads.seen.values())
    if (discovered) run.inFlight.sought.set(discovered.id, discovered);
  if (run.stop.requested !== 'no') throw new Interrupted();
  if (isSnapshotStale(run, batch)) return { ...nothing('snapshotStale'), size: batch.length };
  const { members, done, parked, lastStart, rollouts } = sift(run, batch, reads.seen);
  const [first, ...others] = members;
  const sifted = { done, parked, size: batch.length };
  if (!first) return { ...sifted, end: 'nothing' };
  if (isRefusedNow(run)) return { ...sifted, end: 'refused' };
  const sendBy = postDeadline(run, reads.since, lastStart);
  if (isLate(run, sendBy)) return tooSlow(run, members, sifted);
  if (!run.journal.mayAttempt()) return { ...sifted, end: 'held' };
  const before = [...planRecords(run), ...rolloutRecords(rollouts, members, run.reading.work)];
  const sent = await send(run, { members: [first, ...others], sendBy, before, renewToken });
  return { ...sifted, ...sent, done: new Set([...done, ...sent.done]) };
}

/** Why the documents of this run start nothing more (protocol M8); undefined where they may. */
async function lookForNewer(run: Run): Promise<'overtaken' | 'unlooked' | undefined> {
  try {
    const isOvertaken = run.isOvertaken !== undefined && (await beating(run, run.isOvertaken()));
    return isOvertaken ? 'overtaken' : undefined;
  } catch (error) {
    if (!(error instanceof WorldError) || error.code !== 'branchUnclear') throw error;
    run.health.failure = error;
    return 'unlooked';
  }
}

/**
 * The reads of the last look; undefined where the service was unavailable for a moment, or answered
 * badly.
 */
async function readSafely(run: Run, batch: readonly Candidate[]): Promise<LastLook | undefined> {
  try {
    return await beating(run, lastLook(run, batch));
  } catch (error) {
    if (!mayPass(error)) throw error;
    run.health.failure = error;
    return undefined;
  }
}

/**
 * Whether a guardrail refuses the rest of the work just before an attempt: an exception may have
 * ended since.
 */
function isRefusedNow({ reading, outcomes, journal }: Run): boolean {
  const { ledgerId } = journal.memory;
  const left = (): readonly Change[] =>
    reading.work.filter((change) => !outcomes.hasTried(intentOfChange(change, ledgerId)));
  const refused = reading.refusals(left);
  if (refused.length > 0) outcomes.refused = refused;
  return refused.length > 0;
}

/** A smaller batch is read faster; a single device that is still too slow is for another run. */
function tooSlow({ outcomes }: Run, members: readonly Member[], sifted: Omit<Came, 'end'>): Came {
  if (sifted.size > 1) return { ...sifted, end: 'tooSlow' };
  const ids = members.map(({ change }) => change.id);
  for (const id of ids) outcomes.park(id, { code: 'apiBudget' });
  return { ...sifted, end: 'nothing', done: new Set([...sifted.done, ...ids]) };
}

function nothing(end: AttemptEnd): Came {
  return { end, done: new Set(), parked: new Set(), size: 0 };
}
