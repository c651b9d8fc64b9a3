import type { FleetReport, ReportRow, State } from '../../model/report/fleet-report.ts';
import { STATE_WORDS } from '../words/fleet/fleet-words.ts';
import type { ShownColumn } from './format.ts';
import { textSource, type PageTable } from './table-data.ts';

/** The columns after the device; a state is in words. */
const COLUMNS: readonly ShownColumn[] = [
  { name: 'site', title: 'Site', hidden: 'narrow' },
  { name: 'deviceType', title: 'Type', hidden: 'narrow' },
  { name: 'make', title: 'Model', hidden: 'narrow' },
  { name: 'firmwareVersion', title: 'Version', hidden: 'narrow' },
  { name: 'firmwareState', title: 'Firmware' },
  { name: 'vulnerabilityState', title: 'Vulnerability' },
  { name: 'severity', title: 'Severity', hidden: 'narrow' },
  { name: 'lifecycleState', title: 'Lifecycle', hidden: 'narrow' },
  { name: 'passwordState', title: 'Password', hidden: 'narrow' },
  { name: 'sslCertificateState', title: 'SSL', hidden: 'narrow' },
  { name: 'dot1xCertificateState', title: '802.1X', hidden: 'narrow' },
  { name: 'hardeningState', title: 'Hardening', hidden: 'narrow' },
];
const LABELS = COLUMNS.map(({ name, title }) => [name, title] as const);

export function fleetTable({ devices, evaluatedAt }: FleetReport): PageTable<ReportRow> {
  return {
    head: {
      rows: devices.length,
      now: evaluatedAt,
      zone: 'UTC',
      shown: COLUMNS,
      filters: LABELS,
      searched: COLUMNS.map(({ name }) => name),
      sorting: { by: 'device', descending: false },
      details: {
        address: 'device',
        id: [],
        facts: [['device', 'Device'] as const, ...LABELS].map(([name, label]) => ({
          label,
          of: [name],
        })),
      },
      paper: {
        most: 2_000,
        whole: 'Printed: all {view} rows of the table, of {all} devices.',
        cut:
          'Printed: the first {shown} of {view} rows of the table, of {all} devices. Filter the table to print ' +
          'others; fleetform report compliance --format csv and the other reports list every device.',
        groups: [],
        others: '',
      },
      counted: '{shown} of {all} devices',
    },
    words: {
      title: 'All devices',
      count: devices.length,
      otherwise: {
        command: 'fleetform report compliance --format csv',
        says: 'and the other reports list all devices.',
      },
      search: 'names, IDs, sites, models, versions, states',
      row: 'device',
      none: 'The fleet has no devices.',
    },
    deviceOf: (row) => ({ id: textOf(row, 'device'), name: textOf(row, 'name') }),
    sources: COLUMNS.map(({ name }) => textSource(name, (row) => textOf(row, name))),
    instants: [],
  };
}

function textOf(row: ReportRow, name: string): string {
  if (name === 'make') return `${textOf(row, 'vendor')} ${textOf(row, 'model')}`.trim();
  const text = String(row[name] ?? '');
  return name.endsWith('State') ? STATE_WORDS[text as State] : text;
}
