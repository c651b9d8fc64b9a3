import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { PolicyResult, PolicySubject } from '../../model/report/policy-result.ts';
import {
  type AlertName,
  type FleetReport,
  type ReportLimits,
  type ReportRow,
  ALERTS,
  UNKNOWNS,
  type State,
} from '../../model/report/fleet-report.ts';
import { type Instant, formatDuration, formatInstant } from '../../lib/time.ts';
import { siteNames } from './availability.ts';
import type { DeviceCase, DeviceFlaw } from './device-case.ts';
import { passwordCells, securityCells, sslCells } from './credential-states.ts';
import {
  firmwareCells,
  lifecycleCells,
  vulnerabilityCells,
  severityRank,
} from './device-states.ts';
import { sumCves, sumMeasures } from './totals.ts';
import { compareVersions } from '../../lib/version-order.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';

export interface RowsInput {
  readonly snapshot: Snapshot;
  readonly selects: (row: number) => boolean;
  /** What the documents say; absent where there are none that hold. */
  readonly results?: (subject: PolicySubject, deviceId: string) => PolicyResult | undefined;
  /** The CVEs of a device, where they were read. */
  readonly flaws: (row: number) => DeviceCase['flaws'];
  readonly now: Instant;
  readonly limits: ReportLimits;
  readonly alerts: readonly AlertName[];
}

export function reportDevices(
  input: RowsInput,
): Pick<FleetReport, 'devices' | 'totals' | 'cves' | 'alerts' | 'undecided'> {
  const { snapshot, results, flaws, ...shared } = input;
  const alerts = openAlerts(input.limits, input.alerts);
  const devices: ReportRow[] = [];
  const flawed: { readonly row: ReportRow; readonly flaws: readonly DeviceFlaw[] }[] = [];
  for (let row = 0; row < snapshot.devices.length; row += 1) {
    if (!input.selects(row)) continue;
    const device = snapshot.devices.at(row);
    const theCase: DeviceCase = {
      ...shared,
      device,
      facts: snapshot.facts(device.id),
      result: (subject) => results?.(subject, device.id),
      hasDocuments: results !== undefined,
      flaws: flaws(row),
    };
    const cells = deviceRow(theCase);
    devices.push(cells);
    alerts.add(theCase, cells);
    if (typeof theCase.flaws === 'object') flawed.push({ row: cells, flaws: theCase.flaws });
  }
  return {
    devices,
    totals: sumMeasures(devices),
    cves: sumCves(flawed),
    alerts: alerts.rows(),
    undecided: alerts.undecided,
  };
}

function deviceRow(theCase: DeviceCase): ReportRow {
  const { id, name, deviceType, vendor, model, ...rest } = theCase.device;
  return {
    device: id,
    name: name ?? null,
    site: siteNames(rest),
    deviceType: deviceType ?? '',
    vendor: vendor ?? null,
    model: model ?? null,
    ...firmwareCells(theCase),
    ...vulnerabilityCells(theCase),
    ...lifecycleCells(theCase),
    ...passwordCells(theCase),
    ...sslCells(theCase),
    ...securityCells(theCase),
  };
}

/** The result of one alert for one device; `undecided` if a value that it needs is not known. */
type Verdict =
  | 'none'
  | 'undecided'
  | { readonly value: string; readonly since: number | null; readonly limit: string | null };

type Check = (theCase: DeviceCase, row: ReportRow, limits: ReportLimits) => Verdict;

const CHECKS: Readonly<Record<AlertName, Check>> = {
  offline,
  vulnerability: fixableVulnerability,
  sslCertificate: ending('sslCertificateState', 'sslExpiresAt'),
  dot1xCertificate: ending('dot1xCertificateState', 'dot1xExpiresAt'),
  password,
  endOfSupport: ending('lifecycleState', 'supportEndsAt'),
};

interface AlertBook {
  add(theCase: DeviceCase, row: ReportRow): void;
  /** By alert, then in the order of the devices. */
  readonly rows: () => readonly ReportRow[];
  readonly undecided: Record<AlertName, number>;
}

