import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LedgerStore } from '../../src/model/ports.ts';
import { directoryStore } from '../../src/store/directory.ts';
import { gitStore } from '../../src/store/git-store.ts';
import { postgresStore } from '../../src/store/postgres-store.ts';
import { GitPlace, PERSON } from './git-place.ts';
import { filesLeft } from './canary.ts';
import { postgresServer, stopPostgres } from './postgres.ts';
import { searchNow } from './canary-run.ts';

/** A ledger on a real disk that several processes open, and what may be done to it behind their backs. */
export interface Subject extends Disposable {
  /** The store as another process opens it. */
  open(): LedgerStore;
  /** Takes the newest append away. */
  shorten(): void;
  /** Changes one letter in the newest append. */
  tamper(): void;
  /** Takes the text of the newest checkpoint away, or puts another one in its place. */
  dropCheckpoint?(change?: (text: string) => string): void;
  /** Everything that is there, by name. */
  names(): readonly string[];
  /** The store as somebody opens it who has no right to write; absent where each user of the machine is the owner. */
  openReader?(): LedgerStore;
  /** The end of the server without notice, and its return. */
  crash?(): void;
}

export type StoreKind = 'directory' | 'git' | 'postgres';

export const SUBJECTS: Readonly<Record<StoreKind, () => Subject>> = {
  directory: directorySubject,
  git: gitSubject,
  postgres: postgresSubject,
};

/** A ledger of its own for each in one database, and three logins. */
function postgresSubject(): Subject {
  const { database, writer, reader } = (fleet ??= sharedDatabase());
  const key = `ledger-${(keys += 1)}`;
  database.psql(
    `INSERT INTO fleetform.grants VALUES ('${key}', '${writer}'), ('${key}', '${reader}')`,
  );
  const rows = (sql: string) => database.psql(sql).split('\n').filter(Boolean);
  const newest = `(ledger, seq) = (SELECT ledger, max(seq) FROM fleetform.records WHERE ledger = '${key}' GROUP BY ledger)`;
  return {
    open: () => postgresStore(database.open(writer), key),
    openReader: () => postgresStore(database.open(reader), key),
    shorten: () =>
      void database.psql(`DELETE FROM fleetform.records WHERE ${newest};
        UPDATE fleetform.heads h SET seq = r.seq, hash = r.hash FROM fleetform.records r
          WHERE r.ledger = h.ledger AND r.seq = h.seq - 1 AND h.ledger = '${key}'`),
    tamper: () =>
      void database.psql(
        `UPDATE fleetform.records SET line = replace(line, '"tool":"1"', '"tool":"2"') WHERE ${newest}`,
      ),
    dropCheckpoint(change) {
      const of = `FROM fleetform.checkpoints WHERE ledger = '${key}'`;
      const text = change?.(database.psql(`SELECT text ${of}`));
      if (text === undefined) database.psql(`DELETE ${of}`);
      else
        database.psql(
          `UPDATE fleetform.checkpoints SET text = $t$${text}$t$ WHERE ledger = '${key}'`,
        );
    },
    names: () =>
      rows(`SELECT 'record ' || seq FROM fleetform.records WHERE ledger = '${key}'
        UNION ALL SELECT 'head ' || seq FROM fleetform.heads WHERE ledger = '${key}'`),
    crash: () => {
      database.server.down('immediate');
      database.server.up();
    },
    [Symbol.dispose]: () => undefined,
  };
}

let keys = 0;
let fleet: ReturnType<typeof sharedDatabase> | undefined;

function sharedDatabase() {
  const database = postgresServer().database();
  return {
    database,
    writer: database.login('writer', ['write'], []),
    reader: database.login('reader', ['read'], []),
  };
}

