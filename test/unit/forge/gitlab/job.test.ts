import { describe, expect, it } from 'vitest';
import { gitlabForge, openGitLab } from '../../../../src/forge/gitlab/gitlab.ts';
import {
  BOT_TOKEN,
  CI_TOKEN,
  createFakeGitLab,
  PROJECT,
  type FakeGitLab,
} from '../../../support/fake-gitlab.ts';
import { overFetch } from '../../../../src/model/http.ts';

const SHA = 'a'.repeat(40);
const HEAD = 'b'.repeat(40);
const REQUEST = {
  CI_MERGE_REQUEST_IID: '7',
  CI_MERGE_REQUEST_PROJECT_ID: String(PROJECT),
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(PROJECT),
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/fleet',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
  CI_COMMIT_SHA: SHA,
};
const OPEN = { iid: 7, state: 'opened', sha: SHA, source_branch: 'feature' };

function open(fake: FakeGitLab, variables: Record<string, string>, token = BOT_TOKEN) {
  const gitlab = openGitLab({
    transport: overFetch((request) => fake.handle(request)),
    clock: { sleep: async () => undefined },
    apiUrl: 'https://gitlab.example/api/v4',
    project: PROJECT,
    jobToken: CI_TOKEN,
    token,
  });
  return gitlabForge(gitlab, { variables, author: '', folder: '' });
}

const forge = (variables: Record<string, string>) => open(createFakeGitLab(), variables);

