import { classText } from './class-text.ts';
import type { DriftView } from '../view/drift-view.ts';
import { besideWords, doubtBesideWords } from '../words/report-words.ts';
import { driftTitle, NOT_COMPARED } from '../words/review/all-clear.ts';
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
  const colour = drifted > 0 ? 'yellow' : 'bold';
  for (const line of wrap(terminal(`${driftTitle(view)}.`), style.width))
    yield tint(style.paint, colour, line);
  const { coverage } = view.situation;
  if (coverage && !coverage.known)
    yield* wrap(terminal(`Known devices: ${NOT_COMPARED}.`), style.width);
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
  for (const line of [doubtBesideWords(view.inDoubt), ...besideWords(view.beside)])
    if (line !== '') yield* wrap(terminal(line), style.width, 2);
  yield* wrap(terminal(`next: ${hintWords(view.clear.next, page)}`), style.width, 6);
}
