import type { PlanBase } from '../../../model/plan/plan.ts';
import { labelled } from '../class-text.ts';
import { tint } from '../../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../../sinks/sinks.ts';
import type { TextStyle } from '../../sinks/snippet.ts';
import { wrap } from '../../sinks/wrap.ts';
import { fill, grouped, type Phrase } from '../../words/phrase.ts';
import {
  IN_SCOPE,
  inScopeParams,
  OUT_OF_SCOPE,
  scopeFindings,
  type ScopeFinding,
} from '../../words/review/scope-words.ts';

/** How many findings are listed; the plan as JSON has all of them. */
const LISTED = 12;

/** Whether a request keeps to the scope that its commits name, and what is outside. */
export function* scopeLines(base: PlanBase | undefined, style: TextStyle): Generator<TerminalText> {
  if (!base?.scope) return;
  yield say``;
  yield tint(style.paint, 'bold', say`Scope`);
  if (base.scope.passed) {
    const said = fill(IN_SCOPE, inScopeParams(base.scope), terminal) as TerminalText;
    return yield* wrap(say`  passed   ${said}`, style.width, 11);
  }
  yield* wrap(tint(style.paint, 'red', say`  ${terminal(OUT_OF_SCOPE)}`), style.width, 2);
  const findings = scopeFindings(base.scope);
  for (const finding of findings.slice(0, LISTED)) yield* findingLines(finding, style);
  const more = findings.length - LISTED;
  if (more > 0) yield say`  and ${terminal(grouped(more))} more`;
}

function* findingLines({ said, way, params }: ScopeFinding, style: TextStyle) {
  const filled = (phrase: Phrase): TerminalText => fill(phrase, params, terminal) as TerminalText;
  const word = tint(style.paint, 'red', say`REFUSED`);
  yield* wrap(say`  ${word}  ${filled(said)}`, style.width, 11);
  yield* labelled('next', filled(way), style);
}
