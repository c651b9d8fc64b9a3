import type { Device } from '../../model/fleet/device.ts';
import {
  INSTANT_FIELDS,
  SHARED_FIELDS,
  type ListedColumns,
  type PageRows,
} from '../../model/fleet/rows.ts';
import { NOTHING_SHOWN, toDevice } from '../decode/device-fields.ts';

/** The rows of a page that are not in its columns, by their index in the page. */
interface OddRows {
  /** Rows that were read as objects. */
  readonly devices: ReadonlyMap<number, Device>;
  readonly unasked: ReadonlySet<number>;
}

/** Rows in columns; each becomes the object that a decoder makes of it as often as it is asked for. */
export class ScannedRows implements PageRows<Device> {
  readonly columns: ListedColumns;
  readonly #odd: OddRows;
  /** The index in the page of the first row. */
  readonly #first: number;

  constructor(columns: ListedColumns, odd: OddRows, first: number) {
    this.columns = columns;
    this.#odd = odd;
    this.#first = first;
  }

  get length(): number {
    return this.columns.ids.length;
  }

  slice(from: number): PageRows<Device> {
    const { ids, names, shared, instants } = this.columns;
    const columns = {
      ids: ids.slice(from),
      names: names.slice(from),
      shared: mapNames(SHARED_FIELDS, (name) => ({
        values: shared[name].values,
        codes: shared[name].codes.subarray(from),
      })),
      instants: mapNames(INSTANT_FIELDS, (name) => instants[name].subarray(from)),
    };
    return new ScannedRows(columns, this.#odd, this.#first + from);
  }

  at(index: number): Device | undefined {
    const inPage = this.#first + index;
    if (index >= this.length || this.#odd.unasked.has(inPage)) return undefined;
    return this.#odd.devices.get(inPage) ?? deviceIn(this.columns, index);
  }

  *[Symbol.iterator](): Generator<Device> {
    for (let row = 0; row < this.length; row += 1) {
      const device = this.at(row);
      if (device) yield device;
    }
  }
}

function deviceIn({ ids, names, shared, instants }: ListedColumns, row: number): Device {
  const shown: Record<string, unknown> = { ...NOTHING_SHOWN, name: names[row] };
  for (const name of SHARED_FIELDS) {
    const { values, codes } = shared[name];
    const value = values[codes[row] ?? 0];
    if (value === undefined) continue;
    shown[name] = name === 'probe' || name === 'available' ? { value, unreadable: [] } : value;
  }
  for (const name of INSTANT_FIELDS) {
    const instant = instants[name][row] ?? Number.NaN;
    if (!Number.isNaN(instant)) shown[name] = instant;
  }
  return toDevice(ids[row] ?? '', shown as unknown as typeof NOTHING_SHOWN);
}

export function mapNames<K extends string, T>(
  names: readonly K[],
  valueOf: (name: K) => T,
): Readonly<Record<K, T>> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, T>;
}
