import { classText } from './class-text.ts';
import type { DriftView } from '../view/drift-view.ts';
import { besideWords, doubtBesideWords, driftTitle } from '../words/report-words.ts';
import { readingText } from '../words/reading-words.ts';
import { hintWords } from '../words/review/hint.ts';
import { planTime } from '../words/review/review-words.ts';
import { tint } from '../sinks/paint.ts';
import { say, terminal, type TerminalText } from '../sinks/sinks.ts';
import type { PlanOptions } from './terminal.ts';
import { wrap } from '../sinks/wrap.ts';
import { ACTION_WORDS } from '../words/terms.ts';

/** Drift as text: each class of drifted devices, and one line about other due changes. */
export function* driftText(view: DriftView, style: PlanOptions): Generator<TerminalText> {
  const { plan, drifted } = view;
  const { snapshot } = plan.inputs;
  yield tint(style.paint, drifted > 0 ? 'yellow' : 'bold', terminal(driftTitle(view, snapshot)));
  if (drifted > 0 && snapshot.confidence === 'torn')
    yield* wrap(terminal(`Read ${readingText(snapshot)}.`), style.width);
  const page = planTime(plan);
  const all = style.all ?? false;
  const { originsOf } = plan;
  for (const [index, theClass] of plan.classes.entries()) {
    yield say``;
    if (theClass.action !== plan.classes[index - 1]?.action)
      yield say`  ${terminal(ACTION_WORDS[theClass.action])}`;
    yield* classText(theClass, { ...style, page, all, waved: new Set(), originsOf });
  }
  yield say``;
  if (drifted > 0) yield* wrap(terminal(`next: ${hintWords(view.next, page)}`), style.width, 6);
  for (const line of [doubtBesideWords(view.inDoubt), ...besideWords(view.beside)])
    if (line !== '') yield* wrap(terminal(line), style.width, 2);
}
