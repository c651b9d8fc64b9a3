import type { PolicyForecast, RehearsalReport } from '../../model/report/output.gen.ts';
import {
  data,
  list,
  numbers,
  own,
  phrase,
  say,
  sentence,
  strong,
  texts,
  type Block,
  type Fact,
  type Inlines,
  type Item,
  type TableBlock,
} from '../tree.ts';
import { columnMoment, moment, wallMoment, type PageTime } from '../words/moment.ts';
import type { Instant } from '../../lib/time.ts';
import { counted, fill, grouped } from '../words/phrase.ts';
import { codeLabel } from '../words/reasons.ts';
import {
  ASSUMED_WORDS,
  causeWords,
  durationWords,
  FORECAST_COLUMNS,
  FORECAST_LEGEND,
  outcomeWords,
  REHEARSAL_TITLES,
  REHEARSAL_WORDS,
  stopSteps,
} from '../words/review/rehearsal-words.ts';
import { cellText } from '../words/review/review-words.ts';

/**
 * The report of a rehearsal: what it began with, a line for each policy, its waves and what does not fit,
 * then windows, devices down at once, requests, and what stops.
 */
export function rehearsalBlocks(report: RehearsalReport): readonly Block[] {
  const { policies, from: now, courses, seed } = report;
  const days = Math.ceil((report.until - now) / 86_400_000);
  const span = { days, from: moment(now), courses, seed };
  const items = policies.flatMap((policy) => policyItem(policy, report));
  const { p50, p95, busiestDay } = report.requests;
  const counts = { p50, p95: grouped(p95), day: grouped(busiestDay) };
  const made = own(fill(REHEARSAL_WORDS.requests, counts, String));
  return [
    { is: 'title', text: words('title', span) },
    sentence(own(outcomeWords(policies))),
    { is: 'facts', facts: startFacts(report) },
    ...(policies.length > 0
      ? section('policies', [
          policyTable(policies, { now }),
          sentence(own(FORECAST_LEGEND)),
          ...(items.length > 0 ? [{ is: 'list', items } as const] : []),
        ])
      : []),
    ...faultBlocks(report),
    ...windowBlocks(report),
    ...outageBlocks(report),
    ...section('effort', [list([made, words('runs', { runs: report.runs, tasks: report.tasks })])]),
    ...troubleBlocks(report),
  ];
}

function section(id: keyof typeof REHEARSAL_TITLES, blocks: readonly Block[]): readonly Block[] {
  return [{ is: 'section', id, title: own(REHEARSAL_TITLES[id]), blocks }];
}

/** A sentence; instants and counts are ours, names of windows, policies and scopes are data. */
function words(
  key: keyof typeof REHEARSAL_WORDS,
  params: Readonly<Record<string, string | number>> = {},
): Inlines {
  return phrase(REHEARSAL_WORDS[key], params);
}

function startFacts({ fleet, ledger, durations, assumed, assumesApproval }: RehearsalReport) {
  const { devices, sites, takenAt } = fleet;
  const { records, atWork, inDoubt } = ledger;
  // What was assumed, with counts; empty where nothing was.
  const what = (['passwords', 'certificates', 'targets'] as const)
    .filter((key) => assumed[key] > 0)
    .map((key) => counted(assumed[key], ASSUMED_WORDS[key]))
    .join(', ');
  return [
    { label: 'fleet', text: words('fleet', { devices, sites, takenAt: moment(takenAt) }) },
    ...(records > 0
      ? [{ label: 'ledger', text: words('ledger', { records, atWork, inDoubt }) }]
      : []),
    ...durations.map((each, n) => ({
      label: n === 0 ? 'durations' : '',
      text: own(durationWords(each)),
    })),
    { label: 'assumed', text: what === '' ? words('nothingAssumed') : words('assumed', { what }) },
    ...(assumesApproval ? [{ label: '', text: words('approval') }] : []),
  ] satisfies readonly Fact[];
}

/** The waves of a policy, and what of it does not end well, and why. */
function policyItem(policy: PolicyForecast, report: RehearsalReport): readonly Item[] {
  const { waves, late, blocked, failed, heldBy } = policy;
  if (waves.length < 2 && late + blocked + failed === 0) return [];
  const why = heldBy.map(({ code, count }) => `${grouped(count)} ${codeLabel(code)}`).join(', ');
  const ends = ({ p50, p95 }: PolicyForecast['finish']): Inlines =>
    say`finish p50 ${finishText(p50, { now: report.from })}, p95 ${finishText(p95, { now: report.from })}`;
  return [
    {
      text: [strong([data(policy.policy)])],
      lines: [
        ...waves.map(
          ({ name, devices, finish }) =>
            say`wave ${name}: ${own(counted(devices, 'device'))}; ${ends(finish)}`,
        ),
        ...(failed > 0 ? [words('failed', { failed })] : []),
        ...(blocked > 0 ? [words('blocked', { blocked })] : []),
        ...(late > 0 ? [words('late', { late })] : []),
        ...(late + blocked > 0 ? [own(REHEARSAL_WORDS.why.replace('{why}', why))] : []),
        ...(late > 0 ? [own(causeWords(policy, report))] : []),
      ],
    },
  ];
}

