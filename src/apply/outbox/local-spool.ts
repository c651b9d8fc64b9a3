import type { RecordBody } from '../../model/ledger/record.ts';
import { record, type Run } from '../run/run.ts';

type Result = Extract<RecordBody, { readonly type: 'RESULT' }>;

/**
 * Keeps the id of an accepted task that the ledger cannot take for now, and says so: without it the
 * attempt would be in doubt, though the service has told what became of it. Never fails.
 */
export async function keepResult(run: Run, { attemptId, taskId, outcome }: Result): Promise<void> {
  if (outcome !== 'accepted' || taskId === undefined) return;
  const isKept = await run.kept?.keep({ attemptId, taskId }).then(
    () => true,
    () => false,
  );
  const { place } = run.kept ?? {};
  run.progress({
    kind: 'unrecorded',
    attemptId,
    taskId,
    ...(isKept === true && place !== undefined && { place }),
  });
}

/** The ledger has it after all. */
export async function forgetResult(run: Run, attemptId: string): Promise<void> {
  await run.kept?.forget(attemptId).catch(() => undefined);
}

/**
 * What an earlier run on this machine knew and could not record: its acceptances, before anybody calls
 * their attempts in doubt. What the ledger has settled meanwhile is forgotten.
 */
export async function recordKept(run: Run): Promise<void> {
  const kept = (await run.kept?.all()) ?? [];
  for (const { attemptId, taskId } of kept) {
    const body: Result = { type: 'RESULT', attemptId, outcome: 'accepted', row: ACCEPTED, taskId };
    await record(run, [body], (_, memory) =>
      memory.open().some((intent) => intent.attemptId === attemptId && intent.taskId === undefined),
    );
    await forgetResult(run, attemptId);
  }
}

/** The row of the outcome table that took it. */
const ACCEPTED = 'P03';
