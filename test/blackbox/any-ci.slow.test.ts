import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry, ROOT } from '../support/blackbox-build.ts';
import { createPlace, PATIENCE, type Done, type Env } from '../support/blackbox.ts';
import { gitIn } from '../support/blackbox-record.ts';
import { startTwin, type TwinProcess } from '../support/blackbox-twin.ts';

const SHELLS: readonly (readonly string[])[] = [['dash'], ['busybox', 'sh'], ['sh']];

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

// docs/examples/any-ci.sh, run as a CI that nobody knows would: a clone for each job, a bare remote, a twin.
describe.each(SHELLS)('the script for any CI in %s', PATIENCE, (shell = '', ...more) => {
  const place = createPlace();
  const bare = place.path('hub.git');
  const git = (...args: readonly string[]): string => gitIn(place.folder, ...args);
  let twin: TwinProcess;
  let jobs = 0;
  const isThere = spawnSync(shell, [...more, '-c', ':']).error === undefined;
  if (!isThere) process.stdout.write(`skipped: there is no ${shell}\n`);
  const test = isThere ? it : it.skip;

  /** Runs the script in a fresh, shallow clone of a commit, without a word about a forge. */
  function job(verb: string, ref: string, env: Env): Done & { read(name: string): string } {
    const folder = place.path(`job-${(jobs += 1)}`);
    git('clone', '--quiet', '--depth=1', '--branch', ref, `file://${bare}`, folder);
    const variables = {
      PATH: process.env['PATH'] ?? '',
      HOME: place.folder,
      FLEETFORM: builtEntry(),
      FLEETFORM_BASE_URL: twin.ready.url,
      FLEETFORM_BRANCH: 'main',
      FLEETFORM_LEDGER: 'git:origin#fleetform-ledger',
      ...env,
    };
    const args = [...more, 'any-ci.sh', verb];
    const run = spawnSync(shell, args, { cwd: folder, env: variables, encoding: 'utf8' });
    expect(run.stdout + run.stderr).not.toMatch(/^::/m);
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    return { code: run.status ?? String(run.signal), out: run.stdout, err: run.stderr, read };
  }

  const reader = (): Env => {
    const { FLEETFORM_CLIENT_ID: id = '', FLEETFORM_CLIENT_SECRET: secret = '' } =
      twin.as('operator');
    return { FLEETFORM_READ_CLIENT_ID: id, FLEETFORM_READ_CLIENT_SECRET: secret };
  };

  function push(branch: string): void {
    git('add', '--all', 'fleet', 'any-ci.sh', 'README', 'Jenkinsfile');
    git(...AUTHOR, 'commit', '--quiet', '--allow-empty', '-m', branch);
    git('push', '--quiet', '--force', bare, `HEAD:refs/heads/${branch}`);
  }

  beforeAll(async () => {
    place.edit('fleet/service.yaml', '  pace: {', '  ledger: {store: git}\n  pace: {');
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 30%', 'maxPercentOfFleet: 100%');
    cpSync(join(ROOT, 'docs', 'examples', 'any-ci.sh'), place.path('any-ci.sh'));
    place.make('README', 'x\n');
    place.make('Jenkinsfile', 'x\n');
    git('init', '--quiet', '--bare', '--initial-branch=main', bare);
    git('init', '--quiet', '--initial-branch=main');
    push('main');
    twin = await startTwin(place, { devices: 60 });
  }, PATIENCE.timeout);
  afterAll(async () => {
    await twin.stop();
    place[Symbol.dispose]();
  });

  test('plans what a request changes, and nothing where that is prose alone', () => {
    place.write('README', 'y\n');
    push('prose');
    const prose = job('plan', 'prose', reader());
    expect([prose.code, prose.err], prose.err).toEqual([0, '']);
    expect(prose.out).toContain('Nothing to plan');
    const script = place.read('any-ci.sh');
    place.write('any-ci.sh', `${script}# more\n`);
    push('script');
    expect(job('plan', 'script', reader()).out).toMatch(/^This request starts no change/m);
    place.write('any-ci.sh', script);
    place.edit(
      'fleet/policies/rotations.yaml',
      '    renewBefore: 30d',
      '    renewBefore: 30d\n    generation: 2',
    );
    push('feature');
    const plan = job('plan', 'feature', reader());
    expect(plan.code, plan.err).toBe(0);
    expect(plan.out).toMatch(/^This request starts/m);
    expect(plan.read('fleetform-plan.md')).toContain('Plan ID `');
    expect(plan.read('fleetform-plan.html')).toContain('<!doctype html>');
  });

  test('plans no request with secrets that changes what the CI runs', () => {
    place.write('Jenkinsfile', 'y\n');
    push('ci');
    const plan = job('plan', 'ci', reader());
    expect([plan.code, plan.err], plan.err).toEqual([0, '']);
    expect(plan.out).toContain('this request changes what the CI runs');
    expect(() => plan.read('fleetform-plan.json')).toThrow('ENOENT');
    place.write('Jenkinsfile', 'x\n');
  });

  test('without credentials checks the documents, and fails on a mistake or a refusal', () => {
    expect(job('plan', 'feature', {}).out).toContain('The documents are valid. There is no plan');
    const limits = place.read('fleet/limits.yaml');
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 100%', 'maxPercentOfFleet: 0%');
    push('refused');
    const refused = job('plan', 'refused', reader());
    expect(refused.code, refused.err).toBe(3);
    expect(refused.read('fleetform-plan.md')).toContain('maxPercentOfFleet');
    place.edit('fleet/limits.yaml', 'maxPercentOfFleet: 0%', 'maxPercentOfFleet: 100');
    push('wrong');
    expect(job('plan', 'wrong', {}).code).toBe(1);
    place.write('fleet/limits.yaml', limits);
  });

  test('applies the newest documents of the default branch, whatever commit its job has', () => {
    push('main');
    const writer = twin.as('admin');
    const run = job('apply', 'prose', writer);
    expect(run.code, run.out + run.err).toBe(0);
    expect(run.out).toMatch(/\d+ tasks? sent: \d+ devices? verified/);
    expect(JSON.parse(run.read('fleetform-outcome.json'))).toMatchObject({ exit: 0 });
    expect(git('ls-remote', bare, 'refs/heads/fleetform-ledger')).not.toBe('');
    const again = job('apply', 'main', writer);
    expect([again.code, /[1-9]\d* tasks? sent/.test(again.out)], again.err).toEqual([0, false]);
  });

  test('M8 starts nothing for documents that are not the newest, and M4 for a ledger that a commit chooses', () => {
    const env = twin.as('admin');
    const old = place.path('old');
    git('clone', '--quiet', '--branch', 'prose', bare, old);
    const variables = { ...process.env, CI: 'true', ...env, FLEETFORM_BASE_URL: twin.ready.url };
    const args = [builtEntry(), 'ci', 'apply'];
    const run = spawnSync(process.execPath, args, { cwd: old, env: variables, encoding: 'utf8' });
    expect([run.status, /[1-9]\d* tasks? sent/.test(run.stdout)], run.stderr).toEqual([8, false]);
    place.edit('fleet/service.yaml', '{store: git}', '{store: git, branch: mine}');
    push('main');
    expect(job('apply', 'main', env).code).toBe(9);
  });

  test.each([
    ['FLEETFORM_BRANCH', 'plan'],
    ['FLEETFORM_LEDGER', 'apply'],
  ])('asks for %s before anything else', (name, verb) => {
    const run = job(verb, 'feature', { ...twin.as('admin'), [name]: '' });
    expect(run.code).not.toBe(0);
    expect(run.err).toContain(`${name}: set it in the CI`);
  });
});
