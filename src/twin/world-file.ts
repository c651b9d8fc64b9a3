import { readFile, rename, writeFile } from 'node:fs/promises';
import type { WorldState } from './state.ts';

/** A world file that cannot be used; the message says why. */
export class WorldFileError extends Error {
  override readonly name = 'WorldFileError';
}

/**
 * Reads a world file; undefined where there is none yet. Throws a `WorldFileError` for anything
 * else than a world.
 */
export async function readWorld(path: string): Promise<WorldState | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new WorldFileError(`${path} cannot be read: ${String(error)}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const state = parsed(path, text);
  if (!isWorld(state)) throw new WorldFileError(`${path} is not a world file of version 1`);
  return state;
}

/** Writes a world file as a whole or not at all, for its owner alone: it holds credentials. */
export async function writeWorld(path: string, state: WorldState): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

const LISTS = ['users', 'sites', 'sources', 'lines', 'devices', 'discovered', 'tasks', 'events'];

function isWorld(state: unknown): state is WorldState {
  if (typeof state !== 'object' || state === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...state };
  return fields['version'] === 1 && LISTS.every((list) => Array.isArray(fields[list]));
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WorldFileError(`${path} is not JSON: ${String(error)}`, { cause: error });
  }
}
