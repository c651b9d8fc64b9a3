import {
  MEASURES,
  type FleetReport,
  type MeasureTotal,
} from '../../../model/report/fleet-report.ts';
import type { HtmlText } from '../../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../../sinks/html-sink.ts';
import { FLEET_WORDS, MEASURE_WORDS, TOTAL_WORDS } from '../../words/fleet/fleet-words.ts';
import { named, numberHtml } from '../said.ts';
import { fixed } from '../summary.ts';

/** How devices count, in the order of a bar. */
const PARTS = ['good', 'bad', 'open', 'unknown'] as const;

/** Every measure of the whole fleet: a bar and its numbers. */
export function measuresHtml({ totals }: FleetReport): HtmlText {
  const whole = totals.filter(({ site }) => site === null);
  const rows = whole.map((total) => {
    const numbers = PARTS.map((part) => markup`<td class="n">${numberHtml(total[part])}</td>`);
    return markup`<tr><th scope="row">${htmlText(MEASURE_WORDS[total.measure])}</th>
<td class="bar">${bar(total)}</td>${numbers}<td class="n">${percentHtml(total.share)}</td></tr>
`;
  });
  const heads = [...PARTS, 'share' as const].map(
    (part) => markup`<th scope="col" class="n">${htmlText(TOTAL_WORDS[part])}</th>`,
  );
  const legend = PARTS.map(
    (part) => markup`<li class="${htmlText(part)}">${htmlText(TOTAL_WORDS[part])}</li>`,
  );
  return markup`<ul class="legend" aria-hidden="true">${legend}</ul>
<div class="wide" role="region" aria-label="Measures" tabindex="0"><table class="measures">
<thead><tr><th scope="col">Measure</th><td></td>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>
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

/** A share in percent; a dash where nothing is known. */
export function percentHtml(share: number | null): HtmlText {
  return htmlText(share === null ? '–' : `${share}%`);
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
  const heads = MEASURES.map(
    (measure) => markup`<th scope="col" class="n">${htmlText(MEASURE_WORDS[measure])}</th>`,
  );
  const rows = sites.slice(0, NAMED).map(({ site, devices, shares }) => {
    const label = site === '' ? htmlText(FLEET_WORDS.noSite) : named(site);
    const link = markup`<a href="#devices" data-show="${htmlData({ site })}">${label}</a>`;
    const cells = shares.map(
      (share) => markup`<td class="n ${htmlText(level(share))}">${percentHtml(share)}</td>`,
    );
    return markup`<tr><th scope="row">${link}</th><td class="n">${numberHtml(devices)}</td>${cells}</tr>
`;
  });
  const left = sites.length - NAMED;
  const more = left > 0 ? markup`<p
class="about basis">${numberHtml(left)} more sites are in the table of devices.</p>` : markup``;
  return markup`<section aria-labelledby="sites-title">
<h2 id="sites-title">Sites <span class="number">${numberHtml(sites.length)}</span></h2>
<div class="wide" role="region" aria-label="Good devices by site" tabindex="0"><table class="sites matrix">
<thead><tr><th scope="col">Site</th><th scope="col" class="n">Devices</th>${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>${more}
</section>`;
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
