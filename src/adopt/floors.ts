import { compareTexts } from '../lib/text-order.ts';
import { compareVersions, hasOrder, isExactVersion } from '../lib/version-order.ts';
import { getOrAdd } from '../lib/maps.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import { isUnreadable, undecidedBy } from '../model/fleet/unreadable.ts';
import type { AdoptedEntry } from '../model/report/adoption.ts';
import type { EntryNames } from './entry-names.ts';
import type { LeftOut } from './left-out.ts';
import { isListable, isLiteral, listedGroups, namesIn } from './listed-groups.ts';

/** Below what a person writes without a priority, so that a new policy wins. */
export const PRIORITY = 100;

/** Whether existing policies decide about these devices already, with its notice; an imported one would be idle, or tie. */
export type IsCovered = (rows: readonly number[]) => boolean;

export interface FloorInput {
  readonly devices: DeviceTable;
  readonly windows: string;
  readonly isCovered: IsCovered;
  readonly names: EntryNames;
  readonly groupNames: EntryNames;
  readonly leftOut: LeftOut;
}

/** Devices of one vendor and type. */
interface Kin {
  readonly vendor: string | undefined;
  readonly deviceType: string | undefined;
  readonly versions: Map<string, number>;
  /** On so many the service offers the task. */
  offered: number;
  /** A plan would ask a person about them, so that the policy leaves them out. */
  readonly odd: number[];
  readonly rows: number[];
}

/**
 * One floor for each vendor and type of device: the lowest version found, so that a plan starts nothing
 * (semantics F12). None for a single device, for versions without an order, or where no device offers the task.
 */
export function floors(input: FloorInput): readonly AdoptedEntry[] {
  const { devices, groupNames } = input;
  const { kins, strays } = kinsOf(input);
  const excluded = new Set<number>();
  const groupName = 'firmware-left-out';
  const policies = kins.flatMap((kin) => {
    const odd = [...kin.odd, ...strays.filter((row) => mayBe(kin, devices, row))];
    const found = floorOf(kin, odd, input);
    if (found) for (const row of odd) excluded.add(row);
    return found ? [{ ...found, isWhole: odd.length === 0 }] : [];
  });
  const groups = listedGroups(devices, excluded, { names: groupNames, name: groupName });
  const not = { group: namesIn(groups) };
  return [
    ...groups,
    ...policies.map(
      ({ kin: { vendor = '', deviceType = '' }, minVersion, isWhole }): AdoptedEntry => {
        const select = { vendor, deviceType, ...(!isWhole && { not }) };
        const name = input.names.claim(
          vendor,
          deviceType === 'other' ? deviceType : `${deviceType}s`,
        );
        const fields = { select, minVersion, priority: PRIORITY, windows: input.windows };
        return { section: 'firmware', name, fields };
      },
    ),
  ];
}

/** The devices by vendor and type, in the order of their names; apart those of which one of the two was not understood. */
function kinsOf({ devices, leftOut }: FloorInput): {
  readonly kins: readonly Kin[];
  readonly strays: readonly number[];
} {
  const kins = new Map<string, Kin>();
  const strays: number[] = [];
  for (let row = 0; row < devices.length; row += 1) {
    const device = devices.at(row);
    const { vendor, deviceType, firmwareVersion, available } = device;
    const field = undecidedBy(device, ['firmwareVersion', 'available.upgradeFirmware']);
    if (field !== undefined) leftOut.unreadable('firmware', field);
    if (isUnreadable(device, 'vendor', 'deviceType')) {
      strays.push(row);
      continue;
    }
    const key = JSON.stringify([vendor, deviceType]);
    const kin: Kin = getOrAdd(kins, key, () => ({
      vendor,
      deviceType,
      versions: new Map(),
      offered: 0,
      odd: [],
      rows: [],
    }));
    kin.rows.push(row);
    if (available.upgradeFirmware === true) kin.offered += 1;
    if (field === undefined && firmwareVersion !== undefined)
      kin.versions.set(firmwareVersion, (kin.versions.get(firmwareVersion) ?? 0) + 1);
    else {
      kin.odd.push(row);
      if (field === undefined) leftOut.add('firmware', 'noVersion', 1);
    }
  }
  const ordered = [...kins].toSorted(([a], [b]) => compareTexts(a, b));
  return { kins: ordered.map(([, kin]) => kin), strays };
}

/** Whether the policy of these might select a device of which the vendor or the type was not understood. */
function mayBe({ vendor, deviceType }: Kin, devices: DeviceTable, row: number): boolean {
  const device = devices.at(row);
  return (
    (isUnreadable(device, 'vendor') || device.vendor === vendor) &&
    (isUnreadable(device, 'deviceType') || device.deviceType === deviceType)
  );
}

interface Floor {
  readonly kin: Kin;
  readonly minVersion: string;
}

/** The floor of these devices; undefined without one, which is counted. */
function floorOf(
  kin: Kin,
  odd: readonly number[],
  { devices, isCovered, leftOut }: FloorInput,
): Floor | undefined {
  const { vendor, deviceType, versions, offered, rows } = kin;
  if (isCovered(rows)) return undefined;
  const count = [...versions.values()].reduce((sum, each) => sum + each, 0);
  const minVersion = lowest(vendor, [...versions.keys()]);
  const isWritable =
    isLiteral(vendor) && isLiteral(deviceType) && odd.every((row) => isListable(devices.idAt(row)));
  const isExact = minVersion === undefined || isExactVersion(minVersion);
  if (offered === 0) leftOut.add('firmware', 'notOffered', count);
  else if (!isWritable || !isExact) leftOut.add('firmware', 'notExpressible', count);
  else if (count === 1) leftOut.add('firmware', 'single', count, vendor);
  else if (minVersion === undefined) leftOut.add('firmware', 'noOrder', count, vendor);
  else return { kin, minVersion };
  return undefined;
}

/** The version that is surely no newer than each other one; undefined if none is, or if they have no order. */
function lowest(vendor: string | undefined, versions: readonly string[]): string | undefined {
  const [first, ...others] = versions.toSorted(compareTexts);
  if (first === undefined) return undefined;
  const order = (a: string, b: string) => compareVersions(vendor, a, b);
  const low = others.reduce((best, each) => ((order(each, best) ?? 0) < 0 ? each : best), first);
  const isSure = hasOrder(vendor, low) && versions.every((each) => (order(each, low) ?? -1) >= 0);
  return isSure ? low : undefined;
}
