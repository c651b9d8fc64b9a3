import { countIn } from '../../lib/count.ts';
import type { Device } from '../../model/fleet/device.ts';
import type { Dialect } from '../../model/fleet/dialect.ts';
import type { InstantField, PageRows, SharedField } from '../../model/fleet/rows.ts';
import { UNREADABLE } from '../decode/dates.ts';
import { type Decoders, decodingParts } from '../decode/decode.ts';
import {
  type DeviceField,
  type DeviceFields,
  type ShownDevice,
  toDevice,
} from '../decode/device-fields.ts';
import type { JsonRow } from '../decode/fields.ts';
import {
  type Bytes,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  NOT_READ,
  OPEN_LIST,
  OPEN_OBJECT,
  isEnd,
  skipSpace,
  skipValue,
} from './json-bytes.ts';
import { type ObjectKey, ObjectKeys } from './object-keys.ts';
import type { PageColumns } from './page-columns.ts';
import { type RowObject, type RowField, type RowMember, NO_PAGE, RowScan } from './row-scan.ts';
import { type ReadValue, SharedValues, parseAt } from './shared-values.ts';
import { isObject } from '../../lib/objects.ts';

/**
 * Reading a large fleet is reading JSON, and most of that is making objects that live for one row. This reads a page
 * of devices from its bytes instead. `json-bytes.ts` and `row-scan.ts` find where values start and end, and nothing
 * else: what a value means is said by `deviceFields` alone, for a parsed row and here, and a value that many devices
 * share is read once. The rows are columns (`page-columns.ts`), which the table of the fleet takes over as they are.
 *
 * - A row that is not as expected (a member twice, an odd value, one that was not understood) is parsed and read as a
 *   row.
 * - A page that is not as expected (invalid, incomplete, without its total, a row without an ID) gives undefined, and
 *   the caller parses the whole page, which decides what is wrong with it.
 *
 * So there is no answer that only this code accepts or refuses, except for what follows the ID of a row that was not
 * asked for. `test/unit/api/scan` holds it to that on every kind of damaged and unusual page.
 */
interface ScannedPage {
  readonly rows: PageRows<Device>;
  readonly keys: readonly string[];
  readonly total: number;
}

/**
 * Reads the bytes of a page, which are UTF-8; undefined where the page has to be parsed.
 * @param only the IDs of the rows to read: of others only the first ID counts, and what is behind it is not checked
 */
type DevicePageScan = (bytes: Bytes, only?: ReadonlySet<string>) => ScannedPage | undefined;

export interface ListDecoders {
  readonly decoders: Decoders;
  /** Reads a page of devices from its bytes, each row as its decoder does. */
  readonly scanDevices: DevicePageScan;
}

/** The decoders of all lists, with the field names of a dialect, and the reader of whole pages of devices. */
export function createListDecoders(dialect: Dialect): ListDecoders {
  let forget = (): void => undefined;
  const { decoders, fields, readRow } = decodingParts(dialect, () => forget());
  const scan = scanDevicePages(fields, readRow);
  ({ forget } = scan);
  return { decoders, scanDevices: scan.page };
}

/**
 * A reader of pages, and what makes it forget the values it keeps: names of sites and sources are read into them.
 * @param readRow the plain form, for one parsed row
 */
function scanDevicePages(
  fields: DeviceFields,
  readRow: (row: JsonRow) => ShownDevice,
): { readonly page: DevicePageScan; forget(): void } {
  const leaves = Object.entries(fields).flatMap(([name, field]) =>
    field.path === '' ? [] : [toLeaf(name as keyof ShownDevice, field)],
  );
  const row = toTree(leaves.map((leaf) => [leaf.field.path.split('.'), leaf]));
  const scan = row && new RowScan(row, leaves);
  return {
    page: (bytes, only) => scan && scanPage(bytes, { scan, readRow, only }),
    forget: () => leaves.forEach((leaf) => leaf.is === 'shared' && leaf.values.forget()),
  };
}

function toLeaf(name: keyof ShownDevice, field: DeviceField<unknown>): RowField {
  const { shared, instants } = NO_PAGE;
  if (name === 'id' || name === 'name') return { is: name, field, row: NOT_READ };
  if (isInstant(name)) return { is: 'instant', name, field, row: NOT_READ, column: instants[name] };
  const values = new SharedValues((value) => readShown(name, field.read(value)));
  return { is: 'shared', name, field, values, row: NOT_READ, column: shared[name] };
}

function isInstant(name: keyof ShownDevice): name is InstantField {
  return name in NO_PAGE.instants;
}

