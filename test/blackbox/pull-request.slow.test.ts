import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE, createPlace, type Env } from '../support/blackbox.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';
import { BOT, createFakeGitHub, REPOSITORY } from '../support/fake-github.ts';
import { JOB_TOKEN } from '../support/canary.ts';

const place = createPlace();
const fake = createFakeGitHub();
let twin: TwinProcess;
let server: { readonly url: string; close(): void };

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
const git = (...args: string[]): string =>
  execFileSync('git', [...AUTHOR, ...args], { cwd: place.folder, encoding: 'utf8' }).trim();

/** Commits all there is as the newest commit of the pull request. */
function push(): string {
  git('add', '--all', 'fleet');
  git('commit', '--quiet', '--allow-empty', '-m', 'next');
  const sha = git('rev-parse', 'HEAD');
  fake.pulls.splice(0, 1, pull(sha, REPOSITORY));
  return sha;
}

const pull = (sha: string, repo: string) => ({
  number: 7,
  head: { sha, ref: 'feature', repo: { full_name: repo } },
});

/** The environment of a step, with an event of the runner. */
function step(event: object, more: Env = {}): Env {
  place.write('event.json', JSON.stringify(event));
  place.write('summary.md', '');
  return {
    GITHUB_TOKEN: JOB_TOKEN,
    GITHUB_REPOSITORY: REPOSITORY,
    GITHUB_API_URL: server.url,
    GITHUB_EVENT_PATH: place.path('event.json'),
    GITHUB_STEP_SUMMARY: place.path('summary.md'),
    GITHUB_ACTIONS: 'true',
    GITHUB_BASE_REF: 'main',
    ...more,
  };
}

const finished = (sha: string, repo = REPOSITORY, conclusion = 'success') => ({
  workflow_run: {
    event: 'pull_request',
    conclusion,
    head_sha: sha,
    head_branch: 'feature',
    head_repository: { full_name: repo },
  },
});

beforeAll(async () => {
  server = await fake.serve();
  git('init', '--quiet', '--initial-branch=main');
  git('add', 'fleet');
  git('commit', '--quiet', '-m', 'first');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  twin = await startTwin(place, { world: 'world.json', devices: 200 });
}, PATIENCE.timeout);
afterAll(() => {
  server.close();
  place[Symbol.dispose]();
});

