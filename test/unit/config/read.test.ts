import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import { diagnosticWords } from '../../../src/render/words/findings.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { whileUnreadable } from '../../support/unreadable.ts';

const SERVICE = 'service: {baseUrl: https://api.example.com, organization: acme}\n';

let root: string;
let fleet: string;

beforeEach(() => {
  root = scratchFolder('read');
  fleet = join(root, 'fleet');
  mkdirSync(join(fleet, 'deep', 'er'), { recursive: true });
  writeFileSync(join(fleet, 'service.yaml'), SERVICE);
});

async function findings(): Promise<readonly string[]> {
  const { diagnostics } = await loadFleet(fleet);
  return diagnostics.map(({ code, at }) => `${code} ${at?.file ?? '-'}`);
}

describe('D1 which files are documents', () => {
  test('both endings, at any depth, by path', async () => {
    writeFileSync(join(fleet, 'deep', 'er', 'sites.yml'), 'sites: {HQ: {}}\n');
    writeFileSync(join(fleet, 'notes.md'), '[[[');
    const { files, documents } = await loadFleet(fleet);
    expect(files.map(({ path }) => path)).toEqual([
      'fleet/deep/er/sites.yml',
      'fleet/service.yaml',
    ]);
    expect([...(documents?.sites.keys() ?? [])]).toEqual(['HQ']);
  });

  test('names that begin with a dot are not looked at', async () => {
    mkdirSync(join(fleet, '.git'));
    writeFileSync(join(fleet, '.git', 'a.yaml'), '[[[');
    writeFileSync(join(fleet, '.hidden.yaml'), '[[[');
    expect(await findings()).toEqual([]);
  });

  test('a folder that is not there, or is a file, is said', async () => {
    const missing = await loadFleet(join(root, 'nowhere'));
    expect(missing.diagnostics.map(({ code }) => code)).toEqual(['fleetMissing']);
    const file = await loadFleet(join(fleet, 'service.yaml'));
    expect(file.diagnostics).toMatchObject([{ code: 'fleetMissing', params: { kind: 'file' } }]);
  });
});

