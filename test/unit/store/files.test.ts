import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../src/store/files.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { coded } from '../../support/store-disk.ts';

describe('makeFolder', () => {
  it('makes the missing parents, and returns the topmost one', async () => {
    const base = scratchFolder('make-folder');
    expect(await makeFolder(join(base, 'a', 'b', 'c'), 0o700)).toBe(join(base, 'a'));
    expect(statSync(join(base, 'a', 'b', 'c')).isDirectory()).toBe(true);
    expect(await makeFolder(join(base, 'a', 'b', 'd'))).toBe(join(base, 'a', 'b', 'd'));
    expect(await makeFolder(join(base, 'a', 'b'))).toBeUndefined();
  });

  it('takes the folder that another process makes meanwhile', async () => {
    const base = scratchFolder('make-folder');
    const path = join(base, 'x', 'y', 'z');
    const all = Array.from({ length: 8 }, () => makeFolder(path));
    expect((await Promise.all(all)).filter((made) => made === join(base, 'x'))).toHaveLength(1);
  });

  it.each([
    ['itself', ['file'], 'EEXIST'],
    ['a parent', ['file', 'below'], 'ENOTDIR'],
  ])('fails where a file is in the way of %s', async (_name, names, code) => {
    const base = scratchFolder('make-folder');
    writeFileSync(join(base, 'file'), '');
    await expect(makeFolder(join(base, ...names))).rejects.toMatchObject({ code });
  });

  it('fails below a folder that takes no names, where the recursive mkdir never ends', async () => {
    const tried: string[] = [];
    const proc = {
      mkdir: (path: string) => {
        tried.push(path);
        return Promise.reject(coded(path === '/proc' ? 'EEXIST' : 'ENOENT'));
      },
      isFolder: (path: string) => Promise.resolve(path === '/proc'),
    };
    const failed = makeFolder('/proc/nowhere/fleetform/heads', 0o700, proc);
    await expect(failed).rejects.toMatchObject({ code: 'ENOENT' });
    expect(tried).toHaveLength(5);
  });

  it('fails where even the root does not exist', async () => {
    const calls = {
      mkdir: () => Promise.reject(coded('ENOENT')),
      isFolder: () => Promise.resolve(false),
    };
    await expect(makeFolder('Q:\\state', 0o700, calls)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFolder('/a/b', 0o700, calls)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
