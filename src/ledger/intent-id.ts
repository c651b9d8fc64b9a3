import { shortId } from '../lib/canonical.ts';
import type { TaskType } from '../model/fleet/task.ts';

/** The identity of an intent (protocol J10): two intents differ if one of these fields differs. */
export interface IntentKey {
  readonly task: TaskType;
  readonly device: string;
  readonly target: string;
  readonly generation: number;
}

/**
 * The ID of an intent: the first 26 characters of the base32 of the sha256 of the canonical JSON of
 * `[ledgerId, task, device, target, generation]`. Every machine that folds the same ledger gets the
 * same ID.
 */
export function computeIntentId(ledgerId: string, key: IntentKey): string {
  return shortId([ledgerId, key.task, key.device, key.target, key.generation]);
}
