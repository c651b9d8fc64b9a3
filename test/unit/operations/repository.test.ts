import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it, test } from 'vitest';
import { documentsAt } from '../../../src/operations/repository.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { loadFleet, type Loaded } from '../../../src/config/load.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { folderHere } from '../../../src/operations/here.ts';

const place = scratchFolder('repository');

/** A file beside a folder of its name is read after it on disk, and before it in a list of paths. */
const FILES = {
  'fleet/service.yaml': 'service: {baseUrl: https://api.example.com, organization: acme}\n',
  'fleet/sites.yaml': 'sites: {HQ: {timeZone: Europe/Berlin}}\n',
  'fleet/sites/north.yaml': 'sites: {North: {timeZone: Europe/Oslo}}\n',
  'fleet/.draft.yaml': 'sites: {South: {timeZone: Europe/Rome}}\n',
  'fleet/.old/sites.yaml': 'sites: {West: {timeZone: Europe/Paris}}\n',
};

beforeAll(() => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  gitIn(place, 'init', '--quiet');
});

/** The documents as a commit of all there is has them, and as the work tree has them. */
async function bothWays(): Promise<{ readonly committed: Loaded; readonly there: Loaded }> {
  gitIn(place, 'add', '--all');
  const by = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  gitIn(place, ...by, 'commit', '--quiet', '--allow-empty', '-m', 'fleet');
  const shell = { cwd: place, env: { PATH: process.env['PATH'] } } as unknown as Shell;
  const committed = await documentsAt(
    folderHere(shell, 'fleet'),
    gitIn(place, 'rev-parse', 'HEAD'),
  );
  return { committed, there: await loadFleet(join(place, 'fleet')) };
}

test('documents of a commit are those of the work tree, with the same digest', async () => {
  const { committed, there } = await bothWays();
  expect(committed.files.map(({ path }) => path)).toEqual(there.files.map(({ path }) => path));
  expect([...(committed.documents?.sites.keys() ?? [])]).toEqual(['HQ', 'North']);
  expect(committed.documents?.digest).toBe(there.documents?.digest);
});

it.each([
  ['a file beside it', 'south.txt', []],
  ['a file, by way of the folder above', '../fleet/south.txt', []],
  ['a file by its full path', join(place, 'fleet/south.txt'), []],
  ['another link', 'way.lnk', []],
  ['a file in a linked folder', '.far/../south.txt', []],
  [
    'a file beyond a folder that is not there',
    'none/../south.txt',
    ['linkNotRead fleet/link.yaml'],
  ],
  ['a file beyond a file', 'south.txt/../south.txt', ['linkNotRead fleet/link.yaml']],
  ['nothing', 'nowhere.txt', ['linkNotRead fleet/link.yaml']],
  ['a folder', 'sites', ['linkNotRead fleet/link.yaml']],
  ['a file outside of the fleet', '../outside.txt', ['linkLeavesFleet fleet/link.yaml']],
  ['a file of the machine', '/etc/hostname', ['linkLeavesFleet fleet/link.yaml']],
  ['a document', 'sites.yaml', ['linkNotRead fleet/link.yaml']],
  ['itself', 'link.yaml', ['linkNotRead fleet/link.yaml']],
])('a document that is a link to %s is the same in both', async (_, target, findings) => {
  writeFileSync(join(place, 'outside.txt'), FILES['fleet/sites.yaml']);
  writeFileSync(join(place, 'fleet/south.txt'), 'sites: {South: {timeZone: Europe/Rome}}\n');
  rmSync(join(place, 'fleet/way.lnk'), { force: true });
  symlinkSync('south.txt', join(place, 'fleet/way.lnk'));
  rmSync(join(place, 'fleet/.far'), { force: true });
  symlinkSync('sites', join(place, 'fleet/.far'));
  rmSync(join(place, 'fleet/link.yaml'), { force: true });
  symlinkSync(target, join(place, 'fleet/link.yaml'));
  const { committed, there } = await bothWays();
  for (const { documents, diagnostics } of [there, committed]) {
    expect(diagnostics.map(({ code, at }) => `${code} ${at?.file}`)).toEqual(findings);
    expect(documents?.sites.has('South') ?? false).toBe(findings.length === 0);
  }
  expect(committed.files).toEqual(there.files);
  expect(committed.documents?.digest).toBe(there.documents?.digest);
});
