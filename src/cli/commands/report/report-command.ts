import {
  ALERTS,
  type AlertName,
  type FleetReport,
  type ReportLimits,
  type ReportName,
} from '../../../model/report/fleet-report.ts';
import { exitOfReading, findAllClear } from '../../../model/report/all-clear.ts';
import { parseDuration } from '../../../lib/time.ts';
import { reportFleet, type ReportFlags } from '../../../operations/report/read-report.ts';
import { EXIT } from '../../../shell/exit.ts';
import { textStyle } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';

type ReportFormat = 'table' | 'csv' | 'json' | 'ndjson' | 'html';

interface ReportCommandFlags extends Omit<ReportFlags, 'limits' | 'alerts'> {
  readonly report: ReportName;
  readonly format: ReportFormat;
  readonly all?: boolean;
  readonly within: string;
  readonly hardenedAge: string;
  readonly offlineFor: string;
  readonly severity: string;
  readonly maxGap: string;
  readonly alert?: readonly string[];
}

/** Reports that show CVEs; for the others none is read. */
const CVE_REPORTS: readonly ReportName[] = ['overview', 'vulnerabilities', 'alerts'];

/**
 * `fleetform report`: prints one report of the fleet, from snapshot files or a reading of the
 * service. Returns 2 for `alerts` where there are any, and the exit code of a reading that nobody can rely
 * on (semantics M31), else 0.
 */
export async function reportCommand(flags: ReportCommandFlags, shell: Shell): Promise<number> {
  const names = flags.alert ?? [];
  const alerts = names.length > 0 ? ALERTS.filter((name) => names.includes(name)) : ALERTS;
  const report = await reportFleet(shell, {
    ...flags,
    maxCveReads: readsCves(flags) ? flags.maxCveReads : 0,
    limits: parseLimits(flags),
    alerts: alerts as readonly AlertName[],
  });
  for await (const piece of renderReport(report, flags, shell)) shell.out.write(piece);
  const exit = report.situation ? exitOfReading(findAllClear(report.situation)) : EXIT.done;
  if (exit !== EXIT.done) return exit;
  return flags.report === 'alerts' && report.alerts.length > 0 ? EXIT.changes : EXIT.done;
}

function readsCves({ report, format }: ReportCommandFlags): boolean {
  return format === 'html' || CVE_REPORTS.includes(report);
}

function parseLimits(flags: ReportCommandFlags): ReportLimits {
  const ms = (text: string): number => parseDuration(text) ?? 0;
  return {
    within: ms(flags.within),
    hardenedAge: ms(flags.hardenedAge),
    offlineFor: ms(flags.offlineFor),
    severity: flags.severity,
    maxGap: ms(flags.maxGap),
  };
}

async function* renderReport(
  report: FleetReport,
  { report: name, format, all = false }: ReportCommandFlags,
  { out, env }: Shell,
): AsyncGenerator<string> {
  if (format === 'table') {
    const { fleetReportText } = await import('../../../render/text/fleet/report-text.ts');
    const style = textStyle(out, env);
    const cells = out.isTerminal ? style.width : Infinity;
    const lines = fleetReportText(report, name, { ...style, all, cells });
    for (const line of lines) yield `${line}\n`;
    return;
  }
  if (format === 'html') {
    const { fleetHtml } = await import('../../../render/html/fleet/fleet-page.ts');
    for (const piece of fleetHtml(report)) yield `${piece}\n`;
    return;
  }
  const rows = await import('../../../render/data/fleet-rows.ts');
  const printers = { csv: rows.reportCsv, json: rows.reportJson, ndjson: rows.reportNdjson };
  yield* gather(printers[format](report, name));
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
