import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { forgeFindings } from '../../../src/operations/gate/forge.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

test.each<readonly [string, 'commit' | 'plan', readonly object[]]>([
  ['https://github.com/acme/fleet.git', 'plan', [{ problem: 'job', host: 'github.com' }]],
  [
    'git@gitlab.acme.example:acme/fleet.git',
    'plan',
    [{ problem: 'job', host: 'gitlab.acme.example' }],
  ],
  ['https://gitlab.com/acme/fleet.git', 'commit', []],
  ['https://notgitlab.example/x.git', 'plan', [{ problem: 'forge', host: 'notgitlab.example' }]],
  ['https://git.example/acme/fleet.git', 'commit', []],
  ['https://ada@git.example/acme/fleet.git', 'plan', [{ problem: 'forge', host: 'git.example' }]],
  ['../hub.git', 'plan', [{ problem: 'forge' }]],
])('N74 validate says where there is no gate that it knows: %s, %s', async (url, is, found) => {
  expect(await findingsAt(url, is)).toEqual(found);
});

describe('N74 validate knows a gate by the job that records approvals', () => {
  const run = 'script: node "$FLEETFORM" ci approve --shown fleetform-shown.json';
  it.each([
    ['https://git.example/acme/fleet.git', '.gitlab/fleetform-fleet.gitlab-ci.yml'],
    ['https://gitlab.com/acme/fleet.git', '.gitlab-ci.yml'],
    ['https://github.com/acme/fleet.git', '.github/workflows/fleet-approve-acme.yml'],
    ['https://git.example/acme/fleet.git', '.github/workflows/own.yaml'],
  ])('%s, %s', async (url, path) => {
    const owners = {
      path: path.startsWith('.gitlab') ? 'CODEOWNERS' : '.github/CODEOWNERS',
      text: '* @acme/admins\n',
    };
    expect(await findingsAt(url, 'plan', { path, text: run }, owners)).toEqual([]);
  });

  it.each([
    ['nobody', '# * @acme/admins\n', ['.github/', 'package.json', 'fleet/']],
    ['the documents alone', '/fleet/ @acme/fleet\n', ['.github/', 'package.json']],
    ['a pattern without an owner', '*\n/.github/ @acme/admins\n', ['package.json', 'fleet/']],
    ['all of it', '/.github/ @a\n/package.json @a\nfleet/** @b\n', []],
  ])('and which files that decide what runs have no owner: %s', async (_, text, files) => {
    const gate = { path: '.github/workflows/own.yml', text: run };
    const tool = { path: 'package.json', text: '{}' };
    const owners = { path: '.github/CODEOWNERS', text };
    const found = await findingsOf('https://github.com/a/b.git', 'plan', gate, tool, owners);
    const said = found.map(({ code, params }) => [code, params?.['files']]);
    expect(said).toEqual(files.length === 0 ? [] : [['ownersMissing', files.join(', ')]]);
  });

  it('and which have none where the merge is the approval and a job applies', async () => {
    const jobs = { path: '.github/workflows/own.yml', text: 'run: fleetform ci apply' };
    const found = await findingsOf('https://github.com/a/b.git', 'commit', jobs);
    expect(found.map(({ code, params }) => [code, params?.['files']])).toEqual([
      ['ownersMissing', '.github/, fleet/'],
    ]);
    const other = { ...jobs, text: 'run: fleetform ci plan' };
    expect(await findingsOf('https://github.com/a/b.git', 'commit', other)).toEqual([]);
  });

  it('and not by a file of jobs without it', async () => {
    const jobs = {
      path: '.gitlab/fleetform.gitlab-ci.yml',
      text: 'script: node "$FLEETFORM" ci apply',
    };
    expect(await findingsAt('https://gitlab.com/acme/fleet.git', 'plan', jobs)).toEqual([
      { problem: 'job', host: 'gitlab.com' },
    ]);
  });
});

async function findingsAt(...repository: Parameters<typeof findingsOf>) {
  return (await findingsOf(...repository)).map(({ params }) => params);
}

async function findingsOf(
  url: string,
  is: 'commit' | 'plan',
  ...files: readonly { readonly path: string; readonly text: string }[]
) {
  const place = scratchFolder('forge');
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'remote', 'add', 'origin', url);
  mkdirSync(join(place, 'fleet'));
  for (const { path, text } of files) {
    mkdirSync(join(place, dirname(path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  const value = { approval: { is }, ledger: { store: 'git' } };
  const service = { value, places: new Map(), at: { file: 'a', line: 1, column: 1 } };
  const documents = { folder: join(place, 'fleet'), service } as unknown as Documents;
  const shell = { cwd: place, env: process.env } as unknown as Shell;
  return forgeFindings({ shell, documents });
}
