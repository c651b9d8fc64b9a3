import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT_SECRETS, filesLeft, search, SECRET_TEXTS, settle } from './canary.ts';
import { objectsLeft } from './canary-git.ts';
import { ledgerRemote, type RemoteOptions } from '../../src/git/ledger-remote.ts';
import type { LedgerRemote } from '../../src/model/ledger/ledger-remote.ts';

export const BRANCH = 'fleetform-ledger';
export const REF = `refs/heads/${BRANCH}`;

/** A clone of a bare repository, both on this disk, with the real git. */
export class GitPlace {
  readonly root = mkdtempSync(join(tmpdir(), 'fleetform-git-'));
  readonly bare = join(this.root, 'bare.git');
  readonly clone: string;

  constructor() {
    this.git(this.root, 'init', '--quiet', '--bare', '--initial-branch=main', this.bare);
    this.clone = this.another('clone');
    this.git(this.clone, ...PERSON, 'commit', '--quiet', '--allow-empty', '-m', 'first');
    this.git(this.clone, 'push', '--quiet', 'origin', 'HEAD:main');
  }

  /** One more clone, as another machine has it. */
  another(name: string, ...flags: readonly string[]): string {
    const path = join(this.root, name);
    this.git(this.root, 'clone', '--quiet', ...flags, `file://${this.bare}`, path);
    return path;
  }

  remote(folder = this.clone, more: Partial<RemoteOptions> = {}): LedgerRemote {
    return ledgerRemote({ folder, env: ENV, remote: 'origin', branch: BRANCH, ...more });
  }

  /** Runs git with no configuration but the repository's own. */
  git(cwd: string, ...args: readonly string[]): string {
    return execFileSync('git', args, { cwd, env: ENV, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  tip(branch = BRANCH): string {
    return this.git(this.bare, 'rev-parse', `refs/heads/${branch}`);
  }

  /** A hook of the bare repository: a shell script. */
  hook(name: string, script: string): void {
    mkdirSync(join(this.bare, 'hooks'), { recursive: true });
    const path = join(this.bare, 'hooks', name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
  }

  unhook(name: string): void {
    rmSync(join(this.bare, 'hooks', name), { force: true });
  }

  [Symbol.dispose](): void {
    const found = search(
      [...filesLeft(this.root, new Map()), ...objectsLeft(this.root)],
      [...Object.values(CLIENT_SECRETS), ...SECRET_TEXTS],
    );
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 });
    settle(found);
  }
}

export const PERSON = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];

/** Neither name nor address of a committer is configured, as on a fresh runner. */
export const ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TEMPLATE_DIR: process.env['GIT_TEMPLATE_DIR'] ?? '',
};
