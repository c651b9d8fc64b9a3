import { exitOfReading, findAllClear } from '../../model/report/all-clear.ts';
import {
  ALERTS,
  CVE_READS,
  DEFAULT_LIMITS,
  REPORTS,
  SEVERITIES,
  type FleetReport,
  type ReportName,
} from '../../model/report/fleet-report.ts';
import { EXIT } from '../../shell/exit.ts';
import { cellWidth, printBlocks } from '../../shell/output.ts';
import type { Shell } from '../../shell/shell.ts';
import { command, type Flag, type FlagsOf } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import { collect, splitNames, toChoice, toCount } from '../program/flags.ts';

const FLAGS = {
  ...flag.CONNECTION,
  ...flag.FLEETS,
  ...flag.reading(),
  report: {
    ...flag.argument('[REPORT]', REPORTS.join(', '), REPORTS),
    default: 'overview',
  } as Flag<ReportName>,
  snapshot: flag.option(
    'FILE',
    'Use saved snapshots instead of the service (repeatable)',
    collect,
    {
      default: [],
      group: flag.INPUT,
    },
  ),
  maxCveReads: flag.option('N', 'Devices to read for CVEs, one per model and version', toCount, {
    default: CVE_READS,
    group: flag.INPUT,
  }),
  saveSnapshot: flag.saveSnapshot,
  all: flag.all,
  format: flag.formats('table', 'csv', 'json', 'ndjson', 'html'),
  ...flag.under('Rows:', {
    select: flag.text('SELECTOR', 'Only devices that this selector matches'),
  }),
  ...flag.under('Limits:', {
    within: flag.duration('An end within this time is soon', DEFAULT_LIMITS.within),
    hardenedAge: flag.duration('Hardening is outdated after this time', DEFAULT_LIMITS.hardenedAge),
    offlineFor: flag.duration('Offline for longer is an alert', DEFAULT_LIMITS.offlineFor),
    severity: flag.oneOf('SEVERITY', 'Lowest severity of an alert', SEVERITIES, {
      default: DEFAULT_LIMITS.severity,
    }),
    maxGap: flag.duration('A state holds for at most this time', DEFAULT_LIMITS.maxGap),
    alert: flag.option('NAMES', 'Only these alerts, separated by commas', collectAlerts),
  }),
};

type Alert = (typeof ALERTS)[number];

function collectAlerts(names: string, before: readonly Alert[] = []): readonly Alert[] {
  return [...before, ...splitNames(names).map(toChoice(ALERTS))];
}

type ReportFlags = FlagsOf<typeof FLAGS>;

/** Reports that show CVEs; for the others none is read. */
const CVE_REPORTS: readonly ReportName[] = ['overview', 'vulnerabilities', 'alerts'];

/**
 * Prints one report of the fleet, from snapshot files or a reading of the service. Returns 2 for
 * `alerts` where there are any, and the exit code of a reading that nobody can rely on (semantics M31), else 0.
 */
export const report = command({
  name: 'report',
  summary: 'Report availability and compliance',
  more: `Exits with 2 if \`alerts\` finds any: ${ALERTS.join(', ')}.`,
  examples: [
    'report --snapshot fleet.snapshot',
    "report compliance --select 'site: HQ*' --format csv",
    'report availability --snapshot mon.snapshot --snapshot tue.snapshot',
    'report alerts --within 14d',
    'report --format html --snapshot fleet.snapshot',
  ],
  flags: FLAGS,
  async run(flags, shell) {
    const { alert: names = [], within, hardenedAge, offlineFor, severity, maxGap } = flags;
    const { reportFleet } = await import('../../operations/report/read-report.ts');
    const readsCves = flags.format === 'html' || CVE_REPORTS.includes(flags.report);
    const made = await reportFleet(shell, {
      ...flags,
      isUnplanned: flags.report === 'availability' && flags.format !== 'html',
      maxCveReads: readsCves ? flags.maxCveReads : 0,
      limits: { within, hardenedAge, offlineFor, severity, maxGap },
      alerts: ALERTS.filter((name) => names.length === 0 || names.includes(name)),
    });
    if (made.situation) shell.judged?.(made.situation);
    for await (const piece of renderReport(made, flags, shell)) shell.out.write(piece);
    const exit = made.situation ? exitOfReading(findAllClear(made.situation)) : EXIT.done;
    if (exit !== EXIT.done) return exit;
    return flags.report === 'alerts' && made.alerts.length > 0 ? EXIT.changes : EXIT.done;
  },
});

async function* renderReport(
  made: FleetReport,
  { report: name, format, all = false }: ReportFlags,
  shell: Shell,
): AsyncGenerator<string> {
  if (format === 'table') {
    const { reportBlocks } = await import('../../render/outputs/fleet-report.ts');
    const { FLEET_WORDS } = await import('../../render/words/fleet/fleet-words.ts');
    const style = { cells: cellWidth(shell.out, shell.env), allBy: `: ${FLEET_WORDS.allBy}` };
    return printBlocks(shell, reportBlocks(made, name), all, style);
  }
  if (format === 'html') {
    const { fleetHtml } = await import('../../render/html/pages.ts');
    for (const piece of fleetHtml(made)) yield `${piece}\n`;
    return;
  }
  const rows = await import('../../render/data/fleet-rows.ts');
  const csv = (...of: Parameters<typeof rows.reportNdjson>) => rows.reportCsv(...of, shell.fleet);
  const printers = { csv, json: rows.reportJson, ndjson: rows.reportNdjson };
  yield* gather(printers[format](made, name));
}

/** Pieces joined to some 64 KB, so that a large report is not written line by line. */
function* gather(pieces: Iterable<string>): Generator<string> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < LARGE) continue;
    yield text;
    text = '';
  }
  yield text;
}

const LARGE = 65_536;
