import { WorldError } from '../model/error.ts';
import type { LedgerDatabase } from '../model/ledger/ledger-database.ts';

/** A URL that every job may show: who logs in where, without a password. */
const VARIABLE = 'FLEETFORM_LEDGER_URL';
type Env = Readonly<Record<string, string | undefined>>;

/** Host, port and database of the ledgers, as records may name them; undefined where the environment names none. */
export function databasePlace(env: Env): string | undefined {
  const { host, port, database } = readAddress(env[VARIABLE] ?? '') ?? {};
  return host && `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

/**
 * The ledger database that the environment names (protocol J20); connects with each statement. TLS with a check of
 * the name in the certificate, whatever the server or the environment offers, except on a Unix socket. Throws
 * as the port says, and what `password` throws, which is asked for each connection that wants one.
 */
export function postgresDatabase(env: Env, password: () => Promise<string>): LedgerDatabase {
  const place = databasePlace(env) ?? 'PostgreSQL';
  const once = async (statement: string, values: readonly unknown[]) => {
    const address = readAddress(env[VARIABLE] ?? '');
    if (!address) throw unfit(place, { why: env[VARIABLE] ? 'badUrl' : 'noUrl' });
    const { Client } = await import('pg').catch((cause: unknown) => {
      throw unfit(place, { why: 'noDriver' }, cause);
    });
    const { host } = address;
    // Fields and no URL: of a URL `pg` obeys parameters that turn the check of certificates off.
    const client = new Client({
      ...address,
      password,
      ssl: host.startsWith('/') ? false : { rejectUnauthorized: true, host },
      application_name: 'fleetform',
      client_encoding: 'UTF8',
      connectionTimeoutMillis: 10_000,
      query_timeout: 30_000,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(statement, [...values])).rows;
    } finally {
      // Whether the other side still listens changes nothing: neither is waited for.
      client.unref();
      void client.end().catch(() => undefined);
    }
  };
  return {
    place,
    async query(statement, values) {
      for (let tried = 1; ; tried += 1)
        try {
          return await once(statement, values);
        } catch (error) {
          // What the server rolled back for the sake of another statement is sent again.
          if (tried === 5 || !/^40(?:001|P01)$/.test(codeOf(error))) throw failureOf(error, place);
        }
    },
  };
}

const FORM =
  /^postgres(?:ql)?:\/\/([^/?#:@]+)@(\[[^/?#@\]]+\]|[^/?#:@[\]]+)(?::(\d+))?\/([^/?#]+)$/;

/** Undefined for anything but user, host (a folder of a Unix socket, too), port and database: a password would be shown. */
function readAddress(text: string) {
  const parts = FORM.exec(text)?.slice(1) ?? [];
  try {
    const [user, at, port, database] = parts.map((part = '5432') => decodeURIComponent(part));
    if (!user || !at || !database || parts.some((part) => part?.includes('%00'))) return undefined;
    const host = at.startsWith('/') ? at : at.toLowerCase().replace(/^\[|\]$/g, '');
    return { host, port: Number(port), database, user };
  } catch {
    return undefined;
  }
}

/** What the server says no to, by its code. */
const REFUSALS = [
  [/^28...$/, 'login'],
  [/^42501$/, 'role'],
  [/^3D...$/, 'database'],
  [/^(?:0A|2[235]|42)...$/, 'statement'],
] as const;

/** What a failed statement means: no clear answer, or a refusal. */
function failureOf(error: unknown, place: string): unknown {
  if (error instanceof WorldError) return error;
  const code = codeOf(error);
  const cause = error instanceof Error && error.message !== '' ? error.message : code;
  if (/^(?:3F000|42P01|42883)$/.test(code)) return unfit(place, { why: 'tables' }, error);
  const why = REFUSALS.find(([form]) => form.test(code))?.[1];
  if (why) return unfit(place, { why, cause }, error);
  // What no server answered, and what one says that goes away, comes up or has no room.
  const isAway = !/^[0-9A-Z]{5}$/.test(code) || /^(?:08|40|53[23]|57)/.test(code);
  const retry = isAway ? 'safe' : 'never';
  return new WorldError('storeFailed', { place, cause }, { cause: error, retry });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function unfit(place: string, params: Readonly<Record<string, string>>, cause?: unknown) {
  return new WorldError('ledgerUnfit', { place, ...params }, { cause });
}
