import type { Change, Changes } from '../../model/plan/change.ts';
import { planSentence } from '../words/review/all-clear.ts';
import { besideChangesWords, planTime } from '../words/review/review-words.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { markup } from '../sinks/html-sink.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { documentEnd, documentHead } from './document-head.ts';
import { classBlocks } from '../outputs/classes.ts';
import { pageSection } from './page-head.ts';
import { forecastBlocks } from '../outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../outputs/guardrails.ts';
import { noteBlocks, removedBlocks } from '../outputs/removed.ts';
import { warningBlocks } from '../outputs/warnings.ts';
import { printHtml } from '../print/html.ts';
import { needBlocks, runBlocks } from '../outputs/review.ts';
import { SCRIPT, STYLE } from './page.gen.ts';
import { planTable } from './plan-table.ts';
import { sitesHtml } from './site-bars.ts';
import { factsHtml, summaryHtml } from './summary.ts';
import { tableData, type PageTable } from './table-data.ts';
import { tableSection } from './table-section.ts';
import { timelineHtml } from './timeline/section.ts';
import { GROUP_LABELS } from './words.ts';

/**
 * A plan as one self-contained page: a summary for reviewers that needs no script, then every
 * change in a table that the script makes interactive. It yields pieces, so that a plan of any size
 * is written as a stream; the changes are walked once.
 */
export function* planHtml(view: PlanView, changes: Changes): Generator<HtmlText> {
  const table = planTable(view, changes.length);
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
${changesHtml(view, table.head)}
${printHtml(noteBlocks(view, WHOLE))}
${factsHtml(view)}
</main>`;
  yield* tableData(table, changes);
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
    jump: { to: 'all', says: 'To the table of all changes' },
  });
}

function changesHtml({ base, review }: PlanView, head: PageTable<Change>['head']): HtmlText {
  return tableSection(head, {
    title: 'All changes',
    count: review.changes,
    beside: besideChangesWords(review.changes, head.rows),
    otherwise: markup`The script of this page draws a table of all changes here. Where scripts are switched
off, <code>fleetform show FILE --all</code> lists the same changes from the saved plan.`,
    search: 'names, IDs, sites, models, policies, reasons, values',
    row: 'change',
    none: 'This plan has no changes.',
    ...(base && {
      chips: {
        label: 'Requested by, compared with the base',
        values: READ_IN_ORDER.map((group) => GROUP_LABELS[group]),
      },
    }),
  });
}
