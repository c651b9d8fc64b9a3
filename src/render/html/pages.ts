import type { Changes } from '../../model/plan/change.ts';
import type { FleetReport, ReportRow, State } from '../../model/report/fleet-report.ts';
import type { RehearsalReport } from '../../model/report/output.gen.ts';
import { auditBlocks } from '../outputs/audit.ts';
import { classBlocks, noteBlocks, removedBlocks } from '../outputs/classes.ts';
import {
  fleetBlocks,
  fleetFactBlocks,
  fleetHeadBlocks,
  fleetSentence,
} from '../outputs/fleet-page.ts';
import { fleetSection, fleetsHead, fleetsSentence, type FleetResults } from '../outputs/fleets.ts';
import { limitBlocks } from '../outputs/guardrails.ts';
import { aboutBlocks, endBlocks, headBlocks } from '../outputs/plan.ts';
import { rehearsalBlocks } from '../outputs/rehearsal.ts';
import { needBlocks, policyBlocks, runBlocks } from '../outputs/review.ts';
import { siteBlocks } from '../outputs/sites.ts';
import { timelineBlocks } from '../outputs/timeline.ts';
import { warningBlocks } from '../outputs/warnings.ts';
import type { HtmlText } from '../sinks/sinks.ts';
import { joined, own, say, sentence, small, strong, type Block, type Inlines } from '../tree.ts';
import { READ_IN_ORDER, type PlanView } from '../view/view.ts';
import { moment, momentText } from '../words/moment.ts';
import { counted, grouped } from '../words/phrase.ts';
import { planSentence } from '../words/review/all-clear.ts';
import { outcomeWords, REHEARSAL_TITLES } from '../words/review/rehearsal-words.ts';
import { OUT_OF_SCOPE } from '../words/review/scope-words.ts';
import { auditTable } from './audit-table.ts';
import { pageHtml } from './page.ts';
import { planTable } from './plan-table.ts';
import { GROUP_LABELS } from '../words/review/review-words.ts';
import { STATE_WORDS } from '../words/fleet/fleet-words.ts';
import { textTable, type TextColumn } from './table-data.ts';

/** A page has everything that a terminal shows with `--all`. */
const WHOLE = { all: true };

/** How many policies are listed. */
const POLICIES = 100;

/** How many lines what starts has. */
const STARTS = 1_000;

/** A plan as one page: what a reviewer needs, then every change in a table. */
export function planHtml(view: PlanView, changes: Changes): Generator<HtmlText> {
  const { base, inputs, evaluatedAt } = view;
  const subject = small(
    say`Plan for ${inputs.service.organization}, ${own(momentText(evaluatedAt))}`,
  );
  const isOutside = base?.scope && !base.scope.passed;
  return pageHtml({
    title: `Plan for ${view.inputs.service.organization}: ${planSentence(view)}`,
    jump: { to: 'all', says: 'To the table of all changes' },
    head: [
      // What apply cannot do and what is paused comes before all else.
      ...headBlocks(view).flatMap((block) => (block.is === 'title' ? [subject, block] : [block])),
      ...(isOutside ? [sentence(own(OUT_OF_SCOPE), 'bad')] : []),
      ...(base ? [groupSentence(base)] : []),
      ...policyBlocks(view, { most: POLICIES }),
    ],
    blocks: [
      ...needBlocks(view),
      ...runBlocks(view, { space: STARTS }),
      ...removedBlocks(view),
      ...limitBlocks(view),
      ...warningBlocks(view, WHOLE),
      ...timelineBlocks(view),
      ...siteBlocks(view),
      ...groupBlocks(view),
    ],
    table: { of: planTable(view, changes.length), rows: changes },
    end: [
      ...noteBlocks(view, WHOLE),
      ...aboutBlocks(view, WHOLE),
      ...endBlocks(view),
      madeBy(view),
    ],
  });
}

/** The groups of a plan with a base, each linked to its changes. */
function groupSentence({ counts }: NonNullable<PlanView['base']>): Block {
  const links = READ_IN_ORDER.map((group): Inlines => {
    const label = GROUP_LABELS[group];
    const parts = say`${strong(own(grouped(counts[group])))} ${own(label.toLowerCase())}`;
    return [{ is: 'link', show: { group: label }, parts }];
  });
  return sentence(joined(links, ' · '));
}

