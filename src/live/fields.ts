import type { Device } from '../model/fleet/device.ts';
import type { Column } from '../model/fleet/snapshot.ts';
import { growingCodes, growingInstants } from '../lib/growing-array.ts';
import type { Interned } from '../lib/intern.ts';

/** One field of all devices while a table is built. */
export interface Field<C> {
  add(device: Device): void;
  /** The finished column, its rows in the given order. */
  column(order: Uint32Array): C;
}

/** A field with few distinct values, or whose values are interned for being compared by code. */
export function codedField<T>(
  interned: Interned<T>,
  read: (device: Device) => T | undefined,
): Field<Column<T>> {
  const codes = growingCodes();
  return {
    add: (device) => codes.push(interned.codeOf(read(device))),
    column: (order) => ({ values: interned.values, codes: codes.inOrder(order) }),
  };
}

/** A field that holds an instant, which hardly any two devices share. */
export function instantField(read: (device: Device) => number | undefined): Field<Float64Array> {
  const instants = growingInstants();
  return {
    add: (device) => instants.push(read(device) ?? Number.NaN),
    column: (order) => instants.inOrder(order),
  };
}

/** The value of a row; undefined where the device does not have the field. */
export function cellOf<T>(column: Column<T>, row: number): T | undefined {
  const code = column.codes[row];
  return code === undefined || code === 0 ? undefined : column.values[code];
}

/** The instant of a row; undefined where the device does not have it. */
export function instantOf(column: Float64Array, row: number): number | undefined {
  const instant = column[row];
  return instant === undefined || Number.isNaN(instant) ? undefined : instant;
}
