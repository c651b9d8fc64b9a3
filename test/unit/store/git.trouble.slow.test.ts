import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import type { LedgerHead, RecordBody } from '../../../src/model/ledger/record.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { openJournal } from '../../../src/store/journal.ts';
import { GitPlace } from '../../support/git-place.ts';
import { attempt, chained, FINGERPRINT, GENESIS, lock } from '../../support/ledger-records.ts';
import { chance, ClockDouble } from '../../support/store-double.ts';
import { failsWith, TAKE } from '../../support/store-rig.ts';

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());

const BY = { epoch: 1, at: '2026-01-01T00:00:00Z', tool: '1' };
const onto = (head: LedgerHead, n = 1) => appendTo(head, [{ type: 'BEAT', n } as RecordBody], BY);

let branches = 0;

/** A ledger of two records in one append on a branch of its own, and the store that wrote it. */
async function begun() {
  const branch = `trouble-${(branches += 1)}`;
  const open = (silence?: number) =>
    gitStore(place.remote(place.clone, { branch, ...(silence && { silence }) }), Math.random);
  const store = open();
  const records = chained([GENESIS, lock()]);
  expect(await store.append(records, EMPTY_HEAD)).toBe('acknowledged');
  const count = () => Number(place.git(place.bare, 'rev-list', '--count', branch));
  return { branch, open, store, head: headAfter(records, EMPTY_HEAD), count };
}

/** Runs with a hook of the remote in place; `$PPID` in it is the server's side of the push. */
async function hooked<T>(name: string, script: string, run: () => Promise<T>): Promise<T> {
  place.hook(name, script);
  try {
    return await run();
  } finally {
    place.unhook(name);
  }
}

/** Looks again and again at what another process does; how long that takes decides nothing. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(20);
}

describe('a push without an answer', () => {
  test('that landed counts as acknowledged, by where the branch is', async () => {
    const { store, head, count } = await begun();
    const append = () => store.append(onto(head), head);
    expect(await hooked('post-receive', 'kill -9 $PPID', append)).toBe('acknowledged');
    expect(count()).toBe(2);
  });

  test('J11 that did not land is unknown, and the very same commit is pushed again', async () => {
    const { branch, store, head, count } = await begun();
    const seen = join(place.root, 'seen');
    const script = `read old new ref; echo $new >> ${seen}; kill -9 $PPID`;
    const append = () => store.append(onto(head), head);
    expect(await hooked('pre-receive', script, append)).toBe('unknown');
    expect([await append(), count()]).toEqual(['acknowledged', 2]);
    expect(readFileSync(seen, 'utf8')).toBe(`${place.tip(branch)}\n`);
  });

  test('of a remote that is gone for a while is cleared up once it is back', async () => {
    const { branch, open, count } = await begun();
    const clock = new ClockDouble();
    const process = { host: 'here', pid: 1, processStartedAt: 's', isAlive: () => false };
    const of = { store: open(), clock, random: chance(1), fingerprint: FINGERPRINT, tool: '1' };
    const journal = await openJournal({ ...of, ...process, leaseTtl: 600_000 });
    await journal.take({ ...TAKE, takeOver: true });
    const away = `${place.bare}.away`;
    let naps = 0;
    clock.onSleep = () => {
      naps += 1;
      if (naps === 2) renameSync(away, place.bare);
    };
    const script = `mv ${place.bare} ${away}; kill -9 $PPID`;
    place.hook('post-receive', script);
    expect(await journal.append([attempt('a.1', ['d1'])])).toBe('acknowledged');
    place.unhook('post-receive');
    expect([naps, count()]).toEqual([2, 3]);
    expect(place.git(place.bare, 'show', `${branch}:records.json`)).toContain('"a.1"');
  });

  test.each(['first', 'last'] as const)(
    'killed half-way is fenced: another child of its parent lands %s',
    async (order) => {
      const { branch, open, head, count } = await begun();
      const [slow, other] = [open(300), open()];
      await Promise.all([slow.read(0), other.read(0)]);
      const go = join(place.root, `go-${branch}`);
      const script = `mkdir ${go}.held 2>/dev/null || exit 0\nuntil [ -f ${go} ]; do sleep 0.02; done\ntouch ${go}.left`;
      const release = async () => {
        writeFileSync(go, '');
        await until(() => existsSync(`${go}.left`));
      };
      await hooked('pre-receive', script, async () => {
        expect(await slow.append(onto(head), head)).toBe('unknown');
        if (order === 'last') {
          await release();
          await until(() => count() === 2);
        }
        const theirs = onto(head, 2);
        expect(await other.append(theirs, head)).toBe(order === 'first' ? 'acknowledged' : 'lost');
        if (order === 'first') await release();
      });
      expect(await slow.append(onto(head), head)).toBe(order === 'first' ? 'lost' : 'acknowledged');
      expect(count()).toBe(2);
      const [last] = (await open().read(2)).records;
      expect(last?.body).toEqual({ type: 'BEAT', n: order === 'first' ? 2 : 1 });
    },
  );
});

describe('a remote that is not fit', () => {
  test('because it declines the push is said at once, with its reason', async () => {
    const { store, head, count } = await begun();
    const append = () => store.append(onto(head), head);
    await expect(hooked('update', 'exit 1', append)).rejects.toThrow(
      failsWith('ledgerUnfit', { why: 'refused', cause: 'hook declined' }),
    );
    expect([count(), await append()]).toEqual([1, 'acknowledged']);
  });

  test('because it cannot be reached is a failure of the store that may pass', async () => {
    const remote = place.remote(place.clone, { remote: join(place.root, 'nowhere.git') });
    await expect(gitStore(remote, Math.random).read(0)).rejects.toMatchObject({
      code: 'storeFailed',
      retry: 'safe',
    });
  });

  test('because the branch holds something else is left alone', async () => {
    const remote = place.remote(place.clone, { branch: 'main' });
    const before = place.tip('main');
    await expect(gitStore(remote, Math.random).read(0)).rejects.toThrow(
      failsWith('ledgerBroken', { why: 'notALedger' }),
    );
    expect(place.tip('main')).toBe(before);
  });
});

test('another history in the place of ours is refused, of whatever length', async () => {
  const { branch, store, head } = await begun();
  const { branch: other } = await begun();
  place.git(place.bare, 'update-ref', `refs/heads/${branch}`, place.tip(other));
  await expect(store.read(head.seq)).rejects.toThrow(failsWith('ledgerRolledBack', { found: 2 }));
  expect(await store.append(onto(head), head)).toBe('lost');
  expect(place.tip(branch)).toBe(place.tip(other));
});

test('a branch that is gone while we run is refused, not begun anew', async () => {
  const { branch, store, head } = await begun();
  place.git(place.bare, 'update-ref', '-d', `refs/heads/${branch}`);
  await expect(store.read(head.seq)).rejects.toThrow(failsWith('ledgerRolledBack', { found: 0 }));
  expect(await store.append(onto(head), head)).toBe('lost');
});
