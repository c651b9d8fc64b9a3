import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databasePlace, postgresDatabase } from '../../src/postgres/database.ts';
import type { LedgerDatabase } from '../../src/model/ledger/ledger-database.ts';
import { createAuthority } from './certificates.ts';

/** The programs of the newest PostgreSQL of this machine, where Debian puts them; undefined without one. */
function programs(): string | undefined {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  const found = versions.map((version) => join(root, String(version), 'bin'));
  return found.find((folder) => existsSync(join(folder, 'initdb')));
}

/**
 * Whether tests have a server to start. Without one they are skipped, and say so, unless this machine has to have it
 * (`.ci/run` installs it).
 */
export function hasPostgres(): boolean {
  if (programs() !== undefined) return true;
  if (process.env['FLEETFORM_TEST_POSTGRES'] === 'required') throw new Error('no PostgreSQL');
  process.stderr.write('skipped: no PostgreSQL\n');
  return false;
}

/** Whoever logs in to a server of a test, with its password: that of the superuser too. */
export const PASSWORD = 'correct-horse';

const ADMIN = 'admin';

let shared: PostgresServer | undefined;

/** The server of a file of tests, which ends with `stopPostgres`: a worker of tests is killed, and would leave it behind. */
export function postgresServer(): PostgresServer {
  return (shared ??= new PostgresServer());
}

export function stopPostgres(): void {
  shared?.[Symbol.dispose]();
  shared = undefined;
}

/** A server in a folder of its own, over TLS on a port of its own and on a Unix socket. */
export class PostgresServer implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'fleetform-postgres-'));
  port = 0;
  /** The certificate of who issued that of the server, as a file. */
  readonly authority = join(this.folder, 'authority.pem');
  readonly #programs = programs() ?? '';
  #databases = 0;

  constructor() {
    if (isRoot) chownSync(this.folder, ...ids());
    chmodSync(this.folder, 0o700);
    this.#place('password', `${PASSWORD}\n`);
    const flags = ['-A', 'scram-sha-256', `--pwfile=${join(this.folder, 'password')}`];
    this.#run('initdb', '-D', this.#data, ...flags, '-E', 'UTF8', '--no-locale', '-N', '-U', ADMIN);
    const authority = createAuthority();
    const { cert, key } = authority.issue();
    this.#place('authority.pem', authority.cert);
    chmodSync(this.authority, 0o644);
    this.#place('data/server.crt', cert);
    this.#place('data/server.key', key);
    // What is acknowledged is on disk: the probe refuses a server that is not as careful.
    const settings = `listen_addresses = 'localhost,127.0.0.2'
      unix_socket_directories = '${this.folder}'
      ssl = on
      password_encryption = 'scram-sha-256'
      shared_buffers = 16MB
      max_wal_size = 64MB
      autovacuum = off`;
    this.#place('data/pg_hba.conf', 'local all all trust\nhostssl all all all scram-sha-256\n');
    // A port that somebody else has is one to try another for.
    for (let tried = 1; this.port === 0; tried += 1) {
      const port = 20_000 + Math.floor(Math.random() * 10_000);
      this.#place('data/postgresql.auto.conf', `${settings}\nport = ${port}\n`);
      try {
        this.up();
        this.port = port;
      } catch (error) {
        if (tried === 5) throw error;
      }
    }
  }

  /** Starts it, and waits until it answers. */
  up(): void {
    this.#run('pg_ctl', '-D', this.#data, '-s', '-w', '-l', join(this.folder, 'log'), 'start');
  }

  /** Ends it, `immediate` as a crash does. */
  down(mode: 'fast' | 'immediate' = 'fast'): void {
    this.#run('pg_ctl', '-D', this.#data, '-s', '-w', '-m', mode, 'stop');
  }

  /** A database of its own with the tables of ledgers, for one test. */
  database(): Database {
    const name = `fleet${(this.#databases += 1)}`;
    this.psql('postgres', `CREATE DATABASE ${name}`);
    const made = new Database(this, name);
    made.setUp();
    return made;
  }

  /** Runs SQL as the superuser, over the socket; returns rows as lines of values. */
  psql(database: string, sql: string, user = ADMIN): string {
    const flags = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', this.folder];
    return execFileSync(
      join(this.#programs, 'psql'),
      [...flags, '-p', String(this.port), '-U', user, '-d', database, '-f', '-'],
      { input: sql, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
    ).trim();
  }

  [Symbol.dispose](): void {
    try {
      this.down('immediate');
    } finally {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  #place(name: string, text: string): void {
    const path = join(this.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (isRoot) chownSync(path, ...ids());
  }

  /** Its programs refuse to run as root. */
  #run(program: string, ...args: readonly string[]): void {
    const as = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
    const command = [join(this.#programs, program), ...args];
    const [first = '', ...rest] = isRoot ? ['setpriv', ...as, ...command] : command;
    const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
    execFileSync(first, rest, { cwd: this.folder, env, stdio: 'ignore' });
  }
}

/** The database of one test. */
export class Database {
  readonly server: PostgresServer;
  readonly name: string;

  constructor(server: PostgresServer, name: string) {
    this.server = server;
    this.name = name;
  }

  /** What a superuser does first, and after each update that asks for it. */
  setUp(): void {
    this.psql(SCHEMA);
  }

  /** Makes a login with roles and grants; roles are of the whole server, so its name has that of the database. */
  login(name: string, roles: readonly string[], ledgers: readonly string[]): string {
    const login = `${name}_${this.name}`;
    const granted = ledgers.map((ledger) => `('${ledger}', '${login}')`).join(', ');
    this.psql(
      [
        `CREATE ROLE ${login} LOGIN PASSWORD '${PASSWORD}';`,
        ...roles.map((role) => `GRANT fleetform_${role} TO ${login};`),
        ...(granted === '' ? [] : [`INSERT INTO fleetform.grants VALUES ${granted};`]),
      ].join('\n'),
    );
    return login;
  }

  psql(sql: string, user?: string): string {
    return this.server.psql(this.name, sql, user);
  }

  /** What a job sets to use it, over TLS or the socket. */
  env(login: string, host: 'localhost' | 'socket' = 'localhost'): Readonly<Record<string, string>> {
    const name = host === 'socket' ? encodeURIComponent(this.server.folder) : host;
    return {
      FLEETFORM_LEDGER_URL: `postgres://${login}@${name}:${this.server.port}/${this.name}`,
      FLEETFORM_LEDGER_PASSWORD: PASSWORD,
    };
  }

  /** As our own process reaches it: over the socket, since what it trusts was settled when it began. */
  open(login: string): LedgerDatabase {
    const env = this.env(login, 'socket');
    return postgresDatabase(env, () => Promise.resolve(PASSWORD));
  }

  get place(): string {
    return databasePlace(this.env('x', 'socket')) ?? '';
  }
}

const SCHEMA = readFileSync(new URL('../../schemas/ledger.sql', import.meta.url), 'utf8');

const isRoot = process.getuid?.() === 0;

function ids(): [number, number] {
  const find = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return [find('-u'), find('-g')];
}
