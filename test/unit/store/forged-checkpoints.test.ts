import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { appendTo, encodeRecord, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import { headFileAfter, headText, NO_HEAD_FILE } from '../../../src/ledger/head-file.ts';
import { EMPTY_PARTS, type MemoryParts } from '../../../src/ledger/memory-parts.ts';
import { proveRecords } from '../../../src/ledger/proof.ts';
import { sha256 } from '../../../src/lib/canonical.ts';
import { WorldError } from '../../../src/model/error.ts';
import type { LedgerStore } from '../../../src/model/ports.ts';
import type { LedgerHead, LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { pinnedStore } from '../../../src/store/head-pin.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { appendFile, appendText, checkpointFile } from '../../../src/store/layout.ts';
import { isTried } from '../../support/campaign.ts';
import { GitPlace } from '../../support/git-place.ts';
import {
  attempt,
  FINGERPRINT,
  GENESIS,
  lock,
  plan,
  RELEASE,
  result,
} from '../../support/ledger-records.ts';
import { scratchFolder } from '../../support/scratch.ts';

const RUN = [lock(), plan('p', 'c'), attempt('run-a.1', ['d1'])];
const NEXT: readonly RecordBody[] = [lock('run-b'), result('run-a.1', 'accepted')];
const NOTHING: readonly RecordBody[] = [lock('run-b'), { type: 'BEAT', n: 1 }];
const OTHER = { ...GENESIS, ledgerId: 'other' } as RecordBody;

const partsOf = (records: readonly LedgerRecord[]): MemoryParts =>
  continueDraft(fold(records)).finish();

/** A forger changes the state in the newest checkpoint, and makes its digest right. */
type Forgery = (parts: MemoryParts) => MemoryParts;

const HONEST: Forgery = (parts) => parts;

/** One append as it is laid down: anything may be wrong with it. */
interface Append {
  readonly records: readonly LedgerRecord[];
  /** The text of a checkpoint that is beside it. */
  readonly text?: string | undefined;
  /** What the newest `head.json` says of the newest checkpoint, if not the truth. */
  readonly hint?: unknown;
}

function next(appends: readonly Append[], bodies: readonly RecordBody[], text?: string): Append {
  const before = recordsOf(appends);
  const epoch = [...before.map(({ body }) => body), ...bodies].filter(isLock).length;
  const by = { epoch, at: '2026-01-01T00:00:00.000Z', tool: '1' };
  return { records: appendTo(headAfter(before, EMPTY_HEAD), bodies, by), text };
}

const isLock = ({ type }: RecordBody): boolean => type === 'LOCK';
const recordsOf = (appends: readonly Append[]) => appends.flatMap(({ records }) => records);

/**
 * A ledger of two runs that each left a checkpoint, with a later record: appends 1 to 5, of which 2 and 4 begin with a
 * CHECKPOINT (records 5 and 9). The last of them is as an attacker who may append writes it.
 */
function history(
  forged: Forgery = HONEST,
  [first, second] = [[GENESIS, ...RUN], NEXT] as readonly (readonly RecordBody[])[],
): readonly Append[] {
  const appends: Append[] = [];
  const run = (bodies: readonly RecordBody[] = [], change: Forgery) => {
    appends.push(next(appends, bodies));
    const { body, text } = writeCheckpoint(change(partsOf(recordsOf(appends))));
    appends.push(next(appends, [body, RELEASE], text));
  };
  run(first, HONEST);
  run(second, forged);
  return [...appends, next(appends, [lock('run-c')])];
}

const text = (append: number, of = history()): string => of[append - 1]?.text ?? '';
const withText = (append: number, change: (text: string) => string | undefined) =>
  history().map((each, at) => (at === append - 1 ? { ...each, text: change(text(append)) } : each));
const withHint = (hint: unknown) =>
  history().map((each, at) => (at === 4 ? { ...each, hint } : each));

type Kind = 'directory' | 'git';
const git = new GitPlace();
afterAll(() => git[Symbol.dispose]());
let made = 0;

interface Laid {
  /** Opens the ledger as a fresh machine does. */
  open(): LedgerStore;
  /** In git with a clone that is whole, and with one that is shallow. */
  readers(): readonly LedgerStore[];
}

/** Lays appends down as somebody with every right does. */
const LAY: Readonly<Record<Kind, (appends: readonly Append[]) => Promise<Laid>>> = {
  async directory(appends) {
    const place = scratchFolder('forged');
    const put = (path: string, content: string) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    };
    for (const [at, { records, text: state }] of appends.entries()) {
      put(
        appendFile(place, at + 1),
        appendText({ lines: records.map(encodeRecord), head: headAfter(records, EMPTY_HEAD) }),
      );
      if (state !== undefined) put(checkpointFile(place, at + 1), state);
    }
    const open = () => directoryStore(place);
    return { open, readers: () => [open()] };
  },
  async git(appends) {
    const branch = `forged-${(made += 1)}`;
    push(branch, await commits(appends));
    const open = () => storeIn(git.clone, branch);
    return { open, readers: () => [open(), storeIn(shallow(), branch)] };
  },
};

const committed = new Map<string, Promise<string>>();

/** Makes a commit of each append, equal ones once, and returns the last. */
async function commits(appends: readonly Append[], onto = ''): Promise<string> {
  let [file, parent] = [NO_HEAD_FILE, onto];
  for (const { records, text: state, hint } of appends) {
    const head = headAfter(records, EMPTY_HEAD);
    file = headFileAfter(file, records, head);
    const told = hint === undefined ? file : { ...file, checkpoint: hint as number };
    const files = {
      'head.json': headText(told, { state }),
      'records.json': appendText({ lines: records.map(encodeRecord), head }),
    };
    const key = JSON.stringify([parent, files]);
    const same = committed.get(key) ?? git.remote().commit({ parent, files, message: 'x' });
    committed.set(key, same);
    parent = await same;
  }
  return parent;
}

const push = (branch: string, commit: string) =>
  git.git(git.clone, 'push', '--quiet', '--force', 'origin', `${commit}:refs/heads/${branch}`);
const runner = git.another('runner', '--depth=1', '--single-branch', '--branch=main');
/** A clone that has nothing of any ledger. */
function shallow(): string {
  const folder = join(git.root, `shallow-${(made += 1)}`);
  cpSync(runner, folder, { recursive: true });
  return folder;
}
const heads = { isMoved: false, onUnkept: () => undefined };
const storeIn = (folder: string, branch: string) =>
  gitStore(git.remote(folder, { branch, heads }), Math.random);

/** What a reader makes of it: from which record it starts, or why it refuses. */
function readerOf(store: LedgerStore): Promise<string> {
  return endOf(loadMemory(store));
}

/** What a reader of all records makes of it, such as `audit verify`. */
const wholeOf = (store: LedgerStore): Promise<string> =>
  endOf(store.read(0).then((read) => (fold(read.records), read)));

async function endOf(read: Promise<{ readonly records: readonly LedgerRecord[] }>) {
  return read.then(
    ({ records }) => `from ${records[0]?.seq}`,
    (error: unknown) => {
      if (error instanceof WorldError) return [error.code, error.params['why']].join(' ').trim();
      throw error;
    },
  );
}

async function endingsOf(kind: Kind, appends: readonly Append[]) {
  const laid = await LAY[kind](appends);
  const latest = await Promise.all(laid.readers().map(readerOf));
  // A clone that is whole and one that is shallow come to the same end.
  expect(new Set(latest).size).toBe(1);
  return [latest[0], await wholeOf(laid.open())];
}

/** What `audit verify` says of checkpoints. */
function verdictOf(records: readonly LedgerRecord[]): readonly string[] {
  return proveRecords(records, FINGERPRINT)
    .filter(({ check }) => check === 'checkpoints')
    .map(({ why, params }) => `${why} ${Object.values(params ?? {}).join(' ')}`);
}

const BROKEN = 'ledgerBroken checkpoint';

/** All rows of a directory; of git, whose commits cost more, what `isTried`. */
const tried = <T>(kind: Kind, rows: readonly T[]): readonly T[] =>
  kind === 'directory' ? rows : rows.filter((_, nth) => isTried(nth));

describe.each<Kind>(['directory', 'git'])('in a ledger in a store of kind %s', (kind) => {
  /** Each text is refused, or costs the reading of an earlier one or of all records: never a record. */
  test.each(
    tried<readonly [string, readonly Append[], string | Readonly<Record<Kind, string>>]>(kind, [
      ['as it was written', history(), 'from 9'],
      ['with another number', withText(4, (was) => was.replace('"epoch":2', '"epoch":1')), BROKEN],
      [
        'with another letter of a name',
        withText(4, (was) => was.replace('run-b', 'run-x')),
        BROKEN,
      ],
      ['with a space more', withText(4, (was) => `${was} `), BROKEN],
      ['that is cut off', withText(4, (was) => was.slice(0, -9)), BROKEN],
      ['that is empty', withText(4, () => ''), BROKEN],
      // A directory has the text before it, too; the newest `head.json` in git names one.
      ['that is gone', withText(4, () => undefined), { directory: 'from 5', git: 'from 1' }],
      ['that is the one before it', withText(4, () => text(2)), BROKEN],
      [
        'that is of another ledger',
        withText(4, () => text(4, history(HONEST, [[OTHER, ...RUN], NEXT]))),
        BROKEN,
      ],
      ['that is beside another append as well', withText(5, () => text(4)), 'from 9'],
      ['that is beside the first append as well', withText(1, () => text(4)), 'from 9'],
    ]),
  )('J21 a text %s', async (_, appends, ending) => {
    const latest = typeof ending === 'string' ? ending : ending[kind];
    expect(await endingsOf(kind, appends)).toEqual([latest, 'from 1']);
    expect(verdictOf(recordsOf(appends))).toEqual(['checkpointsTrue 2']);
  });

  /** The digest is right, so only what the state says can betray it. Whoever reads all records finds each. */
  test.each(
    tried<readonly [string, Forgery, string]>(kind, [
      [
        'names another head',
        (parts) => ({ ...parts, head: { ...parts.head, hash: '0'.repeat(64) } }),
        BROKEN,
      ],
      [
        'names an earlier record',
        (parts) => ({ ...parts, head: { ...parts.head, seq: 3 } }),
        BROKEN,
      ],
      ['has another shape', (parts) => ({ ...parts, epoch: 'x' as never }), BROKEN],
      // What a SETTLED, a LIFT or a LOCK of the same attacker would say as well: all records tell.
      ['has a lower epoch', (parts) => ({ ...parts, epoch: 0 }), 'from 9'],
      [
        'has no open attempt',
        (parts) => ({ ...parts, open: new Set(), unanswered: new Map() }),
        'from 9',
      ],
      ['is of another service', (parts) => ({ ...parts, fingerprint: 'f'.repeat(63) }), 'from 9'],
    ]),
  )('J21 a false CHECKPOINT that %s', async (_, forged, ending) => {
    const appends = history(forged);
    expect(await endingsOf(kind, appends)).toEqual([ending, BROKEN]);
    expect(verdictOf(recordsOf(appends))).toEqual(['checkpointsTrue 1', 'checkpointFalse 9']);
  });

  test('J21 a false CHECKPOINT that says the digest of no state at all', async () => {
    const before = history().slice(0, 3);
    const body = { ...writeCheckpoint(partsOf(recordsOf(before))).body, state: sha256('[]') };
    const appends = [...before, next(before, [body], '[]')];
    expect(await endingsOf(kind, appends)).toEqual([BROKEN, BROKEN]);
  });

  test('J21 a true text beside records that do not continue those before them', async () => {
    const [, , third] = history(HONEST, [[OTHER, ...RUN], NEXT]);
    const appends = history().with(2, third ?? { records: [] });
    // The records since, and the state, are those that were there; what was before is not asked for.
    expect(await endingsOf(kind, appends)).toEqual(['from 9', 'ledgerBroken chain']);
  });

  test('J21 a ledger that begins with a CHECKPOINT of nothing is nobody’s', async () => {
    const { body, text: state } = writeCheckpoint(EMPTY_PARTS);
    const appends = [next([], [body, RELEASE], state)];
    const store = (await LAY[kind](appends)).open();
    expect((await loadMemory(store)).memory.fingerprint).toBe('');
    expect(proveRecords(recordsOf(appends), FINGERPRINT)).toEqual([
      { check: 'chain', result: 'broken', why: 'foreign' },
    ]);
  });

  /** Nothing in such a ledger is wrong. Only who saw the one before it can tell, whatever its checkpoints say. */
  describe('J6 a history that was written anew, checkpoints and all', () => {
    const anew = history(HONEST, [
      [GENESIS, lock(), plan('p', 'c'), { type: 'BEAT', n: 1 }],
      NOTHING,
    ]);

    test.each(kind === 'git' ? [7, 8] : [1, 7, 8, 11])(
      'is missed by a pin of record %i',
      async (seq) => {
        const head = headAfter(recordsOf(history()).slice(0, seq), EMPTY_HEAD);
        const ends = async (appends: readonly Append[]) =>
          Promise.all(
            (await LAY[kind](appends)).readers().map((store) => readerOf(pinned(store, head))),
          );
        // Pins of records before the checkpoint are found in all records.
        const rest = seq < 8 ? 'from 1' : 'from 9';
        expect(new Set(await ends(history()))).toEqual(new Set([rest]));
        const lost = seq === 1 ? rest : 'ledgerRolledBack';
        expect(new Set(await ends(anew))).toEqual(new Set([lost]));
      },
    );

    test('is believed where nobody saw another', async () => {
      expect(await endingsOf(kind, anew)).toEqual(['from 9', 'from 1']);
      expect(verdictOf(recordsOf(anew))).toEqual(['checkpointsTrue 2']);
    });
  });
});

function pinned(store: LedgerStore, { seq, hash }: LedgerHead): LedgerStore {
  const pin = join(scratchFolder('forged-pin'), 'pin');
  writeFileSync(pin, `${seq} ${hash}\n`);
  return pinnedStore(store, [pin]);
}

const bare = (store: LedgerStore): LedgerStore => pinnedStore(store, []);

describe('in a branch of git', () => {
  const anew = history(HONEST, [
    [GENESIS, lock(), plan('p', 'c'), { type: 'BEAT', n: 1 }],
    NOTHING,
  ]);

  test.each(tried('git', [0, 2, 4, 5, 999, 1e15, -1, 'x']))(
    'J21 a hint of %s costs a reading, never a record',
    async (hint) => {
      expect(await endingsOf('git', withHint(hint))).toEqual(['from 1', 'from 1']);
    },
  );

  test('J21 a hint of a commit that has a text and no CHECKPOINT is as false', async () => {
    const appends = withHint(0).map((each, at) => (at === 4 ? { ...each, text: text(4) } : each));
    expect(await endingsOf('git', appends)).toEqual(['from 1', 'from 1']);
  });

  test('J21 a commit of a checkpoint that has a third file is no append', async () => {
    const all = history();
    const parent = await commits(all.slice(0, 3));
    const records = all[3]?.records ?? [];
    const head = headAfter(records, EMPTY_HEAD);
    const file = { ...headFileAfter(NO_HEAD_FILE, records, head), epoch: 2, checkpoint: 0 };
    const files = {
      'head.json': headText(file, { state: text(4) }),
      'records.json': appendText({ lines: records.map(encodeRecord), head }),
    };
    for (const name of ['a.txt', 'workflows/a.yml', 'z.txt']) {
      const branch = `forged-${(made += 1)}`;
      const message = 'x';
      const commit = git.remote().commit({ parent, files: { ...files, [name]: '' }, message });
      push(branch, await commit);
      for (const store of [storeIn(git.clone, branch), storeIn(shallow(), branch)])
        expect(await readerOf(store)).toBe('ledgerBroken notALedger');
    }
  });

  test('J21 a hint of the checkpoint before is as good', async () => {
    expect(await endingsOf('git', withHint(3))).toEqual(['from 5', 'from 1']);
  });

  /**
   * A fresh machine believes it, as it believes a whole ledger that the same attacker made up: both take the right to
   * replace the ledger. The whole of it is not to be read, so `audit verify` ends with 9.
   */
  test('J21 a ledger that begins with a CHECKPOINT of what was never there', async () => {
    const appends = history().slice(3);
    expect(await endingsOf('git', appends)).toEqual(['from 9', 'ledgerBroken order']);
  });

  test('M12 a history that was written anew is missed by the branch of heads', async () => {
    const branch = `forged-${(made += 1)}`;
    for (const seen of [1, 4]) {
      push(`${branch}-heads`, await commits(history().slice(0, seen)));
      const readers = () => [storeIn(git.clone, branch), storeIn(shallow(), branch)].map(bare);
      push(branch, await commits(history()));
      const found = await Promise.all(readers().map(readerOf));
      expect(new Set(found)).toEqual(new Set([seen < 3 ? 'from 1' : 'from 9']));
      push(branch, await commits(anew));
      expect(new Set(await Promise.all(readers().map(readerOf)))).toEqual(
        new Set(['ledgerRolledBack']),
      );
    }
  });

  test('J6 a history that is replaced while a process reads it is missed by that process', async () => {
    const branch = `forged-${(made += 1)}`;
    push(branch, await commits(history()));
    const stores = [storeIn(git.clone, branch), storeIn(shallow(), branch)];
    for (const store of stores) expect(await readerOf(store)).toBe('from 9');
    push(branch, await commits(anew));
    for (const store of stores) expect(await readerOf(store)).toBe('ledgerRolledBack');
  });

  /** The history of the branch below its newest checkpoint is other commits: what a reader uses is true all the same. */
  test('J21 commits below a checkpoint that were put there since', async () => {
    const branch = `forged-${(made += 1)}`;
    const below = await commits(anew.slice(0, 3));
    push(branch, await commits(history().slice(3), below));
    const readers = () => [storeIn(git.clone, branch), storeIn(shallow(), branch)];
    const head = headAfter(recordsOf(history()).slice(0, 4), EMPTY_HEAD);
    for (const store of readers()) expect(await wholeOf(store)).toMatch(/^ledgerBroken/);
    for (const store of readers())
      expect(await readerOf(pinned(store, head))).toMatch(/^ledgerBroken/);
  });

  describe('a clone that says falsely where its history ends', () => {
    /** A clone that has the whole branch, and its commits, the newest first. */
    async function clone() {
      const branch = `forged-${(made += 1)}`;
      push(branch, await commits(history()));
      const folder = git.another(branch, '--branch', branch);
      const ids = git.git(folder, 'rev-list', 'HEAD').split('\n');
      return { ids, folder: join(folder, '.git'), open: () => storeIn(folder, branch) };
    }

    test.each([0, 1, 2, 4])(
      'J3 at %i commits before the newest: it fetches the rest',
      async (at) => {
        const { ids, folder, open } = await clone();
        writeFileSync(join(folder, 'shallow'), `${ids[at]}\n`);
        expect(await readerOf(open())).toBe('from 9');
        writeFileSync(join(folder, 'shallow'), `${ids[at]}\n`);
        expect((await open().read(0)).records).toEqual(recordsOf(history()));
      },
    );

    test.each([
      ['ends at its checkpoint', 1, undefined],
      ['goes on from its first commit at its checkpoint', 1, 4],
      ['goes on from its checkpoint before at its newest commit', 0, 3],
    ])('J3 by a graft that %s: what was left out is missed', async (_, from, to) => {
      const { ids, folder, open } = await clone();
      mkdirSync(join(folder, 'info'), { recursive: true });
      writeFileSync(join(folder, 'info', 'grafts'), `${ids[from]} ${to ? ids[to] : ''}\n`);
      expect(await wholeOf(open())).toMatch(/^ledgerBroken/);
      expect(await readerOf(open())).toMatch(from === 1 ? /^from 9$/ : /^ledgerBroken/);
    });
  });
});
