import type { Action } from '../../model/plan/change.ts';
import { BARS, data, numbers, own, texts, type Block, type Inlines } from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { grouped } from '../words/phrase.ts';
import { ACTION_WORDS } from '../words/terms.ts';

/** How many sites have a row of their own. */
const NAMED = 25;

const SHOWN = ['run', 'wait', 'skip'] as const satisfies readonly Action[];
const TONES = { run: 'run', wait: 'wait', skip: 'calm' } as const;

interface Site {
  readonly name: string;
  readonly zones: Set<string>;
  readonly counts: Record<(typeof SHOWN)[number], number>;
}

/** How many changes run, wait and are skipped at each site, largest sites first; the rest share one row. */
export function siteBlocks(view: PlanView): readonly Block[] {
  const sites = countSites(view);
  if (sites.length === 0) return [];
  const most = Math.max(...sites.map(sumOf));
  const rest = sites.slice(NAMED);
  const rows = sites.slice(0, NAMED).map(({ name, zones, counts }) => ({
    cells: [
      siteLink(name),
      [...zones].length === 0 ? [] : [data([...zones].sort().join(', '))],
      [],
      ...SHOWN.map((action) => own(grouped(counts[action]))),
    ],
    bar: SHOWN.map((action) => ({ tone: TONES[action], share: counts[action] / most })),
  }));
  const others = SHOWN.map((action) => rest.reduce((sum, { counts }) => sum + counts[action], 0));
  const left = {
    cells: [
      own(`${grouped(rest.length)} more sites`),
      [],
      [],
      ...others.map((count) => own(grouped(count))),
    ],
  };
  return [
    {
      is: 'section',
      id: 'sites',
      title: own('Sites'),
      count: sites.length,
      blocks: [
        {
          is: 'table',
          label: 'Changes by site',
          kind: 'sites',
          columns: [
            ...texts('Site', 'Time zone'),
            BARS,
            ...numbers(...SHOWN.map((action) => ACTION_WORDS[action])),
          ],
          rows: rest.length > 0 ? [...rows, left] : rows,
        },
      ],
    },
  ];
}

/** The name of a site, which leads to its rows in the table of a page. */
export function siteLink(name: string): Inlines {
  return [{ is: 'link', show: { site: name }, parts: name === '' ? own('no site') : [data(name)] }];
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
  return [...sites.values()].sort((a, b) => sumOf(b) - sumOf(a) || (a.name < b.name ? -1 : 1));
}

function sumOf({ counts }: Pick<Site, 'counts'>): number {
  return counts.run + counts.wait + counts.skip;
}
