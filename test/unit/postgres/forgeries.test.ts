import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, hashRecord, headAfter } from '../../../src/ledger/chain.ts';
import { canonical, type Json } from '../../../src/lib/canonical.ts';
import type { LedgerHead, LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { postgresStore } from '../../../src/store/postgres-store.ts';
import { attempt, chained, GENESIS, lock } from '../../support/ledger-records.ts';
import {
  hasPostgres,
  postgresServer,
  stopPostgres,
  type Database,
} from '../../support/postgres.ts';
import { failsWith } from '../../support/store-rig.ts';

const OURS = 'a'.repeat(64);
const THEIRS = 'b'.repeat(64);
const BY = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };

const GROUND: RecordBody = {
  type: 'GROUND',
  service: { origin: 'https://api.example.com', organization: 'acme' },
  ledger: { store: 'postgres', at: 'db:5432/fleet', branch: OURS },
  approval: 'plan',
  gate: 'github',
  commit: '',
  who: 'Ada',
  why: 'first',
};
const APPROVED: RecordBody = {
  type: 'APPROVED',
  planId: 'p',
  commit: 'c',
  documents: 'd',
  run: 'r',
  approvers: [],
  pulls: [],
  preapproved: [],
  expires: '2026-12-31T00:00:00Z',
  changes: [],
};
const FIRST = chained([GENESIS, GROUND, lock()]);

afterAll(stopPostgres);

