/** A row by the names of its columns. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** A PostgreSQL database that keeps ledgers: each statement is a transaction on a connection of its own. */
export interface LedgerDatabase {
  /** For messages: host, port and database, never a user. */
  readonly place: string;
  /** Throws `ledgerUnfit` for what is refused; `storeFailed`, safe to try again, where nobody knows whether it was done. */
  query(statement: string, values: readonly unknown[]): Promise<readonly DatabaseRow[]>;
}
