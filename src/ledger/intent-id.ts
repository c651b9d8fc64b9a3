import { shortId } from '../lib/canonical.ts';
import type { TaskType } from '../model/fleet/task.ts';

/**
 * What makes two intents the same (protocol J10): a further intent exists only where one of
 * these differs.
 */
export interface IntentKey {
  readonly task: TaskType;
  readonly device: string;
  readonly target: string;
  readonly generation: number;
}

/**
 * The id of an intent: the first 26 characters of the base32 of the sha256 of the canonical JSON of
 * `[ledgerId, task, device, target, generation]`. The same on every machine that folds the same
 * ledger.
 */
export function intentIdOf(ledgerId: string, key: IntentKey): string {
  return shortId([ledgerId, key.task, key.device, key.target, key.generation]);
}
