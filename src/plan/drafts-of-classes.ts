import type { Judgement } from '../kinds/kind.ts';
import { numberPairs, numberValues } from '../lib/pair-numbers.ts';
import type { DeviceTable } from '../model/fleet/snapshot.ts';
import type { Want } from '../model/plan/desired-state.ts';
import type { DeviceClass } from './decide/device-classes.ts';

/** Repeats the decision of a class for one more device of it. */
export type Repeat = (row: number, own: OwnValues) => void;

/** The values of a single device of a class. */
interface OwnValues {
  readonly id: string;
  readonly name?: string;
  /** Absent where the devices of the class share it. */
  readonly judgement?: Judgement;
}

/** A device of a class, and its place (`device-places.ts`). */
interface Alike {
  readonly want: Want;
  readonly deviceClass: DeviceClass;
  readonly place: number;
}

/** The decisions of classes that a draft has already. */
export interface DraftedClasses {
  /**
   * Repeats the decision about an earlier device of the class and place; false where this is the first one.
   * @param judgement that of the device; absent where the devices of the class share it
   */
  repeat(alike: Alike, judgement: Judgement | undefined): boolean;
  /** Stores how to repeat the decision about a device. */
  learn(alike: Alike, repeat: Repeat): void;
}

/** Starts without a decision. Devices of one class that lose to other policies are apart: a change names the losers. */
export function startDraftedClasses(devices: DeviceTable): DraftedClasses {
  const drafted: (Repeat | undefined)[] = [];
  const valueNumber = numberValues();
  const pairNumber = numberPairs();
  const numberOf = ({ want, deviceClass, place }: Alike): number => {
    const losers = deviceClass.settled?.action === 'note' ? undefined : want.losers;
    return pairNumber(
      pairNumber(valueNumber(deviceClass), place),
      losers ? valueNumber(losers) : 0,
    );
  };
  return {
    repeat(alike, judgement) {
      const again = drafted[numberOf(alike)];
      const { row } = alike.want;
      again?.(row, judgement ? { id: idAt(devices, row), judgement } : namesAt(devices, row));
      return again !== undefined;
    },
    learn(alike, repeat) {
      drafted[numberOf(alike)] = repeat;
    },
  };
}

function namesAt(devices: DeviceTable, row: number): OwnValues {
  const { name } = devices.text;
  const code = name.codes[row] ?? 0;
  const id = idAt(devices, row);
  return code === 0 ? { id } : { id, name: name.values[code] ?? '' };
}

function idAt({ text: { id } }: DeviceTable, row: number): string {
  return id.values[id.codes[row] ?? 0] ?? '';
}
