import type { At } from '../model/documents/source.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import type { Want } from '../model/plan/desired-state.ts';
import type { DeviceClass } from './decide/device-classes.ts';

/** Repeats the decision of a class for one more device of it. */
export type Repeat = (row: number, own: OwnNames) => void;

/** What a device of a class has for itself. */
interface OwnNames {
  readonly id: string;
  readonly name?: string;
}

/** The decisions of classes that a draft has already. */
export interface DraftedClasses {
  /** Repeats the decision about an earlier device of the class; false where this is its first one. */
  repeat(want: Want, deviceClass: DeviceClass): boolean;
  /** Stores how to repeat the decision about a device of the class. */
  learn(want: Want, deviceClass: DeviceClass, repeat: Repeat): void;
}

/** Starts without a decision. Devices of one class that lose to other policies are apart: a change names the losers. */
export function startDraftedClasses(devices: DeviceTable): DraftedClasses {
  const drafted = new Map<DeviceClass, Map<readonly At[] | undefined, Repeat>>();
  const losersIn = ({ losers }: Want, { settled }: DeviceClass): readonly At[] | undefined =>
    settled?.action === 'note' ? undefined : losers;
  return {
    repeat(want, deviceClass) {
      const again = drafted.get(deviceClass)?.get(losersIn(want, deviceClass));
      again?.(want.row, namesAt(devices, want.row));
      return again !== undefined;
    },
    learn(want, deviceClass, repeat) {
      const byLosers = drafted.get(deviceClass) ?? new Map<readonly At[] | undefined, Repeat>();
      drafted.set(deviceClass, byLosers.set(losersIn(want, deviceClass), repeat));
    },
  };
}

function namesAt({ text: { id, name } }: DeviceTable, row: number): OwnNames {
  const code = name.codes[row] ?? 0;
  const named = code === 0 ? {} : { name: name.values[code] ?? '' };
  return { id: id.values[id.codes[row] ?? 0] ?? '', ...named };
}