/**
 * Gathers alerts. A device under maintenance raises none: planned work is no alarm. A value that is
 * not known raises none either; it is counted as undecided.
 */
function openAlerts(limits: ReportLimits, names: readonly AlertName[]): AlertBook {
  const found = new Map<AlertName, ReportRow[]>(names.map((name) => [name, []]));
  const undecided = Object.fromEntries(ALERTS.map((name) => [name, 0])) as Record<
    AlertName,
    number
  >;
  return {
    add(theCase, row) {
      if (theCase.device.maintenanceMode === true) return;
      for (const [name, rows] of found) {
        const verdict = CHECKS[name](theCase, row, limits);
        if (verdict === 'undecided') undecided[name] += 1;
        else if (verdict !== 'none') rows.push(alertRow(name, row, verdict));
      }
    },
    rows: () => [...found.values()].flat(),
    undecided,
  };
}

function alertRow(alert: AlertName, row: ReportRow, verdict: Exclude<Verdict, string>): ReportRow {
  const { device, name, site, deviceType, vendor, model } = row as Record<string, string | null>;
  const labels = { device, name, site, deviceType, vendor, model };
  return { alert, ...labels, ...verdict } as ReportRow;
}

/** A device that shows no last contact has been offline for an unknown time: that is an alert. */
function offline({ device, now }: DeviceCase, _: ReportRow, { offlineFor }: ReportLimits): Verdict {
  if (isUnreadable(device, 'status', 'maintenanceMode')) return 'undecided';
  if (device.status === undefined || device.status === 'unknown') return 'undecided';
  if (device.status !== 'offline') return 'none';
  const { lastSeen } = device;
  if (lastSeen !== undefined && now - lastSeen < offlineFor) return 'none';
  return { value: 'offline', since: lastSeen ?? null, limit: formatDuration(offlineFor) };
}

function fixableVulnerability(
  { device }: DeviceCase,
  row: ReportRow,
  { severity: least }: ReportLimits,
): Verdict {
  const state = row['vulnerabilityState'] as State;
  if (isUnknown(state)) return 'undecided';
  const severity = row['severity'];
  if (state !== 'vulnerable' || typeof severity !== 'string') return 'none';
  if (severityRank(severity) > severityRank(least)) return 'none';
  const { firmwareVersion, patchedFirmwareVersion: patched, vendor } = device;
  if (patched === undefined) return 'none';
  const order =
    firmwareVersion === undefined ? undefined : compareVersions(vendor, firmwareVersion, patched);
  if (order === undefined) return 'undecided';
  return order < 0 ? { value: `${severity}: ${patched}`, since: null, limit: least } : 'none';
}

/** Something that has ended, or ends soon. */
function ending(stateField: string, endField: string): Check {
  return (_, row, { within }) => {
    const state = row[stateField] as State;
    const endsAt = row[endField];
    const limit = formatDuration(within);
    const since = typeof endsAt === 'number' ? endsAt : null;
    if (state === 'endOfSupport') return { value: state, since, limit: null };
    if (state === 'nonCompliant' || state === 'expired') return { value: state, since, limit };
    if (state === 'expiresSoon')
      return { value: formatInstant(Number(endsAt)), since: null, limit };
    return isUnknown(state) ? 'undecided' : 'none';
  };
}

function password(_: DeviceCase, row: ReportRow, { within }: ReportLimits): Verdict {
  const state = row['passwordState'] as State;
  if (isUnknown(state)) return 'undecided';
  if (state === 'overdue')
    return { value: 'overdue', since: null, limit: String(row['passwordPolicy']) };
  if (state !== 'expired' && state !== 'expiresSoon') return 'none';
  const endsAt = Number(row['passwordExpiresAt']);
  const isOver = state === 'expired';
  return {
    value: isOver ? 'expired' : formatInstant(endsAt),
    since: isOver ? endsAt : null,
    limit: formatDuration(within),
  };
}

function isUnknown(state: State): boolean {
  return (UNKNOWNS as readonly State[]).includes(state);
}
