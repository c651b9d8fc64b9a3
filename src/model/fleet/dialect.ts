import { DIALECT_ROWS, type Dialect } from '../../dialect.gen.ts';

export { DIALECT_ROWS };
export type { Dialect, DialectKey } from '../../dialect.gen.ts';

/** The dialect in documents: the keys that differ from the defaults. */
export type WrittenDialect = Partial<Dialect>;

/**
 * The default dialect, with the values of a document in their place. A value that names a field is
 * the service's own spelling; dots separate nested objects. An empty string means that the service
 * does not have the field. The loader refuses unknown keys and values.
 */
export function resolveDialect(written: WrittenDialect = {}): Dialect {
  const assumed = Object.fromEntries(DIALECT_ROWS.map((row) => [row.key, row.default]));
  return { ...(assumed as unknown as Dialect), ...written };
}
