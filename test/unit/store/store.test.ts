import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { EMPTY_HEAD } from '../../../src/ledger/chain.ts';
import type { LedgerSettings } from '../../../src/model/documents/policy.ts';
import type { LedgerRemote } from '../../../src/model/ledger/ledger-remote.ts';
import { chooseStore, type StoreParts } from '../../../src/store/store.ts';
import { chained, GENESIS } from '../../support/ledger-records.ts';
import { scratchFolder } from '../../support/scratch.ts';

const PRINT = '0123456789abcdef'.repeat(4);
const failsWith = (code: string) => expect.objectContaining({ code });

const openRemote = (remote: string, branch: string) =>
  Promise.resolve({ place: `${remote} ${branch}` } as LedgerRemote);

const openDatabase = () => ({ place: 'db:5432/fleet', query: () => Promise.resolve([]) });

function choose(settings: LedgerSettings | undefined, more: Partial<StoreParts> = {}) {
  const base = { env: {}, fingerprint: PRINT, workingDirectory: '/srv', openRemote, openDatabase };
  return chooseStore(settings, { ...base, random: Math.random, ...more });
}

test('J5 without settings it is a directory of the tenant below the working directory', async () => {
  const place = resolve('/srv', '.fleetform', '0123456789ab');
  expect((await choose(undefined)).store.place).toBe(place);
  expect((await choose({ store: 'directory' })).store.place).toBe(place);
});

test('a path that is written out is taken, from the working directory', async () => {
  const { store, leaseTtl } = await choose({ store: 'directory', path: 'ledger' });
  expect([store.place, leaseTtl]).toEqual([resolve('/srv/ledger'), 90_000]);
});

test('J20 a database is that of the environment, in CI too', async () => {
  const { store, leaseTtl } = await choose({ store: 'postgres' }, { env: { CI: 'true' } });
  expect([store.place, leaseTtl]).toEqual(['db:5432/fleet', 90_000]);
});

test.each(['true', '1', 'yes'])('J5 in CI (%s) nothing is assumed', async (CI) => {
  const env = { CI };
  await expect(choose(undefined, { env })).rejects.toThrow(failsWith('ledgerNotChosen'));
  await expect(choose({ store: 'directory' }, { env })).rejects.toThrow(
    failsWith('ledgerNotChosen'),
  );
});

test('in CI a path that is written out is the word of somebody who knows the disk', async () => {
  const settings = { store: 'directory', path: '/var/ledger' } as const;
  const { store } = await choose(settings, { env: { CI: 'true' } });
  expect(store.place).toBe(resolve('/var/ledger'));
});

test.each(['', '0', 'false'])('CI=%j is not CI', async (CI) => {
  expect((await choose(undefined, { env: { CI } })).store.place).toContain('.fleetform');
});

test('git is a branch of origin where nothing else is said, in CI too, with a long lease', async () => {
  const { store, leaseTtl } = await choose({ store: 'git' }, { env: { CI: 'true' } });
  expect([store.place, leaseTtl]).toEqual(['origin fleetform-ledger', 600_000]);
  const other = await choose({ store: 'git', remote: '/srv/x.git', branch: 'ops' });
  expect(other.store.place).toBe('/srv/x.git ops');
});

test('the last head seen lies beside the ledger, not in it', async () => {
  const root = scratchFolder('store');
  const { store } = await choose(undefined, { workingDirectory: root });
  await store.append(chained([GENESIS]), EMPTY_HEAD);
  await store.read(0);
  expect((await readdir(join(root, '.fleetform'))).sort()).toEqual([
    '0123456789ab',
    '0123456789ab.head',
  ]);
});