/** One test after the other: the life of a pull request. */
describe('a pull request', PATIENCE, () => {
  it('gets a plan that is saved, marked on the lines and told in the summary', async () => {
    place.edit('fleet/policies/firmware.yaml', 'site: {tag: pilot}', 'site: {tag: emea}');
    push();
    const { code, out, err } = await place.run('ci plan', step({}, twin.as('operator')));
    expect([code, err.includes('error')]).toEqual([0, false]);
    expect(out).toMatch(/^::(notice|warning) .*file=fleet\/policies\/firmware\.yaml/m);
    expect(place.read('summary.md')).toContain('compared: with `origin/main`');
    expect(JSON.parse(place.read('fleetform-plan.json'))).toMatchObject({
      base: { ref: 'origin/main' },
    });
  });

  it('gets one comment', async () => {
    const env = step(finished(git('rev-parse', 'HEAD')));
    const { code, err } = await place.run('ci publish --plan fleetform-plan.json', env);
    expect([code, err]).toEqual([0, '']);
    expect(fake.comments.map(({ user, body }) => [user.login, body.split('\n')[0]])).toEqual([
      [BOT, expect.stringMatching(/^<!-- fleetform plan [0-9a-f]{16} -->$/)],
    ]);
    expect(fake.comments[0]?.body).toContain('Plan ID `');
    expect(new Set(fake.calls.map(({ token }) => token))).toEqual(new Set([`Bearer ${JOB_TOKEN}`]));
  });

  it('has it edited by the next push', async () => {
    place.edit('fleet/policies/firmware.yaml', ', site: {tag: emea}', '');
    const sha = push();
    expect((await place.run('ci plan', step({}, twin.as('operator')))).code).toBe(0);
    const before = fake.comments[0]?.body;
    await place.run('ci publish --plan fleetform-plan.json', step(finished(sha)));
    await place.run('ci publish --plan fleetform-plan.json', step(finished(sha)));
    expect(fake.comments).toHaveLength(1);
    expect(fake.comments[0]?.body).not.toBe(before);
  });

  it('keeps its comment where an older run ends late', async () => {
    const before = fake.comments[0]?.body;
    const late = step(finished('0'.repeat(40)));
    const { code, out } = await place.run('ci publish --plan fleetform-plan.json', late);
    expect([code, out]).toEqual([0, expect.stringContaining('newer commits')]);
    expect(fake.comments.map(({ body }) => body)).toEqual([before]);
  });

  it('is told where the newest commit has no plan', async () => {
    place.edit('fleet/policies/firmware.yaml', 'version: "11.11.x"', 'version: 11.11');
    const sha = push();
    expect((await place.run('ci plan', step({}, twin.as('operator')))).code).toBe(1);
    const env = step(finished(sha, REPOSITORY, 'failure'));
    expect((await place.run('ci publish --plan none.json', env)).code).toBe(0);
    expect(fake.comments).toHaveLength(1);
    expect(fake.comments[0]?.body).toContain(`No plan for commit \`${sha.slice(0, 12)}\``);
    expect(fake.comments[0]?.body).toContain('`failure`');
    expect(fake.comments[0]?.body).not.toContain('Plan ID');
  });

  it('has a plan that was edited on its way refused, and is told so', async () => {
    place.edit('fleet/policies/firmware.yaml', 'version: 11.11', 'version: "11.11.x"');
    const sha = push();
    await place.run('ci plan', step({}, twin.as('operator')));
    place.write(
      'bad.json',
      place.read('fleetform-plan.json').replace('"action":"run"', '"action":"skip"'),
    );
    const { code, err } = await place.run('ci publish --plan bad.json', step(finished(sha)));
    expect([code, err]).toEqual([8, expect.stringContaining('error[planTampered]')]);
    expect(fake.comments[0]?.body).toContain(`No plan for commit \`${sha.slice(0, 12)}\``);
  });
});

describe('a pull request of a fork', PATIENCE, () => {
  const NO_SECRETS = { FLEETFORM_CLIENT_ID: '', FLEETFORM_CLIENT_SECRET: '' };

  it('has its documents checked where there is no recorded snapshot', async () => {
    const job = step({}, { ...NO_SECRETS, CI: 'true' });
    const { code, out } = await place.run('ci plan -o none.json', job);
    expect([code, out]).toEqual([0, expect.stringContaining('There is no plan')]);
    const byHand = await place.run('ci plan -o none.json', step({}, { ...NO_SECRETS, CI: '' }));
    expect([byHand.code, byHand.err]).toEqual([1, expect.stringContaining('`fleetform twin`')]);
    expect(() => place.read('none.json')).toThrow('ENOENT');
  });

  it('is planned on a recorded snapshot, without a request', async () => {
    const record = await place.run('plan --save-snapshot fleet.snapshot', twin.as('operator'));
    expect(record.code).toBe(0);
    const env = step({}, { ...NO_SECRETS, FLEETFORM_BASE_URL: twin.ready.url });
    const { code, out, err } = await place.run('ci plan --report report.html', env);
    expect([code, err.includes('error')]).toEqual([0, false]);
    expect(out).toMatch(/on the saved snapshot of [A-Z].* UTC, 0 hours old/);
  });

  it('is told the newest run of the default branch that kept a snapshot, and no other', async () => {
    const kept = (id: number, more: object = {}) => ({
      name: 'fleetform-snapshot',
      expired: false,
      workflow_run: { id, repository_id: 1, head_repository_id: 1, head_branch: 'main', ...more },
    });
    const event = { repository: { default_branch: 'main' } };
    const env = { ...NO_SECRETS, GITHUB_OUTPUT: place.path('outputs') };
    place.write('outputs', '');
    const none = await place.run('ci plan --find-snapshot', step(event, env));
    expect([none.code, none.out]).toEqual([0, expect.stringContaining('has saved a snapshot')]);
    fake.artifacts.push(
      kept(41),
      kept(43),
      kept(90, { head_repository_id: 2 }),
      kept(91, { head_branch: 'feature' }),
      { ...kept(92), expired: true },
      kept(93, { id: '93\nPATH=/tmp' }),
    );
    const found = await place.run('ci plan --find-snapshot', step(event, env));
    expect([found.code, place.read('outputs')]).toEqual([0, 'run-id=43\n']);
    await place.run('ci plan --find-snapshot', step(event, { ...env, ...twin.as('operator') }));
    expect(place.read('outputs')).toBe('run-id=43\n');
  });

  it('has a comment that says who made the plan', async () => {
    const [fork, sha] = ['mallory/fleet', 'f'.repeat(40)];
    fake.pulls.splice(0, 1, pull(sha, fork));
    const env = step(finished(sha, fork));
    expect((await place.run('ci publish --plan fleetform-plan.json', env)).code).toBe(0);
    expect(fake.comments).toHaveLength(1);
    expect(fake.comments[0]?.body).toContain('Created by a run in the fork `mallory/fleet`');
    expect(fake.comments[0]?.body).toMatch(/\| Starts \| Ends \|/);
    expect(fake.comments[0]?.body.length).toBeLessThanOrEqual(65_536);
  });

  it('cannot speak for a pull request of the repository', async () => {
    const sha = push();
    const before = fake.comments[0]?.body;
    const { out } = await place.run(
      'ci publish --plan fleetform-plan.json',
      step(finished(sha, 'mallory/fleet')),
    );
    expect(out).toContain('newer commits');
    expect(fake.comments[0]?.body).toBe(before);
  });
});

