import { afterAll, expect, test } from 'vitest';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFleet } from '../../../src/config/load.ts';
import { findFleetWork } from '../../../src/operations/fleets-with-work.ts';
import { resolveTarget } from '../../../src/operations/target.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitStore } from '../../../src/store/git-store.ts';
import { ENV, GitPlace } from '../../support/git-place.ts';
import { chained, GENESIS, lock } from '../../support/ledger-records.ts';

const NAMES = ['acme', 'globex', 'initech', 'hooli', 'umbrella', 'wayne'];
const LAST = Date.UTC(2026, 0, 1);

const place = new GitPlace();
afterAll(() => place[Symbol.dispose]());
const clock = { now: () => LAST };
const shell = { cwd: place.clone, env: ENV, random: Math.random, clock } as unknown as Shell;

async function write(name: string, ledger: string): Promise<void> {
  const folder = join(place.clone, 'fleet', name);
  mkdirSync(folder, { recursive: true });
  const service = `{baseUrl: https://api.example.com, organization: ${name}, ledger: {${ledger}}}`;
  writeFileSync(join(folder, 'service.yaml'), `service: ${service}\n`);
}

/** Two runs that found nothing to do, on the branch of an organization and that of its heads. */
async function run(name: string): Promise<void> {
  const { documents } = await loadFleet(join(place.clone, 'fleet', name));
  if (!documents) throw new Error(`${name} is not valid`);
  const { fingerprint } = resolveTarget(documents.service.value, undefined, {});
  const coverage = {
    seen: {},
    offered: {},
    person: [],
    documents: documents.digest,
    next: 'never',
  };
  const quiet = [lock(), { type: 'RELEASE', coverage } as const];
  const records = chained([{ ...GENESIS, fingerprint } as typeof GENESIS, ...quiet, ...quiet]);
  const heads = { isMoved: true, onUnkept: () => undefined };
  const branch = `fleetform-${name}-ledger`;
  const store = gitStore(place.remote(place.clone, { branch, heads }), Math.random);
  expect(await store.append(records, { seq: 0, hash: '' })).toBe('acknowledged');
}

test('N88 finds work by one fetch of all ledgers, and takes what it cannot read for work', async () => {
  for (const name of NAMES) await write(name, `store: git, branch: fleetform-${name}-ledger`);
  for (const name of NAMES.filter((each) => each !== 'globex')) await run(name);
  // The branch of hooli was put back to an old copy; that of its heads, which is protected, was not.
  place.git(place.clone, 'push', '--quiet', '--force', 'origin', 'main:refs/heads/other');
  const { bare } = place;
  place.git(bare, 'update-ref', 'refs/heads/fleetform-hooli-ledger-heads', 'refs/heads/other');
  await write('umbrella', 'store: git, remote: "file:///nowhere/x.git", branch: b');
  writeFileSync(join(place.clone, 'fleet', 'wayne', 'more.yaml'), 'firmware: 7\n');
  const fleets = NAMES.map((name) => ({ name, folder: `fleet/${name}` }));
  const found = await findFleetWork(shell, fleets, LAST + 3_600_000);
  const told = found.map(({ fleet, why, from, name = '' }) => [fleet.name, from - LAST, why, name]);
  expect(told).toEqual([
    ['acme', 24 * 3_600_000 + 4_000, 'day', ''],
    ['globex', 3_600_000, 'none', ''],
    ['initech', 24 * 3_600_000 + 4_000, 'day', ''],
    ['hooli', 3_600_000, 'unclear', expect.stringContaining('heads')],
    ['umbrella', 3_600_000, 'unclear', expect.stringContaining('nowhere')],
    ['wayne', 3_600_000, 'unclear', 'its documents have errors'],
  ]);
  expect(found.map(({ remote }) => remote).slice(0, 2)).toEqual(['origin', 'origin']);
});
