import { startDigest } from '../model/canonical.ts';
import type { Device, DeviceSource, DiscoveredDevice, Site } from '../model/device.ts';
import { WorldError } from '../model/error.ts';
import type { Confidence, Facts, Snapshot } from '../model/snapshot.ts';
import type { Instant } from '../model/time.ts';
import { createSnapshot } from './snapshot.ts';
import { buildTable, devicesOf } from './table.ts';

/** Version of the snapshot file; a reader refuses another. */
const SNAPSHOT_FORMAT = 1;

/** The first line of a stored snapshot. */
interface Header {
  readonly format: number;
  readonly takenAt: Instant;
  readonly confidence: Confidence;
  readonly discoveredConfidence: Confidence;
}

/** One row, told by its only key. */
interface Row {
  readonly device?: Device;
  readonly facts?: Facts & { readonly of: string };
  readonly site?: Site;
  readonly source?: DeviceSource;
  readonly discovered?: DiscoveredDevice;
}

/**
 * A snapshot as lines of JSON, without line ends: a header, one row a line with the facts of a
 * device right after it, and last the number of rows and their digest. Equal snapshots make equal
 * lines.
 */
export function* snapshotLines(snapshot: Snapshot): Generator<string> {
  const { takenAt, confidence, discoveredConfidence } = snapshot;
  const header: Header = { format: SNAPSHOT_FORMAT, takenAt, confidence, discoveredConfidence };
  yield JSON.stringify(header);
  const digest = startDigest();
  let count = 0;
  for (const row of rowsOf(snapshot)) {
    const line = JSON.stringify(row);
    digest.add(`${line}\n`);
    count++;
    yield line;
  }
  yield JSON.stringify({ count, digest: digest.hex() });
}

/** The digest of what was read, not of when: two readings of an unchanged fleet have the same. */
export function snapshotDigest(snapshot: Snapshot): string {
  const digest = startDigest();
  for (const row of rowsOf(snapshot)) digest.add(`${JSON.stringify(row)}\n`);
  return digest.hex();
}

function* rowsOf(snapshot: Snapshot): Generator<Row> {
  for (const device of devicesOf(snapshot.devices)) {
    yield { device };
    const facts = snapshot.facts(device.id);
    if (Object.keys(facts).length > 0) yield { facts: { of: device.id, ...facts } };
  }
  for (const site of snapshot.sites) yield { site };
  for (const source of snapshot.sources) yield { source };
  for (const discovered of snapshot.discovered) yield { discovered };
}

/**
 * Reads a stored snapshot. Throws `snapshotUnreadable` for another format, and for one that was
 * edited or cut.
 */
export async function readSnapshot(
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<Snapshot> {
  const gathered = gather();
  let header: Header | undefined;
  let last = '';
  for await (const line of lines) {
    if (header === undefined) header = headerOf(line);
    else {
      if (last !== '') gathered.add(last);
      last = line;
    }
  }
  if (header === undefined || last !== gathered.trailer()) throw unreadable('cut or edited');
  return gathered.snapshot(header);
}

function headerOf(line: string): Header {
  const header = parse(line) as Partial<Header>;
  if (header.format !== SNAPSHOT_FORMAT) throw unreadable('not a snapshot of this format');
  return header as Header;
}

/** Takes row after row into columns and lists; the digest runs along. */
function gather() {
  const digest = startDigest();
  const table = buildTable();
  const facts = new Map<string, Facts>();
  const sites: Site[] = [];
  const sources: DeviceSource[] = [];
  const discovered: DiscoveredDevice[] = [];
  let count = 0;
  return {
    add(line: string): void {
      digest.add(`${line}\n`);
      count++;
      const row = parse(line) as Row;
      if (row.device) table.add(row.device);
      if (row.facts) facts.set(row.facts.of, withoutOwner(row.facts));
      if (row.site) sites.push(row.site);
      if (row.source) sources.push(row.source);
      if (row.discovered) discovered.push(row.discovered);
    },
    trailer: () => JSON.stringify({ count, digest: digest.hex() }),
    snapshot: (header: Header) =>
      createSnapshot({
        ...header,
        devices: table.table(),
        sites,
        sources,
        discovered,
        facts: (deviceId) => facts.get(deviceId) ?? {},
      }),
  };
}

function withoutOwner({ of: _owner, ...facts }: Facts & { readonly of: string }): Facts {
  return facts;
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
