import { getOrAdd } from '../../lib/maps.ts';
import {
  ALERTS,
  MEASURES,
  type FleetReport,
  type MeasureTotal,
  type ReportNotice,
  type ReportRow,
} from '../../model/report/fleet-report.ts';
import {
  BARS,
  data,
  numbers,
  own,
  say,
  sentence,
  small,
  texts,
  told,
  type Block,
  type Inlines,
  type Item,
  type Tone,
} from '../tree.ts';
import {
  ALERT_WORDS,
  availabilityBasis,
  FLEET_WORDS,
  limitWords,
  MEASURE_WORDS,
  noticeWords,
  placesLeftWords,
  shareWords,
  sourceWords,
  STATE_WORDS,
  TOTAL_WORDS,
} from '../words/fleet/fleet-words.ts';
import { moment, momentText } from '../words/moment.ts';
import { counted, grouped, findWord } from '../words/phrase.ts';
import { reportSentence } from '../words/review/all-clear.ts';
import { availabilityTable, cveBlocks, number, undecidedTexts } from './fleet-report.ts';
import { siteLink } from './sites.ts';

/** How many sites or places have a row of their own. */
const NAMED = 25;

/** How many alerts of one kind are listed. */
const LISTED = 20;

/** How devices count, in the order of a bar, and its colors. */
const PARTS = ['good', 'bad', 'open', 'unknown'] as const;
const TONES = { good: 'run', bad: 'bad', open: 'open', unknown: 'calm' } as const;

/** `400 devices, 78 alerts`. */
export function fleetSentence({ devices, alerts }: FleetReport): string {
  return `${counted(devices.length, 'device')}, ${counted(alerts.length, 'alert')}`;
}

/** The head of the page of a fleet: its subject, its measures, and what to know of its sources. */
export function fleetHeadBlocks(report: FleetReport): readonly Block[] {
  const { organization, evaluatedAt, situation, notices } = report;
  const owner = organization === null ? [] : say` for ${organization}`;
  return [
    small(say`Fleet report${owner}, ${own(moment(evaluatedAt))}`),
    { is: 'title', text: own(`${fleetSentence(report)}.`) },
    ...(situation ? [sentence(own(reportSentence(situation, evaluatedAt)))] : []),
    measureTable(report),
    small(own(FLEET_WORDS.shareOf)),
    ...(notices.length > 0
      ? [{ is: 'list', tone: 'wait', items: notices.map(noticeItem) } as const]
      : []),
  ];
}

/** The parts of the page that need no script. */
export function fleetBlocks(report: FleetReport): readonly Block[] {
  const { alerts } = report;
  const folds = ALERTS.flatMap((kind) =>
    alertFold(
      kind,
      alerts.filter(({ alert }) => alert === kind),
    ),
  );
  const none = sentence(own(FLEET_WORDS.none));
  const blocks = [...(alerts.length === 0 ? [none] : folds), ...undecidedTexts(report).map(small)];
  return [
    section('alerts', 'Alerts', blocks, alerts.length),
    ...availabilityBlocks(report),
    ...siteBlocks(report),
    ...cveBlocks(report),
    ...endBlocks(report),
  ];
}

/** What the numbers come from, and the limits in use. */
export function fleetFactBlocks({ sources, limits }: FleetReport): readonly Block[] {
  const facts = [
    ...sources.map((source) => ({
      label: 'Source',
      text: told((sink) => sourceWords(source, sink)),
    })),
    { label: 'Limits', text: own(`\`${limitWords(limits).replaceAll(', ', '`, `')}\``) },
  ];
  return [section('facts', 'About this report', [{ is: 'facts', facts }])];
}

function section(id: string, title: string, blocks: readonly Block[], count?: number): Block {
  return { is: 'section', id, title: own(title), blocks, ...(count !== undefined && { count }) };
}

/** A text from outside; nothing for the empty one. */
function name(text: unknown): Inlines {
  return text === undefined || text === null || text === '' ? [] : [data(String(text))];
}

const NOT_KNOWN = own('–');

/** A notice; its next step, if it has one, on a line of its own. */
function noticeItem(notice: ReportNotice): Item {
  const part = (n: 0 | 1): Inlines =>
    told((sink) => noticeWords(notice, sink).split(' next: ')[n] ?? '');
  const next = part(1);
  return { text: part(0), ...(next.length > 0 && { next }) };
}

