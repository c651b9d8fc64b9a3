import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Diagnostic } from '../../model/documents/diagnostic.ts';
import type { ForgeKind } from '../../model/ports.ts';
import { LEDGER_DEFAULTS, isShared, type GroundGate } from '../../model/ledger/ground.ts';
import { documentsFolder, type Here } from '../here.ts';
import { filesBelow } from '../files-below.ts';
import type { Shell } from '../../shell/shell.ts';

/** Where the files of CI are, from the root of the repository. */
const CI_FILES = ['.gitlab-ci.yml', '.gitlab', '.github/workflows'];

/** Files that show the CI of a repository whose host does not. */
const PIPELINES = { gitlab: '.gitlab-ci.yml', github: '.github/workflows' } as const;

export interface ChosenForge {
  readonly kind: ForgeKind;
  readonly from: 'flag' | 'remote' | 'files';
  readonly server?: OwnServer;
}

/** A server that runs workflows of GitHub, other than github.com and the tenants of ghe.com. */
export interface OwnServer {
  readonly host: string;
  readonly product: 'GitHub Enterprise Server' | 'Gitea or Forgejo';
}

/**
 * The forge of a repository: the named one, that of the host of `origin`, or that of the CI files it
 * has; undefined where nothing shows one.
 */
export async function chooseForge(
  shell: Shell,
  root: string,
  named: ForgeKind | undefined,
): Promise<ChosenForge | undefined> {
  const { remoteGit } = await import('../../git/git.ts');
  const git = remoteGit(root, shell.env, { silence: 30_000 });
  const { out, exit } = await git('remote', 'get-url', 'origin');
  const host = exit === 0 ? hostIn(out.trim()) : undefined;
  const found = named ?? forgeAt(host);
  if (found)
    return { kind: found, from: named ? 'flag' : 'remote', ...serverAt(host, found, root) };
  for (const [kind, path] of Object.entries(PIPELINES) as [ForgeKind, string][])
    if (existsSync(join(root, path))) return { kind, from: 'files', ...serverAt(host, kind, root) };
  return undefined;
}

/** github.com, also by an alias of SSH such as `github.com-work` or `work`, and tenants of ghe.com; and what is no name of a host. */
const GITHUB_COM = /(?:^|\.)github\.com(?:-|$)|\.ghe\.com$|^[^.]*$|[^\w.-]/;

const GITEA = /(?:^|\.)(?:gitea|forgejo)\.|^codeberg\.org$/;

function serverAt(host: string | undefined, kind: ForgeKind, root: string) {
  if (host === undefined || kind !== 'github' || GITHUB_COM.test(host)) return {};
  const isGitea =
    GITEA.test(host) || ['.gitea', '.forgejo'].some((one) => existsSync(join(root, one)));
  const product = isGitea ? 'Gitea or Forgejo' : 'GitHub Enterprise Server';
  return { server: { host, product } satisfies OwnServer };
}

/**
 * A warning where a plan is the approval and no job of the repository records one (semantics N74): the host of
 * the ledger's remote shows whether that may be another forge than the two that `init` writes jobs for. Where a job
 * does, or where the merge is the approval and a job applies, a warning about files that decide what runs and that have
 * no owner. Nothing is said outside a repository, or without that remote.
 */
export async function forgeFindings(here: Here): Promise<readonly Diagnostic[]> {
  const { service } = here.documents;
  const { approval, ledger } = service.value;
  if (!ledger || !isShared(ledger)) return [];
  const { remoteGit } = await import('../../git/git.ts');
  const folder = documentsFolder(here);
  const git = remoteGit(dirname(folder), here.shell.env, { silence: 30_000 });
  const { out, exit } = await git('remote', 'get-url', ledger.remote ?? LEDGER_DEFAULTS.remote);
  if (exit !== 0) return [];
  const root = (await git('rev-parse', '--show-toplevel')).out.trim();
  const at = service.places.get('/approval') ?? service.at;
  const gate = root === '' ? undefined : jobsIn(root, JOBS[approval.is]);
  if (gate) {
    const { unownedFiles } = await import('./owners.ts');
    const { foldersOf } = await import('../repository.ts');
    const folders = await foldersOf(here);
    const files = unownedFiles(root, folders, gate).join(', ');
    return files === ''
      ? []
      : [{ code: 'ownersMissing', severity: 'warning', at, params: { files } }];
  }
  if (approval.is === 'commit') return [];
  const host = hostIn(out.trim());
  const problem = forgeAt(host) === undefined ? 'forge' : 'job';
  const params = { problem, ...(host !== undefined && { host }) };
  return [{ code: 'approvalWithoutGate', severity: 'warning', at, params }];
}

/** What starts changes, or lets them start: the job that records an approval, or the one that applies what is merged. */
const JOBS = { plan: /\bci approve\b/, commit: /\bci (?:approve|apply)\b/ } as const;

/** Whose file of CI runs such a job, whatever it is called. */
function jobsIn(root: string, command: RegExp): ForgeKind | undefined {
  const path = CI_FILES.find((each) =>
    listFiles(join(root, each)).some((file) => command.test(readFileSync(file, 'utf8'))),
  );
  return path === undefined ? undefined : path.startsWith('.gitlab') ? 'gitlab' : 'github';
}

/** The YAML files at a path, which may be one; none where nothing is there. */
function listFiles(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  if (!found?.isDirectory()) return [];
  return filesBelow(path).filter((file) => /\.ya?ml$/.test(file));
}

/** The forge that the name of a host shows, such as `gitlab.example.com`; undefined for any other. */
function forgeAt(host: string | undefined): ForgeKind | undefined {
  const [, kind] = /(?:^|\.)(github|gitlab)\./.exec(host ?? '') ?? [];
  return kind as ForgeKind | undefined;
}

/** The host of an address such as `https://HOST/...` or `git@HOST:...`; undefined for a path. */
function hostIn(address: string): string | undefined {
  const [, plain, scp] = /^\w+:\/\/(?:[^@/]*@)?([^/:]+)|^[\w.-]+@([^:/]+):/.exec(address) ?? [];
  return (plain ?? scp)?.toLowerCase();
}

/**
 * Whose gate approves: that of the forge whose job this is; elsewhere that of the forge whose jobs the repository
 * has.
 */
export async function gateKind({ env }: Pick<Shell, 'env'>, folder: string): Promise<GroundGate> {
  if (env['GITHUB_ACTIONS'] === 'true') return 'github';
  if (env['GITLAB_CI'] === 'true') return 'gitlab';
  const { remoteGit } = await import('../../git/git.ts');
  const git = remoteGit(folder, env, { silence: 30_000 });
  const root = (await git('rev-parse', '--show-toplevel')).out.trim();
  return (root === '' ? undefined : await jobsIn(root, JOBS.plan)) ?? 'none';
}
