import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { isCutOff } from '../../../src/git/first-parents.ts';
import { remoteGit } from '../../../src/git/git.ts';
import type { RemoteOptions } from '../../../src/git/ledger-remote.ts';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import { writeCheckpoint } from '../../../src/ledger/checkpoint.ts';
import { continueDraft, fold } from '../../../src/ledger/fold.ts';
import type { RecordBody } from '../../../src/model/ledger/record.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { openJournal } from '../../../src/store/journal.ts';
import { loadMemory } from '../../../src/store/ledger-client.ts';
import { BRANCH, ENV, GitPlace, PERSON } from '../../support/git-place.ts';
import { answersOf } from '../../support/ledger-chance.ts';
import { chained, FINGERPRINT, GENESIS, lock, RELEASE } from '../../support/ledger-records.ts';
import { chance, ClockDouble } from '../../support/store-double.ts';
import { TAKE } from '../../support/store-rig.ts';

const SEEN: RecordBody = {
  type: 'SEEN',
  what: 'back',
  subject: 'd',
  seenAt: '2026-01-01T00:00:00Z',
};
const HEADS = { isMoved: true, onUnkept: () => expect.unreachable() };
const place = new GitPlace();
let seed = 0;

afterAll(() => place[Symbol.dispose]());

const storeIn = (folder: string, more: Partial<RemoteOptions> = {}) =>
  gitStore(place.remote(folder, { heads: HEADS, ...more }), Math.random);

function journalIn(folder: string) {
  const process = { host: 'here', pid: (seed += 1), processStartedAt: 's', isAlive: () => true };
  const of = { store: storeIn(folder), clock: new ClockDouble(), random: chance(seed) };
  return openJournal({ ...of, fingerprint: FINGERPRINT, tool: '1', ...process });
}

async function night(folder: string, records: number) {
  const journal = await journalIn(folder);
  await journal.take(TAKE);
  for (const _ of [1, 2, 3]) await journal.append(Array.from({ length: records }, () => SEEN));
  await journal.release();
}

const shallow = (name: string) =>
  place.another(name, '--depth=1', '--single-branch', '--branch=main');
const isShallow = (folder: string) => place.git(folder, 'rev-parse', '--is-shallow-repository');
const commitsIn = (folder: string) => {
  const ref = place.git(folder, 'for-each-ref', '--format=%(refname)', 'refs/fleetform');
  return Number(place.git(folder, 'rev-list', '--count', ref.split('\n')[0] ?? ''));
};

await night(place.clone, 200);
await night(place.clone, 2);
const all = (await storeIn(place.clone).read(0)).records;
const since = all.slice(all.findIndex(({ body }) => body.type === 'CHECKPOINT'));

test('J21 a shallow clone fetches the ledger from its newest checkpoint on', async () => {
  const folder = shallow('runner');
  const { memory, records } = await loadMemory(storeIn(folder));
  expect(records).toEqual(since);
  expect(answersOf(memory)).toEqual(answersOf(fold(all)));
  expect(commitsIn(folder)).toBe(6);
});

