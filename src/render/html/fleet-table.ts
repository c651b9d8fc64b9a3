import type { FleetReport, ReportRow, State } from '../../model/report/fleet-report.ts';
import { STATE_WORDS } from '../words/fleet/fleet-words.ts';
import { textTable, type TextColumn } from './table-data.ts';

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
