import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/blackbox-build.ts';

/** Runs a command without the settings of this repository, whose modules no clone has; returns stdout. */
export function run(cwd: string, command: string, ...args: readonly string[]): string {
  const none = {
    npm_config_ignore_scripts: undefined,
    CI: undefined,
    FLEETFORM_MODULES: undefined,
  };
  const env = { ...process.env, ...none };
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
}

/** Installs packages as a user does, from the cache where it has them. */
export function install(cwd: string, ...packages: readonly string[]): void {
  run(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages);
}

/** Copies the tracked files of this repository, as a clean clone has them, into a folder. */
export function copyTracked(clone: string): void {
  const tracked = run(ROOT, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard');
  for (const name of tracked.split('\0').filter((each) => each !== '')) {
    mkdirSync(dirname(join(clone, name)), { recursive: true });
    cpSync(join(ROOT, name), join(clone, name));
  }
}

/**
 * Packs the tracked files as from a clean clone and installs the tarball into an empty folder.
 * Returns a temporary folder, which the caller removes, and the folder in it that has the package.
 */
export function installPacked(): { readonly folder: string; readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fleetform-package-'));
  const [clone, home] = [join(folder, 'clone'), join(folder, 'home')];
  copyTracked(clone);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  run(clone, 'npm', 'pack', '--silent', '--pack-destination', folder);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"name": "home", "private": true, "type": "module"}');
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  install(home, join(folder, tarball));
  return { folder, home };
}
