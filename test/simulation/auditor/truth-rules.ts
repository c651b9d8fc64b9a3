import type { DeviceTaskState } from '../../../src/twin/world/state.ts';
import type { AttemptFile, Body, CaseFile, IntentFile } from './case-file.ts';

/** What the service has to have said itself before an intent may be closed with this verdict (protocol J13). */
const SAID: Readonly<Record<string, string>> = {
  done: 'succeeded',
  unverified: 'succeeded',
  failed: 'failed',
  rolledBack: 'rolledBack',
  aborted: 'aborted',
};

/**
 * I1, I16: what is closed by the service's own result is closed by the one that it has in truth. A
 * task that cannot be read, and a word that nobody knows, are no result.
 */
export function onVerdict(file: CaseFile, body: Body<'SETTLED'>, intent: IntentFile): void {
  const { verdict, by } = body;
  const said = SAID[verdict];
  const taskId = intent.attempts.at(-1)?.result?.taskId;
  if (by !== 'verify' || said === undefined || taskId === undefined) return;
  const { deviceTasks = [] } = file.scene.twin.world.task(taskId) ?? {};
  const truly = deviceTasks.find(({ deviceId }) => deviceId === intent.device);
  if (truly?.status === 'completed' && truly.result === said) return;
  const rule = said === 'succeeded' ? 'I16' : 'I1';
  file.violate(rule, `${intent.task}/${intent.device}: SETTLED ${verdict}, it is ${wordOf(truly)}`);
}

function wordOf(truly: DeviceTaskState | undefined): string {
  if (!truly) return 'in no task';
  return truly.status === 'completed' ? String(truly.result) : truly.status;
}

/** I1: that nothing came of a request may be said only where nothing did, and nothing comes of it later. */
export function onNothing({ violate }: CaseFile, { body, result, tasks }: AttemptFile): void {
  const isDenied = result?.outcome === 'rejected' || result?.outcome === 'notSent';
  const [given] = tasks;
  if (isDenied && given)
    violate('I1', `${body.attemptId}: RESULT ${result.outcome}, and the service has ${given.id}`);
}

/** I4: a task that the service would show whole to whoever asks for it is not lost. */
export function onLoss({ scene, violate }: CaseFile, intent: IntentFile): void {
  const { task, device, attempts } = intent;
  const found = scene.twin.world.task(attempts.at(-1)?.result?.taskId ?? '');
  const isThere = found?.deviceTasks.some(({ deviceId }) => deviceId === device) === true;
  if (isThere && found.vanished === false)
    violate('I4', `${task}/${device}: its task is called lost, and is there`);
}
