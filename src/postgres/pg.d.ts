/** What is used of `pg`, an optional peer dependency: the types are checked where it is not installed, too. */
declare module 'pg' {
  export class Client {
    constructor(settings: Readonly<Record<string, unknown>>);
    connect(): Promise<void>;
    query(statement: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
    end(): Promise<void>;
    unref(): void;
    on(event: 'error', listener: () => void): void;
  }
}
