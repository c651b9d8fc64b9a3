import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ciPublish } from '../../../../../src/cli/commands/ci/publish.ts';
import type { Plan } from '../../../../../src/model/plan/plan.ts';
import type { Shell } from '../../../../../src/shell/shell.ts';
import { planLines } from '../../../../../src/plan/saved/save.ts';
import { writeStream } from '../../../../../src/store/local-file.ts';
import { outputDouble } from '../../../../support/cli-output.ts';
import {
  BOT,
  createFakeGitHub,
  REPOSITORY,
  type FakeGitHub,
} from '../../../../support/fake-github.ts';
import { planId } from '../../../../../src/plan/identify.ts';
import { change, labels, comparedPlan } from '../../../../support/render-plan.ts';
import { brokenScope, scopedPlan } from '../../../../support/scoped.ts';
import { JOB_TOKEN } from '../../../../support/canary.ts';
import { scratchFolder } from '../../../../support/scratch.ts';
import { overFetch } from '../../../../../src/model/http.ts';

const folder = scratchFolder('comment');

const SHA = 'a'.repeat(40);
const HEAD = { sha: SHA, ref: 'feature', repo: { full_name: REPOSITORY } };

/** What the last call printed. */
let out: ReturnType<typeof outputDouble>;

function comment(
  fake: FakeGitHub,
  event: object,
  env: Shell['env'] = {},
  files: readonly string[] = ['plan.json'],
): Promise<number> {
  out = outputDouble();
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
  const shell = {
    cwd: folder,
    env: {
      GITHUB_TOKEN: JOB_TOKEN,
      GITHUB_REPOSITORY: REPOSITORY,
      GITHUB_API_URL: 'https://api.github.example',
      GITHUB_EVENT_PATH: join(folder, 'event.json'),
      ...env,
    },
    out,
    err: outputDouble(),
    clock: { sleep: async () => undefined },
    openTransport: async () => ({
      transport: overFetch(fake.handle),
      close: async () => undefined,
    }),
  } as unknown as Shell;
  return ciPublish.run({ fleet: 'fleet', plan: files }, shell);
}

async function save(count: number, other: Partial<Plan> = {}): Promise<void> {
  const changes = labels(count).map((label, n) =>
    change(label, { before: { firmwareVersion: `11.${n % 40}.${n % 7}` }, at: placeOf(n % 900) }),
  );
  const plan = { ...comparedPlan(changes), ...other };
  await writeStream(join(folder, 'plan.json'), planLines(plan));
}

const placeOf = (line: number) => ({
  policy: `firmware.policy-${line}`,
  file: 'fleet/a.yaml',
  line: line + 1,
  column: 1,
});

/** Plans of so many organizations, as the jobs of their folders keep them; the last ones change most. */
async function saveFleets(
  count: number,
  most = Infinity,
  edit: (plan: Plan, n: number) => Plan = (plan) => plan,
) {
  const files = Array.from({ length: count }, (_, n) => `fleetform-plan-org-${n}/plan.json`);
  for (const [n, file] of files.entries()) {
    const changes = labels(Math.min(n + 1, most)).map((label) => change(label));
    const { inputs, ...plan } = comparedPlan(changes);
    const fingerprint = n.toString(16).padStart(16, '0').padEnd(64, 'b');
    const service = { ...inputs.service, fingerprint };
    const id = planId(changes, fingerprint);
    const made = edit({ ...plan, id, inputs: { ...inputs, service } }, n);
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    await writeStream(join(folder, file), planLines(made));
  }
  return files;
}

/** A request whose commits name a scope that it exceeds. */
const refused = (plan: Plan): Plan => {
  const { base } = scopedPlan(brokenScope('site Lyon'));
  const scope = base?.scope;
  return { ...plan, ...(plan.base && scope && { base: { ...plan.base, scope } }) };
};

const listed = (body = ''): readonly string[] =>
  body.split('\n').flatMap((line) => /^\| (?:\*\*)?`(org-\d+)`/.exec(line)?.[1] ?? []);