describe('the merge request of a job', () => {
  it('is in its variables', () => {
    const head = { commit: SHA, branch: 'feature', repository: 'acme/fleet', isFork: false };
    expect(forge(REQUEST).subject).toEqual({ number: 7, head });
  });

  it('has the head of its branch where the pipeline is for merged results', () => {
    const variables = { ...REQUEST, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD };
    expect(forge(variables).subject?.head.commit).toBe(HEAD);
    expect(forge({ ...REQUEST, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' }).subject?.head.commit).toBe(
      SHA,
    );
  });

  it('is of a fork where its branch is in another project', () => {
    const variables = { ...REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '43' };
    expect(forge(variables).subject?.head.isFork).toBe(true);
  });

  it.each(['', '0', '7;DROP', '../7', '1e3'])('is none for the number "%s"', (iid) => {
    expect(forge({ ...REQUEST, CI_MERGE_REQUEST_IID: iid }).subject).toBeUndefined();
  });

  it.each([
    ['open with this commit', OPEN, ['open']],
    ['with a newer commit', { ...OPEN, sha: HEAD }, []],
    ['merged', { ...OPEN, state: 'merged' }, ['merged']],
    ['closed', { ...OPEN, state: 'closed' }, ['closed']],
    ['about to be merged', { ...OPEN, state: 'locked' }, ['open']],
    ['of another branch', { ...OPEN, source_branch: 'other' }, []],
    ['of another project', { ...OPEN, source_project_id: 43 }, []],
  ])('M6 is found while it is %s', async (_, request, states) => {
    const fake = createFakeGitLab();
    fake.requests.push(request);
    const job = open(fake, REQUEST, '');
    const found = await job.requestsOf(job.subject ?? ({} as never));
    expect(found.map(({ state }) => state)).toEqual(states);
  });
});

describe('the pages of a job', () => {
  const URLS = {
    CI_PROJECT_URL: 'https://gitlab.example/acme/fleet',
    CI_PIPELINE_URL: 'https://gitlab.example/acme/fleet/-/pipelines/31',
  };

  it('are its pipeline, and the artifacts of the job that planned', () => {
    const { page, report } = forge({ ...URLS, FLEETFORM_JOB: '4711' });
    expect(page).toBe(URLS.CI_PIPELINE_URL);
    expect(report?.page).toBe(`${URLS.CI_PROJECT_URL}/-/jobs/4711/artifacts/browse`);
  });

  it.each(['', '../../x', '7)[x](https://evil.example'])('are no others: job "%s"', (job) => {
    expect(forge({ ...URLS, FLEETFORM_JOB: job }).report?.page).toBe(URLS.CI_PIPELINE_URL);
  });

  it.each(['javascript:alert(1)', 'https://a.example/x)y', 'http://gitlab.example/x'])(
    'are absent where they are no plain address: %s',
    (url) => {
      const { page, report } = forge({ CI_PIPELINE_URL: url });
      expect([page, report]).toEqual([undefined, undefined]);
    },
  );
});

describe('N75 who let a gate through', () => {
  const user = (username: string) => ({ id: 1, username });
  const gate = {
    id: 5,
    environment: { name: 'fleet-approve' },
    deployable: { id: 77, user: user('grace') },
    approvals: [
      { user: user('ada'), status: 'approved' },
      { user: user('mallory'), status: 'rejected' },
    ],
  };
  const variables = { CI_ENVIRONMENT_NAME: 'fleet-approve', CI_JOB_ID: '77' };
  const approvers = (more: object, env: object = {}): Promise<readonly string[]> => {
    const fake = createFakeGitLab();
    fake.deployments.push({ ...gate, id: 4, deployable: { id: 76, user: user('eve') } });
    fake.deployments.push({ ...gate, ...more });
    const job = open(fake, { ...variables, ...env }, '');
    return job.runs?.gateApprovers(job.run, []) ?? Promise.resolve([]);
  };

  it('are those who approved the deployment of this job', async () => {
    expect(await approvers({})).toEqual(['ada']);
  });

  it('are those of every rule, and who started a manual job', async () => {
    const rules = [
      { deployment_approvals: [{ user: user('linus'), status: 'approved' }] },
      { deployment_approvals: [{ user: user('ada'), status: 'approved' }] },
    ];
    const more = { approvals: undefined, approval_summary: { rules } };
    expect(await approvers(more, { CI_JOB_MANUAL: 'true' })).toEqual(['ada', 'grace', 'linus']);
  });

  it('are nobody where GitLab has no such record', async () => {
    expect(await approvers({ deployable: { id: 78, user: user('eve') } })).toEqual([]);
    expect(await approvers({}, { CI_ENVIRONMENT_NAME: '' })).toEqual([]);
    expect(await approvers({ approvals: 'all', deployable: { id: 77 } })).toEqual([]);
  });
});

describe('what other pipelines have kept', () => {
  const WANTED = { artifact: 'fleetform-snapshot', file: 'fleet.snapshot' };
  const PLAN = { artifact: 'fleetform-plan', file: 'fleetform-plan.json', commits: [SHA] };
  const job = { id: 1, name: 'fleet-drift', ref: 'main', pipeline: 30 };
  const variables = { CI_DEFAULT_BRANCH: 'main' };

  it('is the snapshot of the default branch, never of another', async () => {
    const fake = createFakeGitLab();
    fake.jobs.push({ ...job, files: { 'fleet.snapshot': 'old' } });
    fake.jobs.push({ ...job, id: 2, files: { 'fleet.snapshot': 'new' } });
    fake.jobs.push({ ...job, id: 3, ref: 'evil', files: { 'fleet.snapshot': 'forged' } });
    const { runs } = open(fake, variables, '');
    expect(await runs?.newestWith(WANTED)).toEqual({ is: 'file', content: 'new' });
  });

  it.each([401, 403, 404])('is nothing where GitLab answers %d', async (status) => {
    const fake = createFakeGitLab();
    fake.trouble.push({ method: 'GET', answer: () => new Response('', { status }) });
    expect(await open(fake, variables).runs?.newestWith(WANTED)).toBeUndefined();
  });

  const merged = { iid: 7, state: 'merged', merged_at: '2026-11-23T12:00:00Z' };
  /** Those of the last push and of the one before, and the one of a merge train. */
  const PIPELINES = [
    { id: 40, ref: 'refs/merge-requests/7/train' },
    { id: 31, ref: 'refs/merge-requests/7/head' },
    { id: 29, ref: 'refs/merge-requests/7/merge' },
  ];

  it('N74 is the plan of each merge request that was merged', async () => {
    const fake = createFakeGitLab();
    fake.merged[SHA] = [{ ...merged, iid: 5, merged_at: '2026-11-20T12:00:00Z' }, merged];
    fake.requests.push({ iid: 5, pipelines: [] }, { iid: 7, pipelines: PIPELINES });
    const plan = { name: 'fleet-plan', ref: 'refs/merge-requests/7/head', pipeline: 31 };
    fake.jobs.push({ ...plan, id: 8, files: { 'fleetform-plan.json': 'first' } });
    fake.jobs.push({ ...plan, id: 9, files: { 'fleetform-plan.json': 'retried' } });
    fake.jobs.push({ ...plan, id: 10, name: 'other', files: { 'fleetform-plan.json': 'forged' } });
    const commits = [SHA, SHA];
    expect(await open(fake, {}).runs?.reviewedPlans({ ...PLAN, commits })).toEqual([
      { name: '!5' },
      { name: '!7', plan: { is: 'file', content: 'retried' } },
    ]);
  });

  it('N87 is the reviewed plan of the merge request that a merge train tries, not one of the train', async () => {
    const fake = createFakeGitLab();
    fake.requests.push({ iid: 7, pipelines: PIPELINES });
    const plan = { name: 'fleet-plan', ref: 'refs/merge-requests/7/head' };
    for (const { id } of PIPELINES)
      fake.jobs.push({ ...plan, id, pipeline: id, files: { 'fleetform-plan.json': `of ${id}` } });
    const train = { ...variables, ...REQUEST, CI_MERGE_REQUEST_EVENT_TYPE: 'merge_train' };
    const { commits: _, ...wanted } = PLAN;
    expect(await open(fake, train).runs?.reviewedPlans(wanted)).toEqual([
      { name: '!7', plan: { is: 'file', content: 'of 31' } },
    ]);
  });

  it('N74 is that of the organization, where a repository has several', async () => {
    const fake = createFakeGitLab();
    fake.jobs.push({ ...job, files: { 'fleet.snapshot': 'of another' } });
    fake.jobs.push({ ...job, id: 2, name: 'fleet-drift-acme', files: { 'fleet.snapshot': 'own' } });
    const wanted = { ...WANTED, artifact: 'fleetform-snapshot-acme' };
    expect(await open(fake, variables, '').runs?.newestWith(wanted)).toMatchObject({
      content: 'own',
    });
    fake.merged[SHA] = [merged];
    fake.requests.push({ iid: 7, pipelines: PIPELINES });
    const files = { 'plans/acme/fleetform-plan.json': 'of acme' };
    const ref = 'refs/merge-requests/7/head';
    fake.jobs.push({ id: 8, name: 'fleet-plan-acme', ref, pipeline: 31, files });
    const plan = { ...PLAN, artifact: 'fleetform-plan-acme' };
    expect(await open(fake, {}).runs?.reviewedPlans(plan)).toEqual([
      { name: '!7', plan: { is: 'file', content: 'of acme' } },
    ]);
  });

  it('N74 is no plan for the token of a job, which may list no jobs, nor without a pipeline', async () => {
    const fake = createFakeGitLab();
    fake.merged[SHA] = [merged];
    fake.requests.push({ iid: 7, pipelines: PIPELINES });
    expect(await open(fake, {}, '').runs?.reviewedPlans(PLAN)).toEqual([{ name: '!7' }]);
    fake.requests.splice(0, 1, { iid: 7, pipelines: [] });
    expect(await open(fake, {}).runs?.reviewedPlans(PLAN)).toEqual([{ name: '!7' }]);
    fake.merged[SHA] = [];
    expect(await open(fake, {}).runs?.reviewedPlans(PLAN)).toEqual([]);
  });
});
