import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { lstat, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pick } from '../lib/objects.ts';
import type { Milliseconds } from '../lib/time.ts';
import { DialectFileError, parseDialect } from '../twin/dialect/dialect.ts';
import { LostConnection } from '../twin/faults/replaced-answer.ts';
import { FaultScriptError, parseFaults } from '../twin/faults/fault-script.ts';
import { serveTwin, type ServedTwin } from '../twin/serve.ts';
import { createTwin, type Twin } from '../twin/twin.ts';
import { WorldFileError, readWorld, writePrivate, writeWorld } from '../twin/world-file.ts';
import type { WorldState } from '../twin/world/state.ts';
import {
  readSimulator,
  SIMULATOR_FOLDER,
  simulatorFile,
  worldAt,
  type Simulator,
} from './simulator.ts';
import { requireFolder } from '../store/files.ts';
import { systemClock } from '../shell/clock.ts';
import { overFetch } from '../model/http.ts';
import type { Credentials } from '../model/ports.ts';
import { EXIT } from '../shell/exit.ts';
import { OUTPUT_VERSION } from '../shell/output.ts';

/** What a twin serves, and how: the flags of `twin`, whose help says what an absent one means. */
export interface ServeOptions {
  readonly port?: number;
  readonly devices?: number;
  readonly sites?: number;
  readonly seed?: number;
  readonly world?: string;
  readonly faults?: string;
  readonly dialect?: string;
  readonly unknownFilters?: 'ignore' | 'refuse' | 'empty';
  readonly latency?: Milliseconds;
  /** Requests per second and endpoint family. */
  readonly rateLimit?: number;
  readonly maxDevicesPerTask?: number;
  readonly writeEnv?: string;
  readonly timeScale: number;
  readonly keepRunning?: boolean;
  readonly format: 'text' | 'json';
}

interface TwinStreams {
  /** Where a twin that was given no file keeps its world. */
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  readonly signal: AbortSignal;
}

/** Serves a twin until the signal, then saves its world. Resolves with the exit code. */
export async function runTwin(options: ServeOptions, io: TwinStreams): Promise<number> {
  const { writeEnv } = options;
  try {
    if (writeEnv !== undefined) await checkEnvFile(writeEnv);
    const kept = options.world === undefined ? await findKept(io.cwd) : undefined;
    const file = options.world ?? join(io.cwd, WORLD_FILE);
    const world = await readWorld(file);
    const embodied = await embody(options, world, io.signal);
    const before = world && kept;
    const id = before?.id ?? randomUUID();
    const served = await serveOn(embodied, options.port ?? before?.port, id);
    try {
      if (options.world === undefined) await makeFolder(io.cwd);
      // Writes the world now, so that a failure to save appears before the twin is used.
      await writeWorld(file, embodied.save());
      if (options.world === undefined)
        await writePrivate(simulatorFile(io.cwd), simulatorText(embodied, served, id));
      if (writeEnv !== undefined) await writePrivate(writeEnv, environment(embodied, served));
      const greeted = { ...options, isContinued: world !== undefined };
      io.out(GREETINGS[options.format](embodied, served, greeted));
      if (!io.signal.aborted) await once(io.signal, 'abort');
    } finally {
      await served.close();
    }
    await writeWorld(file, embodied.save());
    return EXIT.done;
  } catch (error) {
    const reason = describeUserError(error);
    if (reason === undefined) throw error;
    io.err(`fleetform twin: ${reason}\n`);
    return EXIT.error;
  }
}

const GREETINGS = { json: line, text: greeting } as const;

/** The world of a twin that was given no file for it. */
const WORLD_FILE = join(SIMULATOR_FOLDER, 'world.json');

/** Makes the folder of the twin of a directory, which git ignores. */
async function makeFolder(cwd: string): Promise<void> {
  const folder = join(cwd, SIMULATOR_FOLDER);
  await requireFolder(folder);
  await writeFile(join(folder, '.gitignore'), '*\n');
}

/** What an earlier twin of this directory left there. */
async function findKept(cwd: string) {
  const found = readSimulator(cwd);
  if (!found) return undefined;
  const { id, url } = found;
  if ((await worldAt(overFetch(fetch), url)) === id)
    throw new FlagError(
      `the simulator of this directory runs already, on ${url}; for another world add --world FILE`,
    );
  return { id, port: Number(new URL(url).port) };
}

const FIRST_PORT = 8080;
const LAST_PORT = 8180;

/** Serves on this port; without one on the first that is free. */
async function serveOn(embodied: Twin, port: number | undefined, id: string): Promise<ServedTwin> {
  if (port !== undefined) return serveTwin(embodied, port, id);
  for (let next = FIRST_PORT; ; next += 1)
    try {
      return await serveTwin(embodied, next, id);
    } catch (error) {
      if (!isInUse(error) || next === LAST_PORT) throw error;
    }
}

class FlagError extends Error {
  override readonly name = 'FlagError';
}

function check(options: ServeOptions): void {
  const { port = 0, sites = 1, maxDevicesPerTask = 1, timeScale, rateLimit = 1 } = options;
  if (port > 65_535) throw new FlagError('--port must be at most 65535');
  if (sites < 1) throw new FlagError('--sites must be at least 1');
  if (maxDevicesPerTask < 1) throw new FlagError('--max-devices-per-task must be at least 1');
  if (!(timeScale > 0)) throw new FlagError('--time-scale must be a number above 0');
  if (!(rateLimit > 0)) throw new FlagError('--rate-limit must be a number above 0');
}

