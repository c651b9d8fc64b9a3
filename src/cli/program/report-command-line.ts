import { Argument, Option, type Command } from 'commander';
import {
  ALERTS,
  CVE_READS,
  DEFAULT_LIMITS,
  REPORTS,
  SEVERITIES,
  type ReportName,
} from '../../model/report/fleet-report.ts';
import type { Shell } from '../../shell/shell.ts';
import { collect, splitNames, toChoice, toCount, toDuration } from './arguments.ts';
import { addCommand, SERVICE_VARIABLES, type OnExit } from './help.ts';
import {
  allOption,
  FLAG_GROUPS,
  formatOption,
  saveSnapshotOption,
  withConnectionOptions,
  withReadingOptions,
} from './options.ts';

const REPORT_FORMATS = ['table', 'csv', 'json', 'ndjson', 'html'];

/** Adds `report`. */
export function addReport(program: Command, shell: Shell, onExit: OnExit): void {
  const command = addCommand(program, 'report', {
    summary: 'Report availability, compliance, lifecycle and alerts',
    more: `Exits with 2 if \`alerts\` finds any: ${ALERTS.join(', ')}.`,
    examples: [
      'report --snapshot fleet.snapshot',
      "report compliance --select 'site: HQ*' --format csv",
      'report availability --snapshot mon.snapshot --snapshot tue.snapshot',
      'report alerts --within 14d',
      'report --format html --snapshot fleet.snapshot',
    ],
    environment: SERVICE_VARIABLES,
  });
  const name = new Argument('[REPORT]', REPORTS.join(', ')).choices(REPORTS);
  withReadingOptions(withConnectionOptions(command))
    .addArgument(name.argParser(toChoice(REPORTS)).default('overview'))
    .addOption(
      inputOption(
        '--snapshot <FILE>',
        'Use saved snapshots instead of the service (repeatable)',
        [],
      ),
    )
    .addOption(cveOption())
    .addOption(saveSnapshotOption())
    .addOption(allOption())
    .addOption(formatOption(...REPORT_FORMATS));
  withLimitOptions(command).action(async (report, options) => {
    const { reportCommand } = await import('../commands/report/report-command.ts');
    onExit(await reportCommand({ ...options, report: report as ReportName }, shell));
  });
}

function inputOption(flags: string, about: string, none: readonly string[]): Option {
  return new Option(flags, about).argParser(collect).default(none).helpGroup(FLAG_GROUPS.input);
}

function cveOption(): Option {
  const about = 'Devices to read for CVEs, one per model and version';
  const option = new Option('--max-cve-reads <N>', about).argParser(toCount);
  return option.default(CVE_READS).helpGroup(FLAG_GROUPS.input);
}

/** Adds what selects devices, and the limits; each has a printed default. */
function withLimitOptions(command: Command): Command {
  const { within, hardenedAge, offlineFor, severity, maxGap } = DEFAULT_LIMITS;
  const duration = (flags: string, about: string, value: string): Option =>
    new Option(`${flags} <DURATION>`, about).argParser(toDuration).default(value);
  const words = new Option('--severity <SEVERITY>', 'Lowest severity of an alert');
  const options = [
    duration('--within', 'An end within this time is soon', within),
    duration('--hardened-age', 'Hardening is outdated after this time', hardenedAge),
    duration('--offline-for', 'Offline for longer is an alert', offlineFor),
    words.choices(SEVERITIES).default(severity),
    duration('--max-gap', 'A state holds for at most this time', maxGap),
    new Option('--alert <NAMES>', 'Only these alerts, separated by commas').argParser((text) =>
      splitNames(text).map(toChoice(ALERTS)),
    ),
  ];
  const select = new Option('--select <SELECTOR>', 'Only devices that this selector matches');
  command.addOption(select.helpGroup('Rows:'));
  for (const option of options) command.addOption(option.helpGroup('Limits:'));
  return command;
}
