import type { Changes } from '../../model/plan/change.ts';
import { windowRows } from '../view/opening.ts';
import { planSentence } from '../words/review/all-clear.ts';
import { planTime } from '../words/review/review-words.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { changesHtml } from './changes-table.ts';
import { dataPart, documentEnd, documentHead } from './document-head.ts';
import { classBlocks } from '../outputs/classes.ts';
import { pageSection } from './page-head.ts';
import { forecastBlocks } from '../outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../outputs/guardrails.ts';
import { noteBlocks, removedBlocks } from '../outputs/removed.ts';
import { warningBlocks } from '../outputs/warnings.ts';
import { printHtml } from '../print/html.ts';
import { needBlocks, runBlocks } from '../outputs/review.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { reportParts } from './report-parts.ts';
import { sitesHtml } from './site-bars.ts';
import { factsHtml, summaryHtml } from './summary.ts';
import { timelineHtml } from './timeline/section.ts';

/**
 * A plan as one self-contained page: a summary for reviewers that needs no script, then every
 * change in a table that the script makes interactive. It yields pieces, so that a plan of any size
 * is written as a stream; the changes are walked once.
 */
export function* planHtml(view: PlanView, changes: Changes): Generator<HtmlText> {
  yield headHtml(view);
  yield summaryHtml(view);
  yield markup`<main>
${printHtml([
  ...needBlocks(view),
  ...runBlocks(view, { space: STARTS }),
  ...removedBlocks(view),
  ...guardrailBlocks(view.verdicts),
  ...passedBlocks(view.verdicts, WHOLE),
  ...scopeBlocks(view.base),
  ...warningBlocks(view, WHOLE),
])}
${timelineHtml(view)}
${printHtml(forecastBlocks(view.forecast, planTime(view)))}
${sitesHtml(view)}
${pageSection('classes-title', 'All changes in groups', printHtml(classBlocks(view, {})))}
${changesHtml(view, changes.length)}
${printHtml(noteBlocks(view, WHOLE))}
${factsHtml(view)}
</main>`;
  const options = {
    page: planTime(view),
    originsOf: view.originsOf,
    windows: windowRows(view.hours),
  };
  for (const part of reportParts(changes, options)) yield dataPart(part);
  yield documentEnd(SCRIPT);
}

/** A page has everything that a terminal shows with `--all`. */
const WHOLE = { all: true };

/** How many lines what starts has. */
const STARTS = 1_000;

function headHtml(view: PlanView): HtmlText {
  const { organization } = view.inputs.service;
  return documentHead({
    title: `Plan for ${organization}: ${planSentence(view)}`,
    style: STYLE,
    script: SCRIPT,
    jump: { to: 'changes', says: 'To the table of all changes' },
  });
}
