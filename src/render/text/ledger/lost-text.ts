import type { JsonObject } from '../../../lib/canonical.ts';
import type { Params } from '../../../model/error.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { errorWords } from '../../words/errors.ts';
import { LOSS_WORDS, PAUSED_REST_WORDS, REJECTION_WORDS } from '../../words/commands.ts';
import { fill } from '../../words/phrase.ts';

/**
 * What a command says that goes on with what is left of a ledger (protocol J6), from the parameters
 * of `ledgerRolledBack`: what is missing, and what that means.
 */
export function* ledgerLostLines(
  params: Params,
  { width, paint }: TextStyle,
): Generator<TerminalText> {
  const { summary, detail } = errorWords('ledgerRolledBack', params);
  yield* wrap(say`warning: ${summary}`, width, 2).map((line) => tint(paint, 'yellow', line));
  if (detail !== undefined) yield* wrap(say`  ${detail}`, width, 2);
}

/** The same, with the next step. */
export function* ledgerLostText(params: Params, style: TextStyle): Generator<TerminalText> {
  yield* ledgerLostLines(params, style);
  const { next } = errorWords('ledgerRolledBack', params);
  yield* wrap(say`  next: ${next}`, style.width, 8).map((line) => tint(style.paint, 'cyan', line));
}

/** What a pause on such a ledger holds, and what is to be done after its repair. */
export function pausedRestLines({ width }: TextStyle): readonly TerminalText[] {
  return wrap(say`  ${terminal(PAUSED_REST_WORDS)}`, width, 2);
}

/** Who continues without which records. */
interface AcceptedLoss {
  readonly who: string;
  readonly why: string;
  /** Numbers of the newest record, and of the newest that was seen before. */
  readonly found: number;
  readonly seen: number;
}

/** The result of `unlock --accept-loss`. */
export function acceptedText(accepted: AcceptedLoss, style: TextStyle): Generator<TerminalText> {
  return decisionText(LOSS_WORDS, accepted, style);
}

/** The same as data. */
export function acceptedJson({ who, why, found, seen }: AcceptedLoss): JsonObject {
  return { accepted: true, found, seen, who, why, next: LOSS_WORDS.next };
}

/** The result of `unlock --reject-head`. */
export function rejectedText(rejected: AcceptedLoss, style: TextStyle): Generator<TerminalText> {
  return decisionText(REJECTION_WORDS, rejected, style);
}

/** The same as data. */
export function rejectedJson({ who, why, found, seen }: AcceptedLoss): JsonObject {
  return { rejected: true, found, seen, who, why, next: REJECTION_WORDS.next };
}

function* decisionText(
  { says, more, next }: typeof LOSS_WORDS | typeof REJECTION_WORDS,
  { who, why, ...numbers }: AcceptedLoss,
  { width, paint }: TextStyle,
): Generator<TerminalText> {
  const words = (text: string, indent: number): readonly TerminalText[] =>
    wrap(say`${terminal(text)}`, width, indent);
  yield* words(fill(says, numbers, String), 2);
  yield* words(`  by ${who}: ${why}`, 4);
  yield* words(`  ${more}`, 2);
  yield* words(`  next: ${next}`, 8).map((line) => tint(paint, 'cyan', line));
}