describe.skipIf(!hasPostgres())('J20 what a login may not do, whatever it sends', () => {
  let database: Database;
  let logins: Readonly<Record<'reader' | 'writer' | 'approver' | 'other' | 'owner', string>>;
  let head: LedgerHead;

  beforeAll(async () => {
    database = postgresServer().database();
    logins = {
      reader: database.login('reader', ['read'], [OURS]),
      writer: database.login('writer', ['write'], [OURS]),
      approver: database.login('approver', ['approve'], [OURS]),
      other: database.login('other', ['write'], [THEIRS]),
      owner: database.login('owner', ['owner'], [OURS, THEIRS]),
    };
    const store = postgresStore(database.open(logins.writer), OURS);
    expect(await store.append(FIRST, EMPTY_HEAD)).toBe('acknowledged');
    head = headAfter(FIRST, EMPTY_HEAD);
  });

  const next = (...bodies: readonly RecordBody[]) => appendTo(head, bodies, BY);
  const storeOf = (login: keyof typeof logins, ledger = OURS) =>
    postgresStore(database.open(logins[login]), ledger);
  const refused = failsWith('ledgerUnfit');
  const lineOf = (record: LedgerRecord) => canonical(record as unknown as Json);

  test.each([
    ['the writer approves', 'writer', [APPROVED]],
    ['the writer approves within its own records', 'writer', [{ type: 'BEAT', n: 1 }, APPROVED]],
    ['the writer lowers the mode', 'writer', [{ ...GROUND, approval: 'commit' }]],
    ['the writer takes the gate away', 'writer', [{ ...GROUND, gate: 'none' }]],
    [
      'the writer moves the service',
      'writer',
      [{ ...GROUND, service: { origin: 'https://evil.example', organization: 'acme' } }],
    ],
    ['the writer moves the ledger', 'writer', [{ ...GROUND, ledger: { store: 'directory' } }]],
    ['the approver records a task', 'approver', [attempt('a.1', ['d1'])]],
    ['the approver takes the lock', 'approver', [lock('approver')]],
    ['the reader appends', 'reader', [{ type: 'BEAT', n: 1 }]],
    ['the owner appends', 'owner', [{ type: 'BEAT', n: 1 }]],
    ['another tenant appends', 'other', [{ type: 'BEAT', n: 1 }]],
  ] as const)('%s', async (_, login, bodies) => {
    await expect(storeOf(login).append(next(...bodies), head)).rejects.toThrow(refused);
    expect((await storeOf('reader').read(0)).head).toEqual(head);
  });

  test.each([
    ['reads the records of another tenant', 'other', `SELECT count(*) FROM fleetform.records`, '0'],
    ['sees the grants of others', 'other', `SELECT count(*) FROM fleetform.grants`, '1'],
  ] as const)('%s', (_, login, sql, seen) => {
    expect(database.psql(sql, logins[login])).toBe(seen);
  });

  test.each([
    [
      'inserts a record',
      'writer',
      `INSERT INTO fleetform.records VALUES ('${OURS}', 4, 'X', '', '')`,
    ],
    ['changes a record', 'writer', `UPDATE fleetform.records SET line = ''`],
    ['deletes records', 'writer', 'DELETE FROM fleetform.records'],
    ['moves a head', 'approver', 'UPDATE fleetform.heads SET seq = 0'],
    [
      'grants itself a ledger',
      'other',
      `INSERT INTO fleetform.grants VALUES ('${OURS}', session_user)`,
    ],
    ['becomes the owner', 'writer', 'SET ROLE fleetform_owner'],
    ['becomes another login', 'writer', `SET SESSION AUTHORIZATION admin`],
    [
      'puts records past the checks',
      'writer',
      `SELECT fleetform.put('${OURS}', 3, '', '{}', '{}')`,
    ],
    ['imports a chain', 'writer', `SELECT fleetform.import_chain('${OURS}', '{}', '{}')`],
    [
      'writes facts of another tenant',
      'writer',
      `INSERT INTO fleetform.facts VALUES ('${THEIRS}', 'k', now(), '')`,
    ],
    ['writes facts as the one who approves', 'approver', `DELETE FROM fleetform.facts`],
    ['makes a table where functions look', 'writer', 'CREATE TABLE fleetform.x ()'],
  ] as const)('%s by SQL of its own', (_, login, sql) => {
    expect(() => database.psql(sql, logins[login])).toThrow(/permission denied|row-level security/);
  });

  test('a role that it has is no other login: the grant is of who logged in', () => {
    const sql = `SET ROLE fleetform_write; SELECT count(*) FROM fleetform.records`;
    expect(database.psql(sql, logins.other)).toBe('0');
  });

  test.each([
    ['of another number', { seq: 9 }],
    ['of another chain', { prev: '0'.repeat(64) }],
    ['without a type', { body: {} }],
  ])('a record %s', async (_, wrong) => {
    const [record] = next({ type: 'BEAT', n: 1 });
    const forged = { ...record, ...wrong } as LedgerRecord;
    const values = [OURS, head.seq, head.hash, [lineOf(forged)], [hashRecord(forged)]];
    const asked = database.open(logins.writer).query(APPEND, values);
    await expect(asked).rejects.toThrow(refused);
  });

  test('a record with the hash of another', async () => {
    const records = next({ type: 'BEAT', n: 1 });
    const values = [OURS, head.seq, head.hash, records.map(lineOf), ['0'.repeat(64)]];
    await expect(database.open(logins.writer).query(APPEND, values)).rejects.toThrow(refused);
  });

  test('a chain that is imported into a ledger with records', async () => {
    expect(await storeOf('owner').importChain?.(FIRST)).toBe('lost');
    expect((await storeOf('reader').read(0)).head).toEqual(head);
  });

  test('a login without a grant finds no empty ledger', async () => {
    await expect(storeOf('writer', THEIRS).read(0)).rejects.toThrow(
      failsWith('ledgerUnfit', { why: 'notGranted' }),
    );
  });

  test('a text that the database cannot hold is refused before it is sent', async () => {
    for (const label of ['a\0b', 'half \ud800'])
      await expect(storeOf('writer').append(next(lock(label)), head)).rejects.toThrow(
        failsWith('ledgerUnfit', { why: 'characters' }),
      );
    const written = next(lock('a \\u0000 b \u{1f600}'));
    expect(await storeOf('writer').append(written, head)).toBe('acknowledged');
    head = headAfter(written, head);
    expect((await storeOf('reader').read(3)).records).toEqual(written);
  });

  test('what each of them may', async () => {
    for (const [login, body] of [
      ['writer', { ...GROUND, commit: 'x', why: 'stricter' }],
      ['writer', attempt('a.1', ['d1'])],
      ['approver', APPROVED],
      ['approver', { ...GROUND, approval: 'commit', why: 'gate' }],
    ] as const) {
      const records = next(body);
      expect(await storeOf(login).append(records, head)).toBe('acknowledged');
      head = headAfter(records, head);
    }
    expect(await storeOf('writer').mayAttempt?.()).toBe(true);
    expect(await storeOf('approver').mayAttempt?.()).toBe(false);
    await storeOf('approver').probe();
    const imported = storeOf('owner', THEIRS);
    const { records } = await storeOf('reader').read(0);
    expect(await imported.importChain?.(records)).toBe('acknowledged');
    expect((await postgresStore(database.open(logins.other), THEIRS).read(0)).head).toEqual(head);
  });
});

const APPEND = 'SELECT fleetform.append($1, $2, $3, $4, $5) AS answer';
