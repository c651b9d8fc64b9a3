import type { JsonObject } from '../../../lib/canonical.ts';
import type { IntentState } from '../../../model/ledger/memory.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { RESOLUTION_WORDS } from '../../words/outcomes.ts';
import { TASK_WORDS } from '../../words/terms.ts';

/** The outcome that a person recorded for an intent. */
interface ResolutionResult {
  readonly resolution: keyof typeof RESOLUTION_WORDS;
  readonly who: string;
  readonly why: string;
}

type Intent = Pick<IntentState, 'id' | 'task' | 'device' | 'policy'>;

/** The confirmation of the record, its meaning, and the next step. */
export function* resolutionText(
  { id, task, device, policy }: Intent,
  { resolution, who, why }: ResolutionResult,
  style: TextStyle,
): Generator<TerminalText> {
  const { says, next } = RESOLUTION_WORDS[resolution];
  const what = say`${terminal(TASK_WORDS[task])} on ${terminal(device)}`;
  yield* wrap(say`Resolved: ${what}, ${terminal(policy)}: ${terminal(says)}.`, style.width, 2);
  yield* wrap(say`  intent ${terminal(id)}`, style.width, 4);
  yield* wrap(say`  by ${terminal(who)}: ${terminal(why)}`, style.width, 4);
  const hint = wrap(say`  next: ${terminal(next)}`, style.width, 8);
  yield* hint.map((line) => tint(style.paint, 'cyan', line));
}

/** The same as data. */
export function resolutionJson(
  { id, task, device, policy }: Intent,
  { resolution, who, why }: ResolutionResult,
): JsonObject {
  const { next } = RESOLUTION_WORDS[resolution];
  return { intentId: id, task, device, policy, verdict: resolution, by: 'person', who, why, next };
}
