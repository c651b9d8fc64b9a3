import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { baseOfJob, forgeOfJob } from '../../../src/operations/job.ts';
import { scratchFolder } from '../../support/scratch.ts';

const SHA = 'c0ffee'.padEnd(40, '0');

const TRAIN = {
  GITLAB_CI: 'true',
  CI_PROJECT_ID: '1',
  CI_MERGE_REQUEST_PROJECT_ID: '1',
  CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
};

function queueOf(event: unknown) {
  const file = join(scratchFolder('event'), 'event.json');
  writeFileSync(file, JSON.stringify(event));
  return { GITHUB_EVENT_NAME: 'merge_group', GITHUB_EVENT_PATH: file };
}

it.each([
  ['github', { GITHUB_EVENT_NAME: 'pull_request', GITHUB_BASE_REF: 'main' }, 'origin/main'],
  ['github', queueOf({ merge_group: { base_sha: SHA, base_ref: 'refs/heads/main' } }), SHA],
  ['github', queueOf({ merge_group: { base_sha: '--all' } }), undefined],
  ['github', queueOf({}), undefined],
  ['github', { GITHUB_EVENT_NAME: 'push' }, undefined],
  [
    'gitlab',
    {
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
      CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
    },
    'origin/main',
  ],
  ['gitlab', { ...TRAIN, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: SHA }, SHA],
  ['gitlab', { ...TRAIN, CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '' }, undefined],
] as const)('a job of %s is compared with its target: %#', (forge, env, base) => {
  expect(baseOfJob(env, forge)).toBe(base);
});

it.each([
  [{}, undefined],
  [{ CI: 'true' }, undefined],
  [{ GITHUB_ACTIONS: 'true', GITLAB_CI: 'true' }, 'github'],
  [{ GITLAB_CI: 'true' }, 'gitlab'],
  [{ FLEETFORM_FORGE: 'gitlab', GITHUB_ACTIONS: 'true' }, 'gitlab'],
] as const)(
  'the forge of a job is the one that its environment shows, or none: %o',
  (env, forge) => {
    expect(forgeOfJob(env)).toBe(forge);
  },
);