/** Every measure of the whole fleet: a bar and its numbers. */
function measureTable({ totals }: FleetReport): Block {
  return {
    is: 'table',
    label: 'Measures',
    kind: 'measures',
    legend: PARTS.map((part) => ({ kind: TONES[part], text: TOTAL_WORDS[part] })),
    columns: [
      ...texts('Measure'),
      BARS,
      ...numbers(...[...PARTS, 'share' as const].map((part) => TOTAL_WORDS[part])),
    ],
    rows: totals
      .filter(({ site }) => site === null)
      .map((total) => ({
        cells: [
          own(MEASURE_WORDS[total.measure]),
          [],
          ...PARTS.map((part) => number(total[part])),
          own(shareWords(total) ?? '–'),
        ],
        bar: PARTS.map((part) => ({
          tone: TONES[part],
          share: total[part] / Math.max(1, total.devices),
        })),
      })),
  };
}

function alertFold(kind: (typeof ALERTS)[number], rows: readonly ReportRow[]): readonly Block[] {
  if (rows.length === 0) return [];
  const title = `${ALERT_WORDS[kind].charAt(0).toUpperCase()}${ALERT_WORDS[kind].slice(1)}`;
  const left = rows.length - LISTED;
  const more = `${grouped(left)} more: \`fleetform report alerts --format csv\` lists them.`;
  const table: Block = {
    is: 'table',
    label: title,
    kind: 'alerts',
    columns: texts('Device', 'Site', 'Found', 'Since', 'Limit'),
    rows: rows.slice(0, LISTED).map((row) => ({ cells: alertCells(row) })),
  };
  const blocks = left > 0 ? [table, small(own(more))] : [table];
  return [{ ...section(`alerts-${kind}`, title, blocks, rows.length), isClosed: true } as Block];
}

function alertCells(row: ReportRow): readonly Inlines[] {
  const { since, name: label, device, site, value, limit } = row;
  const found = String(value);
  return [
    name(`${String(label ?? '')} ${String(device)}`.trim()),
    name(site),
    // What an alert found: a state in words, an end as an instant, else as it is.
    name(findWord<string>(STATE_WORDS, found) ?? momentText(found)),
    own(typeof since === 'number' ? moment(since) : ''),
    name(limit),
  ];
}

/** Availability over time as a line, then by site and type, the lowest first. */
export function availabilityBlocks(
  report: Pick<FleetReport, 'availability' | 'sources'>,
): readonly Block[] {
  const { rows, totals } = report.availability;
  const [whole, ...places] = totals;
  if (!whole) return [];
  // Places of which nothing is known come last.
  const valueOf = (total: ReportRow): number => shareOf(total) ?? 101;
  const lowest = places.toSorted((a, b) => valueOf(a) - valueOf(b)).slice(0, NAMED);
  const left = places.length - lowest.length;
  const share = shareOf(whole);
  return [
    section('availability', share === null ? 'Availability' : `Availability: ${share}%`, [
      ...availabilityPlot(rows),
      small(own(availabilityBasis(report))),
      availabilityTable(lowest, report),
      ...(left > 0 ? [small(own(placesLeftWords(left)))] : []),
    ]),
  ];
}

function shareOf(total: ReportRow): number | null {
  const found = total['availability'];
  return typeof found === 'number' ? found : null;
}

/** The share of devices up in each snapshot; at least two are needed for a line. */
function availabilityPlot(rows: readonly ReportRow[]): readonly Block[] {
  const points = sumSnapshots(rows);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first.at === last.at) return [];
  const lowest = Math.min(...points.map(({ percent }) => percent)).toFixed(1);
  const about = `${points.length} snapshots, lowest ${lowest}%`;
  return [
    {
      is: 'plot',
      label: 'Availability over time',
      about: `Devices up in percent, from ${moment(first.at)} to ${moment(last.at)}: ${about}`,
      from: first.at,
      to: last.at,
      groups: [{ title: 'UTC', lanes: [{ name: 'Devices up', about, points }] }],
    },
  ];
}

