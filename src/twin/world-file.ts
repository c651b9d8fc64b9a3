import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { DEEPEST_WORLD, JsonError, parseBoundedJson } from './json.ts';
import { type WorldState, WORLD } from './world/state.ts';
import { EFFECTS } from './effects/index.ts';
import { oneOf } from './shape-rules.ts';

/** An unusable world file; the message gives the reason. */
export class WorldFileError extends Error {
  override readonly name = 'WorldFileError';
}

/**
 * Reads a world file; undefined if it does not exist yet. Throws a `WorldFileError` with the place
 * for any other content than a world.
 */
export async function readWorld(path: string): Promise<WorldState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new WorldFileError(`${path} cannot be read: ${String(error)}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const state = parsed(path, text);
  if (isOfVersion1(state)) {
    const flaw = findFlaw(state);
    if (flaw === undefined) return state;
    throw new WorldFileError(`${path} is not usable: ${flaw}`);
  }
  throw new WorldFileError(`${path} is not a world file of version 1`);
}

/** Writes a world file atomically, readable by its owner only, because it contains credentials. */
export async function writeWorld(path: string, state: WorldState): Promise<void> {
  await writePrivate(path, `${JSON.stringify(state)}\n`);
}

/**
 * Writes a file atomically, readable by its owner only. It replaces an existing file, also a link.
 */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

function isOfVersion1(state: unknown): state is WorldState {
  return typeof state === 'object' && state !== null && 'version' in state && state.version === 1;
}

function parsed(path: string, text: string): unknown {
  try {
    return parseBoundedJson(text, DEEPEST_WORLD);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new WorldFileError(`${path} cannot be read: ${error.message}`, { cause: error });
  }
}

/**
 * The first error in data that should be a world, with its place; undefined if there is none. It
 * quotes no values, because a world contains secrets.
 */
export function findFlaw(world: unknown): string | undefined {
  return WORLD(world, '') ?? unknownTask(world as WorldState) ?? strangerIn(world as WorldState);
}

/** Finds a task of a type that the twin does not know. */
function unknownTask({ tasks }: WorldState): string | undefined {
  const known = oneOf(...Object.keys(EFFECTS));
  const found = tasks.map(({ type }, index) => known(type, `tasks[${index}].type`));
  return found.find((flaw) => flaw !== undefined);
}

/** Finds two items with one ID, or an item at a site that does not exist. */
function strangerIn({
  sites,
  sources,
  devices,
  discovered,
  tasks,
}: WorldState): string | undefined {
  const everybody = [...devices, ...discovered.map(({ device }) => device)];
  for (const [name, items] of Object.entries({ sites, sources, devices, tasks })) {
    const seen = new Set<unknown>();
    for (const [index, { id }] of items.entries()) {
      if (seen.has(id)) return `${name}[${index}].id is there twice`;
      seen.add(id);
    }
  }
  const places = new Set(sites.map(({ id }) => id));
  const homeless = everybody.findIndex(({ siteId }) => !places.has(siteId));
  if (homeless < 0) return undefined;
  const isManaged = homeless < devices.length;
  const index = isManaged ? homeless : homeless - devices.length;
  return `${isManaged ? `devices[${index}]` : `discovered[${index}].device`}.siteId names no site`;
}
