import type { GuardrailVerdict } from '../../model/plan/plan.ts';
import { labelled } from './class-text.ts';
import { limitSentences } from '../words/terms.ts';
import { tint } from '../sinks/paint.ts';
import { counted, fill, grouped, type Phrase } from '../words/phrase.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import { placeText, type TextStyle } from '../sinks/snippet.ts';
import { wrap } from '../sinks/wrap.ts';

/** What guardrails refuse, and what an exception allowed: the number, the limit, how to allow it. */
export function* listedVerdictLines(
  verdicts: readonly GuardrailVerdict[],
  style: TextStyle,
): Generator<TerminalText> {
  const { listed } = listedVerdicts(verdicts);
  if (listed.length === 0) return;
  yield say``;
  yield tint(style.paint, 'bold', say`Guardrails`);
  for (const verdict of listed) yield* verdictText(verdict, style);
}

/** The passed limits with their numbers: the closest to its limit, or each on a line. */
export function* passedVerdictLines(
  verdicts: readonly GuardrailVerdict[],
  style: TextStyle & { readonly all: boolean },
): Generator<TerminalText> {
  const { passed, more } = listedVerdicts(verdicts);
  const [closest] = passed;
  if (closest === undefined) return;
  yield say``;
  if (style.all) {
    yield tint(style.paint, 'bold', say`Guardrails passed`);
    for (const verdict of passed) yield* wrap(say`  ${passedText(verdict)}`, style.width, 4);
    if (more > 0) yield terminal(`  ${counted(more, 'more limit')}`);
    return;
  }
  const others = [...new Set(passed.slice(1).map(({ limit }) => limit))];
  const rest = [...others, ...(more > 0 ? [`${grouped(more)} more`] : [])];
  const within = rest.length > 0 ? ` (also passed: ${rest.join(', ')})` : '';
  yield* wrap(say`Guardrails passed: ${passedText(closest)}${terminal(within)}.`, style.width, 2);
}

function passedText(verdict: GuardrailVerdict): TerminalText {
  const { said, params } = limitSentences(verdict);
  return fill(said, params, terminal) as TerminalText;
}

/** How many passed limits are listed, those closest to the limit first. */
const PASSED_LISTED = 5;

/** The verdicts that need attention, and the passed limits with a count above 0. */
export function listedVerdicts(verdicts: readonly GuardrailVerdict[]): {
  readonly listed: readonly GuardrailVerdict[];
  readonly passed: readonly GuardrailVerdict[];
  readonly more: number;
} {
  const listed = verdicts.filter((verdict) => !verdict.passed || verdict.raisedBy);
  const passed = verdicts
    .filter((verdict) => verdict.passed && !verdict.raisedBy && verdict.number > 0)
    .toSorted((a, b) => b.number * a.allowed - a.number * b.allowed);
  return {
    listed,
    passed: passed.slice(0, PASSED_LISTED),
    more: Math.max(0, passed.length - PASSED_LISTED),
  };
}

function* verdictText(verdict: GuardrailVerdict, style: TextStyle): Generator<TerminalText> {
  const { limit, guardrail, passed, at, raisedBy } = verdict;
  const { said, way, params } = limitSentences(verdict);
  const filled = (phrase: Phrase): TerminalText => fill(phrase, params, terminal) as TerminalText;
  const word = passed
    ? tint(style.paint, 'yellow', say`allowed`)
    : tint(style.paint, 'red', say`REFUSED`);
  const place = at === undefined ? say`built in` : placeText(at);
  yield* wrap(say`  ${word}  ${filled(said)}`, style.width, 11);
  yield* labelled('limit', say`${terminal(guardrail)} ${terminal(limit)}  ${place}`, style);
  if (raisedBy) {
    yield* labelled('raised', say`${terminal(raisedBy.policy)}  ${placeText(raisedBy)}`, style);
  }
  if (!passed) yield* labelled('to allow', filled(way), style);
}
