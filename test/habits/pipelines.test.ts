import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { KEEPERS } from '../../src/forge/gitlab/artifacts.ts';
import {
  gitlabFiles,
  applyPipeline,
  GITLAB_FLEET_JOBS,
  GITLAB_JOBS,
} from '../../src/init/gitlab-files.ts';
import { commandTree, shellWords } from '../support/command-tree.ts';
import {
  holds,
  readChild,
  readPipeline,
  ruleOf,
  withInput,
  type PipelineJob,
} from '../pipelines/pipeline.ts';
import { ROOT } from './sources.ts';

const FACTS = {
  ci: 'gitlab',
  branch: 'main',
  isBranchNamed: false,
  home: '',
  fleet: 'fleet',
  isOwn: false,
  schema: 'node_modules/fleetform/schemas/fleet.bundle.schema.json',
  sites: [],
  approval: 'plan',
  pins: { organization: 'acme', ledger: 'git:origin#fleetform-ledger', approval: 'plan' },
} as const;

const PINS_OF_ONE = { ...FACTS.pins, ledger: 'git:origin#fleetform-acme-ledger' };

const textOf = (more: object = {}): string =>
  gitlabFiles({ ...FACTS, ...more }).find(({ path }) => path === GITLAB_JOBS)?.text ?? '';
const PIPELINE = readPipeline(textOf());
const JOBS = Object.entries(PIPELINE.jobs).map(([name, job]) => ({
  name,
  job,
}));

/** The jobs of two organizations of one repository, with those that they share. */
const several = (more: object = {}): ReturnType<typeof readPipeline> => {
  const files = gitlabFiles({ ...FACTS, fleet: 'fleet/acme', pins: PINS_OF_ONE, ...more });
  const text = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
  const each = text(GITLAB_FLEET_JOBS);
  const own = ['acme', 'globex'].map((fleet) => withInput(each, { fleet }));
  return readPipeline(text(GITLAB_JOBS), ...own);
};

/** The pipeline of those that have work, as a job of theirs writes it. */
const applied = (names: readonly string[], rows: number, more: object = {}) => {
  const files = gitlabFiles({ ...FACTS, fleet: 'fleet/acme', pins: PINS_OF_ONE, ...more });
  const read = Object.fromEntries(files.map(({ path, text }) => [path, text]));
  const fleets = names.map((name) => ({ name }));
  return readChild(applyPipeline(fleets, rows), read);
};
const APPLIED = Object.entries(applied(['acme', 'globex'], 2).jobs);
const SEVERAL = [
  ...Object.entries(several().jobs),
  ...APPLIED.filter(([name]) => /^fleet-(?:apply|outcome)-(?:acme|globex)$/.test(name)),
].map(([name, job]) => ({ name, job }));
const ALL = [...JOBS, ...SEVERAL].filter(({ job }) => !job.trigger);
const lines = ({ before_script: before, script }: PipelineJob): readonly string[] => [
  ...before,
  ...script,
];

/** The calls of our own program, as a shell would pass them. */
const callsIn = (job: PipelineJob): readonly string[] =>
  lines(job).flatMap((line) => /^node "\$FLEETFORM" (.*)$/.exec(line)?.[1] ?? []);

