import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import type { LedgerStore } from '../../../src/model/ports.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import { openJournal } from '../../../src/store/journal.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { answersOf } from '../../support/ledger-chance.ts';
import {
  attempt,
  chained,
  FINGERPRINT,
  GENESIS,
  lock,
  result,
} from '../../support/ledger-records.ts';
import { chance, ClockDouble } from '../../support/store-double.ts';
import { failsWith, TAKE } from '../../support/store-rig.ts';
import {
  disposeSubjects,
  SUBJECTS,
  type StoreKind,
  type Subject,
} from '../../support/store-subject.ts';
import { hasPostgres } from '../../support/postgres.ts';
import type { WorldError } from '../../../src/model/error.ts';

const RECORDS = chained([GENESIS, lock(), attempt('a.1', ['d1']), result('a.1', 'accepted')]);
const SEEN: RecordBody = {
  type: 'SEEN',
  what: 'back',
  subject: 'd',
  seenAt: '2026-01-01T00:00:00Z',
};
const BY = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };

afterAll(disposeSubjects);

const KINDS: readonly StoreKind[] = [
  'directory',
  'git',
  ...(hasPostgres() ? (['postgres'] as const) : []),
];

/**
 * The laws of every store (protocol J20, J19): one suite, each store on a real disk. Those of several processes and of
 * power cuts cost more: `race.slow.test.ts`, `directory.crash.slow.test.ts`, `git.trouble.slow.test.ts`.
 */
