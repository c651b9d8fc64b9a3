import type { Changes } from '../../model/plan/change.ts';
import { classBlocks } from '../outputs/classes.ts';
import { forecastBlocks } from '../outputs/forecast.ts';
import { guardrailBlocks, passedBlocks, scopeBlocks } from '../outputs/guardrails.ts';
import { planFactBlocks, planHeadBlocks } from '../outputs/plan-page.ts';
import { noteBlocks, removedBlocks } from '../outputs/removed.ts';
import { needBlocks, runBlocks } from '../outputs/review.ts';
import { siteBlocks } from '../outputs/sites.ts';
import { timelineBlocks } from '../outputs/timeline.ts';
import { warningBlocks } from '../outputs/warnings.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { own, type Block } from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { planSentence } from '../words/review/all-clear.ts';
import { planTime } from '../words/review/review-words.ts';
import { pageHtml } from './page.ts';
import { planTable } from './plan-table.ts';

/** A page has everything that a terminal shows with `--all`. */
const WHOLE = { all: true };

/** How many lines what starts has. */
const STARTS = 1_000;

/** A plan as one page: what a reviewer needs, then every change in a table. */
export function planHtml(view: PlanView, changes: Changes): Generator<HtmlText> {
  return pageHtml({
    title: `Plan for ${view.inputs.service.organization}: ${planSentence(view)}`,
    jump: { to: 'all', says: 'To the table of all changes' },
    head: planHeadBlocks(view),
    blocks: [
      ...needBlocks(view),
      ...runBlocks(view, { space: STARTS }),
      ...removedBlocks(view),
      ...guardrailBlocks(view.verdicts),
      ...passedBlocks(view.verdicts, WHOLE),
      ...scopeBlocks(view.base),
      ...warningBlocks(view, WHOLE),
      ...timelineBlocks(view),
      ...forecastBlocks(view.forecast, planTime(view)),
      ...siteBlocks(view),
      groupSection(view),
    ],
    table: { of: planTable(view, changes.length), rows: changes },
    end: [...noteBlocks(view, WHOLE), ...planFactBlocks(view)],
  });
}

function groupSection(view: PlanView): Block {
  const title = own('All changes in groups');
  return { is: 'section', id: 'classes', title, blocks: classBlocks(view, {}) };
}
