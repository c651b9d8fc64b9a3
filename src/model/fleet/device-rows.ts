import {
  type CodedColumn,
  cellJson,
  cellOf,
  codedColumn,
  type Column,
  type GrowingColumn,
  instantColumn,
  ownColumn,
} from '../../lib/columns.ts';
import { computeOnce } from '../../lib/compute-once.ts';
import { flatKey } from '../../lib/intern.ts';
import {
  type Device,
  DEVICE_FIELD_NAMES,
  DEVICE,
  type DeviceField,
  type DeviceFieldName,
  type DeviceValue,
  type Ref,
  type RowField,
} from './device.ts';

/** Devices in columns, by the names of their fields. */
export type DeviceColumns = {
  readonly [K in DeviceFieldName]: DeviceValue<K> extends number
    ? Column<number>
    : CodedColumn<DeviceValue<K>>;
};

/** The devices of a page in columns: most of them never become objects. */
export class DevicePage implements Iterable<Device> {
  readonly length: number;
  readonly columns: DeviceColumns;
  readonly at: (row: number) => Device;

  constructor(length: number, columns: DeviceColumns) {
    this.length = length;
    this.columns = columns;
    this.at = deviceAt(columns);
  }

  /** The ID of each row. */
  ids(): readonly string[] {
    const { values, codes } = this.columns.id;
    return Array.from(codes, (code) => values[code] ?? '');
  }

  *[Symbol.iterator](): Generator<Device> {
    for (let row = 0; row < this.length; row += 1) yield this.at(row);
  }
}

/** Devices that are added to columns. */
export class DeviceRows {
  readonly #columns = new Map<DeviceFieldName, GrowingColumn<unknown>>(
    DEVICE_FIELD_NAMES.map((name) => [name, startColumn(DEVICE[name])]),
  );
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(device: Device): void {
    for (const [name, column] of this.#columns) column.push(device[name]);
    this.#length += 1;
  }

  set(row: number, device: Device): void {
    for (const [name, column] of this.#columns) column.set(row, device[name]);
  }

  append({ length, columns }: DevicePage): void {
    for (const [name, column] of this.#columns) column.append(columns[name]);
    this.#length += length;
  }

  /** The rows so far, in their order or in the given one. */
  page(order?: Uint32Array): DevicePage {
    const entries = Array.from(this.#columns, ([name, each]) => [name, each.column(order)]);
    const { length } = order ?? this;
    return new DevicePage(length, Object.fromEntries(entries) as DeviceColumns);
  }
}

/** The device of a row: a field that it does not have is no member, unless every device has it. */
function deviceAt(columns: DeviceColumns): (row: number) => Device {
  const members = DEVICE_FIELD_NAMES.map(
    (name) => [name, columns[name], ALWAYS.get(name)] as const,
  );
  return (row) => {
    const device: Partial<Record<DeviceFieldName, unknown>> = {};
    for (const [name, column, absent] of members) {
      const value = cellOf<unknown>(column, row) ?? absent;
      if (value !== undefined) device[name] = value;
    }
    return device as unknown as Device;
  };
}

/** Writes the device of a row as JSON, the bytes of `JSON.stringify(page.at(row))`. */
export function deviceJson(columns: DeviceColumns): (row: number) => string {
  const members = DEVICE_FIELD_NAMES.map((name) => {
    const jsonOf = cellJson(columns[name]);
    const absent = JSON.stringify(ALWAYS.get(name));
    return { key: `"${name}":`, jsonOf: (row: number) => jsonOf(row) ?? absent };
  });
  return (row) => {
    let text = '';
    for (const { key, jsonOf } of members) {
      const json = jsonOf(row);
      if (json !== undefined) text += `${text === '' ? '{' : ','}${key}${json}`;
    }
    return `${text}}`;
  };
}

const ALWAYS: ReadonlyMap<DeviceFieldName, unknown> = new Map(
  DEVICE_FIELD_NAMES.flatMap((name) => {
    const field: DeviceField = DEVICE[name];
    return field.isAlways ? [[name, absentOf(field)] as const] : [];
  }),
);

/** What a row has of a field that every row has, where the service says nothing. */
export function absentOf({ type }: RowField): unknown {
  if (type === 'refs' || type === 'names') return [];
  return type === 'probes' || type === 'tasks' ? {} : '';
}

function startColumn(field: DeviceField): GrowingColumn<unknown> {
  const { type, isShared } = field;
  if (type === 'id') return ownColumn() as GrowingColumn<unknown>;
  if (type === 'instant' && isShared !== true) return instantColumn() as GrowingColumn<unknown>;
  return sharedColumn(field);
}

/** Equal values are one; an empty list is the same as none. */
function sharedColumn(field: DeviceField): GrowingColumn<unknown> {
  const keyOf = KEY_OF[field.type] as (value: unknown) => string;
  const isText = KEY_OF[field.type] === String;
  const column = codedColumn<unknown>(absentOf(field), isText ? keyOf : computeOnce(keyOf));
  if (field.type !== 'refs') return column;
  const orNone = (refs: unknown) =>
    (refs as readonly Ref[] | undefined)?.length ? refs : undefined;
  return {
    ...column,
    push: (refs) => column.push(orNone(refs)),
    append(added) {
      const { values, codes } = added as CodedColumn<unknown>;
      column.append({ values: values.map(orNone), codes });
    },
  };
}

/** A text that differs where values of a type do. */
const KEY_OF = {
  id: String,
  ownText: String,
  code: String,
  text: String,
  flag: String,
  instant: String,
  names: JSON.stringify,
  refs: refsKey,
  probes: flatKey,
  tasks: flatKey,
} as const satisfies Readonly<Record<DeviceField['type'], (value: never) => string>>;

/**
 * Each part has its length before it, as an ID may hold any character. `JSON.stringify` would cost three times as much
 * for each device.
 */
function refsKey(refs: readonly Ref[]): string {
  let key = '';
  for (const { id, name } of refs)
    key += `${id.length}:${id}${name === undefined ? '-' : `${name.length}:${name}`}`;
  return key;
}
