import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './sources.ts';

const KUBERNETES = join(ROOT, 'docs', 'examples', 'kubernetes', 'base');
const SYSTEMD = join(ROOT, 'docs', 'examples', 'systemd');
const UNITS = ['fleetform@.service', 'fleetform@.timer'];

interface Container {
  readonly command: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

interface Pod {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fleetform-servers-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program says that may be missing on this machine: undefined, and said, where it is. */
function linted(program: string, ...args: readonly string[]): SpawnSyncReturns<string> | undefined {
  const { FLEETFORM_TEST_PYTHON: python = '' } = process.env;
  const env = { ...process.env, PYTHONPATH: python, PATH: `${python}/bin:${process.env['PATH']}` };
  const run = spawnSync(program, args, { encoding: 'utf8', env });
  if (!run.error) return run;
  process.stdout.write(`skipped: there is no ${program}\n`);
  return undefined;
}

describe('the units of systemd', () => {
  /** Verifies the units with `change` made to the service; an unknown key is said on stderr, with exit code 0. */
  function verify(change: (text: string) => string): string | undefined {
    cpSync(SYSTEMD, folder, { recursive: true });
    const service = join(folder, UNITS[0] ?? '');
    writeFileSync(service, change(readFileSync(service, 'utf8')));
    return linted('systemd-analyze', 'verify', ...UNITS.map((unit) => join(folder, unit)))?.stderr;
  }

  it('have keys and values that systemd knows', () => {
    expect(verify((text) => text) ?? '').toBe('');
  });

  it('are read, so that a misspelt key is seen', () => {
    const said = verify((text) => text.replace('KillMode=', 'KilMode='));
    if (said !== undefined) expect(said).toContain("Unknown key 'KilMode'");
  });
});

describe.each(['any-ci.sh', 'vault-credentials.sh'])('the script %s', (name) => {
  const script = join(ROOT, 'docs', 'examples', name);

  it('is plain POSIX, by shellcheck', () => {
    const run = linted('shellcheck', '--shell=sh', script);
    if (run) expect(run.stdout).toBe('');
  });

  it('is read, so that a word that splits is seen', () => {
    const spoilt = join(folder, name);
    writeFileSync(spoilt, `${readFileSync(script, 'utf8')}\necho $1\n`);
    const run = linted('shellcheck', '--shell=sh', spoilt);
    if (run) expect(run.stdout).toContain('SC2086');
  });
});

describe('the CronJob', () => {
  const text = readFileSync(join(KUBERNETES, 'cronjob.yaml'), 'utf8');
  const job = parse(text) as {
    readonly spec: {
      readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } };
    };
  };
  const pod = job.spec.jobTemplate.spec.template.spec;
  function validated(manifest: string): SpawnSyncReturns<string> | undefined {
    const file = join(folder, 'cronjob.yaml');
    writeFileSync(file, manifest);
    return linted('kubernetes-validate', '--strict', file);
  }

  it('has the fields of its schema and no others', () => {
    const run = validated(text);
    if (run) expect(run.stdout + run.stderr).toContain('passed');
    if (run) expect(run.status).toBe(0);
  });

  it('is read, so that a misspelt field is seen', () => {
    const run = validated(text.replace('concurrencyPolicy', 'concurencyPolicy'));
    if (run) expect(run.status).not.toBe(0);
  });

  it('gives git the credential of the secret, and stores none', () => {
    const credential = join(folder, 'credential');
    writeFileSync(credential, 'username=robot\npassword=of-the-secret\n');
    const config = join(folder, 'gitconfig');
    const given = readFileSync(join(KUBERNETES, 'gitconfig'), 'utf8');
    writeFileSync(config, given.replace('/run/secrets/git/credential', credential));
    const env = {
      ...process.env,
      GIT_CONFIG_GLOBAL: config,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    };
    const ask = (verb: string): string =>
      execFileSync('git', ['credential', verb], {
        cwd: folder,
        env,
        encoding: 'utf8',
        input: 'protocol=https\nhost=git.example.com\nusername=robot\npassword=x\n\n',
      });
    const filled = execFileSync('git', ['credential', 'fill'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      input: 'protocol=https\nhost=git.example.com\n\n',
    });
    expect(filled).toContain('password=of-the-secret');
    expect([ask('approve'), ask('reject')]).toEqual(['', '']);
    expect(readFileSync(credential, 'utf8')).toBe('username=robot\npassword=of-the-secret\n');
  });

  it('has a ledger that no document chooses, and is refused one on the disk of the pod', () => {
    const names = pod.containers[0]?.env.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['CI', 'FLEETFORM_LEDGER']));
  });

  it('runs the release that it comes with', () => {
    const overlay = readFileSync(join(KUBERNETES, '..', 'acme', 'kustomization.yaml'), 'utf8');
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(parse(overlay)).toMatchObject({ images: [{ name: 'fleetform', newTag: version }] });
  });
});
