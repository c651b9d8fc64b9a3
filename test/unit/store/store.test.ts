import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { EMPTY_HEAD } from '../../../src/ledger/chain.ts';
import { chooseStore } from '../../../src/store/store.ts';
import { chained, GENESIS } from '../../support/ledger-records.ts';

const PRINT = '0123456789abcdef'.repeat(4);
const failsWith = (code: string) => expect.objectContaining({ code });

test('without settings it is a directory of the tenant below the working directory', () => {
  const place = resolve('/srv', '.fleetform', '0123456789ab');
  expect(chooseStore(undefined, {}, PRINT, '/srv').place).toBe(place);
  expect(chooseStore({ store: 'directory' }, {}, PRINT, '/srv').place).toBe(place);
  expect(chooseStore(undefined, {}, PRINT).place).toBe(resolve('.fleetform', '0123456789ab'));
});

test('a path that is written out is taken, from the working directory', () => {
  const settings = { store: 'directory', path: 'ledger' } as const;
  expect(chooseStore(settings, {}, PRINT, '/srv').place).toBe(resolve('/srv/ledger'));
});

test.each(['true', '1', 'yes'])('in CI (%s) nothing is assumed', (CI) => {
  expect(() => chooseStore(undefined, { CI }, PRINT)).toThrow(failsWith('ledgerNotChosen'));
  expect(() => chooseStore({ store: 'directory' }, { CI }, PRINT)).toThrow(
    failsWith('ledgerNotChosen'),
  );
});

test('in CI a path that is written out is the word of somebody who knows the disk', () => {
  const settings = { store: 'directory', path: '/var/ledger' } as const;
  expect(chooseStore(settings, { CI: 'true' }, PRINT).place).toBe(resolve('/var/ledger'));
});

test.each(['', '0', 'false'])('CI=%j is not CI', (CI) => {
  expect(chooseStore(undefined, { CI }, PRINT).place).toContain('.fleetform');
});

test('a directory does not stand in for git', () => {
  expect(() => chooseStore({ store: 'git' }, {}, PRINT)).toThrow(failsWith('ledgerNotChosen'));
});

test('the last head seen lies beside the ledger, not in it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'store-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const store = chooseStore(undefined, {}, PRINT, root);
  await store.append(chained([GENESIS]), EMPTY_HEAD);
  await store.read(0);
  expect((await readdir(join(root, '.fleetform'))).sort()).toEqual([
    '0123456789ab',
    '0123456789ab.head',
  ]);
});
