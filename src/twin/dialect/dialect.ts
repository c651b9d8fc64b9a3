import {
  DIALECT_ROWS,
  type Dialect,
  type DialectKey,
  type DialectRow,
  type DialectValue,
} from '../../dialect.gen.ts';

/** An invalid dialect file; the message names the key and the expected value. */
export class DialectFileError extends Error {
  override readonly name = 'DialectFileError';
}

/**
 * Reads a dialect: a JSON object with keys of the table of assumptions; missing keys take their
 * defaults. Throws a `DialectFileError`, also for an unknown key.
 */
export function parseDialect(text: string): Dialect {
  const written = parsed(text);
  const unknown = Object.keys(written).find((key) => !DIALECT_ROWS.some((row) => row.key === key));
  if (unknown !== undefined)
    throw new DialectFileError(`there is no key ${JSON.stringify(unknown)}`);
  return completeDialect(written as Partial<Record<DialectKey, DialectValue>>);
}

/**
 * Returns a dialect with a value for every key. Throws a `DialectFileError` for a value of the
 * wrong type.
 */
export function completeDialect(written: Partial<Record<DialectKey, DialectValue>> = {}): Dialect {
  const values = DIALECT_ROWS.map((row) => [row.key, valueOrDefault(row, written[row.key])]);
  return Object.fromEntries(values) as Dialect;
}

function valueOrDefault(row: DialectRow, value: DialectValue | undefined): DialectValue {
  if (value === undefined) return row.default;
  if (fits(row, value)) return value;
  throw new DialectFileError(`${row.key} must be ${WANTED[row.type](row)}`);
}

const WANTED: Readonly<Record<DialectRow['type'], (row: DialectRow) => string>> = {
  path: () => 'a path that begins with a slash',
  field: ({ empty }) =>
    empty === undefined ? 'the name of a field' : 'the name of a field, or empty',
  filter: () => 'the name of a filter, or empty',
  word: () => 'a word',
  choice: ({ values = [] }) => `one of ${values.join(', ')}`,
  count: ({ minimum }) => `a whole number from ${minimum ?? 0} on`,
  payload: () => 'an object',
};

function fits({ type, empty, values = [], minimum = 0 }: DialectRow, value: DialectValue): boolean {
  if (type === 'payload') return isObject(value);
  if (type === 'count') return Number.isSafeInteger(value) && Number(value) >= minimum;
  if (typeof value !== 'string') return false;
  if (type === 'choice') return values.includes(value);
  if (value === '') return type === 'filter' || empty !== undefined;
  return type === 'path' ? value.startsWith('/') : !value.split('.').includes('');
}

export type Fields = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a dotted path; the empty path is the value itself. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value;
  return path
    .split('.')
    .reduce(
      (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
      value,
    );
}

/** A copy with another value at a path, or without the path if the value is undefined. */
export function withAt(value: Fields, path: string, member: unknown): Fields {
  const [name = '', ...below] = path.split('.');
  const { [name]: old, ...rest } = value;
  const inner =
    below.length === 0 ? member : withAt(isObject(old) ? old : {}, below.join('.'), member);
  const isRemoved =
    inner === undefined ||
    (member === undefined && isObject(inner) && Object.keys(inner).length === 0);
  return isRemoved ? rest : { ...rest, [name]: inner };
}

/** A copy with members at other paths; a member that moves to the empty path is removed. */
export function moveMembers(
  value: Fields,
  moves: readonly (readonly [from: string, to: string])[],
): Fields {
  const found = moves
    .filter(([from, to]) => from !== to && from !== '')
    .map(([from, to]) => ({ from, to, member: at(value, from) }))
    .filter(({ member }) => member !== undefined);
  const without = found.reduce((rest, { from }) => withAt(rest, from, undefined), value);
  return found.reduce(
    (rest, { to, member }) => (to === '' ? rest : withAt(rest, to, member)),
    without,
  );
}

function parsed(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new DialectFileError(`not JSON: ${String(error)}`, { cause: error });
  }
  throw new DialectFileError('a dialect is a JSON object');
}
