import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ciPublish } from '../../../../../src/cli/commands/ci/publish.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { planLines } from '../../../../../src/plan/saved/save.ts';
import { writeStream } from '../../../../../src/store/local-file.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import {
  BOT_TOKEN,
  CI_TOKEN,
  createFakeGitLab,
  PROJECT_BOT,
  type FakeGitLab,
} from '../../../../support/fake-gitlab.ts';
import { mentionsIn, quickActionsIn } from '../../../../support/gitlab-markdown.ts';
import { change, labels, comparedPlan } from '../../../../support/render-plan.ts';
import { scratchFolder } from '../../../../support/scratch.ts';
import { overFetch } from '../../../../../src/model/http.ts';

const folder = scratchFolder('gitlab-comment');
const SHA = 'a'.repeat(40);
const REQUEST = { iid: 7, state: 'opened', sha: SHA, source_branch: 'feature' };
const JOB = {
  GITLAB_CI: 'true',
  GITLAB_TOKEN: BOT_TOKEN,
  CI_JOB_TOKEN: CI_TOKEN,
  CI_API_V4_URL: 'https://gitlab.example/api/v4',
  CI_PROJECT_ID: '42',
  CI_PROJECT_URL: 'https://gitlab.example/acme/fleet',
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_PROJECT_ID: '42',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '42',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/fleet',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
  CI_COMMIT_SHA: SHA,
  FLEETFORM_JOB: '4711',
};

async function comment(fake: FakeGitLab, env: Shell['env'] = {}) {
  const out = outputDouble();
  const shell = {
    cwd: folder,
    env: { ...JOB, ...env },
    out,
    err: outputDouble(),
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
  const exit = await ciPublish.run({ fleet: 'fleet', plan: ['plan.json'] }, shell);
  return { exit, said: out.text() };
}

async function save(names: readonly string[]): Promise<void> {
  const all = labels(names.length).map((label, n) =>
    change(
      { ...label, name: names[n] ?? '' },
      { at: { ...AT, policy: `firmware.p-${n}`, line: n + 1 } },
    ),
  );
  await writeStream(join(folder, 'plan.json'), planLines(comparedPlan(all)));
}

const AT = { policy: 'firmware.a', file: 'fleet/a.yaml', line: 1, column: 1 };

function opened(request: Record<string, unknown> = REQUEST): FakeGitLab {
  const fake = createFakeGitLab();
  fake.requests.push(request);
  return fake;
}

describe('ci publish --plan on GitLab', () => {
  it('keeps one note, which names the job with the report', async () => {
    await save(['door', 'gate']);
    const fake = opened();
    const stranger = fake.note({ id: 1, username: 'eve' }, '<!-- fleetform plan 0 -->\nApproved!');
    for (const _ of [1, 2]) expect((await comment(fake)).exit).toBe(0);
    expect(fake.notes.map(({ author }) => author.username)).toEqual(['eve', PROJECT_BOT.username]);
    expect(stranger.body).toContain('Approved!');
    const text = fake.notes.at(-1)?.body ?? '';
    expect(text).toContain('All 2 changes are listed.');
    expect(text).toContain(`(${JOB.CI_PROJECT_URL}/-/jobs/4711/artifacts/browse)`);
  });

  const HOSTILE = [
    '/close',
    '\n/merge\n',
    '\r\n/approve',
    '`\n/label ~x\n`',
    '@all look',
    '`@ada`',
    '``` @ada ```',
    '|\n/assign @ada\n|',
    '</details>\n\n/close\n',
    '-->\n/close',
    '[x](https://evil.example) @ada',
    '$`\n/close\n`$',
  ];

  it('makes GitLab obey no name and notify nobody', async () => {
    await save(HOSTILE);
    const fake = opened();
    await comment(fake);
    expect(fake.notes).toHaveLength(1);
    expect([fake.obeyed, fake.mentioned]).toEqual([[], []]);
    const raw = HOSTILE.join('\n');
    expect([quickActionsIn(raw).length > 3, mentionsIn(raw).length > 0]).toEqual([true, true]);
  });

  it('has more room than on GitHub, and no more than GitLab takes', async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `camera-${n}`);
    await save(names);
    const fake = opened();
    await comment(fake);
    const [{ body = '' } = {}] = fake.notes;
    expect(body.length).toBeGreaterThan(65_536);
    expect(body.length).toBeLessThanOrEqual(250_000);
    expect(body).toContain('All 1,000 changes are listed.');
  });

  it.each([
    ['a newer commit', { ...REQUEST, sha: 'b'.repeat(40) }],
    ['a merged request', { ...REQUEST, state: 'merged' }],
  ])('posts nothing for %s, and says so without a command of GitHub', async (_, request) => {
    await save(['door']);
    const fake = opened(request);
    const { said } = await comment(fake);
    expect(fake.notes).toEqual([]);
    expect(said).toBe(
      'fleetform: The merge request has newer commits or is closed. Nothing is posted.\n',
    );
  });

  it('replaces an older plan where the pipeline has none', async () => {
    const fake = opened();
    const old = fake.note(PROJECT_BOT, '<!-- fleetform plan 0123456789abcdef -->\n### old');
    rmSync(join(folder, 'plan.json'), { force: true });
    await comment(fake);
    expect(old.body).toContain('See the checks of this merge request.');
    expect(old.body).not.toContain('### old');
  });

  it('says of a fork that its plan is a claim', async () => {
    await save(['door']);
    const fake = opened({ ...REQUEST, source_project_id: 43 });
    await comment(fake, {
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '43',
      CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/fleet',
    });
    expect(fake.notes[0]?.body).toContain('Created by a run in the fork `mallory/fleet`');
  });

  it('is for the forge that is named, whatever the environment shows', async () => {
    await save(['door']);
    const fake = opened();
    const both = { GITLAB_CI: '', FLEETFORM_FORGE: 'gitlab', GITHUB_ACTIONS: 'true' };
    expect((await comment(fake, both)).exit).toBe(0);
    expect(fake.notes).toHaveLength(1);
  });

  it.each([
    [{ CI_JOB_TOKEN: '' }, 'forgeMissing'],
    [{ CI_PROJECT_ID: '42/../7', CI_MERGE_REQUEST_PROJECT_ID: '' }, 'forgeMissing'],
    [{ CI_API_V4_URL: 'http://gitlab.example/api/v4' }, 'baseUrlUnsafe'],
    [{ CI_API_V4_URL: 'https://user:pw@gitlab.example/api/v4' }, 'baseUrlUnsafe'],
    [{ FLEETFORM_FORGE: 'bitbucket' }, 'usage'],
    [{ GITLAB_CI: '' }, 'forgeMissing'],
  ])('sends nothing with %o', async (env, code) => {
    const fake = opened();
    await expect(comment(fake, env)).rejects.toMatchObject({ code });
    expect(fake.calls).toEqual([]);
  });

  it('wants a token that may write, before it writes', async () => {
    await save(['door']);
    const fake = opened();
    const missing = { code: 'forgeMissing', params: { missing: 'GITLAB_TOKEN' } };
    await expect(comment(fake, { GITLAB_TOKEN: '' })).rejects.toMatchObject(missing);
    expect(fake.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
