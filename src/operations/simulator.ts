import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback, readAddress } from '../lib/address.ts';
import { WorldError } from '../model/error.ts';
import type { Documents } from '../model/documents/policy.ts';
import { bodyText } from '../model/http.ts';
import type { Credentials, Transport } from '../model/ports.ts';
import { namesCredentials } from '../shell/credentials.ts';
import type { Shell } from '../shell/shell.ts';
import { isCi } from '../lib/ci.ts';
import { remoteGit } from '../git/git.ts';

/** Where `twin` keeps its world and how commands in the same folder reach it, below the working directory. */
export const SIMULATOR_FOLDER = join('.fleetform', 'twin');

export interface Simulator extends Credentials {
  /** The ID of its world, drawn when the world was made. */
  readonly id: string;
  readonly url: string;
  readonly organization: string;
}

export function simulatorFile(cwd: string): string {
  return join(cwd, SIMULATOR_FOLDER, 'twin.json');
}

/** What the last simulator of a folder has left there; undefined without one, or for any other file. */
export function readSimulator(cwd: string): Simulator | undefined {
  try {
    const found = JSON.parse(readFileSync(simulatorFile(cwd), 'utf8')) as Simulator;
    const { id, url, organization, clientId, clientSecret } = found;
    const all = [id, url, organization, clientId, clientSecret];
    return all.every((one) => typeof one === 'string') ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a URL, such as one of an earlier commit, is that of the simulator of a folder, by its file alone. */
export function isSimulatorUrl(cwd: string, baseUrl: string): boolean {
  const found = readSimulator(cwd);
  const address = readAddress(baseUrl);
  if (!found || !address || !isLoopback(address)) return false;
  return address.href === readAddress(found.url)?.href;
}

/**
 * The simulator of the working directory, if it is the service at this address (protocol J5): the same loopback URL,
 * a file that git does not track, and an answer that names its world. Throws `simulatorAway` where nothing answers,
 * since another service may use the address later, and `simulatorInCi` in a job.
 */
export async function simulatorAt(shell: Shell, baseUrl: string): Promise<Simulator | undefined> {
  const found = readSimulator(shell.cwd);
  if (!found || !isSimulatorUrl(shell.cwd, baseUrl) || (await isTracked(shell))) return undefined;
  const world = await worldThere(shell, found.url);
  if (world === undefined) throw new WorldError('simulatorAway', { url: found.url });
  if (world !== found.id) return undefined;
  if (isCi(shell.env)) throw new WorldError('simulatorInCi', { url: found.url });
  return found;
}

/** The simulator of this folder, for a command that nothing has told where its service is. Throws as `simulatorAt`. */
export async function simulatorHere(shell: Shell): Promise<Simulator | undefined> {
  const found = readSimulator(shell.cwd);
  return found && simulatorAt(shell, found.url);
}

/** The ledger of the simulator of a folder, below it; undefined for any other service. */
export function localLedger(cwd: string, baseUrl: string): string | undefined {
  const found = isSimulatorUrl(cwd, baseUrl) ? readSimulator(cwd) : undefined;
  return found && join(SIMULATOR_FOLDER, found.id);
}

/** The documents with the ledger of their service: a simulator of this folder has its own here, whatever they name. */
export async function withOwnLedger(shell: Shell, documents: Documents): Promise<Documents> {
  const { value, ...service } = documents.service;
  const found = await simulatorAt(shell, shell.env['FLEETFORM_BASE_URL'] || value.baseUrl);
  if (!found) return documents;
  const ledger = { store: 'directory', path: join(SIMULATOR_FOLDER, found.id) } as const;
  return { ...documents, service: { ...service, value: { ...value, ledger } } };
}

/** The credentials of the simulator of this folder, for a command on it whose environment sets none. */
export async function simulatorCredentials(
  shell: Shell,
  baseUrl: string,
): Promise<Credentials | undefined> {
  return namesCredentials(shell.env) ? undefined : simulatorAt(shell, baseUrl);
}

/** A file that came with a clone was written by somebody else. What git cannot say counts as that, too. */
async function isTracked(shell: Shell): Promise<boolean> {
  const git = remoteGit(shell.cwd, shell.env, { silence: 30_000 });
  const tracked = await git('ls-files', '--', simulatorFile('.'));
  const isRepository = !/not a git repository/i.test(tracked.err);
  return isRepository && (tracked.exit !== 0 || tracked.out.trim() !== '');
}

async function worldThere(shell: Shell, url: string): Promise<string | undefined> {
  const { transport, close } = await shell.openTransport();
  try {
    return await worldAt(transport, url);
  } finally {
    await close();
  }
}

/** The ID of the world that answers at an address; empty for another service, undefined where none answers. */
export async function worldAt(transport: Transport, url: string): Promise<string | undefined> {
  const request = { method: 'GET', url: new URL('/world', url).href, headers: {} };
  const answer = await transport(request).catch(() => undefined);
  if (answer === undefined) return undefined;
  const [, id = ''] = /^\{"id":"([\w-]+)"\}$/.exec(bodyText(answer)) ?? [];
  return id;
}
