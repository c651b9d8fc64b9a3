import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { forgeFindings } from '../../../src/operations/gate/forge.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

test.each<readonly [string, 'commit' | 'plan', readonly object[]]>([
  ['https://github.com/acme/fleet.git', 'plan', []],
  ['git@github.acme.example:acme/fleet.git', 'plan', []],
  ['https://gitlab.com/acme/fleet.git', 'plan', []],
  ['git@gitlab.acme.example:acme/fleet.git', 'plan', []],
  ['https://notgitlab.example/x.git', 'plan', [{ problem: 'forge', host: 'notgitlab.example' }]],
  ['https://git.example/acme/fleet.git', 'commit', []],
  ['https://ada@git.example/acme/fleet.git', 'plan', [{ problem: 'forge', host: 'git.example' }]],
  ['../hub.git', 'plan', [{ problem: 'forge' }]],
])('N74 validate says where there is no gate that it knows: %s, %s', async (url, is, found) => {
  expect(await findingsAt(url, is)).toEqual(found);
});

test('N74 validate knows a gate on a host of any name by its file', async () => {
  const gate = '.gitlab/fleetform.gitlab-ci.yml';
  expect(await findingsAt('https://git.example/acme/fleet.git', 'plan', gate)).toEqual([]);
});

async function findingsAt(url: string, is: 'commit' | 'plan', gate?: string) {
  const place = scratchFolder('forge');
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'remote', 'add', 'origin', url);
  mkdirSync(join(place, 'fleet'));
  if (gate !== undefined) {
    mkdirSync(join(place, dirname(gate)));
    writeFileSync(join(place, gate), '');
  }
  const value = { approval: { is }, ledger: { store: 'git' } };
  const service = { value, places: new Map(), at: { file: 'a', line: 1, column: 1 } };
  const documents = { folder: join(place, 'fleet'), service } as unknown as Documents;
  const shell = { cwd: place, env: process.env } as unknown as Shell;
  const findings = await forgeFindings(shell, documents);
  return findings.map(({ params }) => params);
}
