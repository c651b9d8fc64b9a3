import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { KEEPERS } from '../../src/forge/gitlab/artifacts.ts';
import { gitlabFiles, GITLAB_JOBS } from '../../src/init/gitlab-files.ts';
import { commandTree, shellWords } from '../support/command-tree.ts';
import { holds, readPipeline, ruleOf, type PipelineJob } from '../pipelines/pipeline.ts';
import { ROOT } from './sources.ts';

const FACTS = {
  ci: 'gitlab',
  branch: 'main',
  isBranchNamed: false,
  home: '',
  fleet: 'fleet',
  isOwn: false,
  sites: [],
  approval: 'plan',
} as const;

const textOf = (more: object = {}): string =>
  gitlabFiles({ ...FACTS, ...more }).find(({ path }) => path === GITLAB_JOBS)?.text ?? '';
const PIPELINE = readPipeline(textOf());
const JOBS = Object.entries(PIPELINE.jobs).map(([name, job]) => ({ name, job }));
const lines = ({ before_script: before, script }: PipelineJob): readonly string[] => [
  ...before,
  ...script,
];

/** The calls of our own program, as a shell would pass them. */
const callsIn = (job: PipelineJob): readonly string[] =>
  lines(job).flatMap((line) => /^node "\$FLEETFORM" (.*)$/.exec(line)?.[1] ?? []);

describe('the jobs for GitLab', () => {
  it.each(JOBS)('$name has only keys that are played in a test, and a place', ({ job }) => {
    expect(['test', 'deploy']).toContain(job.stage);
    for (const needed of job.needs) expect(Object.keys(PIPELINE.jobs)).toContain(needed);
    expect(job.timeout).toMatch(/^(?:10m|30m|[1-3]h)$/);
    expect(job.image).toMatch(/^node:\d+\.\d+\.\d+-\w+$/);
    expect(job.rules.length).toBeGreaterThan(0);
  });

  it.each(JOBS)('$name calls commands and options that exist', async ({ job }) => {
    const calls = callsIn(job);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) await commandTree().parseAsync(shellWords(call), { from: 'user' });
  });

  it.each(JOBS)('$name runs no script of a package and downloads nothing else', ({ job }) => {
    const installs = lines(job).filter((line) => /\bnpm\b/.test(line));
    expect(installs).toEqual(['npm ci --ignore-scripts --no-audit --no-fund']);
    expect(lines(job).join('\n')).not.toMatch(/\bcurl\b|\bwget\b|\bnpx\b|\beval\b/);
  });

  it.each(JOBS)('$name quotes every variable that a shell reads, and names no token', ({ job }) => {
    for (const line of lines(job)) {
      expect(line.replaceAll(/"[^"]*"/g, '')).not.toContain('$');
      expect(line).not.toContain('TOKEN');
    }
  });

  it.each(JOBS)('$name hides no signal and no exit code', ({ job }) => {
    // The trailer of some runners reads the exit code of the script: `exec` would end it before.
    for (const line of lines(job)) expect(line).not.toMatch(/\bexec\b|\|\||;\s*true$/);
  });

  it('keep what the commands look for, under the names of these jobs', () => {
    const kept = Object.entries(KEEPERS).map(([artifact, job]) => [
      artifact,
      PIPELINE.jobs[job]?.artifacts?.paths ?? [],
    ]);
    expect(Object.fromEntries(kept)).toEqual({
      'fleetform-plan': ['fleetform-plan.json', 'fleetform-plan.html'],
      'fleetform-snapshot': ['fleetform-drift.json', 'fleet.snapshot'],
    });
  });

  it('pass outputs on by a report wherever a later job reads one', () => {
    for (const { name, job } of JOBS) {
      const isRead = /\$FLEETFORM_(?:WORK|NEEDED|DIGEST)/.test(lines(job).join('\n'));
      const needed = job.needs.map((each) => PIPELINE.jobs[each]?.artifacts?.reports?.dotenv);
      if (isRead) expect([name, needed]).toEqual([name, ['fleetform.env']]);
    }
  });
});