function directorySubject(): Subject {
  const root = mkdtempSync(join(tmpdir(), 'fleetform-directory-'));
  const names = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name));
  const newest = () => join(root, names().sort().at(-1) ?? '');
  return {
    open: () => directoryStore(root),
    shorten: () => rmSync(newest()),
    tamper: () => writeFileSync(newest(), changed(readFileSync(newest(), 'utf8'))),
    dropCheckpoint(change) {
      const folder = join(root, 'checkpoints');
      const path = join(folder, readdirSync(folder).sort().at(-1) ?? '');
      if (change) writeFileSync(path, change(readFileSync(path, 'utf8')));
      else rmSync(path);
    },
    names,
    [Symbol.dispose]: () => {
      const left = [...filesLeft(root, new Map())];
      rmSync(root, { recursive: true });
      searchNow(left);
    },
  };
}

/** A branch of one bare repository for each ledger, and two clones that take turns: cheap enough for many tests. */
function gitSubject(): Subject {
  const { place, clones } = (shared ??= sharedPlace());
  const branch = `ledger-${(branches += 1)}`;
  let opened = 0;
  const open = (): LedgerStore =>
    gitStore(place.remote(clones[(opened += 1) % 2], { branch }), Math.random);
  return {
    open,
    openReader: () => {
      const store = open();
      return {
        place: store.place,
        read: (seq) => store.read(seq),
        probe: () => store.probe(),
        append: async (records, head) => {
          place.hook('pre-receive', 'exit 1');
          return store.append(records, head).finally(() => place.unhook('pre-receive'));
        },
      };
    },
    shorten: () => place.git(place.bare, 'update-ref', `refs/heads/${branch}`, `${branch}~1`),
    tamper: () => tamperWith(place, branch),
    dropCheckpoint: (change) => restate(place, branch, change),
    names: () =>
      place.git(place.bare, 'branch', '--list', `${branch}*`).split('\n').filter(Boolean),
    [Symbol.dispose]: () => undefined,
  };
}

let branches = 0;
let shared: { readonly place: GitPlace; readonly clones: readonly string[] } | undefined;

function sharedPlace() {
  const place = new GitPlace();
  return { place, clones: [place.clone, place.another('other')] };
}

/** Lets go of what the subjects of a file share. */
export function disposeSubjects(): void {
  shared?.place[Symbol.dispose]();
  shared = undefined;
  stopPostgres();
  fleet = undefined;
}

/** Another commit in the place of the newest one, as somebody with the right to force it would leave it. */
function tamperWith(place: GitPlace, branch: string): void {
  const work = place.another(`tamper-${branch}`, '--branch', branch);
  const path = join(work, 'records.json');
  writeFileSync(path, changed(readFileSync(path, 'utf8')));
  place.git(work, ...PERSON, 'commit', '--quiet', '--all', '--amend', '--message', 'x');
  place.git(work, 'push', '--quiet', '--force');
}

/** The commits of a branch again, with another state in the `head.json` that has one, or with none. */
export function restate(
  place: GitPlace,
  branch: string,
  change: (text: string) => string | undefined = () => undefined,
): void {
  const work = place.another(`restate-${(branches += 1)}`, '--branch', branch);
  const git = (...args: string[]) => place.git(work, ...PERSON, ...args);
  let parent = '';
  for (const commit of git('rev-list', '--reverse', 'HEAD').split('\n')) {
    git('checkout', '--quiet', commit);
    const path = join(work, 'head.json');
    const { state, ...head } = JSON.parse(readFileSync(path, 'utf8'));
    if (state === undefined && parent === '') continue;
    if (state === undefined) {
      parent = git('commit-tree', `${commit}^{tree}`, '-p', parent, '-m', 'x');
      continue;
    }
    const other = change(state);
    writeFileSync(path, JSON.stringify({ ...head, ...(other !== undefined && { state: other }) }));
    git('commit', '--quiet', '--all', '--amend', '--message', 'x');
    parent = git('rev-parse', 'HEAD');
  }
  git('push', '--quiet', '--force', 'origin', `${parent}:refs/heads/${branch}`);
}

function changed(text: string): string {
  return text.replace('"tool":"1"', '"tool":"2"');
}
