import type { RehearsalReport, SiteOutages } from '../../model/report/rehearsal.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlText, markup } from '../sinks/html-sink.ts';
import { moment } from '../words/moment.ts';
import { grouped } from '../words/phrase.ts';
import {
  FORECAST_COLUMNS,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  stepWords,
} from '../words/review/rehearsal-words.ts';
import { pageParagraph, pageSection, pageTable } from './page-head.ts';

/** How many sites have a plot; the table has all. */
const PLOTTED = 24;

/** The devices that tasks keep down at once: a plot for each of the sites with most, and a table of all. */
export function outagesHtml(report: RehearsalReport): HtmlText {
  const { outages, step, from, until } = report;
  const title = REHEARSAL_TITLES.outages;
  if (outages.length === 0)
    return pageSection('outages', title, pageParagraph(REHEARSAL_WORDS.noOutages));
  const top = outages[0]?.most ?? 1;
  const span = `${moment(from)} – ${moment(until)}`;
  const about = markup`<p class="about">${htmlText(stepWords(step))}. ${htmlText(span)}</p>`;
  const plots = outages.slice(0, PLOTTED).map((each) => plot(each, top));
  const { site, most, mostAt } = FORECAST_COLUMNS;
  const rows = outages.map(outageRow);
  const table = pageTable(title, [site, most, mostAt], rows);
  return pageSection('outages', title, markup`${about}<div class="plots">${plots}</div>${table}`);
}

function outageRow(outages: SiteOutages): HtmlText {
  const cells = [grouped(outages.most), moment(outages.mostAt)];
  const shown = cells.map((cell) => markup`<td>${htmlText(cell)}</td>`);
  return markup`<tr class="head"><th scope="row">${siteName(outages)}</th>${shown}</tr>
`;
}

function siteName({ site }: SiteOutages): HtmlText {
  return htmlText(site === '' ? '-' : site);
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
.plots svg{display:block;width:100%;height:3rem;background:var(--sunk);border-bottom:1px solid var(--line)}
.starts.forecast td{white-space:nowrap;overflow-wrap:normal}
.starts.forecast tbody th{white-space:normal;min-width:8rem;padding-top:.35rem}
.starts.forecast tbody tr:not(.head) th{padding-left:1.5rem}
ul.about{margin:0;padding-left:1.1rem}
ul.needs{margin-top:1rem}
ul.needs strong{overflow-wrap:anywhere}`;