/** Each policy with its finish and its bad ends, without the faults and with them. */
function faultBlocks({ policies, without, from: now }: RehearsalReport): readonly Block[] {
  if (!without) return [];
  const { policy, faults, p50 } = FORECAST_COLUMNS;
  const all = new Set([...policies, ...without.policies].map((each) => each.policy));
  const sides = [
    [FORECAST_COLUMNS.without, without.policies],
    [FORECAST_COLUMNS.with, policies],
  ] as const;
  const rows = [...all].flatMap((address) =>
    sides.map(([name, side]) => {
      const found = side.find((each) => each.policy === address);
      const counts = ENDS.map((name) => found?.[name] ?? 0);
      const ends = finishText(found?.finish.p50, { now });
      return {
        cells: [[data(address)], own(name), ...counts.map((count) => own(cellText(count))), ends],
      };
    }),
  );
  const columns = [
    ...texts(policy, faults),
    ...numbers(...ENDS.map((name) => FORECAST_COLUMNS[name])),
    ...texts(p50),
  ];
  const label = REHEARSAL_TITLES.faults;
  return section('faults', [
    { is: 'table', label, kind: 'forecast', hasAddresses: true, columns, rows },
  ]);
}

function windowBlocks({ windows }: RehearsalReport): readonly Block[] {
  if (windows.length === 0) return [];
  const texts = windows.map(({ window, policy, closedWithWork: times, mostLeft: left }) =>
    words('closed', { window, policy, times, left }),
  );
  return section('windows', [list(texts)]);
}

/** How many sites are drawn, and listed in a terminal; the table of the page has all. */
const DRAWN = 24;

/** The devices that tasks keep down at once: a table of the sites, those with most first, and on a page a plot of them. */
function outageBlocks({ outages, step, from: now, until }: RehearsalReport): readonly Block[] {
  if (outages.length === 0) return section('outages', [sentence(words('noOutages'))]);
  const { site: title, most, mostAt } = FORECAST_COLUMNS;
  const nameOf = (site: string): Inlines => (site === '' ? own('-') : [data(site)]);
  return section('outages', [
    {
      is: 'plot',
      label: REHEARSAL_TITLES.outages,
      about: `${counted(outages.length, 'site')}, from ${moment(now)} to ${moment(until)}. The table below says the same.`,
      from: now,
      to: until,
      step,
      groups: [
        {
          title: 'UTC',
          lanes: outages.slice(0, DRAWN).map(({ site, most: count, counts }) => ({
            name: site === '' ? '-' : site,
            about: `${most} ${grouped(count)}`,
            counts,
          })),
        },
      ],
    },
    {
      is: 'table',
      most: DRAWN,
      noun: 'site',
      label: REHEARSAL_TITLES.outages,
      kind: 'sites',
      columns: [...texts(title), ...numbers(most), ...texts(`${mostAt}, UTC`)],
      rows: outages.map((each) => ({
        cells: [nameOf(each.site), own(grouped(each.most)), own(wallMoment(each.mostAt, { now }))],
      })),
    },
  ]);
}

function troubleBlocks({ stops, ended, courses: all }: RehearsalReport): readonly Block[] {
  if (stops.length + ended.length === 0) return [];
  const texts = [
    ...stops.map(({ scope, courses }) => words('stop', { scope, courses, all })),
    ...ended.map(({ why, runs }) => words('ended', { why, runs })),
  ];
  const steps = stopSteps(stops).map((step) => say`next: ${own(step)}`);
  return section('trouble', [list([...texts, ...steps])]);
}

const ENDS = ['done', 'failed', 'late', 'blocked'] as const;
const COUNTS = ['devices', ...ENDS] as const;

/** A line for each policy: its devices by how they end, and when it finishes. */
function policyTable(policies: readonly PolicyForecast[], page: PageTime): TableBlock {
  const { policy, p50, p95 } = FORECAST_COLUMNS;
  return {
    is: 'table',
    label: REHEARSAL_TITLES.policies,
    kind: 'forecast',
    hasAddresses: true,
    columns: [
      { title: policy },
      ...COUNTS.map((name) => ({ title: FORECAST_COLUMNS[name], isNumber: true })),
      { title: p50 },
      { title: p95 },
    ],
    rows: policies.map((row) => ({
      cells: [
        [data(row.policy)],
        ...COUNTS.map((name) => own(cellText(row[name]))),
        finishText(row.finish.p50, page),
        finishText(row.finish.p95, page),
      ],
    })),
  };
}

/** `24 Nov 01:23` for a column, in the zone that the page names; a dash where it does not finish. */
function finishText(at: Instant | undefined, page: PageTime): Inlines {
  return own(at === undefined ? '-' : columnMoment(at, page));
}
