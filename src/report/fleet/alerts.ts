import { compareVersions } from '../../lib/version-order.ts';
import { formatDuration, formatInstant } from '../../lib/time.ts';
import { isUnreadable } from '../../model/fleet/unreadable.ts';
import {
  ALERTS,
  UNKNOWNS,
  type AlertName,
  type ReportLimits,
  type ReportRow,
  type State,
} from '../../model/report/fleet-report.ts';
import type { DeviceCase } from './device-case.ts';
import { severityRank } from './device-states.ts';

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
export function openAlerts(limits: ReportLimits, names: readonly AlertName[]): AlertBook {
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
