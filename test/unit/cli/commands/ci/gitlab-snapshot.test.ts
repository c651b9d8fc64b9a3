import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findSnapshot } from '../../../../../src/cli/commands/ci/plan.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import { CI_TOKEN, createFakeGitLab, type FakeGitLab } from '../../../../support/fake-gitlab.ts';
import { scratchFolder } from '../../../../support/scratch.ts';
import { overFetch } from '../../../../../src/model/http.ts';

const folder = scratchFolder('gitlab-snapshot', ['fleet.snapshot']);
const FILE = join(folder, 'incoming', 'fleet.snapshot');
const JOB = { id: 1, name: 'fleet-drift', ref: 'main', pipeline: 30 };

beforeEach(() => rmSync(join(folder, 'incoming'), { recursive: true, force: true }));

/** A job in a fork, project 43, for a merge request of project 42. */
async function snapshot(fake: FakeGitLab, env: Shell['env'] = {}): Promise<string> {
  const out = outputDouble();
  const shell = {
    cwd: folder,
    env: {
      GITLAB_CI: 'true',
      CI_JOB_TOKEN: CI_TOKEN,
      CI_API_V4_URL: 'https://gitlab.example/api/v4',
      CI_PROJECT_ID: '43',
      CI_MERGE_REQUEST_PROJECT_ID: '42',
      CI_DEFAULT_BRANCH: 'main',
      ...env,
    },
    out,
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
  await findSnapshot('fleetform-snapshot', shell);
  return out.text();
}

test('the snapshot of the project that a fork wants to merge into is put where ci plan looks', async () => {
  const fake = createFakeGitLab();
  fake.jobs.push({ ...JOB, files: { 'fleet.snapshot': 'text' } });
  expect(await snapshot(fake)).toBe('');
  expect(readFileSync(FILE, 'utf8')).toBe('text');
});

test('the path of a file starts at the root of the repository', async () => {
  const fake = createFakeGitLab();
  fake.jobs.push({ ...JOB, files: { 'ops/fleet.snapshot': 'text' } });
  const root = folder.split('/').slice(0, -1).join('/');
  const name = folder.split('/').at(-1) ?? '';
  fake.jobs.push({ ...JOB, files: { [`${name}/fleet.snapshot`]: 'of this folder' } });
  await snapshot(fake, { CI_PROJECT_DIR: root });
  expect(readFileSync(FILE, 'utf8')).toBe('of this folder');
});

test('nothing is looked for with credentials, and none is said where there is none', async () => {
  const fake = createFakeGitLab();
  const login = { FLEETFORM_CLIENT_ID: 'a', FLEETFORM_CLIENT_SECRET: 'b' };
  expect([await snapshot(fake, login), fake.calls]).toEqual(['', []]);
  expect(await snapshot(fake)).toBe(
    'fleetform: No run of the default branch has saved a snapshot.\n',
  );
  expect(existsSync(FILE)).toBe(false);
});