describe('who may do what', () => {
  const isReader = (job: PipelineJob): boolean =>
    lines(job).some((line) => line.startsWith('export FLEETFORM_CLIENT_ID='));

  it('is that one job can change devices, in an environment that waits for nobody', () => {
    const apply = JOBS.filter(({ job }) =>
      callsIn(job).some((call) => call.startsWith('ci apply')),
    );
    expect(apply.map(({ name }) => name)).toEqual(['fleet-apply']);
    expect(apply[0]?.job.environment).toEqual({ name: 'fleet', action: 'access' });
    expect(apply[0]?.job.resource_group).toBe('fleet-apply');
    expect(JOBS.filter(({ job }) => isReader(job)).map(({ name }) => name)).toEqual([
      'fleet-plan',
      'fleet-work',
      'fleet-drift',
      'fleet-resume',
      'fleet-look',
      'fleet-approve',
    ]);
  });

  it('N74 is that a gate is a job that a person starts, apart from the night', () => {
    const gated = JOBS.filter(({ job }) => job.environment === 'fleet-approve');
    expect(gated.map(({ name }) => name)).toEqual(['fleet-resume', 'fleet-approve']);
    const [, approve] = gated;
    expect(approve?.job.rules.map(({ when }) => when)).toEqual(['manual', 'manual']);
    for (const { name, job } of JOBS)
      if (name !== 'fleet-approve')
        expect(job.rules.some(({ when }) => when === 'manual')).toBe(false);
  });

  it('is that nothing but a plan and its note runs for a merge request, and a fork posts nothing', () => {
    const started = (variables: Record<string, string>, changed = ['fleet/a.yaml']) =>
      JOBS.flatMap(({ name, job }) => (ruleOf(job, { variables, changed }) ? [name] : []));
    const on = { FLEETFORM_APPLY: 'on', CI_DEFAULT_BRANCH: 'main' };
    const request = { ...on, CI_PIPELINE_SOURCE: 'merge_request_event' };
    const own = { ...request, CI_PROJECT_ID: '1', CI_MERGE_REQUEST_PROJECT_ID: '1' };
    expect(started(own)).toEqual(['fleet-plan', 'fleet-comment']);
    expect(started({ ...own, CI_PROJECT_ID: '2' })).toEqual(['fleet-plan']);
    expect(started(own, ['README.md'])).toEqual([]);
    const push = { ...on, CI_PIPELINE_SOURCE: 'push' };
    expect(started({ ...push, CI_COMMIT_BRANCH: 'feature' })).toEqual([]);
    expect(started({ ...push, CI_COMMIT_BRANCH: 'main', FLEETFORM_APPLY: '' })).toEqual([]);
    expect(started({ ...push, CI_COMMIT_BRANCH: 'main' })).toEqual([
      'fleet-work',
      'fleet-apply',
      'fleet-outcome',
      'fleet-look',
      'fleet-approve',
    ]);
  });
});

describe('what init fills in for GitLab', () => {
  const rawLines = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());

  it('is the folder of the tool, in every script and every path that starts at the root', () => {
    const { jobs } = readPipeline(textOf({ home: "sub/it's" }));
    for (const [name, job] of Object.entries(jobs)) {
      expect([name, job.before_script[0]]).toEqual([name, `cd 'sub/it'\\''s'`]);
      const { paths = [], reports = {} } = job.artifacts ?? {};
      for (const path of [...paths, ...Object.values(reports)])
        expect(path).toMatch(/^sub\/it's\/(?:fleet|gl-)/);
      const changes = job.rules.flatMap((rule) => rule.changes ?? []);
      for (const path of changes) expect(path).toMatch(/^(?:sub\/it's\/|\.gitlab)/);
    }
  });

  it('is the folder of the documents, by a variable', () => {
    const { jobs } = readPipeline(textOf({ fleet: 'conf/my fleet', home: 'ops' }));
    for (const job of Object.values(jobs)) {
      expect(job.variables['FLEET']).toBe('conf/my fleet');
      for (const call of callsIn(job))
        if (!/^ci (?:snapshot|comment|outcome|issue)/.test(call))
          expect(call).toContain(' --fleet "$FLEET"');
    }
    expect(textOf({ fleet: 'conf/my fleet', home: 'ops' })).toContain('"ops/conf/my fleet/**/*"');
  });

  it('is the branch, where a person named one', () => {
    const text = textOf({ branch: 'trunk', isBranchNamed: true });
    expect(text).not.toContain('CI_DEFAULT_BRANCH');
    expect(readPipeline(text).jobs['fleet-apply']?.variables['FLEETFORM_BRANCH']).toBe('trunk');
  });

  it('is no gate where a commit is the approval', () => {
    const { jobs } = readPipeline(textOf({ approval: 'commit' }));
    expect(Object.keys(jobs)).not.toContain('fleet-approve');
    expect(rawLines(textOf())).toContain('fleet-approve:');
  });

  it('is a pipeline that includes the jobs', () => {
    const [main] = gitlabFiles(FACTS);
    expect(main?.path).toBe('.gitlab-ci.yml');
    expect(parse(main?.text ?? '')).toMatchObject({ include: [{ local: GITLAB_JOBS }] });
  });
});

describe('a rule of GitLab', () => {
  const all = { A: 'x', B: 'x', C: '' };
  it.each<readonly [string, boolean]>([
    ['$A == "x"', true],
    ['$A == $B', true],
    ['$A != $C', true],
    ['$C', false],
    ['$D', false],
    ['$C && $A || $B', true],
    ['$C || $A && $C', false],
  ])('%s', (condition, is) => {
    expect(holds(condition, all)).toBe(is);
  });
});

it('the image of the jobs is the full form of the base of ours', () => {
  const dockerfile = readFileSync(join(ROOT, '.github', 'docker', 'Dockerfile'), 'utf8');
  const [, base = ''] = /^FROM (\S+)-slim\n/m.exec(dockerfile) ?? [];
  expect(base).toBe(PIPELINE.jobs['fleet-plan']?.image);
});
