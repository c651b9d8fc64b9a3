import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compactFacts } from '../../../src/facts/belief.ts';
import type { Fact } from '../../../src/facts/fact.ts';
import type { LedgerRemote } from '../../../src/model/ledger/ledger-remote.ts';
import { factsBranch } from '../../../src/store/facts-branch.ts';
import { factsFile, type Compact } from '../../../src/store/facts-file.ts';
import { chooseFactStores } from '../../../src/store/store.ts';
import { GitPlace } from '../../support/git-place.ts';
import { NOW } from '../../support/plan-fleet.ts';
import { scratchFolder } from '../../support/scratch.ts';

const DAY = 86_400_000;
const OWNER = { tenant: 'f'.repeat(64), ledger: 'l' };
const BRANCH = 'fleetform-facts';

const aFact = (id: string, at = NOW): Fact => ({
  kind: 'password',
  id,
  at,
  reader: 'r',
  who: 'w',
  value: { is: 'password', changed: NOW - DAY },
});
const all: Compact = (facts) => facts;
/** The files that records name: each that a store of the test wrote. */
class Named {
  readonly at = new Map<string, number>();
  readonly since = NOW - 7 * DAY;
  name(digest: string | undefined, at = NOW): void {
    this.at.set(`${digest}`, at);
  }
}
const idsIn = ({ facts }: { readonly facts: ReadonlyMap<string, Fact> }): readonly string[] =>
  [...facts.keys()].toSorted();

describe('N16 a file of facts', () => {
  it('is not there before the first write, and is replaced as a whole', async () => {
    const folder = join(scratchFolder('facts-file'), 'tenant');
    const store = factsFile(folder, OWNER);
    expect((await store.read()).facts.size).toBe(0);
    expect(existsSync(folder)).toBe(false);
    await store.write([aFact('a')], all, false);
    await store.write([aFact('b'), aFact('a', NOW + 1_000)], all, false);
    const { facts } = await store.read();
    expect(idsIn({ facts })).toEqual(['password a', 'password b']);
    expect(facts.get('password a')?.at).toBe(NOW + 1_000);
    expect(readdirSync(folder)).toEqual(['facts.jsonl']);
  });
});

