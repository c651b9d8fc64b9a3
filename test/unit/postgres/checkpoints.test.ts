import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import type { MemoryParts } from '../../../src/ledger/memory-parts.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { postgresStore } from '../../../src/store/postgres-store.ts';
import { attempt, chained, GENESIS, lock, type BodyOf } from '../../support/ledger-records.ts';
import {
  hasPostgres,
  postgresServer,
  stopPostgres,
  type Database,
} from '../../support/postgres.ts';
import { failsWith } from '../../support/store-rig.ts';

const BY = { epoch: 1, at: '2026-01-02T00:00:00Z', tool: '1' };

const GROUND: BodyOf<'GROUND'> = {
  type: 'GROUND',
  service: { origin: 'https://api.example.com', organization: 'acme' },
  ledger: { store: 'postgres', at: 'db:5432/fleet', branch: 'k' },
  approval: 'plan',
  gate: 'github',
  commit: '',
  who: 'Ada',
  why: 'first',
};
const approved = (planId: string): BodyOf<'APPROVED'> => ({
  type: 'APPROVED',
  planId,
  commit: 'c',
  documents: 'd',
  run: 'r',
  approvers: ['Ada'],
  pulls: [],
  preapproved: [],
  expires: '2026-12-31T00:00:00Z',
  changes: [[`rotatePassword/${planId}`, 'o']],
  of: 1,
});
const withdrawn = (planId: string): BodyOf<'WITHDRAWN'> => ({
  type: 'WITHDRAWN',
  planId,
  ids: [],
  who: 'Ada',
  why: 'no',
});

const OF_RUN = [GENESIS, GROUND, lock()];
const OF_GATE = [approved('p'), approved('q'), withdrawn('q')];
const RECORDS = chained([...OF_RUN, ...OF_GATE, attempt('run-a.1', ['d1'])]);
const HEAD = headAfter(RECORDS, EMPTY_HEAD);

const partsOf = (records: readonly LedgerRecord[]): MemoryParts =>
  continueDraft(fold(records)).finish();

const TRUE = partsOf(RECORDS);
const [plan] = TRUE.approvals.plans;
const { ground } = TRUE;
if (!plan || !ground) throw new Error('unreachable');

/** What the approvals would be after other records of the gate. */
function approvalsAfter(...bodies: readonly RecordBody[]): Pick<MemoryParts, 'approvals'> {
  return { approvals: partsOf(chained([...OF_RUN, ...bodies])).approvals };
}

afterAll(stopPostgres);