function groupBlocks(view: PlanView): readonly Block[] {
  const blocks = classBlocks(view, {});
  if (blocks.length === 0) return [];
  return [{ is: 'section', id: 'classes', title: own('All changes in groups'), blocks }];
}

function madeBy({ inputs: { tool } }: PlanView): Block {
  return small(/^\d/.test(tool) ? say`Made by fleetform ${tool}.` : say`Made by ${tool}.`);
}

/** All reports of a fleet as one page: totals and plots, then every device in a table. */
export function fleetHtml(report: FleetReport): Generator<HtmlText> {
  const { organization } = report;
  const owner = organization === null ? '' : ` for ${organization}`;
  return pageHtml({
    title: `Fleet report${owner}: ${fleetSentence(report)}`,
    jump: { to: 'all', says: 'To the table of all devices' },
    head: fleetHeadBlocks(report),
    blocks: fleetBlocks(report),
    table: fleetTable(report),
    end: fleetFactBlocks(report),
  });
}

/** The history of a fleet as one page: its runs, then every device of every task in a table. */
export function auditHtml(
  ...[view, raised, about]: Parameters<typeof auditBlocks>
): Generator<HtmlText> {
  const table = auditTable(view, about.now);
  const title = `${counted(table.rows.length, 'outcome')} of ${counted(view.runs.length, 'run')}`;
  return pageHtml({
    title: `Audit: ${title}`,
    jump: { to: 'all', says: 'To the table of all outcomes' },
    head: [{ is: 'title', text: own(`${title}.`) }],
    blocks: auditBlocks(view, raised, { ...about, hasTable: true }),
    table,
  });
}

/** One command for several fleets as one page: the table of all, then what it says of each. */
export function fleetsHtml(results: FleetResults): Generator<HtmlText> {
  const { command, fleets, at } = results;
  return pageHtml({
    title: `${command}: ${fleetsSentence(fleets)}`,
    jump: { to: 'fleets-title', says: 'To each fleet' },
    head: [small(own(`fleetform ${command}, ${moment(at)}`)), ...fleetsHead(results)],
    blocks: [
      { is: 'section', id: 'fleets', title: own('Each fleet'), blocks: fleets.map(fleetSection) },
    ],
  });
}

/** The report of a rehearsal as one page, which needs no script. */
export function rehearsalHtml(report: RehearsalReport): Generator<HtmlText> {
  const [title, ...blocks] = rehearsalBlocks(report);
  return pageHtml({
    title: `Rehearsal: ${outcomeWords(report.policies)}`,
    jump: { to: 'outages-title', says: REHEARSAL_TITLES.outages },
    head: title ? [title] : [],
    blocks,
  });
}

/** The columns after the device; a state is in words. */
const COLUMNS: readonly TextColumn<ReportRow>[] = [
  ['site', 'Site', textOf('site'), 'narrow'],
  ['deviceType', 'Type', textOf('deviceType'), 'narrow'],
  ['make', 'Model', (row) => `${textOf('vendor')(row)} ${textOf('model')(row)}`.trim(), 'narrow'],
  ['firmwareVersion', 'Version', textOf('firmwareVersion'), 'narrow'],
  ['firmwareState', 'Firmware', stateOf('firmwareState')],
  ['vulnerabilityState', 'Vulnerability', stateOf('vulnerabilityState')],
  ['severity', 'Severity', textOf('severity'), 'narrow'],
  ['lifecycleState', 'Lifecycle', stateOf('lifecycleState'), 'narrow'],
  ['passwordState', 'Password', stateOf('passwordState'), 'narrow'],
  ['sslCertificateState', 'SSL', stateOf('sslCertificateState'), 'narrow'],
  ['dot1xCertificateState', '802.1X', stateOf('dot1xCertificateState'), 'narrow'],
  ['hardeningState', 'Hardening', stateOf('hardeningState'), 'narrow'],
];

export function fleetTable({ devices, evaluatedAt }: FleetReport) {
  const table = {
    row: 'device',
    columns: COLUMNS,
    command: 'fleetform report compliance --format csv',
    search: 'names, IDs, sites, models, versions, states',
    deviceOf: (row: ReportRow) => ({ id: textOf('device')(row), name: textOf('name')(row) }),
  };
  return textTable(table, devices, evaluatedAt);
}

function textOf(name: string): (row: ReportRow) => string {
  return (row) => String(row[name] ?? '');
}

function stateOf(name: string): (row: ReportRow) => string {
  return (row) => STATE_WORDS[row[name] as State];
}