/** Snapshots in which something is known, in order of time. */
function sumSnapshots(rows: readonly ReportRow[]) {
  const sums = new Map<number, { up: number; down: number }>();
  for (const row of rows) {
    const at = Number(row['takenAt']);
    const sum = getOrAdd(sums, at, () => ({ up: 0, down: 0 }));
    sum.up += Number(row['up']);
    sum.down += Number(row['down']);
  }
  return [...sums]
    .filter(([at, { up, down }]) => at > 0 && up + down > 0)
    .map(([at, { up, down }]) => ({ at, percent: (up / (up + down)) * 100 }));
}

/** The share of every measure at each site; the sites with most bad states first. */
function siteBlocks(report: FleetReport): readonly Block[] {
  const sites = sumSites(report);
  if (sites.length === 0) return [];
  const left = sites.length - NAMED;
  const table: Block = {
    is: 'table',
    label: 'Good devices by site',
    kind: 'sites matrix',
    columns: [
      ...texts('Site'),
      ...numbers('Devices', ...MEASURES.map((measure) => MEASURE_WORDS[measure])),
    ],
    rows: sites.slice(0, NAMED).map(({ site, devices, shares }) => ({
      cells: [
        siteLink(site),
        number(devices),
        ...shares.map((share) => (share === null ? NOT_KNOWN : own(`${share}%`))),
      ],
      tones: [undefined, undefined, ...shares.map(levelOf)],
    })),
  };
  const more = `${grouped(left)} more sites are in the table of devices.`;
  return [section('sites', 'Sites', left > 0 ? [table, small(own(more))] : [table], sites.length)];
}

function levelOf(share: number | null): Tone | undefined {
  if (share === null) return undefined;
  if (share >= 95) return 'run';
  return share >= 80 ? 'wait' : 'bad';
}

interface SiteShares {
  readonly site: string;
  readonly devices: number;
  readonly bad: number;
  readonly shares: readonly (number | null)[];
}

function sumSites({ totals }: FleetReport): readonly SiteShares[] {
  const names = [...new Set(totals.flatMap(({ site }) => site ?? []))];
  const sites = names.map((site) => {
    const here = totals.filter((total) => total.site === site);
    const sums = MEASURES.map((measure) => {
      const all = here.filter((total) => total.measure === measure);
      const sum = (part: keyof Pick<MeasureTotal, 'good' | 'bad' | 'devices'>): number =>
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

const DAY = 24 * 3_600_000;

/** How far away an end is, and its color. */
const STEPS = [
  { words: 'expired', days: 0, tone: 'bad' },
  { words: 'within 30 days', days: 30, tone: 'open' },
  { words: 'within 90 days', days: 90, tone: 'run' },
  { words: 'within 180 days', days: 180, tone: 'run' },
  { words: 'within a year', days: 365, tone: 'run' },
  { words: 'later', days: Infinity, tone: 'run' },
  { words: 'unknown', days: NaN, tone: 'calm' },
] as const;

const ENDS = [
  ['Password', 'passwordExpiresAt'],
  ['SSL certificate', 'sslExpiresAt'],
  ['802.1X certificate', 'dot1xExpiresAt'],
  ['Support', 'supportEndsAt'],
] as const;

/** When passwords, certificates and support end: a bar for each span, and what is not known. */
function endBlocks({ devices, evaluatedAt }: FleetReport): readonly Block[] {
  if (devices.length === 0) return [];
  const counts = ENDS.map(([, field]) => countEnds(devices, field, evaluatedAt));
  const most = Math.max(1, ...counts.flat());
  const tables = ENDS.map(([title], index): Block => ({
    is: 'table',
    label: `${title}, expiry dates`,
    kind: 'ends',
    columns: [...texts(title), BARS, ...numbers('Devices')],
    rows: STEPS.map(({ words, tone }, step) => {
      const count = counts[index]?.[step] ?? 0;
      return { cells: [own(words), [], number(count)], bar: [{ tone, share: count / most }] };
    }),
  }));
  return [section('ends', 'Expiry dates', tables)];
}

function countEnds(rows: readonly ReportRow[], field: string, now: number): readonly number[] {
  const counts = STEPS.map(() => 0);
  for (const row of rows) {
    const endsAt = row[field];
    const step =
      typeof endsAt === 'number'
        ? STEPS.findIndex(({ days }) => endsAt - now <= days * DAY)
        : STEPS.length - 1;
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return counts;
}
