import type { IntentState } from '../../model/ledger/memory.ts';

/**
 * Every task of the service that an intent has been in: a device that failed in one may have another by now, while the
 * rest of the first goes on.
 */
export function taskIdsOf(intent: IntentState): readonly string[] {
  const attempts = [intent, ...(intent.earlier ?? [])];
  return attempts.flatMap(({ taskId }) => (taskId === undefined ? [] : [taskId]));
}