/** What the device of a row has of a shown value. */
function readShown(name: SharedField, shown: unknown): ReadValue {
  if (name !== 'probe' && name !== 'available')
    return { value: shown, isOdd: shown === UNREADABLE };
  const { value, unreadable } = shown as ShownDevice['probe'];
  return { value, isOdd: unreadable.length > 0 };
}

/** The members of an object by their names; undefined where two fields are at one place, or one is inside another. */
function toTree(paths: readonly (readonly [readonly string[], RowField])[]): RowObject | undefined {
  const members = new Map<string, RowMember>();
  const names = new Set(paths.map(([[name = '']]) => name));
  for (const name of names) {
    const within = paths.filter(([[first]]) => first === name);
    const [[path, leaf] = []] = within;
    const isLeaf = within.length === 1 && path?.length === 1;
    const below = within.map(([[, ...rest], each]) => [rest, each] as const);
    const isMixed = within.some(([each]) => each.length === 1);
    const member = isLeaf ? leaf : isMixed ? undefined : toTree(below);
    if (!member) return undefined;
    members.set(name, member);
  }
  return { is: 'inner', keys: new ObjectKeys(members), row: NOT_READ };
}

interface PageParts {
  readonly scan: RowScan;
  readonly readRow: (row: JsonRow) => ShownDevice;
  readonly only: ReadonlySet<string> | undefined;
}

interface PageSoFar {
  list?: PageColumns;
  total?: number;
}

/** `{"devices": [...], "total": N}` with any other members, in any order. */
function scanPage(bytes: Bytes, parts: PageParts): ScannedPage | undefined {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN_OBJECT) return undefined;
  const page: PageSoFar = {};
  let key: ObjectKey<'devices' | 'total'> | undefined = PAGE_KEYS.start;
  do {
    key = PAGE_KEYS.at(bytes, skipSpace(bytes, at + 1), key);
    at = key ? scanPart(bytes, key.meaning, { ...parts, page }) : NOT_READ;
    if (!key || at === NOT_READ) return undefined;
    at = skipSpace(bytes, at);
  } while (bytes[at] === COMMA);
  const { list, total } = page;
  const isWhole = bytes[at] === CLOSE_OBJECT && skipSpace(bytes, at + 1) === bytes.length;
  if (!isWhole || !list || total === undefined) return undefined;
  return { rows: list.rows(), keys: list.ids, total };
}

/** Reads the value behind the last name; returns the index behind it. */
function scanPart(
  bytes: Bytes,
  name: 'devices' | 'total' | undefined,
  { page, ...parts }: PageParts & { readonly page: PageSoFar },
): number {
  const from = PAGE_KEYS.end;
  if (name === 'devices') {
    if (page.list || bytes[from] !== OPEN_LIST) return NOT_READ;
    page.list = parts.scan.begin();
    return scanRows(bytes, from, { ...parts, columns: page.list });
  }
  const end = skipValue(bytes, from);
  if (name === undefined || end === NOT_READ) return end;
  const total = page.total === undefined ? parseTotal(bytes, from, end) : undefined;
  if (total === undefined) return NOT_READ;
  page.total = total;
  return end;
}

const PAGE_KEYS = new ObjectKeys<'devices' | 'total'>(
  new Map([
    ['devices', 'devices'],
    ['total', 'total'],
  ]),
);

function parseTotal(bytes: Bytes, from: number, end: number): number | undefined {
  if (!isEnd(bytes[end])) return undefined;
  return countIn(parseAt(bytes, from, end));
}

/** Reads the rows of a list into columns; returns the index behind the list. */
function scanRows(
  bytes: Bytes,
  from: number,
  { scan, readRow, only, columns }: PageParts & { readonly columns: PageColumns },
): number {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  for (;;) {
    if (bytes[at] !== OPEN_OBJECT) return NOT_READ;
    let end = only ? scan.passUnasked(bytes, at, only) : NOT_READ;
    if (end === NOT_READ) end = scan.read(bytes, at);
    if (end === NOT_READ) {
      end = skipValue(bytes, at);
      const row = end === NOT_READ ? undefined : parseAt(bytes, at, end);
      const shown = isObject(row) ? readRow(row) : undefined;
      if (shown?.id === undefined || shown.id === '') return NOT_READ;
      columns.addDevice(toDevice(shown.id, shown));
    }
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    if (bytes[at] !== COMMA) return NOT_READ;
    at = skipSpace(bytes, at + 1);
  }
}
