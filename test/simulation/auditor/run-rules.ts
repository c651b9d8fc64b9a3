import { WorldError } from '../../../src/model/error.ts';
import type { RunReport } from '../../../src/model/ledger/run-report.ts';
import type { Body, CaseFile, IntentFile, ProcessFile, Written } from './case-file.ts';

/**
 * U3: a lease is taken from nobody who may still work: only where he gave it back, where his process
 * is gone from this machine, where he has shown no sign for twice its life, or where the taker was
 * told to take it.
 */
export function onLock(file: CaseFile, { ttl, host }: Body<'LOCK'>, { by }: Written): void {
  const { lease, processes, violate } = file;
  const now = file.scene.clock.now();
  const holder = lease && processes.get(lease.by);
  if (lease && holder) {
    const isGone = holder.hasEnded && lease.host === host;
    const isSilent = now - lease.shownAt >= 2 * lease.ttl - 1_000;
    if (!isGone && !isSilent && !by.takeOver)
      violate('U3', `${by.id} takes the lease of ${holder.id}, seen ${now - lease.shownAt} ms ago`);
  }
  file.lease = { by: by.id, host, ttl, shownAt: now };
}

/** Every record of its holder is a sign of life; the last one gives the lease back. */
export function onSign(file: CaseFile, { record, by }: Written): void {
  if (file.lease?.by !== by.id) return;
  file.lease.shownAt = file.scene.clock.now();
  if (record.body.type === 'RELEASE') file.lease = undefined;
}

/** P05: one new attempt with a new token; who is not let in with it asks no more. */
export function onRefusedTwice(file: CaseFile, by: ProcessFile): void {
  const { refusals } = by;
  if (refusals > 1) file.violate('P05', `${by.id}: attempts after ${refusals} answers of 401`);
}

/**
 * X16: a run keeps trying to write down what came of its requests, also when the lease is no
 * longer its own; it leaves none behind without a RESULT that the ledger would have taken.
 */
export function onKnowledge(file: CaseFile, { ended, failure }: RunReport, by: ProcessFile): void {
  if (by.isHasty || (failure instanceof WorldError && failure.code === 'storeFailed')) return;
  for (const { process, posts, isTold, body } of file.attempts.values()) {
    const isOurs = process === by.id && posts > 0 && !isTold;
    const isDue = body.intents.some(({ id }) => isUnknown(file.intents.get(id)));
    if (isOurs && isDue)
      file.violate('X16', `${body.attemptId}: no RESULT, ended ${ended} ${String(failure)}`);
  }
}

function isUnknown(intent: IntentFile | undefined): boolean {
  return intent?.standing === 'open' || intent?.standing === 'doubt';
}
