import { DIALECT_ROWS, type Dialect } from '../../dialect.gen.ts';

export type { Dialect, DialectKey } from '../../dialect.gen.ts';

/** What documents write of a dialect: the keys that differ from the defaults. */
export type WrittenDialect = Partial<Dialect>;

/**
 * The defaults of the one table of assumptions, with what a document writes in their place. A value
 * that names a field is the service's own spelling; dots lead into objects. An empty text says that
 * the service does not have it. Unknown keys and values are the loader's to refuse.
 */
export function resolveDialect(written: WrittenDialect = {}): Dialect {
  const assumed = Object.fromEntries(DIALECT_ROWS.map((row) => [row.key, row.default]));
  return { ...(assumed as unknown as Dialect), ...written };
}
