import { growingCodes, growingInstants, type Codes } from './growing-array.ts';
import { internBy } from './intern.ts';

/**
 * Values of one field for all rows, each distinct value stored once. `values[codes[row]]` is the
 * value of a row; code 0 means that the row does not have the field.
 */
export interface CodedColumn<T> {
  readonly values: readonly T[];
  readonly codes: Codes;
}

/** The values of one field for all rows: codes, or instants with NaN where a row does not have the field. */
export type Column<T> = CodedColumn<T> | Float64Array;

/** One field of all rows while a table is built. */
export interface GrowingColumn<T> {
  push(value: T | undefined): void;
  set(row: number, value: T | undefined): void;
  /** Undefined where a row does not have the field. */
  at(row: number): T | undefined;
  /** The code of a row's value, where equal values have one. */
  readonly codeAt?: (row: number) => number;
  /** Adds the rows of a column of this kind: a value that several of them share is looked at once. */
  append(column: Column<T>): void;
  /** The rows so far, in their order or in the given one. */
  column(order?: Uint32Array): Column<T>;
}

/** A field that several rows share. Values with the same key are one; `absent` is the value of code 0. */
export function codedColumn<T>(absent: T, keyOf: (value: T) => string): GrowingColumn<T> {
  const { values, codeOf } = internBy(absent, keyOf);
  const codes = growingCodes();
  return {
    push: (value) => codes.push(codeOf(value)),
    set: (row, value) => codes.set(row, codeOf(value)),
    at(row) {
      const code = codes.at(row);
      return code === 0 ? undefined : values[code];
    },
    codeAt: (row) => codes.at(row),
    append(column) {
      const { values: theirs, codes: rows } = asCoded(column);
      const own = theirs.map((value, code) => (code === 0 ? 0 : codeOf(value)));
      for (const code of rows) codes.push(own[code] ?? 0);
    },
    column: (order) => ({ values, codes: codes.values(order) }),
  };
}

/** A field whose values differ from row to row: a map of them would need more memory than the texts. */
export function ownColumn(): GrowingColumn<string> {
  const values: (string | undefined)[] = [''];
  return {
    push: (value) => void values.push(value),
    set: (row, value) => void (values[row + 1] = value),
    at: (row) => values[row + 1],
    append(column) {
      const { values: theirs, codes } = asCoded(column);
      for (const code of codes) values.push(code === 0 ? undefined : theirs[code]);
    },
    column(order = Uint32Array.from(values.keys()).subarray(0, -1)) {
      const codes = order.map((row) => (values[row + 1] === undefined ? 0 : row + 1));
      return { values: values as readonly string[], codes };
    },
  };
}

/** A field with an instant, which few rows share. */
export function instantColumn(): GrowingColumn<number> {
  const instants = growingInstants();
  return {
    push: (value) => instants.push(value ?? Number.NaN),
    set: (row, value) => instants.set(row, value ?? Number.NaN),
    at(row) {
      const instant = instants.at(row);
      return Number.isNaN(instant) ? undefined : instant;
    },
    append(column) {
      for (const instant of asInstants(column)) instants.push(instant);
    },
    column: (order) => instants.values(order),
  };
}

function asCoded<T>(column: Column<T>): CodedColumn<T> {
  if (column instanceof Float64Array) throw new TypeError('instants are no codes');
  return column;
}

function asInstants(column: Column<number>): Float64Array {
  if (column instanceof Float64Array) return column;
  throw new TypeError('codes are no instants');
}

/** The value of a row; undefined if it does not have the field. */
export function cellOf<T>(column: Column<T>, row: number): T | undefined {
  if (column instanceof Float64Array) {
    const instant = column[row];
    return instant === undefined || Number.isNaN(instant) ? undefined : (instant as T);
  }
  const code = column.codes[row] ?? 0;
  return code === 0 ? undefined : column.values[code];
}

/** The JSON of a row's value; undefined if it does not have the field. Texts of values that repeat are kept. */
export function cellJson(column: Column<unknown>): (row: number) => string | undefined {
  if (column instanceof Float64Array)
    return (row) => {
      const instant = cellOf<unknown>(column, row);
      return instant === undefined ? undefined : String(instant);
    };
  const { values, codes } = column;
  const repeats = values.length * 4 < codes.length;
  const known: string[] = [];
  return (row) => {
    const code = codes[row] ?? 0;
    if (code === 0) return undefined;
    return repeats ? (known[code] ??= JSON.stringify(values[code])) : JSON.stringify(values[code]);
  };
}
