import {
  type Device,
  DEVICE,
  type DeviceField,
  type DeviceSource,
  type DiscoveredDevice,
  type Site,
} from '../model/fleet/device.ts';
import type { Facts } from '../model/fleet/snapshot.ts';
import { isObject } from '../lib/objects.ts';

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

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, Check>>;

const text: Check = (value) => typeof value === 'string';
const number: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const instant = number;
const flag: Check = (value) => typeof value === 'boolean';

/** An object with every field of `must`; fields of `may` are optional but typed. */
const shaped =
  (must: Fields, may: Fields = {}): Check =>
  (value) =>
    isObject(value) &&
    Object.entries(must).every(([field, check]) => check(value[field])) &&
    Object.entries(may).every(
      ([field, check]) => value[field] === undefined || check(value[field]),
    );
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const allOf =
  (check: Check): Check =>
  (value) =>
    isObject(value) && Object.values(value).every(check);
const either =
  (...checks: readonly Check[]): Check =>
  (value) =>
    checks.some((check) => check(value));

const unreadable = listOf(text);
const ref = shaped({ id: text }, { name: text });

const OF_TYPE: Readonly<Record<DeviceField['type'], Check>> = {
  id: text,
  name: text,
  text,
  flag,
  instant,
  refs: listOf(ref),
  probes: allOf(text),
  tasks: allOf(flag),
  names: unreadable,
};

const DEVICE_ROW = shaped(deviceFields(true), deviceFields(false));

function deviceFields(isAlways: boolean): Fields {
  const fields: readonly (readonly [string, DeviceField])[] = Object.entries(DEVICE);
  return Object.fromEntries(
    fields.flatMap(([name, field]) =>
      (field.isAlways ?? false) === isAlways ? [[name, OF_TYPE[field.type]]] : [],
    ),
  );
}

const FACTS = shaped(
  { of: text },
  {
    targetFirmware: either(text, listOf(shaped({ version: text, hops: listOf(text) }))),
    passwords: either(
      text,
      shaped({ marker: text }, instants('changedAt', 'oldestChangeAt', 'expiresAt')),
    ),
    certificates: either(text, shaped({ fingerprint: text }, instants('notBefore', 'notAfter'))),
    sampled: shaped({ requests: number, devices: number }),
    knownAt: shaped({}, instants('targetFirmware', 'passwords', 'certificates')),
  },
);

const ROWS: Fields = {
  device: DEVICE_ROW,
  facts: FACTS,
  site: shaped({ id: text }, { ...texts('name', 'description', 'status'), unreadable }),
  source: shaped({ id: text }, { ...texts('name', 'type', 'version'), unreadable }),
  discovered: shaped(
    { id: text },
    {
      ...texts('name', 'serial', 'vendor', 'model', 'deviceType', 'onboardingStatus'),
      ...instants('discoveredAt'),
      sources: listOf(ref),
      site: ref,
      second: either(text, instant),
      unreadable,
    },
  ),
};

function texts(...fields: readonly string[]): Fields {
  return Object.fromEntries(fields.map((field) => [field, text]));
}

function instants(...fields: readonly string[]): Fields {
  return Object.fromEntries(fields.map((field) => [field, instant]));
}
