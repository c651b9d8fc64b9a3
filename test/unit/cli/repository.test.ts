import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { documentsAt } from '../../../src/cli/repository.ts';
import type { Shell } from '../../../src/cli/shell.ts';
import { loadFleet } from '../../../src/config/load.ts';
import { gitIn } from '../../support/blackbox-record.ts';

const place = mkdtempSync(join(tmpdir(), 'fleetform-repository-'));
afterAll(() => rmSync(place, { recursive: true }));

/** A file beside a folder of its name is read after it on disk, and before it in a list of paths. */
const FILES = {
  'fleet/service.yaml': 'service: {baseUrl: https://api.example.com, organization: acme}\n',
  'fleet/sites.yaml': 'sites: {HQ: {timeZone: Europe/Berlin}}\n',
  'fleet/sites/north.yaml': 'sites: {North: {timeZone: Europe/Oslo}}\n',
  'fleet/.draft.yaml': 'sites: {South: {timeZone: Europe/Rome}}\n',
  'fleet/.old/sites.yaml': 'sites: {West: {timeZone: Europe/Paris}}\n',
};

test('documents of a commit are those of the work tree, with the same digest', async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'add', '--all');
  const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  gitIn(place, ...by, 'commit', '--quiet', '-m', 'fleet');
  const commit = gitIn(place, 'rev-parse', 'HEAD');
  const shell = { cwd: place, env: { PATH: process.env['PATH'] } } as unknown as Shell;
  const committed = await documentsAt(shell, 'fleet', commit);
  const there = await loadFleet(join(place, 'fleet'));
  expect(committed.files.map(({ path }) => path)).toEqual(there.files.map(({ path }) => path));
  expect([...(committed.documents?.sites.keys() ?? [])]).toEqual(['HQ', 'North']);
  expect(committed.documents?.digest).toBe(there.documents?.digest);
});
