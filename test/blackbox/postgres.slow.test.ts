import { describe, expect, it } from 'vitest';
import { resolveTarget } from '../../src/operations/target.ts';
import { createPlace, PATIENCE, type Env, type Place } from '../support/blackbox.ts';
import { HELD_AFTER_ONE, startTwin } from '../support/blackbox-twin.ts';
import { gitIn } from '../support/blackbox-record.ts';
import { hasPostgres, PostgresServer } from '../support/postgres.ts';

/** A repository whose documents keep their ledger in a database, its service, and a login for its job. */
async function createFleet(place: Place, server: PostgresServer) {
  const bare = place.path('bare.git');
  gitIn(place.folder, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  gitIn(place.folder, 'init', '--quiet', '--initial-branch=main');
  gitIn(place.folder, 'remote', 'add', 'origin', bare);
  place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: postgres}\n  pace: {');
  gitIn(place.folder, 'add', 'fleet');
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  gitIn(place.folder, ...ada, 'commit', '--quiet', '-m', 'fleet');
  gitIn(place.folder, 'push', '--quiet', 'origin', 'main');
  const twin = await startTwin(place, { world: 'world.json', devices: 15, faults: HELD_AFTER_ONE });
  const database = server.database();
  const { url: baseUrl, organization } = twin.ready;
  const { fingerprint } = resolveTarget({ baseUrl, organization }, undefined, {});
  const login = database.login('job', ['write'], [fingerprint]);
  const trusted = { NODE_EXTRA_CA_CERTS: server.authority };
  const job: Env = { ...twin.as('admin'), ...database.env(login), ...trusted, CI: 'true' };
  return { twin, database, job, trusted };
}

describe.skipIf(!hasPostgres())(
  'a ledger in PostgreSQL, by the built command line',
  PATIENCE,
  () => {
    it('outlives a server that crashes in the middle of a run: no task is sent twice', async () => {
      using server = new PostgresServer();
      using place = createPlace({ isBuilt: true });
      const { twin, database, job } = await createFleet(place, server);
      const run = place.start('apply --yes', job);
      await run.says(/started: /);
      server.down('immediate');
      await run.says(/no new task starts/);
      server.up();
      expect((await run.done).code).toBe(0);
      const audit = (await place.run('audit', job)).out.replace(/\s+/g, ' ');
      expect(audit).toContain(`ledger postgres localhost:${server.port}/${database.name} `);
      await twin.stop();
      const counts =
        database.psql(`SELECT count(*), count(DISTINCT line::jsonb #>> '{body,attemptId}')
      FROM fleetform.records WHERE type IN ('ATTEMPT', 'RESULT')`);
      const [records = 0, attempts] = counts.split('|').map(Number);
      expect([records > 0, attempts]).toEqual([true, records / 2]);
    });

    it('trusts a server by its name alone, and nothing shows the password', async () => {
      using server = new PostgresServer();
      using place = createPlace({ isBuilt: true });
      const { twin, job } = await createFleet(place, server);
      const url = job['FLEETFORM_LEDGER_URL'] ?? '';
      const env = { ...job, FLEETFORM_LEDGER_URL: url.replace('localhost', '127.0.0.2') };
      const elsewhere = await place.run('status', env);
      expect([elsewhere.code, elsewhere.err]).toEqual([9, expect.stringContaining('127.0.0.2')]);
      const { FLEETFORM_LEDGER_PASSWORD: password = '', ...without } = job;
      const missing = await place.run('status', without);
      expect([missing.code, missing.err]).toEqual([
        1,
        expect.stringContaining('FLEETFORM_LEDGER_PASSWORD'),
      ]);
      const command = JSON.stringify([process.execPath, place.path('password.mjs')]);
      place.write('password.mjs', `console.log('{"version": 1, "password": "${password}"}')`);
      const asked = { ...without, FLEETFORM_LEDGER_PASSWORD_COMMAND: command };
      expect((await place.run('status', asked)).code).toBe(0);
      place.clear('password.mjs');
      await twin.stop();
    });

    it('is made by what `ledger schema` prints', async () => {
      using server = new PostgresServer();
      using place = createPlace({ isBuilt: true });
      server.psql('postgres', 'CREATE DATABASE fresh');
      server.psql('fresh', (await place.run('ledger schema')).out);
      expect(server.psql('fresh', 'SELECT version FROM fleetform.format')).toBe('2');
    });
  },
);
