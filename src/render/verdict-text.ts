import type { Verdict } from '../model/plan.ts';
import { labelled } from './class-text.ts';
import { tint } from './paint.ts';
import { fill, grouped } from './phrase.ts';
import { say, terminal, type TerminalText } from './sinks.ts';
import { placeText, type Look } from './snippet.ts';
import { wrap } from './width.ts';
import { LIMIT_WORDS, OTHER_WAY_OUT, WAY_OUT } from './words.ts';

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
  const { limit, number, of, scope, allowed, guardrail, passed, at, raisedBy } = verdict;
  const params = {
    number,
    allowed: grouped(allowed),
    limit,
    ...(of !== undefined && { of: grouped(of) }),
    ...(scope !== undefined && { scope }),
  };
  const said = fill(LIMIT_WORDS[limit], params, terminal) as TerminalText;
  const word = passed
    ? tint(look.paint, 'yellow', say`allowed`)
    : tint(look.paint, 'red', say`REFUSED`);
  const place = at === undefined ? say`built in` : placeText(at);
  yield* wrap(say`  ${word}  ${said}`, look.width, 11);
  yield* labelled('limit', say`${terminal(guardrail)} ${terminal(limit)}  ${place}`, look);
  if (raisedBy) {
    yield* labelled('raised', say`${terminal(raisedBy.policy)}  ${placeText(raisedBy)}`, look);
  }
  if (!passed) {
    yield* labelled(
      'way out',
      fill(OTHER_WAY_OUT[limit] ?? WAY_OUT, params, terminal) as TerminalText,
      look,
    );
  }
}
