import { afterAll, describe, expect, test, vi } from 'vitest';
import type { WorldError } from '../../../src/model/error.ts';
import { EMPTY_HEAD } from '../../../src/ledger/chain.ts';
import { databasePlace, postgresDatabase } from '../../../src/postgres/database.ts';
import { postgresStore } from '../../../src/store/postgres-store.ts';
import { factsTable } from '../../../src/store/facts-table.ts';
import type { Fact } from '../../../src/facts/fact.ts';
import { chained, GENESIS, lock } from '../../support/ledger-records.ts';
import { hasPostgres, PASSWORD, postgresServer, stopPostgres } from '../../support/postgres.ts';
import { errorWords } from '../../../src/render/words/errors.ts';
import { failsWith } from '../../support/store-rig.ts';

const at = (url: string) => ({ FLEETFORM_LEDGER_URL: url });
const password = () => Promise.resolve(PASSWORD);

describe('J20 the address of a database', () => {
  test.each([
    ['postgres://job@DB.Example.com/fleet', 'db.example.com:5432/fleet'],
    ['postgresql://job@db:6432/fleet', 'db:6432/fleet'],
    ['postgres://job@[2001:db8::1]/fleet', '[2001:db8::1]:5432/fleet'],
    ['postgres://job@%2Fvar%2Frun%2Fpostgresql/fleet', '/var/run/postgresql:5432/fleet'],
  ])('%s is %s', (url, place) => {
    expect(databasePlace(at(url))).toBe(place);
  });

  test.each([
    'postgres://job:secret@db/fleet',
    'postgres://job@db/fleet?sslmode=no-verify',
    'postgres://job@db/fleet#x',
    'postgres://db/fleet',
    'postgres://job@db',
    'postgres://job@db/a/b',
    'postgres://job@%zz/fleet',
    'mysql://job@db/fleet',
    'db',
  ])('%s is none, and is not shown', async (url) => {
    const asked = postgresDatabase(at(url), password).query('SELECT 1', []);
    await expect(asked).rejects.toThrow(failsWith('ledgerUnfit', { why: 'badUrl' }));
    expect(await asked.catch(String)).not.toContain('secret');
  });

  test('is not there', async () => {
    const asked = postgresDatabase({}, password).query('SELECT 1', []);
    await expect(asked).rejects.toThrow(failsWith('ledgerUnfit', { why: 'noUrl' }));
  });
});

afterAll(stopPostgres);

describe.skipIf(!hasPostgres())('J20 what a login lacks', () => {
  const stepOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'it was not refused',
      (error: unknown) => {
        const { code, params } = error as WorldError;
        return errorWords(code, params).next;
      },
    );
  const as = (env: Readonly<Record<string, string | undefined>>) =>
    postgresStore(postgresDatabase(env, password), 'k');

  test('is the next step, which never leads to another ledger', async () => {
    const database = postgresServer().database();
    const reader = database.env(database.login('r', ['read'], ['k']), 'socket');
    const none = database.login('n', ['write'], []);
    const { FLEETFORM_LEDGER_URL: url = '' } = reader;
    const steps = await Promise.all(
      [
        as({}).read(0),
        as(at(url.replace('@', ':secret@'))).read(0),
        as(at(url.replace('//', '//nobody_'))).read(0),
        as(at(`${url}x`)).read(0),
        as(reader).probe(),
        as(database.env(none, 'socket')).read(0),
      ].map(stepOf),
    );
    expect(steps).toEqual([
      expect.stringMatching(/^Set FLEETFORM_LEDGER_URL/),
      expect.stringMatching(/^Correct FLEETFORM_LEDGER_URL/),
      expect.stringContaining('FLEETFORM_LEDGER_PASSWORD'),
      expect.stringMatching(/^Correct the database/),
      expect.stringContaining('fleetform_write'),
      expect.stringMatching(/`INSERT INTO .*;`$/),
    ]);
    expect(steps.join(' ')).not.toContain('service.ledger');
  });

  test('is given by the statement that the step names', async () => {
    const database = postgresServer().database();
    const login = database.login('g', ['read'], []);
    const store = as(database.env(login, 'socket'));
    const [, statement = ''] = /`(.*)`/.exec(await stepOf(store.read(0))) ?? [];
    database.psql(statement);
    expect((await store.read(0)).records).toEqual([]);
  });
});

