import type { Verdict } from '../model/plan.ts';
import { labelled } from './class-text.ts';
import { limitSentences } from './limit-sentences.ts';
import { tint } from './paint.ts';
import { fill, type Phrase } from './phrase.ts';
import { say, terminal, type TerminalText } from './sinks.ts';
import { placeText, type Look } from './snippet.ts';
import { wrap } from './width.ts';

/**
 * What guardrails refuse, and what an exception let through: the number, the limit, and the way
 * out.
 */
export function* verdictLines(verdicts: readonly Verdict[], look: Look): Generator<TerminalText> {
  const told = verdicts.filter((verdict) => !verdict.passed || verdict.raisedBy);
  if (told.length === 0) return;
  yield say``;
  yield tint(look.paint, 'bold', say`Guardrails`);
  for (const verdict of told) yield* verdictText(verdict, look);
}

function* verdictText(verdict: Verdict, look: Look): Generator<TerminalText> {
  const { limit, guardrail, passed, at, raisedBy } = verdict;
  const { said, way, params } = limitSentences(verdict);
  const filled = (phrase: Phrase): TerminalText => fill(phrase, params, terminal) as TerminalText;
  const word = passed
    ? tint(look.paint, 'yellow', say`allowed`)
    : tint(look.paint, 'red', say`REFUSED`);
  const place = at === undefined ? say`built in` : placeText(at);
  yield* wrap(say`  ${word}  ${filled(said)}`, look.width, 11);
  yield* labelled('limit', say`${terminal(guardrail)} ${terminal(limit)}  ${place}`, look);
  if (raisedBy) {
    yield* labelled('raised', say`${terminal(raisedBy.policy)}  ${placeText(raisedBy)}`, look);
  }
  if (!passed) yield* labelled('way out', filled(way), look);
}
