import {
  allOf,
  type Check,
  either,
  flag,
  listOf,
  number,
  optional,
  type Shape,
  shaped,
  text,
} from '../lib/shape.ts';
import {
  type Device,
  DEVICE,
  type DeviceSource,
  DISCOVERED,
  type DiscoveredDevice,
  type RowField,
  type RowFields,
  SITE,
  type Site,
  SOURCE,
} from '../model/fleet/device.ts';
import { DEVICE_READS, type Facts } from '../model/fleet/snapshot.ts';

/** One row of a stored snapshot; its only key names its type. */
export interface StoredRow {
  readonly device?: Device;
  readonly facts?: Facts & { readonly of: string };
  readonly site?: Site;
  readonly source?: DeviceSource;
  readonly discovered?: DiscoveredDevice;
}

/**
 * Whether a parsed value is a usable row: every known field has the right type (see
 * `schemas/snapshot.schema.json`). Unknown fields are detected when the row is written again and
 * differs.
 */
export function isStoredRow(value: object): value is StoredRow {
  const [[name = '', content] = [], ...more] = Object.entries(value);
  const check = Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
  return check !== undefined && more.length === 0 && check(content);
}

const ref = shaped({ id: text, name: optional(text) });

const OF_TYPE: Readonly<Record<RowField['type'], Check<unknown>>> = {
  id: text,
  ownText: text,
  text,
  code: text,
  flag,
  instant: number,
  ref,
  refs: listOf(ref),
  probes: allOf(text),
  tasks: allOf(flag),
  names: listOf(text),
  kept: either(text, number),
};

function rowCheck(fields: RowFields): Check<unknown> {
  const checks = Object.entries(fields).map(([name, { type, isAlways }]) => {
    const check = OF_TYPE[type];
    return [name, isAlways === true ? check : optional(check)] as const;
  });
  return shaped(Object.fromEntries(checks));
}

const ROWS: Readonly<Record<string, Check<unknown>>> = {
  device: rowCheck(DEVICE),
  site: rowCheck(SITE),
  source: rowCheck(SOURCE),
  discovered: rowCheck(DISCOVERED),
  facts: shaped({
    of: text,
    targetFirmware: optional(either(text, listOf(shaped({ version: text, hops: listOf(text) })))),
    passwords: optional(
      either(
        text,
        shaped({ marker: text, ...instants('changedAt', 'oldestChangeAt', 'expiresAt') }),
      ),
    ),
    certificates: optional(
      either(text, shaped({ fingerprint: text, ...instants('notBefore', 'notAfter') })),
    ),
    sampled: optional(shaped({ requests: number, devices: number })),
    knownAt: optional(shaped(instants(...DEVICE_READS))),
  }),
};

function instants(...fields: readonly string[]): Shape {
  return Object.fromEntries(fields.map((field) => [field, optional(number)]));
}