describe('J3 in a repository with many commits', () => {
  const ids = Array.from({ length: 50 }, (_, n) => {
    const text = `commit ${n}`;
    place.git(place.clone, ...PERSON, 'commit', '--quiet', '--allow-empty', '-m', text);
    return place.git(place.clone, 'rev-parse', 'HEAD');
  });
  place.git(place.clone, 'push', '--quiet', 'origin', 'HEAD:main');

  test.each([
    ['of one commit', ['--depth=1'], 1],
    ['of three commits', ['--depth=3'], 3],
    ['that is whole', [], 51],
  ])(
    'a job with a clone %s fetches the ledger from its newest checkpoint on',
    async (_, flags, own) => {
      const folder = place.another(`job-${own}`, ...flags, '--single-branch', '--branch=main');
      const git = remoteGit(folder, ENV, { silence: 10_000 });
      // As the documents are in a folder of the clone.
      const fleet = join(folder, 'fleet');
      mkdirSync(fleet);
      const store = () => storeIn(fleet, { isJob: true });
      expect((await loadMemory(store())).records).toEqual(since);
      expect(commitsIn(folder)).toBe(6);
      // The branch of the ledger is cut, whatever the clone says of itself; that of the documents is as it was.
      expect(isShallow(folder)).toBe('true');
      const ref = place.git(folder, 'for-each-ref', '--format=%(refname)', 'refs/fleetform');
      expect(await isCutOff(git, ref)).toBe(true);
      expect(await isCutOff(git, 'HEAD')).toBe(own < 51);
      expect(place.git(folder, 'rev-list', '--count', 'HEAD')).toBe(String(own));
      // Whoever asks for all records gets them, and of the documents no commit more.
      expect((await store().read(0)).records).toEqual(all);
      expect(commitsIn(folder)).toBe(10);
      expect(place.git(folder, 'rev-list', '--count', 'HEAD')).toBe(String(own));
    },
  );

  test('a history that is cut below its tip is cut, wherever it is', async () => {
    const folder = place.another('cut', '--single-branch', '--branch=main');
    const git = remoteGit(folder, ENV, { silence: 10_000 });
    expect(await isCutOff(git, 'HEAD')).toBe(false);
    for (const id of [ids[0], ids[20], ids[49]]) {
      writeFileSync(join(folder, '.git', 'shallow'), `${id}\n`);
      expect(await isCutOff(git, 'HEAD')).toBe(true);
      expect(await isCutOff(git, '--first-parent', 'HEAD')).toBe(true);
    }
    rmSync(join(folder, '.git', 'shallow'));
    mkdirSync(join(folder, '.git', 'info'));
    writeFileSync(join(folder, '.git', 'info', 'grafts'), `${ids[20]}\n`);
    expect(await isCutOff(git, 'HEAD')).toBe(true);
  });
});

test('J21 a shallow clone fetches the rest once somebody asks for it', async () => {
  const store = storeIn(shallow('auditor'));
  await loadMemory(store);
  expect((await store.read(0)).records).toEqual(all);
});

test('J21 a clone that is whole stays whole', async () => {
  const folder = place.another('person', '--single-branch', '--branch=main');
  const { records } = await loadMemory(storeIn(folder));
  expect(records).toEqual(since);
  expect(isShallow(folder)).toBe('false');
  expect(commitsIn(folder)).toBe(10);
});

test('J21 a checkpoint whose commit was made and never pushed is neither a record nor a text', async () => {
  const branch = 'unpushed';
  const records = chained([GENESIS, lock()]);
  const head = headAfter(records, EMPTY_HEAD);
  const { body, text } = writeCheckpoint(continueDraft(fold(records)).finish());
  const last = appendTo(head, [body, RELEASE], { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' });
  expect(await storeIn(place.clone, { branch }).append(records, EMPTY_HEAD)).toBe('acknowledged');
  const remote = place.remote(place.clone, { branch, heads: HEADS });
  remote.move = () => Promise.reject(new Error('killed'));
  const killed = gitStore(remote, Math.random);
  await expect(killed.append(last, head, text)).rejects.toThrow('killed');
  const next = storeIn(place.clone, { branch });
  expect((await loadMemory(next)).records).toEqual(records);
  expect(await next.append(last, head, text)).toBe('acknowledged');
  for (const folder of [place.clone, shallow('after')])
    expect((await loadMemory(storeIn(folder, { branch }))).records).toEqual(last);
});

test('J21 M12 a shallow clone appends, and the heads beside the ledger move without a merge', async () => {
  const folder = shallow('writer');
  await night(folder, 1);
  expect(place.tip(`${BRANCH}-heads`)).toBe(place.tip());
  // The heads stay behind, as a program of before leaves them.
  place.git(place.bare, 'update-ref', `refs/heads/${BRANCH}-heads`, `${BRANCH}~9`);
  await night(shallow('later'), 1);
  expect(place.tip(`${BRANCH}-heads`)).toBe(place.tip());
  const { records } = await storeIn(place.clone).read(0);
  expect((await loadMemory(storeIn(place.clone))).memory.head.seq).toBe(records.at(-1)?.seq);
});