describe('N10 N18 a store of facts holds', () => {
  const limits = { now: NOW, maxAge: 7 * DAY, perSecond: 1, distrusted: new Map<string, number>() };

  it('nothing that nobody has believed for long, and nothing from the far future', () => {
    const facts = [
      aFact('new'),
      aFact('old', NOW - 27 * DAY),
      aFact('older', NOW - 28 * DAY),
      aFact('later', NOW + 2 * DAY),
    ];
    expect(compactFacts(facts, limits).map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it('M25 nothing that a record says is not believed', () => {
    const facts = [aFact('before', NOW - 1_000), aFact('from')];
    const distrusted = new Map([['password', NOW]]);
    expect(compactFacts(facts, { ...limits, distrusted }).map(({ id }) => id)).toEqual(['from']);
    const others = new Map([['certificate', NOW]]);
    expect(compactFacts(facts, { ...limits, distrusted: others })).toHaveLength(2);
  });

  it('no more than can be read anew in a week, the newest', () => {
    const facts = Array.from({ length: 70 }, (_, n) => aFact(`${n}`, NOW - n * 1_000));
    const held = compactFacts(facts, { ...limits, perSecond: 60 / (7 * 86_400) });
    expect(held.map(({ id }) => Number(id))).toEqual(Array.from({ length: 60 }, (_, n) => n));
  });
});

describe('N17 a branch of facts', () => {
  it('is one commit without a parent, which each write replaces', async () => {
    using place = new GitPlace();
    const named = new Named();
    const store = factsBranch(place.remote(place.clone, { branch: BRANCH }), OWNER, named);
    expect((await store.read()).facts.size).toBe(0);
    named.name(await store.write([aFact('a')], all, false));
    named.name(await store.write([aFact('b')], all, false));
    expect(idsIn(await store.read())).toEqual(['password a', 'password b']);
    expect(place.git(place.bare, 'rev-list', '--count', BRANCH)).toBe('1');
    expect(place.git(place.bare, 'ls-tree', '--name-only', BRANCH).split('\n')).toEqual([
      '00.jsonl',
      '01.jsonl',
    ]);
  });

  it('has the facts of both where two write at once, and is merged at sixteen files', async () => {
    using place = new GitPlace();
    const other = place.another('other');
    const named = new Named();
    const stores = [place.clone, other].map((clone) =>
      factsBranch(place.remote(clone, { branch: BRANCH }), OWNER, named),
    );
    const both = stores.map((store, n) => store.write([aFact(`both-${n}`)], all, false));
    for (const digest of await Promise.all(both)) named.name(digest);
    for (let n = 0; n < 15; n += 1)
      named.name(await stores[n % 2]?.write([aFact(`${n}`)], all, false));
    const files = place.git(place.bare, 'ls-tree', '--name-only', BRANCH).split('\n');
    expect(files).toEqual(['00.jsonl']);
    for (const store of stores) expect((await store.read()).facts.size).toBe(17);
  });

  it('M24 is read where a record names its files, and what none names is dropped', async () => {
    using place = new GitPlace();
    const named = new Named();
    const open = (at = named) =>
      factsBranch(place.remote(place.clone, { branch: BRANCH }), OWNER, at);
    named.name(await open().write([aFact('old')], all, false), NOW - 8 * DAY);
    named.name(await open().write([aFact('named')], all, false));
    await open().write([aFact('forged')], all, false);
    const store = open();
    const read = await store.read();
    expect(idsIn(read)).toEqual(['password named']);
    expect(read.unnamed).toBe(true);
    named.name(await store.write([aFact('next')], all, false));
    const after = await open().read();
    expect(idsIn(after)).toEqual(['password named', 'password next']);
    expect(after.unnamed).toBeUndefined();
    await open().write([aFact('forged')], all, false);
    named.name(await open().write([aFact('whole')], all, true));
    expect(idsIn(await open().read())).toEqual([
      'password named',
      'password next',
      'password whole',
    ]);
    expect((await open(new Named()).read()).facts.size).toBe(0);
  });

  it('is given up after five tries, with an error that the caller only reports', async () => {
    let tries = 0;
    const remote: Partial<LedgerRemote> = {
      place: 'origin',
      tip: () => Promise.resolve(''),
      commit: () => Promise.resolve('new'),
      move: () => Promise.resolve(((tries += 1), 'elsewhere' as const)),
    };
    const store = factsBranch(remote as LedgerRemote, OWNER, new Named());
    await expect(store.write([aFact('a')], all, false)).rejects.toMatchObject({
      code: 'storeFailed',
    });
    expect(tries).toBe(5);
  });

  it('is never put in the place of a branch that is not one', async () => {
    using place = new GitPlace();
    writeFileSync(join(place.clone, 'notes.txt'), 'mine');
    place.git(place.clone, 'add', 'notes.txt');
    place.git(
      place.clone,
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.com',
      'commit',
      '-qm',
      'mine',
    );
    place.git(place.clone, 'push', '-q', 'origin', `HEAD:refs/heads/${BRANCH}`);
    const before = place.tip(BRANCH);
    const store = factsBranch(place.remote(place.clone, { branch: BRANCH }), OWNER, new Named());
    await expect(store.write([aFact('a')], all, false)).rejects.toMatchObject({
      code: 'storeFailed',
    });
    expect(place.tip(BRANCH)).toBe(before);
  });
});

describe('the stores of facts', () => {
  const branches: string[] = [];
  const parts = {
    workingDirectory: '/srv',
    named: new Named(),
    openRemote: (_: string, branch: string) => {
      branches.push(branch);
      return Promise.resolve({ place: branch } as LedgerRemote);
    },
    openDatabase: () => ({ place: 'db:5432/fleet', query: () => Promise.resolve([]) }),
  };

  it('lie beside the ledger, and on this machine where that is shared', async () => {
    const own = join('/srv/.fleetform', 'f'.repeat(12), 'facts.jsonl');
    expect(await chooseFactStores(undefined, OWNER, parts)).toMatchObject({
      local: { place: own },
    });
    const elsewhere = await chooseFactStores({ store: 'directory', path: '/ledger' }, OWNER, parts);
    expect(elsewhere.local.place).toBe('/ledger/facts.jsonl');
    expect(elsewhere.shared).toBeUndefined();
    const git = await chooseFactStores({ store: 'git' }, OWNER, parts);
    expect([git.local.place, git.shared?.place]).toEqual([own, 'fleetform-facts']);
    const database = await chooseFactStores({ store: 'postgres' }, OWNER, parts);
    expect([database.local.place, database.shared?.place]).toEqual([own, 'db:5432/fleet']);
    await chooseFactStores({ store: 'git', branch: 'ledger-of-acme' }, OWNER, parts);
    expect(branches).toEqual(['fleetform-facts', 'ledger-of-acme-facts']);
  });
});
