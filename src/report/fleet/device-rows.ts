import type { Snapshot } from '../../model/fleet/snapshot.ts';
import type { PolicyResult, PolicySubject } from '../../model/report/policy-result.ts';
import type {
  AlertName,
  FleetReport,
  ReportLimits,
  ReportRow,
} from '../../model/report/fleet-report.ts';
import type { Instant } from '../../lib/time.ts';
import { openAlerts } from './alerts.ts';
import { siteNames } from './availability.ts';
import type { DeviceCase, DeviceFlaw } from './device-case.ts';
import { passwordCells, securityCells, sslCells } from './credential-states.ts';
import { firmwareCells, lifecycleCells, vulnerabilityCells } from './device-states.ts';
import { sumCves, sumMeasures } from './totals.ts';

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