/** A plan with the digest of what it says now. */
function sealed(text: string): string {
  const start = text.slice(0, text.lastIndexOf('"digest":"'));
  return `${start}"digest":"${createHash('sha256').update(start).digest('hex')}"}\n`;
}

/** What the service's address, an unknown word or a broken file make of a comment that is on show. */
describe('a comment that is on show', PATIENCE, () => {
  let sha = '';
  const shown = () => fake.comments.filter(({ body }) => body.includes('Plan ID `'));
  const tell = (file: string) => place.run(`ci publish --plan ${file}`, step(finished(sha)));

  it('is edited where the plan has a warning of another version, which is shown as itself', async () => {
    sha = push();
    expect((await place.run('ci plan', step({}, twin.as('operator')))).code).toBe(0);
    const [head = '', ...rest] = place.read('fleetform-plan.json').split('\n');
    const other = '{"code":"ofAnotherDay","severity":"warning","params":{"value":7}}';
    const warned = head.replace(/"warnings":\[(?=([{\]]))/, (list, next) =>
      next === ']' ? `${list}${other}` : `${list}${other},`,
    );
    expect(warned).not.toBe(head);
    place.write('other.json', sealed([warned, ...rest].join('\n')));
    expect(await tell('other.json')).toMatchObject({ code: 0, err: '' });
    expect(shown()).toHaveLength(1);
    expect(shown()[0]?.body).toContain('`ofAnotherDay`: `value 7`');
  });

  it.each([
    ['is no JSON', 'not a plan'],
    ['is JSON of something else', '{"version":1}\n'],
    ['is empty', ''],
    ['is the report page of a proxy', '<html>sign in</html>'],
  ])('is replaced where the file %s', async (_, text) => {
    await tell('fleetform-plan.json');
    expect(shown()).toHaveLength(1);
    place.write('broken.json', text);
    const { code, err } = await tell('broken.json');
    expect([code === 0, err]).toEqual([false, expect.stringContaining('error[')]);
    expect(shown()).toEqual([]);
    expect(fake.comments.at(-1)?.body).toContain(`No plan for commit \`${sha.slice(0, 12)}\``);
  });

  it('is replaced by the plan of another address of the service', async () => {
    await tell('fleetform-plan.json');
    const before = shown().map(({ id }) => id);
    sha = push();
    const other = twin.ready.url.replace('127.0.0.1', 'localhost');
    const env = { ...twin.as('operator'), FLEETFORM_BASE_URL: other };
    expect((await place.run('ci plan -o moved.json', step({}, env))).code).toBe(0);
    expect((await tell('moved.json')).code).toBe(0);
    expect(shown()).toHaveLength(1);
    expect(before).not.toContain(shown()[0]?.id);
    expect(shown()[0]?.body).toContain('localhost');
  });
});