describe.skipIf(!hasPostgres())('J20 a connection', () => {
  test('is not made to a server that nobody vouches for, whatever the environment says', async () => {
    const database = postgresServer().database();
    const login = database.login('tls', ['read'], ['k']);
    vi.stubEnv('PGSSLMODE', 'no-verify').stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      const asked = postgresDatabase(database.env(login), password).query('SELECT 1', []);
      await expect(asked).rejects.toThrow(
        failsWith('storeFailed', { cause: expect.stringMatching(/certificate/) }),
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('without tables of ours says what makes them', async () => {
    const server = postgresServer();
    const database = server.database();
    const store = postgresStore(database.open(database.login('none', ['write'], ['k'])), 'k');
    database.psql('DROP SCHEMA fleetform CASCADE');
    await expect(store.read(0)).rejects.toThrow(failsWith('ledgerUnfit', { why: 'tables' }));
  });

  test('of a database with newer tables is refused, and older SQL leaves them alone', async () => {
    const database = postgresServer().database();
    const store = postgresStore(database.open(database.login('old', ['write'], ['k'])), 'k');
    database.psql('UPDATE fleetform.format SET version = 3');
    await expect(store.read(0)).rejects.toThrow(failsWith('ledgerUnfit', { why: 'tables' }));
    expect(() => database.setUp()).toThrow(/newer fleetform/);
  });

  test('made again by the same SQL keeps what is there', async () => {
    const database = postgresServer().database();
    const store = postgresStore(database.open(database.login('again', ['write'], ['k'])), 'k');
    await store.append(chained([GENESIS]), EMPTY_HEAD);
    database.setUp();
    expect((await store.read(0)).head.seq).toBe(1);
  });

  test('of a database with older tables is refused until the SQL of this version brings them forward', async () => {
    const database = postgresServer().database();
    const store = postgresStore(database.open(database.login('first', ['write'], ['k'])), 'k');
    await store.append(chained([GENESIS]), EMPTY_HEAD);
    database.psql(`UPDATE fleetform.format SET version = 1; DROP TABLE fleetform.checkpoints;
      DROP FUNCTION fleetform.append(text, bigint, text, text[], text[], text);
      CREATE FUNCTION fleetform.append(text, bigint, text, text[], text[]) RETURNS text
        LANGUAGE sql AS $$ SELECT 'acknowledged' $$`);
    for (const read of [() => store.read(0), async () => store.readLatest?.()])
      await expect(read()).rejects.toThrow(failsWith('ledgerUnfit', { why: 'tables' }));
    database.setUp();
    const [, next] = chained([GENESIS, lock()]);
    const { records, head } = await store.read(0);
    expect(records).toEqual(chained([GENESIS]));
    expect(next && (await store.append([next], head))).toBe('acknowledged');
    expect((await store.read(0)).head.seq).toBe(2);
  });

  test('that ends before the answer leaves it open; what the server takes back is sent again', async () => {
    const database = postgresServer().database();
    const opened = database.open(database.login('lost', ['write'], ['k']));
    await expect(opened.query('SELECT pg_terminate_backend(pg_backend_pid())', [])).rejects.toThrow(
      expect.objectContaining({ code: 'storeFailed', retry: 'safe' }),
    );
    database.psql(`CREATE SEQUENCE tries; GRANT USAGE ON tries TO PUBLIC;
      CREATE FUNCTION third(code text) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('tries') % 3 > 0 THEN RAISE EXCEPTION USING ERRCODE = code; END IF;
        RETURN 3;
      END $$`);
    for (const code of ['40001', '40P01'])
      expect(await opened.query('SELECT third($1)::int AS n', [code])).toEqual([{ n: 3 }]);
  });

  test('to a server that is away is no answer: an append may be sent again', async () => {
    const env = at('postgres://x@%2Fnonexistent/fleet');
    const store = postgresStore(postgresDatabase(env, password), 'k');
    expect(await store.append(chained([GENESIS]), EMPTY_HEAD)).toBe('unknown');
    await expect(store.read(0)).rejects.toThrow(failsWith('storeFailed'));
  });

  test('N17 facts are rows, of each key the newest, for the logins that may write them', async () => {
    const database = postgresServer().database();
    const writer = database.login('facts', ['write'], ['t']);
    const owner = { tenant: 't', ledger: 'l' };
    const store = factsTable(database.open(writer), owner);
    const fact = (id: string, at: number): Fact => ({
      kind: 'password',
      id,
      at,
      reader: 'r',
      value: { is: 'password', changed: at },
    });
    await store.write([fact('a', 1_000), fact('b', 1_000)], (facts) => facts, false);
    await store.write([fact('a', 2_000)], (facts) => facts, false);
    await store.write([fact('a', 1_500)], (facts) => facts, false);
    await store.write([fact('c', 3_000)], (all) => [...all].filter(({ id }) => id !== 'b'), true);
    const { facts } = await store.read();
    expect([...facts.values()].map(({ id, at }) => [id, at])).toEqual(
      expect.arrayContaining([
        ['a', 2_000],
        ['c', 3_000],
      ]),
    );
    expect(facts.size).toBe(2);
    const reader = factsTable(database.open(database.login('look', ['read'], ['t'])), owner);
    expect((await reader.read()).facts.size).toBe(2);
    await expect(reader.write([fact('d', 1)], (all) => all, false)).rejects.toThrow(
      failsWith('ledgerUnfit'),
    );
  });
});
