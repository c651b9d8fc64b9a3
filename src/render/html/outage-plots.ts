import type { RehearsalReport, SiteOutages } from '../../model/report/rehearsal.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { moment, wallMoment } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import {
  FORECAST_COLUMNS,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  stepWords,
} from '../words/review/rehearsal-words.ts';
import { countCell, dataTable, NO_VALUE } from './data-table.ts';
import { pageParagraph, pageSection } from './page-head.ts';
import { named } from './said.ts';

/** How many sites have a plot; the table has all. */
const PLOTTED = 24;

/** The devices that tasks keep down at once: a plot for each of the sites with most, and a table of all. */
export function outagesHtml(report: RehearsalReport): HtmlText {
  const { outages, step, from, until } = report;
  const title = REHEARSAL_TITLES.outages;
  if (outages.length === 0)
    return pageSection('outages', title, pageParagraph(REHEARSAL_WORDS.noOutages));
  const top = outages[0]?.most ?? 1;
  const [start, end] = [from, until].map((at) => moment(at, { now: from }));
  const said = stepWords(step).replace(/^./, (first) => first.toUpperCase());
  const about = markup`<p class="about">${htmlText(`${said}, from ${start} to ${end}.`)}</p>`;
  const plots = outages.slice(0, PLOTTED).map((each) => plot(each, top));
  const { site, most, mostAt } = FORECAST_COLUMNS;
  const table = dataTable({
    label: title,
    kind: 'sites',
    columns: [{ title: site }, { title: most, isNumber: true }, { title: `${mostAt}, UTC` }],
    rows: outages.map((each) => ({
      cells: [
        siteName(each),
        countCell(each.most),
        htmlText(wallMoment(each.mostAt, { now: from })),
      ],
    })),
  });
  return pageSection('outages', title, markup`${about}<div class="plots">${plots}</div>${table}`);
}

function siteName({ site }: SiteOutages): HtmlText {
  return site === '' ? NO_VALUE : named(site);
}

const PLOT = { width: 600, height: 48 };

/** One bar for each step, as high as the devices down at once beside the most of all sites. */
function plot(outages: SiteOutages, top: number): HtmlText {
  const { counts, most } = outages;
  const width = PLOT.width / counts.length;
  const bars = counts.flatMap((count, step) => {
    if (count === 0) return [];
    const height = (count / Math.max(1, top)) * PLOT.height;
    const at = { x: (step * width).toFixed(2), y: (PLOT.height - height).toFixed(2) };
    return [`M${at.x} ${PLOT.height}V${at.y}h${Math.max(1, width).toFixed(2)}V${PLOT.height}z`];
  });
  const label = `${outages.site}: ${FORECAST_COLUMNS.most} ${grouped(most)}`;
  const number = markup`<span class="number">${htmlText(grouped(most))}</span>`;
  const box = htmlText(`0 0 ${PLOT.width} ${PLOT.height}`);
  const path = markup`<path class="fill wait" d="${htmlText(bars.join(''))}"/>`;
  const shape = markup`viewBox="${box}" preserveAspectRatio="none"`;
  return markup`<figure><figcaption>${siteName(outages)} ${number}</figcaption>
<svg ${shape} role="img" aria-label="${htmlText(label)}">${path}</svg></figure>
`;
}

/** What this page has beside the family's style. */
export const PLOT_STYLE = `.plots{display:grid;gap:1rem 1.5rem;margin:0 0 1.25rem;
grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr))}
.plots figure{margin:0;min-width:0}
.plots figcaption{font-size:.86rem;overflow-wrap:anywhere}
.plots svg{display:block;width:100%;height:3rem;background:var(--sunk);border-bottom:1px solid var(--line)}`;
