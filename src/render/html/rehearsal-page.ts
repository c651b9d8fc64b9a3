import type { RehearsalReport } from '../../model/report/rehearsal.ts';
import { rehearsalBlocks } from '../outputs/rehearsal.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { outcomeWords, REHEARSAL_TITLES } from '../words/review/rehearsal-words.ts';
import { pageHtml } from './page.ts';

/** The report of a rehearsal as one page, which needs no script. */
export function rehearsalHtml(report: RehearsalReport): Generator<HtmlText> {
  const [title, ...blocks] = rehearsalBlocks(report);
  return pageHtml({
    title: `Rehearsal: ${outcomeWords(report.policies)}`,
    jump: { to: 'outages-title', says: REHEARSAL_TITLES.outages },
    head: title ? [title] : [],
    blocks,
  });
}
