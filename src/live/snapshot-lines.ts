import { startDigest } from '../lib/canonical.ts';
import {
  type Check,
  either,
  integer,
  listOf,
  oneOf,
  optional,
  shaped,
  text,
  allOf,
  flag,
  number,
  type Shape,
} from '../lib/shape.ts';
import {
  type DeviceSource,
  type DiscoveredDevice,
  type Site,
  type Device,
  DEVICE,
  DISCOVERED,
  type RowField,
  type RowFields,
  SITE,
  SOURCE,
} from '../model/fleet/device.ts';
import { WorldError } from '../model/error.ts';
import {
  CONFIDENCES,
  type ContradictedKind,
  type Facts,
  type Reading,
  type Snapshot,
  DEVICE_READS,
} from '../model/fleet/snapshot.ts';
import { createSnapshot, withListedNames } from './snapshot.ts';
import { DeviceRows } from '../model/fleet/device-rows.ts';
import { sortedTable } from './device-table.ts';

/** The version of the snapshot file. A reader refuses any other. */
const SNAPSHOT_FORMAT = 2;

/** The first line of a stored snapshot. */
interface Header extends Reading {
  readonly format: number;
}

/**
 * A snapshot as JSON lines without line ends: a header, one row per line with a device's facts
 * right after it, and last the number of rows and the digest of all lines before. Equal snapshots
 * give equal lines.
 */
export function* snapshotLines(snapshot: Snapshot): Generator<string> {
  const { takenAt, confidence, discoveredConfidence, repair, maxReads, notices } = snapshot;
  const { organization } = snapshot;
  const read = {
    takenAt,
    confidence,
    discoveredConfidence,
    ...(repair && { repair }),
    ...(maxReads !== undefined && { maxReads }),
    ...(notices && { notices }),
    ...(organization !== undefined && { organization }),
  };
  const header: Header = { format: SNAPSHOT_FORMAT, ...read };
  const ending = startEnding();
  yield ending.add(JSON.stringify(header));
  for (const row of storedRows(snapshot)) yield ending.add(row);
  yield ending.line();
}

/**
 * The digest in the last line of a snapshot file. It covers the rows, the time and the confidence.
 */
export function snapshotFileDigest(snapshot: Snapshot): string {
  let last = '';
  for (const line of snapshotLines(snapshot)) last = line;
  return (JSON.parse(last) as { digest: string }).digest;
}

/** Computes the last line of a file while its lines are written. */
function startEnding(): { add(line: string): string; line(): string } {
  const digest = startDigest();
  let lines = 0;
  return {
    add(line) {
      digest.add(`${line}\n`);
      lines++;
      return line;
    },
    line: () => JSON.stringify({ count: lines - 1, digest: digest.hex() }),
  };
}

/** The digest of the rows without the time: two readings of an unchanged fleet are equal. */
export function snapshotDigest(snapshot: Snapshot): string {
  const digest = startDigest();
  for (const row of storedRows(snapshot)) digest.add(`${row}\n`);
  return digest.hex();
}

/** The rows of a file, each as JSON. */
function* storedRows({ devices, ...snapshot }: Snapshot): Generator<string> {
  for (let row = 0; row < devices.length; row++) {
    yield `{"device":${devices.jsonAt(row)}}`;
    const id = devices.idAt(row);
    const facts = snapshot.facts(id);
    if (Object.keys(facts).length > 0) yield written({ facts: { of: id, ...facts } });
  }
  for (const site of snapshot.sites) yield written({ site });
  for (const source of snapshot.sources) yield written({ source });
  for (const discovered of snapshot.discovered) yield written({ discovered });
}

function written(row: StoredRow): string {
  return JSON.stringify(row);
}

/**
 * Reads a stored snapshot. Throws `snapshotUnreadable` for another format, and unless the lines are
 * exactly those that `snapshotLines` writes: an edited, truncated or assembled file is refused.
 */
export async function readSnapshot(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Snapshot> {
  const ending = startEnding();
  const gathered = gather();
  let header: Header | undefined;
  let held: string | undefined;
  for await (const line of lines) {
    if (header === undefined) header = parseHeader(ending.add(line));
    else {
      if (held !== undefined) gathered.add(ending.add(held));
      held = line;
    }
  }
  if (header === undefined || held !== ending.line()) throw unreadable('cut or edited');
  const snapshot = gathered.snapshot(header);
  if (!held.includes(snapshotFileDigest(snapshot))) throw unreadable('cut or edited');
  return withListedNames(snapshot);
}

function parseHeader(line: string): Header {
  const header = parse(line);
  const { format } = header as Partial<Header>;
  if (format !== undefined && format < SNAPSHOT_FORMAT)
    throw unreadable('an earlier version of fleetform saved it');
  if (format !== SNAPSHOT_FORMAT) throw unreadable('not a snapshot of this format');
  if (!isHeader(header)) throw unreadable('cut or edited');
  return header;
}

const kind = oneOf<ContradictedKind>('certificate', 'password', 'target');

const HEADER = {
  format: integer,
  takenAt: integer,
  confidence: oneOf(...CONFIDENCES),
  discoveredConfidence: oneOf(...CONFIDENCES),
  organization: optional(text),
  repair: optional(shaped({ present: integer, absent: listOf(text), unknown: listOf(text) })),
  maxReads: optional(integer),
  notices: optional(
    shaped({
      tooSlow: optional(shaped({ wanted: integer, perDay: integer })),
      contradicted: optional(listOf(shaped({ kind, device: text, count: integer }))),
      skew: optional(integer),
    }),
  ),
};
const isHeader: Check<Header> = shaped(HEADER);

/** Collects rows into columns and lists. */
function gather() {
  const devices = new DeviceRows();
  const ids = new Set<string>();
  const facts = new Map<string, Facts>();
  const sites: Site[] = [];
  const sources: DeviceSource[] = [];
  const discovered: DiscoveredDevice[] = [];
  return {
    add(line: string): void {
      const row = parse(line);
      if (!isStoredRow(row)) throw unreadable('cut or edited');
      if (row.device && !ids.has(row.device.id)) {
        ids.add(row.device.id);
        devices.add(row.device);
      }
      if (row.facts) {
        const { of: owner, ...own } = row.facts;
        facts.set(owner, own);
      }
      if (row.site) sites.push(row.site);
      if (row.source) sources.push(row.source);
      if (row.discovered) discovered.push(row.discovered);
    },
    snapshot: (header: Header) =>
      createSnapshot({
        ...header,
        devices: sortedTable(devices),
        sites,
        sources,
        discovered,
        facts: (deviceId) => facts.get(deviceId) ?? {},
      }),
  };
}

function parse(line: string): object {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch (cause) {
    throw unreadable('not JSON', cause);
  }
  throw unreadable('not JSON');
}

function unreadable(why: string, cause?: unknown): WorldError {
  return new WorldError('snapshotUnreadable', { why }, { cause });
}

/** One row of a stored snapshot; its only key names its type. */
interface StoredRow {
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
function isStoredRow(value: object): value is StoredRow {
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