describe('the jobs for GitLab', () => {
  it.each(ALL)('$name has only keys that are played in a test, and a place', ({ job }) => {
    expect(['test', 'deploy']).toContain(job.stage);
    for (const needed of job.needs) expect(ALL.map(({ name }) => name)).toContain(needed);
    expect(job.timeout).toMatch(/^(?:10m|30m|[1-3]h)$/);
    expect(job.image).toMatch(/^node:\d+\.\d+\.\d+-\w+$/);
    expect(job.rules.length).toBeGreaterThan(0);
  });

  it.each(ALL)('$name calls commands and options that exist', async ({ job }) => {
    const calls = callsIn(job);
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) await commandTree().parseAsync(shellWords(call), { from: 'user' });
  });

  it.each(ALL)('$name runs no script of a package and downloads nothing else', ({ job }) => {
    const installs = lines(job).filter((line) => /\bnpm\b/.test(line));
    expect(installs).toEqual(['npm ci --ignore-scripts --no-audit --no-fund']);
    expect(lines(job).join('\n')).not.toMatch(/\bcurl\b|\bwget\b|\bnpx\b|\beval\b/);
  });

  it.each(ALL)('$name quotes every variable that a shell reads, and names no token', ({ job }) => {
    for (const line of lines(job)) {
      expect(line.replaceAll(/"[^"]*"/g, '')).not.toContain('$');
      expect(line).not.toContain('TOKEN');
    }
  });

  it.each(ALL)('$name hides no signal and no exit code', ({ job }) => {
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
    for (const { name, job } of ALL) {
      const isRead = /\$FLEETFORM_(?:WORK|NEEDED|DIGEST)/.test(lines(job).join('\n'));
      const needed = job.needs.map(
        (each) => ALL.find((one) => one.name === each)?.job.artifacts?.reports?.dotenv,
      );
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
    expect(apply[0]?.job.environment).toEqual({
      name: 'fleet',
      action: 'access',
    });
    expect(apply[0]?.job.resource_group).toBe('fleet-apply');
    expect(JOBS.filter(({ job }) => isReader(job)).map(({ name }) => name)).toEqual([
      'fleet-plan',
      'fleet-work',
      'fleet-drift',
      'fleet-unpause',
      'fleet-look',
      'fleet-approve',
    ]);
  });

  it('N74 is that a gate is a job that a person starts, apart from the night', () => {
    const gated = JOBS.filter(({ job }) => job.environment === 'fleet-approve');
    expect(gated.map(({ name }) => name)).toEqual(['fleet-unpause', 'fleet-move', 'fleet-approve']);
    const [, move, approve] = gated;
    expect(move?.job.rules.map(({ when }) => when)).toEqual(['manual']);
    expect(approve?.job.rules.map(({ when }) => when)).toEqual(['manual', 'manual']);
    for (const { name, job } of JOBS)
      if (name !== 'fleet-approve' && name !== 'fleet-move')
        expect(job.rules.some(({ when }) => when === 'manual')).toBe(false);
  });

  it('is that nothing but a plan and its note runs for a merge request, and a fork posts nothing', () => {
    const started = (variables: Record<string, string>, changed = ['fleet/a.yaml']) =>
      JOBS.flatMap(({ name, job }) => (ruleOf(job, { variables, changed }) ? [name] : []));
    const on = { FLEETFORM_APPLY: 'on', CI_DEFAULT_BRANCH: 'main' };
    const request = { ...on, CI_PIPELINE_SOURCE: 'merge_request_event' };
    const own = {
      ...request,
      CI_PROJECT_ID: '1',
      CI_MERGE_REQUEST_PROJECT_ID: '1',
    };
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

describe('the jobs of several organizations', () => {
  const names = (of: string): readonly string[] =>
    'plan drift drift-issue pause unpause ground move look approve apply outcome'
      .split(' ')
      .map((job) => `fleet-${job}-${of}`);
  const started = (variables: Record<string, string>, changed: readonly string[]) =>
    Object.entries(several().jobs).flatMap(([name, job]) =>
      ruleOf(job, { variables, changed }) ? [name] : [],
    );
  const on = {
    FLEETFORM_APPLY: 'on',
    CI_DEFAULT_BRANCH: 'main',
    CI_COMMIT_BRANCH: 'main',
  };
  const jobOf = (name: string): PipelineJob | undefined =>
    SEVERAL.find((each) => each.name === name)?.job;

  it('are of each, and one posts the plans of all, and one finds those that have work', () => {
    const all = SEVERAL.map(({ name }) => name);
    const shared = ['fleet-comment', 'fleet-work', 'fleet-apply-pipeline'];
    expect(all.toSorted()).toEqual([...shared, ...names('acme'), ...names('globex')].sort());
    const comment = jobOf('fleet-comment');
    expect([comment?.stage, comment?.needs]).toEqual(['deploy', []]);
    expect(comment?.script).toEqual([
      'node "$FLEETFORM" ci publish --fleet "fleet" --plan plans/*/fleetform-plan.json',
    ]);
    for (const of of ['acme', 'globex'])
      expect(jobOf(`fleet-plan-${of}`)?.artifacts?.paths).toContain(
        `plans/${of}/fleetform-plan.json`,
      );
  });

  it('find those that have work without credentials, and hand them on', () => {
    const work = jobOf('fleet-work');
    expect([work?.environment, work?.needs]).toEqual([undefined, []]);
    expect(JSON.stringify(work)).not.toMatch(/CLIENT|SECRET/);
    const [{ artifact, job } = {}] = jobOf('fleet-apply-pipeline')?.trigger?.include ?? [];
    expect([job, artifact]).toEqual(['fleet-work', work?.artifacts?.paths?.[0]]);
  });

  const owned = ['acme', 'globex'].flatMap((of) => names(of).map((name) => ({ of, name })));

  it.each(owned)('$name reads its own folder with its own credentials', ({ of, name }) => {
    const job = jobOf(name);
    if (!job) throw new Error(`no job ${name}`);
    const other = of === 'acme' ? 'globex' : 'acme';
    expect(JSON.stringify(job)).not.toContain(other);
    expect(JSON.stringify(job)).not.toContain('inputs.');
    const reading = callsIn(job).filter(
      (call) => !/^ci (?:plan --find|publish --(?:run|drift))/.test(call),
    );
    expect(reading.every((call) => call.includes(` --fleet "fleet/${of}"`))).toBe(true);
    expect(job.resource_group ?? `-${of}`).toContain(`-${of}`);
    const { environment: place } = job;
    const at = typeof place === 'string' ? place : place?.name;
    const isReader = lines(job).some((line) => line.startsWith('export FLEETFORM_CLIENT_ID='));
    expect(isReader ? at : `fleet-read-${of}`).toMatch(new RegExp(`^fleet-(read|approve)-${of}$`));
  });

  it('have one that changes devices, and a gate that a person starts', () => {
    const place = { name: 'fleet-acme', action: 'access' };
    expect(jobOf('fleet-apply-acme')?.environment).toEqual(place);
    expect(jobOf('fleet-approve-acme')?.rules.map(({ when }) => when)).toEqual([
      'manual',
      'manual',
    ]);
  });

  it('start for the organizations whose documents a request or a merge changes', () => {
    const ids = { CI_PROJECT_ID: '1', CI_MERGE_REQUEST_PROJECT_ID: '1' };
    const request = {
      ...on,
      ...ids,
      CI_PIPELINE_SOURCE: 'merge_request_event',
    };
    const plans = ['fleet-plan-acme', 'fleet-plan-globex'];
    expect(started(request, ['fleet/acme/a.yaml'])).toEqual(['fleet-comment', 'fleet-plan-acme']);
    expect(started(request, ['package-lock.json'])).toEqual(['fleet-comment', ...plans]);
    const finding = ['fleet-work', 'fleet-apply-pipeline'];
    const push = started({ ...on, CI_PIPELINE_SOURCE: 'push' }, ['fleet/globex/a.yaml']);
    expect(push).toEqual([...finding, 'fleet-look-globex', 'fleet-approve-globex']);
    const hourly = { ...on, CI_PIPELINE_SOURCE: 'schedule', FLEETFORM_SCHEDULE: 'apply' };
    expect(started(hourly, [])).toEqual(finding);
  });

  it('run in as many rows as may write at once, whatever became of those before', () => {
    const five = ['a', 'b', 'c', 'd', 'e'];
    const { jobs } = applied(five, 2);
    const needed = five.map((name) => jobs[`fleet-apply-${name}`]?.needs);
    expect(needed).toEqual([[], [], ['fleet-apply-a'], ['fleet-apply-b'], ['fleet-apply-c']]);
    for (const name of five)
      expect(jobs[`fleet-apply-${name}`]?.rules).toEqual([{ when: 'always' }]);
    const child = { variables: { ...on, CI_PIPELINE_SOURCE: 'parent_pipeline' }, changed: [] };
    const begun = Object.entries(jobs).flatMap(([name, job]) => (ruleOf(job, child) ? [name] : []));
    expect(begun).toEqual(five.flatMap((name) => [`fleet-apply-${name}`, `fleet-outcome-${name}`]));
    expect(Object.keys(applied([], 2).jobs)).toEqual(['no-organization-has-work']);
  });

  it('start by hand for the one organization that a person names', () => {
    const web = { ...on, CI_PIPELINE_SOURCE: 'web', FLEETFORM_FLEET: 'acme' };
    expect(started({ ...web, FLEETFORM_UNPAUSE: 'fleet' }, [])).toEqual(['fleet-unpause-acme']);
    expect(started({ ...web, FLEETFORM_MOVE: 'renamed' }, [])).toEqual([
      'fleet-ground-acme',
      'fleet-move-acme',
    ]);
    expect(started({ ...web, FLEETFORM_LOOK: 'on' }, [])).toEqual([
      'fleet-look-acme',
      'fleet-approve-acme',
    ]);
    expect(started({ ...web, FLEETFORM_LOOK: 'on', FLEETFORM_FLEET: '' }, [])).toEqual([]);
  });

  it('come with a small file for each, which a pipeline includes by a pattern', () => {
    const files = gitlabFiles({ ...FACTS, fleet: 'fleet/acme' });
    const read = (path: string): unknown =>
      parse(files.find((file) => file.path === path)?.text ?? '');
    expect(read('.gitlab-ci.yml')).toMatchObject({
      include: [{ local: GITLAB_JOBS }, { local: '.gitlab/fleets/*.yml' }],
    });
    expect(read('.gitlab/fleets/acme.yml')).toEqual({
      include: [{ local: GITLAB_FLEET_JOBS, inputs: { fleet: 'acme' } }],
    });
  });

  it('are below the folder of the tool, where it has one', () => {
    const home = { home: 'ops' };
    const { 'fleet-apply-pipeline': begin, ...parent } = several(home).jobs;
    expect(begin?.trigger?.include[0].artifact).toBe('ops/fleetform-apply.yml');
    const jobs = { ...parent, ...applied(['acme'], 2, home).jobs };
    for (const [name, job] of Object.entries(jobs)) {
      if (job.trigger) continue;
      expect([name, job.before_script[0]]).toEqual([name, "cd 'ops'"]);
      for (const path of [
        ...(job.artifacts?.paths ?? []),
        ...job.rules.flatMap(({ changes = [] }) => changes),
      ])
        expect(path).toMatch(/^(?:ops\/|\.gitlab|\*\*\/_)/);
    }
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
      for (const path of changes) expect(path).toMatch(/^(?:sub\/it's\/|\.gitlab|\*\*\/_)/);
    }
  });

  it('is the folder of the documents, by a variable', () => {
    const { jobs } = readPipeline(textOf({ fleet: 'conf/my fleet', home: 'ops' }));
    for (const job of Object.values(jobs)) {
      expect(job.variables['FLEET']).toBe('conf/my fleet');
      for (const call of callsIn(job))
        if (!/^ci (?:plan --find|publish)/.test(call)) expect(call).toContain(' --fleet "$FLEET"');
    }
    expect(textOf({ fleet: 'conf/my fleet', home: 'ops' })).toContain('"ops/conf/my fleet/**/*"');
  });

  it('is the branch, where a person named one', () => {
    const text = textOf({ branch: 'trunk', isBranchNamed: true });
    expect(text).not.toContain('CI_DEFAULT_BRANCH');
    expect(readPipeline(text).jobs['fleet-apply']?.variables['FLEETFORM_BRANCH']).toBe('trunk');
  });

  it('M4 is what the jobs pin', () => {
    const pinned = (jobs: ReturnType<typeof readPipeline>['jobs'], name: string) =>
      Object.fromEntries(
        ['ORGANIZATION', 'LEDGER', 'APPROVAL'].map((each) => [
          each,
          jobs[name]?.variables[`FLEETFORM_${each}`],
        ]),
      );
    for (const name of ['fleet-plan', 'fleet-apply', 'fleet-move'])
      expect(pinned(PIPELINE.jobs, name)).toEqual({
        ORGANIZATION: 'acme',
        LEDGER: 'git:origin#fleetform-ledger',
        APPROVAL: 'plan',
      });
    for (const of of ['acme', 'globex'])
      for (const name of ['plan', 'apply', 'move'])
        expect(
          pinned({ ...several().jobs, ...Object.fromEntries(APPLIED) }, `fleet-${name}-${of}`),
        ).toEqual({
          LEDGER: `git:origin#fleetform-${of}-ledger`,
        });
  });

  it('is no gate where a commit is the approval', () => {
    const { jobs } = readPipeline(textOf({ approval: 'commit' }));
    expect(Object.keys(jobs)).not.toContain('fleet-approve');
    expect(rawLines(textOf())).toContain('fleet-approve:');
  });

  it('is a pipeline that includes the jobs', () => {
    const [main] = gitlabFiles(FACTS);
    expect(main?.path).toBe('.gitlab-ci.yml');
    expect(parse(main?.text ?? '')).toMatchObject({
      include: [{ local: GITLAB_JOBS }],
    });
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
