import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorldFileError, readWorld, writeWorld } from '../../../src/twin/world-file.ts';
import { rig } from '../../support/twin-rig.ts';
import { scratchFolder } from '../../support/scratch.ts';

describe('a world file', () => {
  let folder = '';
  beforeEach(async () => {
    // A world knows who may log in to it.
    folder = scratchFolder('world', ['world.json']);
  });

  it('holds the world exactly, for its owner alone, and leaves no draft', async () => {
    const path = join(folder, 'world.json');
    const state = rig().twin.save();
    await writeWorld(path, state);
    expect(await readWorld(path)).toEqual(state);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['world.json']);
  });

  it('that is not there yet is no world', async () => {
    expect(await readWorld(join(folder, 'none.json'))).toBeUndefined();
  });

  it.each([
    ['{', 'is not JSON'],
    ['[]', 'is not a world file'],
    ['{"version":2}', 'is not a world file'],
    ['{"version":1,"devices":[]}', 'is not a world file'],
  ])('that holds %s is refused', async (text, reason) => {
    const path = join(folder, 'world.json');
    await writeFile(path, text);
    await expect(readWorld(path)).rejects.toThrow(WorldFileError);
    await expect(readWorld(path)).rejects.toThrow(reason);
  });

  it('that cannot be read is refused', async () => {
    await expect(readWorld(folder)).rejects.toThrow('cannot be read');
  });
});
