import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadFleet } from '../../../src/config/load.ts';
import { changedFleets, chooseFleets, findFleets } from '../../../src/operations/find-fleets.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { scratchFolder } from '../../support/scratch.ts';

let root: string;
let shell: Shell;

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), `# ${path} ${Math.random()}\n`);
  }
}

beforeEach(() => {
  root = scratchFolder('fleets');
  shell = { cwd: root, env: { PATH: process.env['PATH'], HOME: root } } as unknown as Shell;
});

const names = (folder = 'fleet') => findFleets(shell, folder).map(({ name }) => name);

describe('the fleets of a repository', () => {
  it('are the folders with documents, by name', () => {
    write(
      'fleet/globex/a.yaml',
      'fleet/acme/policies/b.yml',
      'fleet/docs/readme.md',
      'fleet/.x/a.yaml',
    );
    expect(findFleets(shell, 'fleet')).toEqual([
      { name: 'acme', folder: 'fleet/acme' },
      { name: 'globex', folder: 'fleet/globex' },
    ]);
    expect(findFleets(shell, 'fleet/')[0]?.folder).toBe('fleet/acme');
  });

  it('are one, if the folder has documents itself', () => {
    write('fleet/service.yaml', 'fleet/policies/a.yaml');
    expect(findFleets(shell, 'fleet')).toEqual([{ name: 'fleet', folder: 'fleet' }]);
  });

  it.each(['a b', '-x', '$(id)', 'ä', 'a"b', 'x'.repeat(65)])('are not named “%s”', (name) => {
    write(`fleet/${name}/a.yaml`, 'fleet/acme/a.yaml');
    expect(names()).toEqual(['acme']);
  });

  it('are no more than a matrix of GitHub has jobs', () => {
    write(...Array.from({ length: 256 }, (_, n) => `fleet/o${n}/a.yaml`));
    expect(names()).toHaveLength(256);
    write('fleet/one-more/a.yaml');
    expect(() => names()).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('need a folder', () => {
    expect(() => names()).toThrow(expect.objectContaining({ code: 'fileUnreadable' }));
  });
});

describe('the fleets that a command line names', () => {
  const chosen = (...paths: readonly string[]) =>
    chooseFleets(shell, paths).map(({ name, why }) => (why ? `${name}: ${why}` : name));

  it('are those of all globs and folders, each once; every other folder is named with why', () => {
    write('fleet/acme/a.yaml', 'fleet/axle/a.yaml', 'fleet/globex/a.yaml', 'fleet/initech/a.yaml');
    write('fleet/.old/a.yaml', 'fleet/_shared/a.yaml', 'fleet/docs/readme.md', 'fleet/file.txt');
    symlinkSync(join(root, 'fleet/acme'), join(root, 'fleet/linked'));
    expect(chosen('fleet/a*', 'fleet/globex', 'fleet/acme/')).toEqual([
      '.old: name',
      '_shared: name',
      'acme',
      'axle',
      'docs: empty',
      'globex',
      'initech: other',
      'linked: link',
    ]);
  });

  it.each(['bad name', '-x', 'ä'])('stop no other where one is named “%s”', (name) => {
    write('fleet/acme/a.yaml', `fleet/${name}/a.yaml`, 'fleet/globex/a.yaml');
    const sorted = ['acme', `${name}: unusable`, 'globex'].sort();
    expect(chosen('fleet/*').toSorted()).toEqual(sorted);
    expect(chosen('fleet/acme')).toContain(`${name}: unusable`);
    for (const paths of [[`fleet/${name}`], ['fleet/acme', `fleet/${name}`]])
      expect(() => chosen(...paths)).toThrow(/: name a fleet with letters, digits/);
  });

  it.each(['fleet/x*', 'fleet/none', 'fleet/_shared', 'fleet/docs', 'fleet/acme/*'])(
    'are none of %s, and nothing is taken in its place',
    (path) => {
      write('fleet/acme/a.yaml', 'fleet/_shared/a.yaml', 'fleet/docs/readme.md');
      const refused = expect.objectContaining({ code: 'usage' }) as unknown;
      expect(() => chosen('fleet/acme', path)).toThrow(refused);
    },
  );

  it.each([
    ['acme-eu', 'acme.eu', 'fleet/*'],
    ['acme', 'Acme', 'fleet/*'],
    // Nobody may add a folder that takes the credentials of one that is not named.
    ['acme', 'ACME', 'fleet/ACME'],
  ])('are refused where %s and %s would share credentials: %s', (one, other, path) => {
    write(`fleet/${one}/a.yaml`, `fleet/${other}/a.yaml`, 'fleet/globex/a.yaml');
    expect(() => chosen(path)).toThrow(/share FLEETFORM_FLEET_ACME(_EU)?_CLIENT_ID/);
    expect(chosen('fleet/globex')).toContain('globex');
  });
});

describe('a path on a command line', () => {
  const chosen = (...paths: readonly string[]) =>
    chooseFleets(shell, paths).flatMap(({ folder, why }) => (why ? [] : [folder]));

  beforeEach(() => write('fleet/acme/a.yaml', 'fleet/globex/a.yaml'));

  it('names one folder, however it is written', () => {
    const paths = ['fleet/acme', './fleet/acme', join(root, 'fleet/acme'), 'fleet//globex'];
    expect(chosen(...paths)).toEqual(['fleet/acme', 'fleet/globex']);
  });

  it('that is misspelt is answered with the nearest fleet and where all are listed', () => {
    expect(() => chosen('fleet/acmee')).toThrow(
      /did you mean fleet\/acme\? `fleetform ci fleets` lists all 2/,
    );
    expect(() => chosen('fleet/zzz')).toThrow(/no fleet\. `fleetform ci fleets` lists all 2/);
  });

  it('that names none because of a stray document is answered with that document', () => {
    write('fleet/notes.yaml');
    expect(() => chosen('fleet/*')).toThrow(/fleet\/notes\.yaml makes fleet one fleet\. Move it/);
  });
});

describe('the fleets that a request changes', () => {
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' });
  };
  const commit = (): void => {
    git('add', '.');
    git('commit', '--quiet', '-m', 'next');
  };
  const changed = async () => {
    const fleets = findFleets(shell, 'fleet');
    return (await changedFleets(shell, fleets, 'main')).map(({ name }) => name);
  };

  beforeEach(() => {
    git('init', '--quiet', '-b', 'main');
    write('fleet/acme/a.yaml', 'fleet/acme-two/a.yaml', 'fleet/globex/a.yaml', 'package-lock.json');
    commit();
    git('checkout', '--quiet', '-b', 'branch');
  });

  it('are those with a changed file since it left its base', async () => {
    git('checkout', '--quiet', 'main');
    write('fleet/globex/a.yaml');
    commit();
    git('checkout', '--quiet', 'branch');
    expect(await changed()).toEqual([]);
    write('fleet/acme/b.yaml');
    commit();
    expect(await changed()).toEqual(['acme']);
    write('fleet/initech/a.yaml');
    git('rm', '--quiet', '-r', 'fleet/acme-two');
    commit();
    expect(await changed()).toEqual(['acme', 'initech']);
  });

  it('are all, if a file outside of them has changed', async () => {
    write('package-lock.json');
    commit();
    expect(await changed()).toEqual(['acme', 'acme-two', 'globex']);
  });

  it('need the base in the clone', async () => {
    git('branch', '--quiet', '-D', 'main');
    await expect(changed()).rejects.toMatchObject({ code: 'refUnknown' });
  });
});

describe('the example of docs/organizations.md', () => {
  it('has two fleets with valid documents, a ledger each, and a hold that both include', async () => {
    const example = fileURLToPath(new URL('../../../docs/examples/provider', import.meta.url));
    const here = { ...shell, cwd: example };
    const fleets = findFleets(here, 'fleet');
    expect(fleets.map(({ name }) => name)).toEqual(['acme', 'globex']);
    for (const { name, folder } of fleets) {
      const { documents, diagnostics } = await loadFleet(join(example, folder));
      expect(diagnostics).toEqual([]);
      expect(documents?.service.value.ledger).toMatchObject({ branch: `fleetform-${name}-ledger` });
      expect([...(documents?.exceptions.keys() ?? [])]).toEqual(['axis-11-11-73']);
    }
  });
});
