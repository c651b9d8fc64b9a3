import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Documents } from '../../../src/model/documents/policy.ts';
import { forgeFindings } from '../../../src/operations/gate/forge.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { gitIn } from '../../support/blackbox-record.ts';
import { scratchFolder } from '../../support/scratch.ts';

test.each<readonly [string, 'commit' | 'plan', readonly object[]]>([
  ['https://github.com/acme/fleet.git', 'plan', []],
  ['git@github.acme.example:acme/fleet.git', 'plan', []],
  ['https://git.example/acme/fleet.git', 'commit', []],
  ['https://ada@git.example/acme/fleet.git', 'plan', [{ problem: 'forge', host: 'git.example' }]],
  ['../hub.git', 'plan', [{ problem: 'forge' }]],
])('N74 validate says where there is no gate that it knows: %s, %s', async (url, is, found) => {
  const place = scratchFolder('forge');
  gitIn(place, 'init', '--quiet');
  gitIn(place, 'remote', 'add', 'origin', url);
  mkdirSync(join(place, 'fleet'));
  const value = { approval: { is }, ledger: { store: 'git' } };
  const service = { value, places: new Map(), at: { file: 'a', line: 1, column: 1 } };
  const documents = { folder: join(place, 'fleet'), service } as unknown as Documents;
  const shell = { cwd: place, env: process.env } as unknown as Shell;
  const findings = await forgeFindings(shell, documents);
  expect(findings.map(({ params }) => params)).toEqual(found);
});
