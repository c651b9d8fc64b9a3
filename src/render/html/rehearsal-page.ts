import type { RehearsalReport } from '../../model/report/rehearsal.ts';
import { rehearsalBlocks } from '../outputs/rehearsal.ts';
import { printHtml } from '../print/html.ts';
import { markup } from '../sinks/html-sink.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { outcomeWords, REHEARSAL_TITLES } from '../words/review/rehearsal-words.ts';
import { documentHead } from './document-head.ts';
import { STYLE } from './page.gen.ts';

/** The report of a rehearsal as one self-contained page, which needs no script. */
export function rehearsalHtml(report: RehearsalReport): HtmlText {
  const [title, ...blocks] = rehearsalBlocks(report);
  const jump = { to: 'outages-title', says: REHEARSAL_TITLES.outages };
  const name = `Rehearsal: ${outcomeWords(report.policies)}`;
  return markup`${documentHead({ title: name, style: STYLE, script: '', jump })}
<header>${title ? printHtml([title]) : markup``}</header>
<main>
${printHtml(blocks)}</main>
</body>
</html>`;
}