describe.skipIf(!hasPostgres())('J20 a checkpoint in a database', () => {
  let database: Database;
  let logins: Readonly<Record<'reader' | 'writer' | 'approver' | 'other', string>>;
  let keys = 0;

  beforeAll(() => {
    database = postgresServer().database();
    logins = {
      reader: database.login('reader', ['read'], []),
      writer: database.login('writer', ['write'], []),
      approver: database.login('approver', ['approve'], []),
      other: database.login('other', ['write'], []),
    };
  });

  /** A ledger of its own with what a run and a gate have appended. */
  async function ledger() {
    const key = `ledger-${(keys += 1)}`;
    const of = (login: keyof typeof logins) => postgresStore(database.open(logins[login]), key);
    const { reader, writer, approver } = logins;
    const rows = [reader, writer, approver].map((login) => `('${key}', '${login}')`);
    database.psql(`INSERT INTO fleetform.grants VALUES ${rows.join(', ')}`);
    let head = EMPTY_HEAD;
    const by = { writer: RECORDS.slice(0, 3), approver: RECORDS.slice(3, 6) };
    for (const [login, records] of [
      ['writer', by.writer],
      ['approver', by.approver],
      ['writer', RECORDS.slice(6)],
    ] as const) {
      expect(await of(login).append(records, head)).toBe('acknowledged');
      head = headAfter(records, head);
    }
    return { key, of };
  }

  /** Appends a CHECKPOINT of a state with its text, and the end of the run. */
  async function keep(store: ReturnType<typeof postgresStore>, parts: MemoryParts) {
    const { body, text } = writeCheckpoint(parts);
    const records = appendTo(HEAD, [body, { type: 'RELEASE' }], BY);
    expect(await store.append(records, HEAD, text)).toBe('acknowledged');
  }

  test('is where a reader starts, with the records of approvals before it', async () => {
    const { of } = await ledger();
    await keep(of('writer'), TRUE);
    const latest = await of('reader').readLatest?.();
    expect(latest?.records.map(({ body }) => body.type)).toEqual(['CHECKPOINT', 'RELEASE']);
    expect(latest?.approving?.map(({ body }) => body.type)).toEqual([
      'GROUND',
      'APPROVED',
      'APPROVED',
      'WITHDRAWN',
    ]);
    const store = of('reader');
    const { memory } = await loadMemory(store);
    const { records } = await store.read(0);
    const checkpointAt = records.length - 1;
    expect(continueDraft(memory).finish()).toEqual({ ...partsOf(records), checkpointAt });
  });

  test.each<readonly [string, Partial<MemoryParts>]>([
    ['an approval that nobody gave', approvalsAfter(...OF_GATE, approved('x'))],
    ['an approval less', approvalsAfter(approved('q'), withdrawn('q'))],
    ['an approval that was withdrawn', approvalsAfter(approved('p'), approved('q'))],
    [
      'an approval that ends later',
      { approvals: { ...TRUE.approvals, plans: [{ ...plan, expires: plan.expires + 1 }] } },
    ],
    [
      'an approval by somebody else',
      { approvals: { ...TRUE.approvals, plans: [{ ...plan, approvers: ['Bob'] }] } },
    ],
    [
      'an approval after the last move',
      { approvals: { ...TRUE.approvals, plans: [{ ...plan, seq: plan.seq + 1 }] } },
    ],
    ['a ground without approvals', { ground: { ...ground, approval: 'commit' } }],
    ['a ground without a gate', { ground: { ...ground, gate: 'none' } }],
    ['a ground elsewhere', { ground: { ...ground, ledger: { store: 'directory' } } }],
    [
      'a ground of another service',
      { ground: { ...ground, service: { origin: 'https://evil.example', organization: 'acme' } } },
    ],
    ['no ground', { ground: undefined }],
  ])('of a writer with %s is refused, though its digest is right', async (_, forged) => {
    const { of } = await ledger();
    await keep(of('writer'), { ...TRUE, ...forged });
    const refused = failsWith('ledgerBroken', { why: 'checkpoint', seq: 8 });
    await expect(loadMemory(of('reader'))).rejects.toThrow(refused);
    const { records } = await of('reader').read(0);
    expect(() => fold(records)).toThrow(refused);
  });

  test('of a writer may lie where its records may, too, until all records are read', async () => {
    const { of } = await ledger();
    const closed = partsOf(chained([...OF_RUN, ...OF_GATE, lock()]));
    const { intents, open, unanswered, attemptEpochs, byDevice } = closed;
    await keep(of('writer'), { ...TRUE, intents, open, unanswered, attemptEpochs, byDevice });
    expect((await loadMemory(of('reader'))).memory.open()).toEqual([]);
    const { records } = await of('reader').read(0);
    expect(() => fold(records)).toThrow(failsWith('ledgerBroken', { why: 'checkpoint' }));
  });

  test.each<readonly [string, 'writer' | 'approver', RecordBody | undefined, string]>([
    ['with another text', 'writer', undefined, '{}'],
    ['without its record', 'writer', { type: 'BEAT', n: 1 }, writeCheckpoint(TRUE).text],
    ['of one who only approves', 'approver', undefined, writeCheckpoint(TRUE).text],
  ])('%s is not taken', async (_, login, body = writeCheckpoint(TRUE).body, text) => {
    const { of } = await ledger();
    const asked = of(login).append(appendTo(HEAD, [body], BY), HEAD, text);
    await expect(asked).rejects.toThrow(failsWith('ledgerUnfit'));
    expect((await of('reader').read(0)).head).toEqual(HEAD);
  });

  test.each([
    ['insert', `INSERT INTO fleetform.checkpoints VALUES ('ledger-1', 1, '')`],
    ['change', `UPDATE fleetform.checkpoints SET text = ''`],
    ['delete', 'DELETE FROM fleetform.checkpoints'],
  ])('is no row that a login may %s', (_, sql) => {
    expect(() => database.psql(sql, logins.writer)).toThrow(/permission denied/);
  });

  test('is seen by whoever has a grant for the ledger, and by nobody else', async () => {
    const { key, of } = await ledger();
    await keep(of('writer'), TRUE);
    const count = `SELECT count(*) FROM fleetform.checkpoints WHERE ledger = '${key}'`;
    expect(database.psql(count, logins.reader)).toBe('1');
    expect(database.psql(count, logins.other)).toBe('0');
  });

  test.each([
    ['gone', 'DELETE FROM fleetform.checkpoints', 'whole'],
    ['of another record', 'UPDATE fleetform.checkpoints SET seq = 9', 'whole'],
    ['of another ledger', `UPDATE fleetform.checkpoints SET text = '{}'`, 'broken'],
  ])('whose text is %s, by somebody who administers: %s', async (_, sql, ending) => {
    const { key, of } = await ledger();
    await keep(of('writer'), TRUE);
    database.psql(`${sql} WHERE ledger = '${key}'`);
    const loaded = loadMemory(of('reader'));
    if (ending === 'broken') await expect(loaded).rejects.toThrow(failsWith('ledgerBroken'));
    else expect((await loaded).records).toHaveLength(9);
  });
});
