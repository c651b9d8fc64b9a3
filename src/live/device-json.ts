import type { CodedColumn } from '../model/fleet/snapshot.ts';

/** The columns of a table by the name of their field; traits are the members that rarely differ. */
type RowColumns = Readonly<
  Record<'id' | 'sites' | 'sources' | 'traits', CodedColumn<unknown>> &
    Record<(typeof ORDER)[number], CodedColumn<unknown> | Float64Array>
>;

/**
 * Writes rows as JSON, the bytes of `JSON.stringify` of the device at it. A digest takes every row,
 * and few values of a fleet differ, so that each is written once.
 */
export function rowJson(columns: RowColumns): (row: number) => string {
  const { id, sites, sources, traits, ...others } = columns;
  const [idOf, sitesOf, sourcesOf] = [cellJson(id), cellJson(sites), cellJson(sources)];
  const traitsOf = cellJson(traits, (value) => JSON.stringify(value).slice(1, -1));
  const members = ORDER.map((name) => memberJson(name, others[name]));
  return (row) => {
    let text = `{"id":${idOf(row) ?? '""'},"sites":${sitesOf(row) ?? '[]'},"sources":${sourcesOf(row) ?? '[]'},`;
    text += traitsOf(row) ?? '"probe":{},"available":{}';
    for (const member of members) text += member(row);
    return `${text}}`;
  };
}

/** The members of a row behind those that every row has, in the order of `deviceAt`. */
const ORDER = [
  'unreadable',
  'name',
  'vendor',
  'model',
  'firmwareVersion',
  'deviceType',
  'status',
  'lastSeen',
  'storageServer',
  'passwordExpiresAt',
  'passwordChangedAt',
  'sslCertificateExpiresAt',
  'dot1xCertificateExpiresAt',
  'lastHardenedAt',
] as const;

function memberJson(
  name: string,
  column: CodedColumn<unknown> | Float64Array,
): (row: number) => string {
  const key = `,"${name}":`;
  if (column instanceof Float64Array)
    return (row) => {
      const instant = cellInstant(column, row);
      return instant === undefined ? '' : `${key}${instant}`;
    };
  const cellOf = cellJson(column, (value) => key + JSON.stringify(value));
  return (row) => cellOf(row) ?? '';
}

/** The JSON of a cell; undefined if the device does not have the field. Texts that repeat are kept. */
function cellJson<T>(
  { codes, values }: CodedColumn<T>,
  write: (value: T) => string = JSON.stringify,
): (row: number) => string | undefined {
  const repeats = values.length * 4 < codes.length;
  const known: string[] = [];
  return (row) => {
    const code = codes[row] ?? 0;
    if (code === 0) return undefined;
    const value = values[code] as T;
    return repeats ? (known[code] ??= write(value)) : write(value);
  };
}

/** The value of a row; undefined if the device does not have the field. */
export function cellValue<T>(column: CodedColumn<T>, row: number): T | undefined {
  const code = column.codes[row];
  return code === undefined || code === 0 ? undefined : column.values[code];
}

/** The instant of a row; undefined if the device does not have it. */
export function cellInstant(column: Float64Array, row: number): number | undefined {
  const instant = column[row];
  return instant === undefined || Number.isNaN(instant) ? undefined : instant;
}
