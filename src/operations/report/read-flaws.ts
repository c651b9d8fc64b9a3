import { getOrAdd } from '../../lib/maps.ts';
import { decodeVulnerabilities } from '../../api/decode/vulnerabilities.ts';
import { readValue } from '../../model/fleet/device-read.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { DeviceTable } from '../../model/fleet/snapshot.ts';
import type { ReportNotice } from '../../model/report/fleet-report.ts';
import type { DeviceCase } from '../../report/fleet/device-case.ts';
import { severityRank } from '../../report/fleet/device-states.ts';
import type { Connection } from '../connect.ts';

export interface ReadFlaws {
  readonly flaws: (row: number) => DeviceCase['flaws'];
  readonly notices: readonly ReportNotice[];
}

interface FlawLimits {
  readonly selects: (row: number) => boolean;
  readonly most: number;
  /** The pace of single reads, to say beforehand how long they take. */
  readonly perSecond: number;
}

/** Devices of one vendor, model and version: the service assesses these, so one answer serves them. */
interface Group {
  readonly deviceId: string;
  readonly severity: string;
  devices: number;
  answer?: DeviceCase['flaws'];
}

/**
 * Reads CVEs from one device of each vendor, model and version: the most severe first, then the one
 * with the most devices, at most `most` reads. The rest is not read, and a notice counts it.
 */
export async function readFlaws(
  { client, dialect, onProgress }: Connection,
  devices: DeviceTable,
  { selects, most, perSecond }: FlawLimits,
): Promise<ReadFlaws> {
  const groups = groupDevices(devices, selects);
  const inOrder = [...groups.values()].sort(
    (a, b) => severityRank(a.severity) - severityRank(b.severity) || b.devices - a.devices,
  );
  const chosen = inOrder.slice(0, most);
  const { length: total } = chosen;
  for (const [done, group] of chosen.entries()) {
    onProgress({ type: 'phase', name: 'details', done, total, perSecond });
    const answer = await readValue(client.readRaw('vulnerabilities', group.deviceId));
    group.answer = flawsIn(answer, dialect);
  }
  if (total > 0) onProgress({ type: 'phase', name: 'details', done: total, total, perSecond });
  const left = inOrder.slice(most);
  const counted = left.reduce((sum, group) => sum + group.devices, 0);
  return {
    flaws: (row) => groups.get(groupKey(devices.at(row)))?.answer,
    notices:
      left.length > 0 ? [{ code: 'cvesNotRead', groups: left.length, devices: counted }] : [],
  };
}

/** A bare text is no answer of this endpoint, unless it names a problem of the read. */
function flawsIn(answer: unknown, dialect: Connection['dialect']): DeviceCase['flaws'] {
  if (answer === undefined || answer === 'notFound') return 'notFound';
  if (typeof answer === 'string') return answer === 'forbidden' ? answer : 'unreadable';
  return decodeVulnerabilities(answer, dialect);
}

function groupDevices(devices: DeviceTable, selects: (row: number) => boolean): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (let row = 0; row < devices.length; row += 1) {
    if (!selects(row)) continue;
    const device = devices.at(row);
    const key = groupKey(device);
    const { id, vulnerabilitySeverity: severity = '' } = device;
    const group = getOrAdd(groups, key, () => ({ deviceId: id, severity, devices: 0 }));
    group.devices += 1;
  }
  return groups;
}

/** A device that lacks one of the three is a group of its own. */
function groupKey({ id, vendor, model, firmwareVersion }: Device): string {
  const isKnown = vendor !== undefined && model !== undefined && firmwareVersion !== undefined;
  return JSON.stringify(isKnown ? [vendor, model, firmwareVersion] : [id]);
}
