import type { IntentState } from '../../model/ledger/memory.ts';
import type { ServiceTask } from '../../model/fleet/task.ts';
import { distrust, FOREIGN_USER } from './foreign-tasks.ts';
import type { Run } from '../run/run.ts';

/** The key of the user whose tasks this very run sends; no task id is empty. */
const OURS = '';

/**
 * Whether a task names another user than it did before, or than the other tasks that this run sent
 * (protocol X11). Who we are to the service is said nowhere, so tasks are compared with each
 * other; an earlier run may have had other credentials. Names are not recorded.
 */
export async function namesAnotherUser(
  run: Run,
  { taskId, userName }: Pick<ServiceTask, 'taskId' | 'userName'>,
  intents: readonly IntentState[],
): Promise<boolean> {
  if (userName === undefined) return false;
  const isOurs = intents.some(({ attemptId }) => attemptId.startsWith(`${run.journal.nonce}.`));
  const keys = isOurs ? [taskId, OURS] : [taskId];
  const isAnother = keys.some((key) => (run.users.get(key) ?? userName) !== userName);
  for (const key of keys) if (!run.users.has(key)) run.users.set(key, userName);
  const isNews = !run.anomalies.some((one) => one === `${FOREIGN_USER}: ${taskId}`);
  if (isAnother && isNews) await distrust(run, FOREIGN_USER, [taskId]);
  return isAnother;
}
