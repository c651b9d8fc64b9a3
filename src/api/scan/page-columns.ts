import type { Device } from '../../model/fleet/device.ts';
import {
  INSTANT_FIELDS,
  SHARED_FIELDS,
  type InstantField,
  type PageRows,
  type SharedField,
} from '../../model/fleet/rows.ts';
import { mapNames, ScannedRows } from './scanned-rows.ts';

/** The rows that a page has room for at first; a service may return more than were requested. */
const FIRST_ROWS = 1_024;

/** A value that many rows share, with its code in the page that had it last. */
export interface CodedValue {
  /** Undefined where a device with it does not have the field. */
  readonly value: unknown;
  page: number;
  code: number;
}

/** A column of values that many rows share. */
export class SharedColumn {
  readonly #page: number;
  readonly values: unknown[] = [undefined];
  codes = new Uint32Array(FIRST_ROWS);

  constructor(page: number) {
    this.#page = page;
  }

  /** Enters a value in a row, which has nothing yet. */
  put(row: number, coded: CodedValue): void {
    if (coded.value === undefined) return;
    if (coded.page !== this.#page) {
      coded.page = this.#page;
      coded.code = this.values.push(coded.value) - 1;
    }
    this.codes[row] = coded.code;
  }

  /** Enters the value of a device, whatever the row has. */
  replace(row: number, value: unknown): void {
    this.codes[row] = value === undefined ? 0 : this.values.push(value) - 1;
  }
}

export class InstantColumn {
  instants = new Float64Array(FIRST_ROWS).fill(Number.NaN);
}

/**
 * The devices of one page, in columns from the start: most rows never become objects. A row is entered field by
 * field, at `length`, and then added by its ID.
 */
export class PageColumns {
  readonly shared: Readonly<Record<SharedField, SharedColumn>>;
  readonly instants: Readonly<Record<InstantField, InstantColumn>>;
  readonly ids: string[] = [];
  readonly names: (string | undefined)[] = [];
  /** The devices of rows that were read as objects. */
  readonly #devices = new Map<number, Device>();
  readonly #unasked = new Set<number>();
  #capacity = FIRST_ROWS;

  /** @param page identifies a page of one reader */
  constructor(page: number) {
    this.shared = mapNames(SHARED_FIELDS, () => new SharedColumn(page));
    this.instants = mapNames(INSTANT_FIELDS, () => new InstantColumn());
  }

  get length(): number {
    return this.ids.length;
  }

  /** Adds the row whose fields were entered. */
  add(id: string, name: string | undefined): void {
    this.ids.push(id);
    this.names.push(name);
    if (this.ids.length === this.#capacity) this.#grow();
  }

  /** Adds a row that was not asked for: it is counted, and nothing else. */
  addUnasked(id: string): void {
    this.#unasked.add(this.ids.length);
    this.add(id, undefined);
  }

  /** Adds a device that was read as an object, whatever was entered of its row. */
  addDevice(device: Device): void {
    const row = this.ids.length;
    for (const name of SHARED_FIELDS) this.shared[name].replace(row, device[name]);
    for (const name of INSTANT_FIELDS)
      this.instants[name].instants[row] = device[name] ?? Number.NaN;
    this.#devices.set(row, device);
    this.add(device.id, device.name);
  }

  rows(): PageRows<Device> {
    const { length } = this.ids;
    const columns = {
      ids: this.ids,
      names: this.names,
      shared: mapNames(SHARED_FIELDS, (name) => ({
        values: this.shared[name].values,
        codes: this.shared[name].codes.subarray(0, length),
      })),
      instants: mapNames(INSTANT_FIELDS, (name) =>
        this.instants[name].instants.subarray(0, length),
      ),
    };
    return new ScannedRows(columns, { devices: this.#devices, unasked: this.#unasked }, 0);
  }

  #grow(): void {
    const capacity = this.#capacity * 2;
    for (const column of Object.values(this.shared)) {
      const codes = new Uint32Array(capacity);
      codes.set(column.codes);
      column.codes = codes;
    }
    for (const column of Object.values(this.instants)) {
      const instants = new Float64Array(capacity).fill(Number.NaN);
      instants.set(column.instants);
      column.instants = instants;
    }
    this.#capacity = capacity;
  }
}
