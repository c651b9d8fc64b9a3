import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorldError } from '../../../../src/model/error.ts';
import { errorWords } from '../../../../src/render/words/errors.ts';
import { openJournalFor } from '../../../../src/operations/ledger.ts';
import { resolveTarget } from '../../../../src/operations/target.ts';
import { postgresStore } from '../../../../src/store/postgres-store.ts';
import { GroundRig, refused } from '../../../support/ground-rig.ts';
import { runHere } from '../../../support/run-here.ts';
import {
  hasPostgres,
  PASSWORD,
  postgresServer,
  stopPostgres,
  type Database,
} from '../../../support/postgres.ts';

const GIT = 'ledger: {store: git}';
const POSTGRES = 'ledger: {store: postgres}';
const OTHER = 'baseUrl: https://evil.example.com, organization: acme';

const keyOf = (baseUrl: string): string =>
  resolveTarget({ baseUrl, organization: 'acme' }, undefined, {}).fingerprint;
const KEY = keyOf('https://api.example.com');
const OTHERS = keyOf('https://evil.example.com');

afterAll(stopPostgres);

describe.skipIf(!hasPostgres())('a ledger in a database', () => {
  let database: Database;
  let mover: string;

  beforeAll(() => {
    database = postgresServer().database();
    mover = database.login('mover', ['owner', 'write', 'approve'], [KEY, OTHERS]);
  });

  /** A repository whose jobs log in to a database that nobody has used. */
  function rigOn(of = database, login = mover): GroundRig {
    of.psql(`DELETE FROM fleetform.records; DELETE FROM fleetform.heads`);
    return new GroundRig({ env: of.env(login, 'socket') });
  }

  const recordsIn = async (of = database, login = mover) =>
    (await postgresStore(of.open(login), KEY).read(0)).records;
  const types = (records: readonly { readonly body: { readonly type: string } }[]) =>
    records.map(({ body }) => body.type).join(' ');

  it('M13 is named by host, port and name, never by user or password', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    const text = JSON.stringify(await recordsIn());
    expect(text).toContain(`"at":"${database.place}","branch":"${KEY}"`);
    expect(text).not.toMatch(new RegExp(`${mover}|${PASSWORD}`));
  });

  it('M2 takes a chain from git, and gives it back', async () => {
    const rig = rigOn();
    rig.merge(GIT);
    await rig.run();
    rig.merge(POSTGRES);
    await expect(rig.run()).rejects.toEqual(refused('groundChanged'));
    expect(await rig.move()).toBe(7);
    const moved = await rig.recordsAt('fleetform-ledger');
    expect(await recordsIn()).toEqual(moved);
    await rig.run();
    rig.merge(GIT);
    await rig.move();
    const back = await rig.recordsAt('fleetform-ledger');
    expect(back).toEqual(await recordsIn());
    expect(types(back.slice(moved.length))).toBe('LOCK RELEASE LOCK RELEASE GROUND');
    await rig.run();
    expect(await recordsIn()).toHaveLength(back.length);
  });

  it('M2 says what a move has copied that its login may not record', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    rig.merge(GIT);
    const move = async (login: string) => {
      const env = { ...rig.env, ...database.env(login, 'socket') };
      const done = await runHere(rig.folder, ['ledger', 'move', '--reason', 'r', '--yes'], env);
      return { code: done.code, said: `${done.out} ${done.err}`.replace(/\s+/g, ' ') };
    };
    const refusal = await move(database.login('half', ['read'], [KEY]));
    expect(refusal.code).toBe(9);
    expect(refusal.said).toContain('4 records and those of the move will be copied. Nothing');
    expect(refusal.said).toContain('4 records had been copied before the move failed.');
    const second = await move(mover);
    expect(second.code).toBe(0);
    expect(second.said).toContain(
      '0 records and those of the move will be copied; 4 are there already.',
    );
    await rig.run();
  });

  it('M3 of another URL or organization is left without a record: nothing goes there', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    rig.merge(POSTGRES, OTHER);
    await expect(rig.run()).rejects.toEqual(refused('groundChanged'));
  });

  it('M13 that was copied to another database is a copy', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    const copy = postgresServer().database();
    const there = copy.login('mover', ['owner', 'write', 'approve'], [KEY]);
    await postgresStore(copy.open(there), KEY).importChain?.(await recordsIn());
    const env = copy.env(there, 'socket');
    await expect(rig.read(env)).rejects.toEqual(
      refused('ledgerElsewhere', { named: expect.stringContaining(database.place) }),
    );
  });

  it('M4 is what a job pins, or is refused before any login', async () => {
    const rig = rigOn();
    rig.merge(GIT);
    const env = {
      CI: 'true',
      FLEETFORM_LEDGER: 'postgres',
      FLEETFORM_LEDGER_URL: 'postgres://x@/',
    };
    await expect(rig.read(env)).rejects.toEqual(refused('groundPinned'));
    rig.merge(POSTGRES);
    await expect(rig.read({ ...env, FLEETFORM_LEDGER: 'git:origin#x' })).rejects.toEqual(
      refused('groundPinned'),
    );
    await expect(rig.read(env)).rejects.toEqual(refused('ledgerUnfit', { why: 'badUrl' }));
  });

  it('J20 takes no approval of a login that may record tasks', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    const gate = database.login('gate', ['approve'], [KEY]);
    const opened = await rig.open(rig.folder, database.env(gate, 'socket'));
    expect(await openJournalFor(opened, { isGate: true })).toBeDefined();
    await expect(openJournalFor(await rig.open(), { isGate: true })).rejects.toEqual(
      refused('ledgerUnfit', { why: 'mayAttempt' }),
    );
  });

  it('M1 that was left and cannot be reached is named, with what is missing', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    rig.merge(GIT);
    const left = await rig.read({ FLEETFORM_LEDGER_URL: '' }).catch((error: unknown) => error);
    const { code, params } = left as WorldError;
    expect(errorWords(code, params).summary).toBe(
      `Cannot read the ledger that the documents named before: postgres ${KEY.slice(0, 12)} (FLEETFORM_LEDGER_URL is not set: postgres://USER@HOST:PORT/DATABASE).`,
    );
  });

  it('J6 that its owner set back is refused by the machine that saw more', async () => {
    const rig = rigOn();
    rig.merge(POSTGRES);
    await rig.run();
    database.psql(`DELETE FROM fleetform.records WHERE seq > 3;
      UPDATE fleetform.heads h SET seq = r.seq, hash = r.hash FROM fleetform.records r
        WHERE r.ledger = h.ledger AND r.seq = 3`);
    await expect(rig.run()).rejects.toEqual(refused('ledgerRolledBack', { seen: 4, found: 3 }));
  });
});