describe('ci publish --plan of more than five fleets', () => {
  const about = { pull_request: { number: 7, head: HEAD } };
  const opened = (): FakeGitHub => {
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    return fake;
  };

  it('keeps one comment with a row for each, the riskiest first, and edits it in place', async () => {
    const files = await saveFleets(6);
    const fake = opened();
    expect(await comment(fake, about, {}, files)).toBe(0);
    expect(fake.comments).toHaveLength(1);
    const [{ id, body } = { id: 0, body: '' }] = fake.comments;
    expect(listed(body)).toEqual(['org-5', 'org-4', 'org-3', 'org-2', 'org-1', 'org-0']);
    expect(body).toContain('This request starts 6 changes on 3 sites, 6 at once');
    expect(body).toMatch(/\*\*Next:\*\* `org-5`: review .*then merge\s*$/);
    await comment(fake, about, {}, files);
    expect(fake.comments.map((each) => each.id)).toEqual([id]);
  });

  it('changes to a comment each and back, and leaves none that is stale', async () => {
    const files = await saveFleets(6);
    const fake = opened();
    const person = fake.comment('someone', '<!-- fleetform plan fleets -->\nquoted by a person');
    await comment(fake, about, {}, files.slice(0, 5));
    expect(fake.comments).toHaveLength(6);
    await comment(fake, about, {}, files);
    expect(fake.comments.map(({ body }) => listed(body).length)).toEqual([0, 6]);
    await comment(fake, about, {}, files.slice(0, 5));
    expect(fake.comments.filter(({ body }) => body.includes('Plan ID'))).toHaveLength(5);
    expect(fake.comments).toHaveLength(6);
    expect(person.body).toContain('quoted by a person');
  });

  it('says that it posts no plan where no file is there', async () => {
    expect(await comment(opened(), about, {}, ['nowhere.json'])).toBe(0);
    expect(out.text()).toContain('No plan is posted: no file of --plan is there.');
  });

  it('has a row for a fleet whose file is refused, names why above, and fails', async () => {
    const files = await saveFleets(6);
    writeFileSync(join(folder, files[1] ?? ''), '{}');
    const fake = opened();
    await expect(comment(fake, about, {}, files)).rejects.toMatchObject({ code: 'planUnreadable' });
    const [{ body = '' } = {}] = fake.comments;
    expect(listed(body)).toHaveLength(6);
    expect(listed(body)[0]).toBe('org-1');
    expect(body.indexOf('- `org-1`: ')).toBeLessThan(body.indexOf('| Fleet |'));
    expect(body).toContain('### 6 fleets: error 1, ');
  });

  it('shows no plan of another base', async () => {
    const files = await saveFleets(6);
    const fake = opened();
    fake.mergeBase = (_, commit) => (commit === 'c'.repeat(40) ? 'd'.repeat(40) : commit);
    await expect(comment(fake, about, {}, files)).rejects.toMatchObject({ code: 'requestUnclear' });
    expect(fake.comments[0]?.body).toContain('### 6 fleets: error 6.');
    expect(fake.comments[0]?.body).not.toContain('This request starts');
  });

  it('fits 256 fleets', async () => {
    const files = await saveFleets(256, 2);
    const fake = opened();
    expect(await comment(fake, about, {}, files)).toBe(0);
    const [{ body = '' } = {}] = fake.comments;
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(listed(body)).toHaveLength(256);
  });

  it('names what a guardrail refuses above the table, with what to do', async () => {
    const files = await saveFleets(6, 1, (plan, n) => (n === 3 ? refused(plan) : plan));
    const fake = opened();
    expect(await comment(fake, about, {}, files)).toBe(0);
    const [{ body = '' } = {}] = fake.comments;
    expect(listed(body)[0]).toBe('org-3');
    expect(body.indexOf('`org-3`: ')).toBeLessThan(body.indexOf('| Fleet |'));
    expect(body).toContain('**Next:** `org-3`: ');
  });
});

