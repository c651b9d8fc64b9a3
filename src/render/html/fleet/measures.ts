import {
  MEASURES,
  type FleetReport,
  type MeasureTotal,
} from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../../sinks/html-sink.ts';
import {
  FLEET_WORDS,
  MEASURE_WORDS,
  shareWords,
  TOTAL_WORDS,
} from '../../words/fleet/fleet-words.ts';
import { countCell, dataTable, NO_VALUE } from '../data-table.ts';
import { pageSection } from '../page-head.ts';
import { named, numberHtml, fixed } from '../said.ts';

/** How devices count, in the order of a bar. */
const PARTS = ['good', 'bad', 'open', 'unknown'] as const;

/** Every measure of the whole fleet: a bar and its numbers. */
export function measuresHtml({ totals }: FleetReport): HtmlText {
  const whole = totals.filter(({ site }) => site === null);
  const legend = PARTS.map(
    (part) => markup`<li class="${htmlText(part)}">${htmlText(TOTAL_WORDS[part])}</li>`,
  );
  const table = dataTable({
    label: 'Measures',
    kind: 'measures',
    columns: [
      { title: 'Measure' },
      { title: '', kind: 'bar' },
      ...[...PARTS, 'share' as const].map((part) => ({
        title: TOTAL_WORDS[part],
        isNumber: true,
      })),
    ],
    rows: whole.map((total) => ({
      cells: [
        htmlText(MEASURE_WORDS[total.measure]),
        bar(total),
        ...PARTS.map((part) => countCell(total[part])),
        shareHtml(total),
      ],
    })),
  });
  return markup`<ul class="legend" aria-hidden="true">${legend}</ul>
${table}
<p class="about basis">${htmlText(FLEET_WORDS.shareOf)}</p>`;
}

function bar(total: MeasureTotal): HtmlText {
  let x = 0;
  const parts = PARTS.filter((part) => total[part] > 0).map((part) => {
    const width = (total[part] / Math.max(1, total.devices)) * 300;
    const rect = markup`<rect class="fill ${htmlText(part)}" x="${fixed(x)}" y="0"
width="${fixed(Math.max(1, width))}" height="14"/>`;
    x += width;
    return rect;
  });
  return markup`<svg viewBox="0 0 300 14" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

/** A share, and of how many devices; a dash where nothing is known. */
function shareHtml(total: MeasureTotal): HtmlText {
  const words = shareWords(total);
  return words === undefined ? NO_VALUE : htmlText(words);
}

/** A share in percent; a dash where nothing is known. */
export function percentHtml(share: number | null): HtmlText {
  return share === null ? NO_VALUE : htmlText(`${share}%`);
}

/** How many sites have a row of their own. */
const NAMED = 25;

interface SiteShares {
  readonly site: string;
  readonly devices: number;
  readonly bad: number;
  readonly shares: readonly (number | null)[];
}

/** The share of every measure at each site; the sites with most bad states first. */
export function sitesMatrix(report: FleetReport): HtmlText {
  const sites = sumSites(report);
  if (sites.length === 0) return markup``;
  const rows = sites.slice(0, NAMED).map(({ site, devices, shares }) => {
    const label = site === '' ? htmlText(FLEET_WORDS.noSite) : named(site);
    const link = markup`<a href="#all" data-show="${htmlData({ site })}">${label}</a>`;
    const cells = shares.map((share) => ({ html: percentHtml(share), kind: level(share) }));
    return { cells: [link, countCell(devices), ...cells] };
  });
  const table = dataTable({
    label: 'Good devices by site',
    kind: 'sites matrix',
    columns: [
      { title: 'Site' },
      { title: 'Devices', isNumber: true },
      ...MEASURES.map((measure) => ({ title: MEASURE_WORDS[measure], isNumber: true })),
    ],
    rows,
  });
  const left = sites.length - NAMED;
  const more =
    left > 0
      ? markup`<p
class="about basis">${numberHtml(left)} more sites are in the table of devices.</p>`
      : markup``;
  const body = markup`${table}${more}`;
  return pageSection('sites-title', 'Sites', body, numberHtml(sites.length));
}

function level(share: number | null): string {
  if (share === null) return 'open';
  if (share >= 95) return 'high';
  return share >= 80 ? 'middle' : 'low';
}

function sumSites({ totals }: FleetReport): readonly SiteShares[] {
  const names = [...new Set(totals.flatMap(({ site }) => site ?? []))];
  const sites = names.map((site) => {
    const own = totals.filter((total) => total.site === site);
    const sums = MEASURES.map((measure) => {
      const all = own.filter((total) => total.measure === measure);
      const sum = (part: 'good' | 'bad' | 'devices'): number =>
        all.reduce((count, total) => count + total[part], 0);
      return { good: sum('good'), bad: sum('bad'), devices: sum('devices') };
    });
    const shares = sums.map(({ good, bad }) =>
      good + bad === 0 ? null : Math.floor((good * 1_000) / (good + bad)) / 10,
    );
    const bad = sums.reduce((count, each) => count + each.bad, 0);
    return { site, devices: sums[0]?.devices ?? 0, bad, shares };
  });
  return sites.sort((a, b) => b.bad - a.bad || (a.site < b.site ? -1 : 1));
}
