import { addColumns, findColumn, sumColumns, type PlanColumn } from '../../model/plan/actor.ts';
import { BARS, data, numbers, own, texts, type Block, type Inlines } from '../tree.ts';
import type { PlanView } from '../view/view.ts';
import { cellText, COLUMN_TITLES } from '../words/review/review-words.ts';
import { grouped } from '../words/phrase.ts';
import { shownColumns } from './policy-table.ts';

/** How many sites have a row of their own. */
const NAMED = 25;

const TONES = {
  now: 'run',
  running: 'run',
  later: 'wait',
  person: 'bad',
  done: 'calm',
  out: 'calm',
} as const;

interface Site {
  readonly name: string;
  readonly zones: Set<string>;
  readonly counts: Record<PlanColumn, number>;
}

/** The changes of each site in the columns of a plan, largest sites first; the rest share one row. What is done has no site. */
export function siteBlocks(view: PlanView): readonly Block[] {
  const sites = countSites(view);
  if (sites.length === 0) return [];
  const all = sites.map(({ counts }) => counts);
  const shown = shownColumns(addColumns(all)).filter((column) => column !== 'done');
  const most = Math.max(...all.map(sumColumns));
  const rest = sites.slice(NAMED);
  const cells = (counts: Site['counts']) => shown.map((column) => own(cellText(counts[column])));
  const rows = sites.slice(0, NAMED).map(({ name, zones, counts }) => ({
    cells: [
      siteLink(name),
      [...zones].length === 0 ? [] : [data([...zones].sort().join(', '))],
      [],
      ...cells(counts),
    ],
    bar: shown.map((column) => ({ tone: TONES[column], share: counts[column] / most })),
  }));
  const others = own(`${grouped(rest.length)} more sites`);
  const left = { cells: [others, [], [], ...cells(addColumns(all.slice(NAMED)))] };
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
            ...numbers(...shown.map((column) => COLUMN_TITLES[column])),
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
  for (const { sites: counted, window, ...theClass } of classes) {
    const column = findColumn(theClass);
    for (const { name, count } of counted) {
      const site = sites.get(name) ?? { name, zones: new Set(), counts: { ...addColumns([]) } };
      site.counts[column] += count;
      if (window?.zone !== undefined) site.zones.add(window.zone);
      sites.set(name, site);
    }
  }
  return [...sites.values()].sort(
    (a, b) => sumColumns(b.counts) - sumColumns(a.counts) || (a.name < b.name ? -1 : 1),
  );
}