async function embody(
  options: ServeOptions,
  world: WorldState | undefined,
  signal: AbortSignal,
): Promise<Twin> {
  check(options);
  const faults =
    options.faults === undefined ? [] : parseFaults(await readFile(options.faults, 'utf8'));
  const dialect =
    options.dialect === undefined
      ? undefined
      : parseDialect(await readFile(options.dialect, 'utf8'));
  return createTwin({
    clock: { now: () => systemClock.now(), wait: (ms) => latency(ms, signal) },
    ...pick(options, 'devices', 'sites', 'seed', 'timeScale', 'rateLimit'),
    ...(dialect && { dialect }),
    manners: pick(options, 'unknownFilters', 'maxDevicesPerTask'),
    faults,
    ...(options.latency !== undefined && { latencyMs: options.latency }),
    ...(world && { world }),
  });
}

/**
 * A request in progress when the twin ends is aborted before it has an effect, so it delays
 * nothing.
 */
async function latency(ms: Milliseconds, signal: AbortSignal): Promise<void> {
  try {
    await systemClock.sleep(ms, signal);
  } catch (error) {
    if (signal.aborted) throw new LostConnection('LostRequest');
    throw error;
  }
}

/** The message for an error that the user can fix; undefined for any other. */
function describeUserError(error: unknown): string | undefined {
  if (error instanceof FaultScriptError) return `the fault script is not usable: ${error.message}`;
  if (error instanceof DialectFileError) return `the dialect is not usable: ${error.message}`;
  if (error instanceof WorldFileError || error instanceof FlagError) return error.message;
  if (!(error instanceof Error && 'syscall' in error)) return undefined;
  if (isInUse(error))
    return `port ${error.port} is in use; choose another with --port, or a free one with --port 0`;
  return error.message;
}

function isInUse(error: unknown): error is Error & { readonly port: number } {
  return (
    error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error
  );
}

function line({ organization, users, world }: Twin, { url }: ServedTwin): string {
  const shown = users.map(({ role, clientId, clientSecret, siteIds }) => {
    const sites = world.state.sites.filter(({ id }) => siteIds?.includes(id) ?? true);
    return { role, clientId, clientSecret, sites: sites.map(({ name }) => name) };
  });
  return `${JSON.stringify({ version: OUTPUT_VERSION, url, organization, users: shown })}\n`;
}

const ENV_FILE_MARK = '# The twin of fleetform, as its admin.';

/** Does not replace a file of other origin; an empty file may be replaced. */
async function checkEnvFile(path: string): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) return;
  if (
    found.isFile() &&
    (found.size === 0 || (await readFile(path, 'utf8')).startsWith(ENV_FILE_MARK))
  )
    return;
  throw new FlagError(
    `--write-env: ${path} is there already, and not from a twin; name another file`,
  );
}

/** For `set -a; . FILE; set +a`, and other tools that read such files. */
function environment(twin: Twin, { url }: ServedTwin): string {
  const { clientId, clientSecret } = adminOf(twin);
  const lines = [
    ENV_FILE_MARK,
    `FLEETFORM_BASE_URL=${url}`,
    `FLEETFORM_ORGANIZATION=${twin.organization}`,
    `FLEETFORM_CLIENT_ID=${clientId}`,
    `FLEETFORM_CLIENT_SECRET=${clientSecret}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** What commands in this directory need to use the twin. */
function simulatorText(twin: Twin, { url }: ServedTwin, id: string): string {
  const { organization } = twin;
  const simulator: Simulator = { id, url, organization, ...adminOf(twin) };
  return `${JSON.stringify(simulator)}\n`;
}

function adminOf({ users }: Twin): Credentials {
  const { clientId = '', clientSecret = '' } =
    users.find(({ role }) => role === 'admin') ?? users[0] ?? {};
  return { clientId, clientSecret };
}

function greeting(
  twin: Twin,
  { url }: ServedTwin,
  { keepRunning = false, world, isContinued, ...given }: Greeted,
): string {
  const { state } = twin.world;
  const lines = [
    `The twin listens on ${url}`,
    `organization ${twin.organization}, ${state.devices.length} devices` +
      ` on ${state.sites.length} sites, ${state.discovered.length} discovered`,
    ...(isContinued ? [`It goes on with the world in ${world ?? WORLD_FILE}.`] : []),
    ...(isContinued && FLEET_FLAGS.some((flag) => given[flag] !== undefined)
      ? ['So --devices, --sites and --seed change nothing; without that file they do.']
      : []),
    ...(world === undefined
      ? ['Commands in this directory use it where the environment names no credentials.']
      : []),
    ...twin.users.flatMap(({ role, clientId, clientSecret, siteIds }) => [
      '',
      `# ${role}, sees ${siteIds === undefined ? 'every site' : siteNames(twin, siteIds)}`,
      `export FLEETFORM_BASE_URL=${url}`,
      `export FLEETFORM_CLIENT_ID=${clientId}`,
      `export FLEETFORM_CLIENT_SECRET=${clientSecret}`,
    ]),
    '',
    keepRunning
      ? 'It runs until SIGTERM or Ctrl-C.'
      : 'Press Ctrl-C to stop. It also stops when the shell that started it ends.',
  ];
  return `${lines.join('\n')}\n`;
}

interface Greeted extends ServeOptions {
  /** Whether the world is that of an earlier twin. */
  readonly isContinued: boolean;
}

/** What a world that is there already has decided. */
const FLEET_FLAGS = ['devices', 'sites', 'seed'] as const;

function siteNames({ world }: Twin, siteIds: readonly number[]): string {
  const names = siteIds.map((id) => world.site(id)?.name ?? String(id));
  return `${names.join(', ')} only`;
}
