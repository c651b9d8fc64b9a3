import type { RunReport } from '../../model/ledger/run-report.ts';
import { countOutcomes, tabulateRun } from '../../model/ledger/run-table.ts';
import type { RequestCounts } from '../../model/ledger/run-requests.ts';
import { RUN_CLASSES, type ClassCounts } from '../../model/ledger/run-sums.ts';
import { addColumns, PLAN_COLUMNS } from '../../model/plan/actor.ts';
import { countCoverage, COVERAGE_COUNTS } from '../../model/plan/coverage.ts';
import type { Instant } from '../../lib/time.ts';

/**
 * A run as an OpenMetrics text: counts alone, never the name of a device, site or policy. Each
 * series is always there, so that a missing one means a missing run; without a report all counts are
 * zero, and the exit code shows the failure.
 */
export function openMetrics(
  report: RunReport | undefined,
  { exit, now }: { readonly exit: number; readonly now: Instant },
): string {
  const { classes, beside } = report ? countOutcomes(report) : NOTHING;
  const columns = addColumns(report ? tabulateRun(report) : []);
  const made: Readonly<Record<string, number>> = { ...NO_REQUESTS, ...report?.requests?.made };
  // Without a reading, and where no earlier one is on record, nothing is known: that is no zero.
  const counts = report?.surveyed && countCoverage(report.surveyed.coverage);
  const lines = [
    ...gauge('run_changes', 'Changes of the plan by outcome', byOutcome(classes)),
    ...gauge(
      'run_columns',
      'Changes by column of the table, as the run leaves them',
      PLAN_COLUMNS.map((name) => [`{column="${name}"}`, columns[name]]),
    ),
    ...gauge('run_beside', 'Tasks outside the plan by outcome', byOutcome(beside)),
    ...gauge('run_attempts', 'Task requests of the run', [['', report?.attempts ?? 0]]),
    ...gauge(
      'run_requests',
      'Requests by purpose',
      Object.entries(made).map(([purpose, count]) => [`{purpose="${purpose}"}`, count]),
    ),
    ...gauge(
      'run_coverage',
      'Devices of the last reading by what is known of them',
      COVERAGE_COUNTS.map((kind) => [`{kind="${kind}"}`, counts?.[kind] ?? Number.NaN]),
    ),
    ...gauge('run_exit_code', 'Exit code of the run', [['', exit]]),
    '# TYPE fleetform_run_end_timestamp_seconds gauge',
    '# UNIT fleetform_run_end_timestamp_seconds seconds',
    '# HELP fleetform_run_end_timestamp_seconds End of the run',
    `fleetform_run_end_timestamp_seconds ${now / 1_000}`,
    '# EOF',
  ];
  return `${lines.join('\n')}\n`;
}

const NOTHING: { readonly classes: ClassCounts; readonly beside: ClassCounts } = {
  classes: {},
  beside: {},
};

const NO_REQUESTS: RequestCounts = {
  tokens: 0,
  lists: 0,
  devices: 0,
  details: 0,
  polls: 0,
  tasks: 0,
};

type Sample = readonly [labels: string, value: number];

function byOutcome(counts: ClassCounts): readonly Sample[] {
  return RUN_CLASSES.map((name) => [`{outcome="${name}"}`, counts[name] ?? 0]);
}

function gauge(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  const full = `fleetform_${name}`;
  return [
    `# TYPE ${full} gauge`,
    `# HELP ${full} ${help}`,
    ...samples.map(([labels, value]) => `${full}${labels} ${value}`),
  ];
}
