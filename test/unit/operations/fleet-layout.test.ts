import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { checkLayout } from '../../../src/operations/find-fleets.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { scratchFolder } from '../../support/scratch.ts';

/** Whether a fleet may be created in `folder` beside these files; the message says why not. */
function refusal(
  files: Readonly<Record<string, string>>,
  folder: string,
  cwd = scratchFolder('layout'),
): string | undefined {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  try {
    checkLayout({ cwd } as Shell, folder, folder.includes('/'));
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'usage' });
    return (error as { readonly params: { readonly message: string } }).params.message;
  }
}

const SERVICE = 'service: {baseUrl: https://api.example.com, organization: acme}\n';

it.each([
  ['a named fleet below a flat one', 'fleet/service.yaml', 'fleet/acme'],
  ['a flat fleet above a named one', 'fleet/acme/service.yaml', 'fleet'],
])('refuses %s, and names the file', (_, file, folder) => {
  expect(refusal({ [file]: SERVICE }, folder)).toContain(file);
});

it.each([
  ['in an empty repository', {}, 'fleet'],
  ['a named one in an empty repository', {}, 'fleet/acme'],
  ['again', { 'fleet/service.yaml': SERVICE, 'fleet/policies/a.yaml': 'windows: {}\n' }, 'fleet'],
  ['beside another named one', { 'fleet/globex/service.yaml': SERVICE }, 'fleet/acme'],
])('allows a fleet %s', (_, files, folder) => {
  expect(refusal(files, folder)).toBeUndefined();
});

it('allows a fleet beside a link that leads to documents elsewhere, or round in a circle', () => {
  const cwd = scratchFolder('layout');
  mkdirSync(join(cwd, 'fleet'));
  symlinkSync('../other', join(cwd, 'fleet/link'));
  symlinkSync('.', join(cwd, 'fleet/circle'));
  const files = { 'other/service.yaml': SERVICE, 'fleet/policies.yaml': 'windows: {}\n' };
  expect(refusal(files, 'fleet', cwd)).toBeUndefined();
});
