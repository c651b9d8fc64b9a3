import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LedgerStore } from '../../../src/model/ports.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { postgresStore } from '../../../src/store/postgres-store.ts';
import { ENV, GitPlace } from '../../support/git-place.ts';
import {
  hasPostgres,
  postgresServer,
  stopPostgres,
  type Database,
} from '../../support/postgres.ts';
import { scratchFolder } from '../../support/scratch.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RACER = fileURLToPath(new URL('../../support/store-racer.mjs', import.meta.url));
const FILES = [
  'store/journal.ts',
  'store/directory.ts',
  'store/git-store.ts',
  'store/postgres-store.ts',
  'git/ledger-remote.ts',
  'postgres/database.ts',
  'postgres/pg.d.ts',
];

let scratch: string;
let place: GitPlace;

/** Other processes run JavaScript, so the part of the source that they need is built first. */
beforeAll(async () => {
  place = new GitPlace();
  scratch = scratchFolder('race');
  const config = {
    extends: resolve(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noCheck: true,
      rootDir: resolve(ROOT, 'src'),
      outDir: join(scratch, 'built'),
      types: [],
    },
    include: [],
    files: FILES.map((file) => resolve(ROOT, 'src', file)),
  };
  const project = join(scratch, 'tsconfig.json');
  await writeFile(project, JSON.stringify(config));
  await writeFile(join(scratch, 'package.json'), '{"type":"module"}');
  await symlink(join(ROOT, 'node_modules'), join(scratch, 'node_modules'));
  const tsc = resolve(ROOT, 'node_modules/typescript-native/bin/tsc');
  await run(process.execPath, [tsc, '-p', project]);
});

afterAll(async () => {
  stopPostgres();
  place[Symbol.dispose]();
});

/** How many processes race how often; a git append costs some hundred times that of a directory. */
const RACES = [
  { kind: 'directory', names: ['a', 'b', 'c', 'd'], each: 200 },
  { kind: 'git', names: ['a', 'b', 'c', 'd'], each: 5 },
  { kind: 'postgres', names: ['a', 'b', 'c', 'd'], each: 25 },
] as const;

let fleet: { readonly database: Database; readonly login: string } | undefined;

/** The keys of both races, in a database over TLS. */
function postgres() {
  if (fleet) return fleet;
  const database = postgresServer().database();
  return (fleet = { database, login: database.login('racer', ['write'], ['lease', 'appends']) });
}

describe.each(hasPostgres() ? RACES : RACES.slice(0, 2))(
  'on one ledger in a $kind store',
  ({ kind, names, each }) => {
    const folderOf = (name: string) =>
      ({ directory: join(scratch, name), git: place.clone, postgres: name })[kind];
    const env = () => {
      if (kind !== 'postgres') return ENV;
      const { database, login } = postgres();
      return { ...ENV, ...database.env(login), NODE_EXTRA_CA_CERTS: database.server.authority };
    };

    function open(name: string): LedgerStore {
      if (kind === 'postgres')
        return postgresStore(postgres().database.open(postgres().login), name);
      return kind === 'git'
        ? gitStore(place.remote(), Math.random)
        : directoryStore(folderOf(name));
    }

    async function race(name: string, mode: string, count = 0): Promise<unknown[]> {
      const args = [RACER, join(scratch, 'built'), kind, folderOf(name), mode];
      const ended = await Promise.all(
        names.map((who) => run(process.execPath, [...args, who, String(count)], { env: env() })),
      );
      return ended.map(({ stdout }): unknown => JSON.parse(stdout));
    }

    test('of several processes that take the lease exactly one has it', async () => {
      const ended = await race('lease', 'take');
      expect(ended.filter((end) => JSON.stringify(end) === '{"won":true}')).toHaveLength(1);
      expect(ended).toContainEqual({ won: false, code: 'locked' });
      expect((await open('lease').read(0)).head.seq).toBe(2);
    });

    test('A1 each append has one winner, however many processes try at once', async () => {
      const { head: before } = await open('appends').read(0);
      const ended = await race('appends', 'append', each);
      expect(ended).toHaveLength(names.length);
      const { records, head } = await open('appends').read(before.seq);
      expect(head.seq - before.seq).toBe(names.length * each);
      for (const name of names) {
        const bodies = records.map(({ body }) => body);
        const own = bodies.filter(
          (body) => body.type === 'SEEN' && body.subject.startsWith(`${name}/`),
        );
        expect(
          own.map((body) => (body.type === 'SEEN' ? Number(body.subject.split('/')[1]) : -1)),
        ).toEqual(Array.from({ length: each }, (_, n) => n));
      }
    }, 180_000);

    test('of writers that are killed, readers find whole appends, and none that was acknowledged is gone', async () => {
      const { head: before } = await open('appends').read(0);
      const args = [RACER, join(scratch, 'built'), kind, folderOf('appends'), 'triples', 'k', '0'];
      let told = before.seq;
      for (let round = 1; round <= (kind === 'git' ? 3 : 8); round += 1) {
        const writer = spawn(process.execPath, args, {
          env: env(),
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const lines = createInterface(writer.stdout)[Symbol.asyncIterator]();
        for (let n = 0; n < round; n += 1) told = Number((await lines.next()).value);
        const reader = open('appends').read(0);
        writer.kill('SIGKILL');
        expect(((await reader).head.seq - before.seq) % 3).toBe(0);
        for (let line = await lines.next(); !line.done; line = await lines.next())
          told = Number(line.value);
        const { head } = await open('appends').read(0);
        expect([(head.seq - before.seq) % 3, head.seq >= told]).toEqual([0, true]);
      }
    }, 180_000);
  },
);
