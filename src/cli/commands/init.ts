import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Site } from '../../model/device.ts';
import { WorldError } from '../../model/error.ts';
import { connect } from '../connect.ts';
import { fleetFolder } from '../documents.ts';
import { EXIT } from '../exit.ts';
import { firstFiles, type FirstFile, type Found } from '../first-files.ts';
import { lookOf, print } from '../output.ts';
import type { Shell } from '../shell.ts';

export interface InitFlags {
  readonly fleet: string;
  readonly service?: string;
  readonly organization?: string;
  readonly branch?: string;
  readonly force?: boolean;
  readonly format: 'text' | 'json';
}

const IGNORED = '.fleetform/';

/** The pace of every service whose documents do not say another. */
const PACE = { requestsPerSecond: 1, tokenRequestsPerMinute: 5, pollEvery: 30_000 };

/**
 * `fleetform init`: a first fleet and its workflows. Asks nobody: what git, the environment and the
 * service know is taken from there, the rest is marked in the files. Offline it writes the same
 * without the sites. Throws `fileExists` before anything is written, unless `force`.
 */
export async function initCommand(flags: InitFlags, shell: Shell): Promise<number> {
  const found = await findOut(flags, shell);
  const files = [...firstFiles(found), ...ignoreFile(shell)];
  if (flags.force !== true) refuseTaken(files, shell);
  for (const file of files) write(file, flags.force === true, shell);
  const written = files.map(({ path }) => path);
  const told = { written, sites: found.sites.length, isPinned: isPinned(shell), ...todo(found) };
  const { initWords } = await import('../../render/init-words.ts');
  if (flags.format === 'json') {
    const { jsonText } = await import('../../render/sinks.ts');
    print(shell.out, [jsonText(told)]);
  } else print(shell.out, initWords(told, lookOf(shell.out, shell.env)));
  return EXIT.done;
}

async function findOut(flags: InitFlags, shell: Shell): Promise<Found> {
  const { env } = shell;
  const baseUrl = flags.service ?? (env['FLEETFORM_BASE_URL'] || undefined);
  const organization = flags.organization ?? (env['FLEETFORM_ORGANIZATION'] || undefined);
  const sites =
    baseUrl === undefined || organization === undefined
      ? []
      : await readSites({ baseUrl, organization }, flags, shell);
  return {
    ...(baseUrl !== undefined && { baseUrl }),
    ...(organization !== undefined && { organization }),
    sites,
    branch: flags.branch ?? (await branchOf(shell)),
    fleet: relative(shell.cwd, fleetFolder(shell, flags.fleet)),
    isOwn: packageName(shell) === 'fleetform',
  };
}

/** None without credentials; with them, what the service shows them. */
async function readSites(
  at: { readonly baseUrl: string; readonly organization: string },
  flags: InitFlags,
  shell: Shell,
): Promise<readonly Site[]> {
  const { env } = shell;
  const has = (name: string): boolean => Boolean(env[name] || env[`${name}_FILE`]);
  if (!has('FLEETFORM_CLIENT_ID') || !has('FLEETFORM_CLIENT_SECRET')) return [];
  const settings = { ...at, pace: PACE, dialect: {} };
  const connection = await connect(shell, settings, { fleet: flags.fleet, readOnly: true });
  try {
    const sites: Site[] = [];
    for await (const page of connection.client.list('sites')) sites.push(...page);
    return sites;
  } finally {
    await connection.close();
  }
}

async function branchOf(shell: Shell): Promise<string> {
  const { openRepository } = await import('../../git/repo.ts');
  return (await openRepository(shell.cwd, shell.env).mainBranch()) ?? 'main';
}

/** The line for the ledger of this machine, where it is not there yet. */
function ignoreFile(shell: Shell): readonly FirstFile[] {
  const path = join(shell.cwd, '.gitignore');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (/^\/?\.fleetform\/?\s*$/m.test(text)) return [];
  const end = text === '' || text.endsWith('\n') ? '' : '\n';
  return [{ path: '.gitignore', text: `${text}${end}${IGNORED}\n` }];
}

function refuseTaken(files: readonly FirstFile[], shell: Shell): void {
  const taken = files
    .map(({ path }) => path)
    .filter((path) => path !== '.gitignore' && existsSync(join(shell.cwd, path)));
  if (taken.length > 0) throw new WorldError('fileExists', { file: taken.join(', ') });
}

/** A file that came up since the look is not replaced either. */
function write({ path, text }: FirstFile, replaces: boolean, shell: Shell): void {
  const full = join(shell.cwd, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text, { flag: replaces || path === '.gitignore' ? 'w' : 'wx' });
}

function todo({ baseUrl, organization }: Found): { readonly fillIn: readonly string[] } {
  return {
    fillIn: [
      ...(baseUrl === undefined ? ['service.baseUrl'] : []),
      ...(organization === undefined ? ['service.organization'] : []),
      'sites.*.timeZone',
    ],
  };
}

/** The lock file of the repository holds the tool with its digest, which the workflows install. */
function isPinned(shell: Shell): boolean {
  const lock = jsonFile(join(shell.cwd, 'package-lock.json')) as
    { readonly packages?: Readonly<Record<string, unknown>> } | undefined;
  return lock?.packages?.['node_modules/fleetform'] !== undefined;
}

function packageName(shell: Shell): unknown {
  const found = jsonFile(join(shell.cwd, 'package.json'));
  return (found as { readonly name?: unknown } | undefined)?.name;
}

function jsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