describe.each(KINDS)('a ledger in a %s store', (kind) => {
  function subject(): Subject {
    const made = SUBJECTS[kind]();
    onTestFinished(() => made[Symbol.dispose]());
    return made;
  }

  test('is empty at first, and reading makes nothing and needs no right to write', async () => {
    const ledger = subject();
    expect(await ledger.open().read(0)).toEqual({ records: [], head: EMPTY_HEAD });
    expect(ledger.names()).toEqual([]);
    if (!ledger.openReader) return;
    const head = await fill(ledger.open(), [RECORDS]);
    const reader = ledger.openReader();
    expect(await reader.read(0)).toEqual({ records: RECORDS, head });
    const next = appendTo(head, [{ type: 'BEAT', n: 1 }], BY);
    const answer = await reader.append(next, head).catch(({ code }: WorldError) => code);
    expect(['unknown', 'ledgerUnfit']).toContain(answer);
    expect((await ledger.open().read(0)).head).toEqual(head);
  });

  test('gives another process what was appended, from any record on', async () => {
    const ledger = subject();
    const store = ledger.open();
    const head = await fill(store, [RECORDS.slice(0, 2), RECORDS.slice(2)]);
    for (const reader of [store, ledger.open()]) {
      for (const seq of [0, 3, 1, 4, 2]) {
        expect(await reader.read(seq)).toEqual({ records: RECORDS.slice(seq), head });
      }
    }
  });

  test('takes an append only on its head, and nothing of a lost one stays', async () => {
    const ledger = subject();
    const [one, other] = [ledger.open(), ledger.open()];
    const head = await fill(one, [RECORDS.slice(0, 2)]);
    expect(await other.append(appendTo(EMPTY_HEAD, [lock('late')], BY), EMPTY_HEAD)).toBe('lost');
    const ours = appendTo(head, [{ type: 'BEAT', n: 1 }], BY);
    expect(await other.append(ours, head)).toBe('acknowledged');
    expect(await one.append(appendTo(head, [{ type: 'BEAT', n: 2 }], BY), head)).toBe('lost');
    expect((await ledger.open().read(2)).records).toEqual(ours);
    expect((await one.read(2)).records).toEqual(ours);
  });

  test('has one winner of two that append the very same at once', async () => {
    const ledger = subject();
    const stores = [ledger.open(), ledger.open()];
    const head = await fill(ledger.open(), [RECORDS.slice(0, 2)]);
    for (const store of stores) await store.read(0);
    const same = appendTo(head, [{ type: 'BEAT', n: 1 }], BY);
    const answers = await Promise.all(stores.map((store) => store.append(same, head)));
    expect(answers.sort()).toEqual(['acknowledged', 'lost']);
  });

  test('has one winner of four at once, round after round', async () => {
    const ledger = subject();
    const stores = Array.from({ length: 4 }, () => ledger.open());
    let head = await fill(ledger.open(), [RECORDS.slice(0, 2)]);
    for (let round = 1; round <= (kind === 'git' ? 2 : 10); round += 1) {
      const appends = stores.map((_, n) => appendTo(head, [{ type: 'BEAT', n }], BY));
      const answers = await Promise.all(
        stores.map((store, n) => store.append(appends[n] ?? [], head)),
      );
      expect(answers.filter((answer) => answer === 'acknowledged')).toHaveLength(1);
      head = headAfter(appends[answers.indexOf('acknowledged')] ?? [], head);
      expect((await ledger.open().read(0)).head).toEqual(head);
    }
  });

  test('has what was acknowledged, whatever becomes of writer and server', async () => {
    const ledger = subject();
    const head = await fill(ledger.open(), [RECORDS]);
    ledger.crash?.();
    expect(await ledger.open().read(0)).toEqual({ records: RECORDS, head });
  });

  test('J11 an append whose answer is lost, and that is sent again, is there once', async () => {
    const ledger = subject();
    const store = ledger.open();
    let answers = 0;
    const deaf: LedgerStore = {
      place: store.place,
      read: (seq) => store.read(seq),
      probe: () => store.probe(),
      append: async (records, head) => {
        const answer = await store.append(records, head);
        return (answers += 1) === 1 ? 'unknown' : answer;
      },
    };
    const journal = await journalOf(deaf);
    await journal.take(TAKE);
    expect(answers).toBe(2);
    const { records } = await ledger.open().read(0);
    expect(records.map(({ body }) => body.type)).toEqual(['GENESIS', 'LOCK']);
  });

  test('of another tenant is refused', async () => {
    const ledger = subject();
    await fill(ledger.open(), [RECORDS]);
    await expect(journalOf(ledger.open(), 1, '0'.repeat(64))).rejects.toThrow(
      failsWith('ledgerForeign'),
    );
  });

  /** A store that has read all records of a ledger that has lost the last since. */
  const shortened = async () => {
    const ledger = subject();
    const store = ledger.open();
    const head = await fill(
      store,
      RECORDS.map((record) => [record]),
    );
    ledger.shorten();
    return { ledger, store, head };
  };

  test('that was shortened while we run is refused', async () => {
    const { store, head } = await shortened();
    await expect(store.read(head.seq)).rejects.toThrow(failsWith('ledgerRolledBack', { seen: 4 }));
  });

  test('that was shortened takes no append, whatever its head allows', async () => {
    const { ledger, store, head } = await shortened();
    const next = appendTo(head, [{ type: 'BEAT', n: 1 }], BY);
    expect(
      await store.append(next, head).catch(({ code }: Error & { code: string }) => code),
    ).not.toBe('acknowledged');
    expect((await ledger.open().read(0)).records).toEqual(RECORDS.slice(0, 3));
  });

  test('that was changed in one letter is refused', async () => {
    const ledger = subject();
    await fill(
      ledger.open(),
      RECORDS.map((record) => [record]),
    );
    ledger.tamper();
    await expect(ledger.open().read(0)).rejects.toThrow(failsWith('ledgerBroken'));
  });

  test('with records of a newer version can be read, not written to', async () => {
    const ledger = subject();
    const future = JSON.parse('{"type":"FUTURE","what":"x"}');
    await fill(ledger.open(), [chained([GENESIS, lock(), future])]);
    const journal = await journalOf(ledger.open());
    expect(journal.memory.head.seq).toBe(3);
    await expect(journal.take(TAKE)).rejects.toThrow(failsWith('ledgerNewer', { seq: 3 }));
  });

  test('is probed without a trace, empty or not', async () => {
    const ledger = subject();
    await ledger.open().probe();
    expect(ledger.names()).toEqual([]);
    const store = ledger.open();
    await fill(store, [RECORDS]);
    const before = ledger.names();
    await store.probe();
    await ledger.open().probe();
    expect(ledger.names()).toEqual(before);
  });

  test('has one holder: the other is refused and told, and gets it when it is given back', async () => {
    const ledger = subject();
    const [one, two] = [await journalOf(ledger.open(), 1), await journalOf(ledger.open(), 2)];
    await one.take(TAKE);
    await expect(two.take(TAKE)).rejects.toThrow(failsWith('locked', { label: TAKE.label }));
    await one.release();
    await two.take(TAKE);
    await expect(one.append([attempt('a.1', ['d1'])])).rejects.toThrow(failsWith('leaseLost'));
  });

  test('that was taken over lets the old holder record what came back, and nothing else', async () => {
    const ledger = subject();
    const [one, two] = [await journalOf(ledger.open(), 1), await journalOf(ledger.open(), 2)];
    await one.take(TAKE);
    await one.append([attempt('a.1', ['d1'])]);
    await two.take({ ...TAKE, takeOver: true });
    expect(await one.append([result('a.1', 'accepted')])).toBe('acknowledged');
    await expect(one.append([attempt('a.2', ['d2'])])).rejects.toThrow(failsWith('leaseLost'));
    await two.refresh();
    expect(two.memory.open().map(({ phase }) => phase)).toEqual(['running']);
  });
  /** A ledger that a run has left with a checkpoint, and what a later one appended. */
  async function withCheckpoint() {
    const ledger = subject();
    const journal = await journalOf(ledger.open());
    await journal.take(TAKE);
    await journal.append(Array.from({ length: 500 }, () => SEEN));
    await journal.release();
    const later = await journalOf(ledger.open(), 2);
    await later.take(TAKE);
    return { ledger, later };
  }

  test('J21 is read from its newest checkpoint on, and as a whole', async () => {
    const { ledger, later } = await withCheckpoint();
    const { records } = await ledger.open().read(0);
    expect(records.slice(-3).map(({ body }) => body.type)).toEqual([
      'CHECKPOINT',
      'RELEASE',
      'LOCK',
    ]);
    for (const store of [ledger.open(), ledger.open()]) {
      const latest = await store.readLatest?.();
      expect(latest?.records).toEqual(records.slice(-3));
      expect(latest?.checkpoint).toMatch(/^\{/);
      expect((await store.read(0)).records).toEqual(records);
    }
    const { memory, records: since } = await loadMemory(ledger.open());
    expect(since).toHaveLength(3);
    expect(answersOf(memory)).toEqual(answersOf(fold(records)));
    expect(answersOf(later.memory)).toEqual(answersOf(memory));
    await later.append([{ type: 'BEAT', n: 1 }]);
    await later.release();
    expect((await loadMemory(ledger.open())).records).toHaveLength(5);
  });

  test('J21 is read as a whole where the text of its checkpoint is gone', async () => {
    const { ledger } = await withCheckpoint();
    const head = (await ledger.open().read(0)).head;
    ledger.dropCheckpoint?.();
    const { memory, records } = await loadMemory(ledger.open());
    expect(memory.head).toEqual(head);
    expect(records).toHaveLength(head.seq);
  });

  test('J21 of two writers that append a checkpoint at once one wins, and the text that is there is its own', async () => {
    const ledger = subject();
    const before = await fill(ledger.open(), [RECORDS]);
    const { body, text } = writeCheckpoint(continueDraft(fold(RECORDS)).finish());
    const stores = [ledger.open(), ledger.open()];
    for (const store of stores) await store.read(0);
    // One of them keeps a false text: only with its own record may it be there.
    const own = [
      { records: appendTo(before, [body, { type: 'RELEASE' }], BY), text },
      { records: appendTo(before, [{ ...body, state: sha256('x') }], BY), text: 'x' },
    ];
    const answers = await Promise.all(
      stores.map((store, at) => store.append(own[at]?.records ?? [], before, own[at]?.text)),
    );
    expect([...answers].sort()).toEqual(['acknowledged', 'lost']);
    const won = own[answers.indexOf('acknowledged')];
    const latest = await ledger.open().readLatest?.();
    expect(latest).toMatchObject({ records: won?.records, checkpoint: won?.text });
    // The loser reads what the winner wrote, and appends after it.
    const [loser] = stores.toSpliced(answers.indexOf('acknowledged'), 1);
    const read = await loser?.read(before.seq);
    expect(read?.records).toEqual(won?.records);
  });

  test('J21 is read as a whole where a crash came between the record of a checkpoint and its text', async () => {
    const ledger = subject();
    const before = await fill(ledger.open(), [RECORDS]);
    const { body } = writeCheckpoint(continueDraft(fold(RECORDS)).finish());
    const store = ledger.open();
    expect(await store.append(appendTo(before, [body, { type: 'RELEASE' }], BY), before)).toBe(
      'acknowledged',
    );
    const { memory, records } = await loadMemory(ledger.open());
    expect([records.length, memory.head.seq]).toEqual([6, 6]);
  });

  test('J21 with another text beside its checkpoint is refused', async () => {
    const { ledger } = await withCheckpoint();
    ledger.dropCheckpoint?.((text) => text.replace('"epoch":1', '"epoch":0'));
    await expect(loadMemory(ledger.open())).rejects.toThrow(
      failsWith('ledgerBroken', { why: 'checkpoint' }),
    );
  });
});

async function fill(store: LedgerStore, appends: readonly (readonly LedgerRecord[])[]) {
  let { head } = await store.read(0);
  for (const records of appends) {
    expect(await store.append(records, head)).toBe('acknowledged');
    head = headAfter(records, head);
  }
  return head;
}

function journalOf(store: LedgerStore, seed = 1, fingerprint = FINGERPRINT) {
  const process = { host: 'here', pid: seed, processStartedAt: 's', isAlive: () => true };
  const of = { store, clock: new ClockDouble(), random: chance(seed) };
  return openJournal({ ...of, fingerprint, tool: '1', ...process });
}
