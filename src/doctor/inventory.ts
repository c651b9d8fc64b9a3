import type { AnswerRow } from './probing.ts';
import { isObject } from '../lib/objects.ts';

export type ValueKind = 'text' | 'version' | 'flag' | 'date' | 'number' | 'list' | 'certificate';

/** One member of the rows of a list, at any depth. */
export interface Leaf {
  /** Dots lead into objects. */
  readonly path: string;
  /** In how many rows it has a value. */
  readonly count: number;
  /** Its values, of the first rows; nulls and empty texts are left out. */
  readonly values: readonly unknown[];
}

const DEEPEST = 4;
const MOST_LEAVES = 400;
const MOST_VALUES = 200;

/** Names that a key of the dialect can hold; any other could not be written as a path. */
const NAME = /^(?!(?:__proto__|constructor|prototype)$)[\p{L}\p{N}_$@-]{1,48}$/u;

/** Every member of these rows, objects and lists included, in the order in which they appear. */
export function listLeaves(rows: readonly AnswerRow[]): readonly Leaf[] {
  const found = new Map<string, { count: number; values: unknown[] }>();
  const visit = (value: unknown, path: string, depth: number): void => {
    if (value === null || value === undefined || value === '') return;
    if (path !== '') {
      const leaf = found.get(path) ?? { count: 0, values: [] };
      if (!found.has(path) && found.size >= MOST_LEAVES) return;
      found.set(path, leaf);
      leaf.count += 1;
      if (leaf.values.length < MOST_VALUES) leaf.values.push(value);
    }
    if (!isObject(value) || depth === DEEPEST) return;
    for (const [name, member] of Object.entries(value))
      if (NAME.test(name)) visit(member, path === '' ? name : `${path}.${name}`, depth + 1);
  };
  for (const row of rows) visit(row, '', 0);
  return [...found].map(([path, { count, values }]) => ({ path, count, values }));
}

/** Whether every value of a member can be used as this. */
export function fits({ values }: Pick<Leaf, 'values'>, want: ValueKind): boolean {
  return values.length > 0 && values.every(FITS[want]);
}

const FITS: Readonly<Record<ValueKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && !isDate(value) && !isPem(value),
  version: (value) => typeof value === 'string' && /\d/.test(value) && !isDate(value),
  flag: (value) => typeof value === 'boolean' || value === 0 || value === 1,
  date: (value) => dateKind(value) !== undefined,
  number: (value) => typeof value === 'number',
  list: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  certificate: isPem,
};

export type DateKind = 'iso' | 'seconds' | 'milliseconds';

/** ISO 8601, or a number of the size that seconds or milliseconds since 1970 have. */
export function dateKind(value: unknown): DateKind | undefined {
  if (isDate(value)) return 'iso';
  const number = typeof value === 'string' && /^\d{10,13}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return undefined;
  if (number > 6e8 && number < 1e11) return 'seconds';
  return number > 6e11 && number < 1e14 ? 'milliseconds' : undefined;
}

/** The instant of a date in any form; undefined for anything else. */
export function readDate(value: unknown): number | undefined {
  const form = dateKind(value);
  if (form === undefined) return undefined;
  return form === 'iso'
    ? Date.parse(String(value))
    : Number(value) * (form === 'seconds' ? 1_000 : 1);
}

function isDate(value: unknown): value is string {
  const isLike = typeof value === 'string' && /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value);
  return isLike && !Number.isNaN(Date.parse(value));
}

/** PEM, or base64 that is long enough for a certificate and starts as DER does. */
function isPem(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return value.includes('-----BEGIN') || /^MI[\w+/=\s]{200,}$/.test(value);
}