describe('what may not be read', () => {
  test('a link to a file outside the folder', async () => {
    writeFileSync(join(root, 'outside.yaml'), 'sites: {HQ: {}}\n');
    symlinkSync(join(root, 'outside.yaml'), join(fleet, 'inside.yaml'));
    const { diagnostics, files } = await loadFleet(fleet);
    expect(diagnostics.map(({ code }) => code)).toEqual(['linkLeavesFleet']);
    expect(files.map(({ text }) => text)).toEqual([SERVICE]);
  });

  test('a link to a folder outside, and one to the folder above', async () => {
    mkdirSync(join(root, 'fleet-b'));
    symlinkSync(join(root, 'fleet-b'), join(fleet, 'b'));
    symlinkSync(root, join(fleet, 'deep', 'up'));
    expect(await findings()).toEqual(['linkLeavesFleet fleet/b', 'linkLeavesFleet fleet/deep/up']);
  });

  test.each([
    ['itself', 'fleet', 'link'],
    ['the folder above it', 'fleets/acme', 'link'],
  ])('documents where %s is a link out of the repository', async (_, name, kind) => {
    const repository = join(root, 'repository');
    mkdirSync(join(repository, '.git'), { recursive: true });
    mkdirSync(join(root, 'others/acme'), { recursive: true });
    writeFileSync(join(root, 'others/acme/service.yaml'), SERVICE);
    symlinkSync('../fleet', join(repository, 'fleet'));
    symlinkSync('../others', join(repository, 'fleets'));
    const { diagnostics, files } = await loadFleet(join(repository, name));
    expect([diagnostics.length, files]).toEqual([1, []]);
    expect(diagnostics).toMatchObject([{ code: 'fleetMissing', params: { kind } }]);
  });

  test('documents behind a link inside of the repository, or beside none, are read', async () => {
    symlinkSync('fleet', join(root, 'current'));
    expect((await loadFleet(join(root, 'current'))).diagnostics).toEqual([]);
    mkdirSync(join(root, '.git'));
    expect((await loadFleet(join(root, 'current'))).diagnostics).toEqual([]);
  });

  test('a link to a folder inside: it could lead in circles', async () => {
    symlinkSync(join(fleet, 'deep'), join(fleet, 'deep', 'er', 'again'));
    expect(await findings()).toEqual(['linkNotRead fleet/deep/er/again']);
  });

  test('a link to nothing, and a folder or a pipe with the name of a document', async () => {
    symlinkSync(join(fleet, 'gone.yaml'), join(fleet, 'a.yaml'));
    execFileSync('mkfifo', [join(fleet, 'b.yaml')]);
    expect(await findings()).toEqual(['linkNotRead fleet/a.yaml', 'notAFile fleet/b.yaml']);
  });

  test('a document, and a folder of documents, that this user may not read stop with the name', async () => {
    chmodSync(root, 0o755);
    for (const name of ['deep/x.yaml', 'deep']) {
      writeFileSync(join(fleet, 'deep', 'x.yaml'), 'sites: {HQ: {}}\n');
      const refusal = await whileUnreadable(join(fleet, name), () => loadFleet(fleet));
      const file = expect.stringMatching(new RegExp(`${name}$`)) as string;
      expect(refusal).toMatchObject({ code: 'fileUnreadable', params: { file, why: 'EACCES' } });
    }
  });

  test('a link to a document that is read itself: everything in it would be there twice', async () => {
    writeFileSync(join(fleet, 'deep', 'sites.yaml'), 'sites: {HQ: {}}\n');
    symlinkSync(join(fleet, 'deep', 'sites.yaml'), join(fleet, 'sites.yaml'));
    const { diagnostics } = await loadFleet(fleet);
    expect(diagnostics).toMatchObject([
      {
        code: 'linkNotRead',
        params: { name: 'fleet/sites.yaml', problem: 'document', target: 'fleet/deep/sites.yaml' },
      },
    ]);
    const [link] = diagnostics;
    expect(link && diagnosticWords(link).summary).toBe(
      'The link "fleet/sites.yaml" is not read: its target is a document that is read anyway, fleet/deep/sites.yaml.',
    );
  });

  test('a link to a file inside that is no document by its own name is read as one', async () => {
    writeFileSync(join(fleet, 'deep', 'sites.txt'), 'sites: {HQ: {}}\n');
    symlinkSync(join(fleet, 'deep', 'sites.txt'), join(fleet, 'sites.yaml'));
    expect(await findings()).toEqual([]);
  });

  test('a name that only looks like that of a document, or is not UTF-8', async () => {
    for (const name of ['a.YAML', 'b.Yml', 'c.yaml ', 'notes.yaml.txt'])
      writeFileSync(join(fleet, name), 'freezes: {}\n');
    const bytes = [Buffer.from(`${fleet}/d`), Buffer.of(0xff), Buffer.from('.yml')];
    writeFileSync(Buffer.concat(bytes), '');
    expect(await findings()).toEqual([
      'nameNotRead fleet/a.YAML',
      'nameNotRead fleet/b.Yml',
      'nameNotRead fleet/c.yaml ',
      'nameNotRead fleet/d\u{fffd}.yml',
    ]);
    rmSync(Buffer.concat(bytes));
  });

  test('two names that differ by case only', async () => {
    writeFileSync(join(fleet, 'Service.yaml'), '# nothing\n');
    expect(await findings()).toEqual(['caseClash fleet/service.yaml']);
  });

  test('a file above one mebibyte; at the limit it is read', async () => {
    writeFileSync(join(fleet, 'large.yaml'), '#'.repeat(1_048_577));
    const { diagnostics, files } = await loadFleet(fleet);
    expect(diagnostics).toMatchObject([
      { code: 'fileTooLarge', params: { bytes: 1_048_577, limit: 1_048_576 } },
    ]);
    expect(files).toEqual([]);
    writeFileSync(join(fleet, 'large.yaml'), '#'.repeat(1_048_576));
    expect(await findings()).toEqual([]);
  });
});
