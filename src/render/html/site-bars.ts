import type { Action } from '../../model/plan/change.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { htmlData, htmlText, markup } from '../sinks/html-sink.ts';
import type { PlanView } from '../view/view.ts';
import { ACTION_WORDS } from '../words/terms.ts';
import { countCell, dataTable, NO_CELL, type TableRow } from './data-table.ts';
import { pageSection } from './page-head.ts';
import { named, numberHtml, fixed } from './said.ts';

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
  const rows = listed.map((site) => siteRow(site, most));
  const table = dataTable({
    label: 'Changes by site',
    kind: 'sites',
    columns: [
      { title: 'Site' },
      { title: 'Time zone' },
      { title: '', kind: 'bar' },
      ...SHOWN.map((action) => ({ title: ACTION_WORDS[action], isNumber: true })),
    ],
    rows: rest.length > 0 ? [...rows, restRow(rest)] : rows,
  });
  return pageSection('sites-title', 'Sites', table, numberHtml(sites.length));
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

function siteRow({ name, zones, counts }: Site, most: number): TableRow {
  const label = name === '' ? markup`no site` : named(name);
  const zone = [...zones].sort().join(', ');
  return {
    cells: [
      markup`<a href="#all" data-show="${htmlData({ site: name })}">${label}</a>`,
      zone === '' ? NO_CELL : named(zone),
      bar(counts, most),
      ...SHOWN.map((action) => countCell(counts[action])),
    ],
  };
}

function restRow(rest: readonly Site[]): TableRow {
  const sums = SHOWN.map((action) =>
    countCell(rest.reduce((total, { counts }) => total + counts[action], 0)),
  );
  return { cells: [markup`${numberHtml(rest.length)} more sites`, NO_CELL, NO_CELL, ...sums] };
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