describe('ci publish --plan', () => {
  it('links the report that the run of the plan keeps', async () => {
    await save(3);
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    const run = { id: 4711, event: 'pull_request', head_sha: SHA, head_branch: 'feature' };
    await comment(fake, { workflow_run: { ...run, head_repository: HEAD.repo } });
    expect(JSON.stringify(fake.comments)).toContain(
      `(https://github.com/${REPOSITORY}/actions/runs/4711#artifacts)`,
    );
  });

  it('tells of 10,000 changes in one comment, each of them counted', async () => {
    await save(10_000);
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    expect(await comment(fake, { pull_request: { number: 7, head: HEAD } })).toBe(0);
    expect(fake.comments).toHaveLength(1);
    const [{ body = '' } = {}] = fake.comments;
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toContain('All 10,000 changes are listed.');
  });

  const OLD = '<!-- fleetform plan 0123456789abcdef -->';
  const about = { pull_request: { number: 7, head: HEAD } };

  it('shows a finding of another version as itself', async () => {
    const warning = { code: 'ofAnotherDay', severity: 'warning', params: { value: 7 } };
    await save(2, { warnings: [warning as unknown as Plan['warnings'][number]] });
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    fake.comment(BOT, `${OLD}\n### Plan: of an older commit`);
    expect(await comment(fake, about)).toBe(0);
    expect(fake.comments.at(-1)?.body).toContain('`ofAnotherDay`: `value 7`');
  });

  it('keeps a comment for each of several plans, and none of an older commit', async () => {
    await save(2);
    const { inputs } = comparedPlan([]);
    const service = { ...inputs.service, fingerprint: 'e'.repeat(64) };
    const changes = [change({ id: 'dev-9' })];
    const other = { ...comparedPlan(changes), inputs: { ...inputs, service } };
    await writeStream(
      join(folder, 'other.json'),
      planLines({ ...other, id: planId(changes, service.fingerprint) }),
    );
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    const old = fake.comment(BOT, `${OLD}\n### Plan: of an older commit`);
    expect(await comment(fake, about, {}, ['plan.json', 'other.json'])).toBe(0);
    const markers = fake.comments.map(({ body }) => body.split('\n')[0]);
    expect(markers).toEqual([
      OLD,
      `<!-- fleetform plan ${'f'.repeat(16)} -->`,
      `<!-- fleetform plan ${'e'.repeat(16)} -->`,
    ]);
    expect(old.body).toContain('### No plan for commit');
    for (const { body } of fake.comments.slice(1)) expect(body).toContain('Plan ID');
    // One that is refused leaves the others, which are of this commit and were posted now.
    writeFileSync(join(folder, 'other.json'), '{}');
    const files = ['plan.json', 'other.json'];
    await expect(comment(fake, about, {}, files)).rejects.toMatchObject({
      code: 'planUnreadable',
    });
    expect(fake.comments[1]?.body).toContain('Plan ID');
    expect(fake.comments[2]?.body).toContain('### No plan for commit');
  });

  it('leaves no plan of an older commit for a service that the documents no longer name', async () => {
    await save(2);
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    const old = fake.comment(BOT, `${OLD}\n### Plan: of an older commit`);
    const other = fake.comment('someone', `${OLD}\n### Plan: quoted by a person`);
    const beside = fake.comment(BOT, `${OLD}\n<!-- commit ${SHA} -->\n### Plan: of a second fleet`);
    expect(await comment(fake, about)).toBe(0);
    expect(old.body).toBe(
      `${OLD}\n### No plan for commit \`aaaaaaaaaaaa\`\n\nThe documents now use another service, or the run for this one has not ended.\n`,
    );
    expect(other.body).toContain('quoted by a person');
    expect(beside.body).toContain('of a second fleet');
    expect(fake.comments.at(-1)?.body.split('\n')[1]).toBe(`<!-- commit ${SHA} -->`);
  });

  it.each([
    ['the comment is refused', 'PATCH', { message: 'Body is too long' }],
    ['what was there cannot be understood', 'GET', 'html'],
  ])('replaces an older plan where %s', async (_, method, answer) => {
    await save(2);
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    const marker = '<!-- fleetform plan ffffffffffffffff -->';
    const old = fake.comment(BOT, `${marker}\n### Plan: of an older commit`);
    const heard = fake.handle;
    let isBroken = true;
    fake.handle = async (request) => {
      const isList = request.url.includes('/issues/7/comments') || method !== 'GET';
      if (!isBroken || request.method !== method || !isList) return heard(request);
      isBroken = false;
      return Response.json(answer, { status: method === 'GET' ? 200 : 422 });
    };
    await expect(comment(fake, about)).rejects.toMatchObject({ code: 'forgeRefused' });
    expect(old.body).toContain('### No plan for commit `aaaaaaaaaaaa`');
    expect(old.body).not.toContain('of an older commit');
  });

  it('replaces an older plan where the file was edited', async () => {
    await save(2);
    const path = join(folder, 'plan.json');
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('firmware.policy-1', 'firmware.policy-7'),
    );
    const fake = createFakeGitHub();
    fake.pulls.push({ number: 7, head: HEAD });
    const old = fake.comment(BOT, `${OLD}\n### Plan: of an older commit`);
    await expect(comment(fake, about)).rejects.toThrow();
    expect(old.body).toContain('### No plan for commit `aaaaaaaaaaaa`');
    expect(old.body).not.toContain('of an older commit');
  });

  it.each([
    ['a closed pull request', []],
    ['another commit', [{ number: 7, head: { ...HEAD, sha: 'b'.repeat(40) } }]],
    ['the same branch of a fork', [{ number: 7, head: { ...HEAD, repo: { full_name: 'm/f' } } }]],
    ['a head whose repository is gone', [{ number: 7, head: { ...HEAD, repo: null } }]],
  ])('posts nothing for %s', async (_, pulls) => {
    await save(2);
    const fake = createFakeGitHub();
    fake.pulls.push(...pulls);
    const event = {
      workflow_run: {
        event: 'pull_request',
        head_sha: SHA,
        head_branch: 'feature',
        head_repository: { full_name: REPOSITORY },
      },
    };
    expect(await comment(fake, event)).toBe(0);
    expect(fake.calls.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each([
    ['a push', { ref: 'refs/heads/main' }],
    ['a run after a push', { workflow_run: { event: 'push', head_sha: SHA } }],
    ['no event', []],
  ])('posts nothing after %s', async (_, event) => {
    const fake = createFakeGitHub();
    expect(await comment(fake, event)).toBe(0);
    expect(fake.calls).toEqual([]);
  });

  it.each([
    [{ GITHUB_TOKEN: '' }, 'forgeMissing'],
    [{ GITHUB_REPOSITORY: 'acme/fleet/../../user' }, 'forgeMissing'],
    [{ GITHUB_API_URL: 'http://api.github.example' }, 'baseUrlUnsafe'],
  ])('sends nothing with %o', async (env, code) => {
    const fake = createFakeGitHub();
    const event = { pull_request: { number: 7, head: HEAD } };
    await expect(comment(fake, event, env)).rejects.toMatchObject({ code });
    expect(fake.calls).toEqual([]);
  });
});
