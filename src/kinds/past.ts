import type { IntentState } from '../model/ledger/memory.ts';
import type { Instant } from '../lib/time.ts';

/**
 * How often intents towards this target were settled done: the `generation` of the next one
 * (protocol J10).
 */
export function timesDone(past: readonly IntentState[], target: string): number {
  return past.filter((intent) => intent.target === target && intent.verdict === 'done').length;
}

/**
 * Whether this very intent was tried before and nothing came of it, so that it may be tried anew.
 */
export function isRetry(
  past: readonly IntentState[],
  intent: Pick<IntentState, 'target' | 'generation'>,
): boolean {
  return past.some(
    ({ target, generation, verdict, phase }) =>
      target === intent.target &&
      generation === intent.generation &&
      (phase === 'failed' || verdict === 'failed' || verdict === 'notDone'),
  );
}

/** When the last intent that was settled done was attempted: its effect is no older than this. */
export function lastDoneAt(past: readonly IntentState[]): Instant | undefined {
  const times = past
    .filter(({ verdict }) => verdict === 'done')
    .map((intent) => intent.attemptedAt);
  return times.length === 0 ? undefined : Math.max(...times);
}

/**
 * Whether an intent may have had its effect. What nobody knows counts as done; only what was never
 * sent, was refused, or is known not to have run does not (protocol J12).
 */
export function mayHaveRun(intent: IntentState): boolean {
  if (intent.phase === 'none' || intent.verdict === 'notDone') return false;
  return intent.outcome !== 'notSent' && intent.outcome !== 'rejected';
}
