import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadTexts } from '../../src/config/load.ts';
import type { Documents } from '../../src/model/documents/policy.ts';
import type { Shell } from '../../src/shell/shell.ts';
import { gitIn } from './blackbox-record.ts';
import { scratchFolder } from './scratch.ts';

/** A clone with documents, and the bare repository that it pushes to. */
export interface Clone {
  readonly place: string;
  readonly bare: string;
  readonly folder: string;
  readonly documents: Documents;
  git(...args: readonly string[]): string;
  write(name: string, text: string): void;
  /** Commits what is there; returns the commit. */
  commit(subject: string): string;
  push(branch: string): void;
  shell(env?: Shell['env'], now?: () => number): Shell;
}

/** The documents of a clone whose ledger is a branch of this remote, with more below `service`. */
export function serviceText(more = '', remote = 'origin'): string {
  return `service: {baseUrl: https://api.example.com, organization: acme, ledger: {store: git, remote: ${remote}}${more}}\n`;
}

/** Copies of clones as they begin, by branch and documents: where each is, and where it was made. */
const begun = new Map<string, { readonly copy: string; readonly madeAt: string }>();

/**
 * A clone whose only branch, with one commit, is what the HEAD of its remote names. A file of tests makes one of a kind
 * and copies it for the others.
 */
export function createClone(
  name: string,
  { branch = 'trunk', service = serviceText() }: { branch?: string; service?: string } = {},
): Clone {
  const place = scratchFolder(name);
  const [bare, folder] = [join(place, 'hub.git'), join(place, 'clone')];
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args: readonly string[]): string => gitIn(folder, ...author, ...args).trim();
  const { documents } = loadTexts([{ path: 'fleet/fleet.yaml', text: service }]);
  const clone: Clone = {
    place,
    bare,
    folder,
    documents: { ...(documents as Documents), folder: join(folder, 'fleet') },
    git,
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    commit: (subject) => {
      git('add', '--all');
      git('commit', '--quiet', '--allow-empty', '-m', subject);
      return git('rev-parse', 'HEAD');
    },
    push: (to) => void git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${to}`),
    shell: (env = {}, now = () => 0) =>
      ({ cwd: folder, env: { ...process.env, ...env }, clock: { now } }) as unknown as Shell,
  };
  const kind = JSON.stringify([branch, service]);
  const known = begun.get(kind);
  if (known && existsSync(known.copy)) {
    cpSync(known.copy, place, { recursive: true });
    const config = join(folder, '.git', 'config');
    writeFileSync(config, readFileSync(config, 'utf8').replaceAll(known.madeAt, place));
    return clone;
  }
  gitIn(place, 'init', '--quiet', '--bare', `--initial-branch=${branch}`, bare);
  gitIn(place, 'init', '--quiet', `--initial-branch=${branch}`, folder);
  git('remote', 'add', 'origin', bare);
  clone.write('fleet/fleet.yaml', service);
  clone.commit('first');
  clone.push(branch);
  const copy = scratchFolder('clone-begun');
  cpSync(place, copy, { recursive: true });
  begun.set(kind, { copy, madeAt: place });
  return clone;
}
