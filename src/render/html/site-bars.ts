import type { Action } from '../../model/plan/change.ts';
import { type HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS } from '../words/terms.ts';
import { named, numberHtml } from './said.ts';
import { fixed } from './summary.ts';

/** How many sites have a bar of their own. */
const NAMED = 25;

const SHOWN = ['run', 'wait', 'skip'] as const satisfies readonly Action[];

interface Site {
  readonly name: string;
  readonly zones: Set<string>;
  readonly counts: Record<(typeof SHOWN)[number], number>;
}

/**
 * How many changes run, wait and are skipped at each site, largest sites first; the rest share one
 * bar.
 */
export function sitesHtml(view: PlanView): HtmlText {
  const sites = countSites(view);
  if (sites.length === 0) return markup``;
  const listed = sites.slice(0, NAMED);
  const most = Math.max(...listed.map(sumCounts));
  const rest = sites.slice(NAMED);
  return markup`<section aria-labelledby="sites-title">
<h2 id="sites-title">Sites <span class="number">${numberHtml(sites.length)}</span></h2>
<div class="wide" role="region" aria-label="Changes by site" tabindex="0"><table class="sites">
<thead><tr><th scope="col">Site</th><th scope="col">Time zone</th><td></td>${SHOWN.map(head)}</tr></thead>
<tbody>${listed.map((site) => row(site, most))}${rest.length > 0 ? restRow(rest) : markup``}</tbody>
</table></div>
</section>`;
}

function head(action: Action): HtmlText {
  return markup`<th scope="col" class="n">${htmlText(ACTION_WORDS[action])}</th>`;
}

function countSites({ classes }: PlanView): readonly Site[] {
  const sites = new Map<string, Site>();
  for (const { action, sites: counted, window } of classes) {
    if (action === 'note') continue;
    for (const { name, count } of counted) {
      const site = sites.get(name) ?? {
        name,
        zones: new Set(),
        counts: { run: 0, wait: 0, skip: 0 },
      };
      site.counts[action] += count;
      if (window?.zone !== undefined) site.zones.add(window.zone);
      sites.set(name, site);
    }
  }
  return [...sites.values()].sort(
    (a, b) => sumCounts(b) - sumCounts(a) || (a.name < b.name ? -1 : 1),
  );
}

function sumCounts({ counts }: Pick<Site, 'counts'>): number {
  return counts.run + counts.wait + counts.skip;
}

function row({ name, zones, counts }: Site, most: number): HtmlText {
  const label = name === '' ? markup`no site` : named(name);
  const link = markup`<a href="#changes" data-show="${htmlData({ site: name })}">${label}</a>`;
  return cells(link, named([...zones].sort().join(', ')), { counts, most });
}

function restRow(rest: readonly Site[]): HtmlText {
  const sum = (action: keyof Site['counts']): number =>
    rest.reduce((total, { counts }) => total + counts[action], 0);
  const counts = { run: sum('run'), wait: sum('wait'), skip: sum('skip') };
  return cells(markup`${numberHtml(rest.length)} more sites`, markup``, { counts, most: 0 });
}

function cells(
  label: HtmlText,
  zone: HtmlText,
  { counts, most }: Pick<Site, 'counts'> & { readonly most: number },
): HtmlText {
  const numbers = SHOWN.map((action) => markup`<td class="n">${numberHtml(counts[action])}</td>`);
  return markup`<tr><th scope="row">${label}</th><td>${zone}</td>
<td class="bar">${most > 0 ? bar(counts, most) : markup``}</td>${numbers}</tr>
`;
}

function bar(counts: Site['counts'], most: number): HtmlText {
  let x = 0;
  const parts = SHOWN.filter((action) => counts[action] > 0).map((action) => {
    const width = Math.max(1.5, (counts[action] / most) * 300);
    const part = markup`<rect class="fill ${htmlText(action)}" x="${fixed(x)}" y="0" width="${fixed(width)}"
height="14"/>`;
    x += width;
    return part;
  });
  return markup`<svg viewBox="0 0 305 14" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}
