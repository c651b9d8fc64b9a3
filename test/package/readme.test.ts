import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/blackbox-build.ts';
import { PATIENCE, type Env } from '../support/blackbox.ts';
import { isWhole } from '../support/campaign.ts';
import { openShell } from '../support/page-shell.ts';
import { walkPage } from '../support/page-walk.ts';
import { copyTracked, run } from './packed.ts';

/** The variables of a new user, who has told git a name, on a machine whose packages are here already. */
function newUser(home: string): Env {
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
  const path = process.env['PATH'] ?? '';
  return {
    PATH: isWhole ? path : `${ownPackages(home)}:${path}`,
    HOME: home,
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}

/** A folder with an npm whose `ci` takes the packages of this checkout: CI has just installed them from the same lock file. */
function ownPackages(home: string): string {
  const npm = join(home, 'npm');
  const real = run(home, 'sh', '-c', 'command -v npm').trim();
  const link = `ln -s '${join(ROOT, 'node_modules')}' node_modules`;
  writeFileSync(npm, `#!/bin/sh\n[ "$1" = ci ] && exec ${link}\nexec '${real}' "$@"\n`);
  chmodSync(npm, 0o755);
  return home;
}

/** What a job does on a new machine: a clone, and its packages from an empty cache. Without a network it is skipped. */
function installClone(origin: string, folder: string): void {
  run(folder, 'git', 'clone', '--quiet', origin, 'job');
  const job = join(folder, 'job');
  try {
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')];
    run(job, 'npm', 'ci', ...flags);
  } catch (error) {
    if (!/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(String(error))) throw error;
    process.stdout.write('skipped: npm ci in a clone, since the registry cannot be reached\n');
    return;
  }
  expect(run(job, 'npx', 'fleetform', '--version')).toMatch(/^\d+\./);
}

it('README and then the first hour, walked by a new user from a clone', PATIENCE, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fleetform-readme-'));
  const clone = join(folder, 'fleetform');
  const home = join(folder, 'home');
  mkdirSync(home);
  copyTracked(clone);
  try {
    await using shell = openShell(clone, newUser(home));
    await walkPage('README.md', shell);
    if (isWhole) installClone(join(folder, 'my-fleet'), folder);
    await walkPage('docs/first-hour.md', shell);
    expect((await shell.run('pwd')).output.trim()).toMatch(/my-fleet$/);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
