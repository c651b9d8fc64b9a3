import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replaceFile, writeStream } from '../../../src/store/local-file.ts';
import { coded, Disk, stopAt, Stopped } from '../../support/store-disk.ts';
import { scratchFolder } from '../../support/scratch.ts';

async function folder(): Promise<string> {
  const path = scratchFolder('local-file');
  return path;
}

test('a file is replaced, readable by its owner alone, and nothing else is left', async () => {
  const root = await folder();
  const path = join(root, 'below', 'file');
  await replaceFile(path, 'old');
  await replaceFile(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(join(root, 'below'))).toEqual(['file']);
});

test('lines of any number are written as they come', async () => {
  const path = join(await folder(), 'plan.json');
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n} é`);
  await writeStream(path, lines.values());
  expect(await readFile(path, 'utf8')).toBe(lines.map((line) => `${line}\n`).join(''));
});

test('lines may come one at a time, and none at all makes an empty file', async () => {
  const path = join(await folder(), 'plan.json');
  await writeStream(
    path,
    (async function* () {
      yield 'a';
      yield 'b';
    })(),
  );
  expect(await readFile(path, 'utf8')).toBe('a\nb\n');
  await writeStream(path, []);
  expect(await readFile(path, 'utf8')).toBe('');
});

test('an error of whoever makes the lines goes through, and the old file stays', async () => {
  const root = await folder();
  const path = join(root, 'plan.json');
  await replaceFile(path, 'old');
  const lines = function* () {
    yield 'a';
    throw new Error('no more');
  };
  await expect(writeStream(path, lines())).rejects.toThrow('no more');
  expect([await readFile(path, 'utf8'), await readdir(root)]).toEqual(['old', ['plan.json']]);
});

test.each(['create', 'write', 'sync', 'rename'])(
  'a disk that fails at %s keeps the old file',
  async (step) => {
    const disk = new Disk();
    await replaceFile('/folder/file', 'old', disk.files());
    const files = disk.files((name) => {
      if (name === step) throw coded('ENOSPC');
    });
    await expect(replaceFile('/folder/file', 'new', files)).rejects.toThrow(
      expect.objectContaining({
        code: 'storeFailed',
        params: { place: '/folder/file', cause: 'ENOSPC' },
      }),
    );
    expect([disk.text('/folder/file'), disk.names('/folder')]).toEqual(['old', ['file']]);
  },
);

test('a file that a person named is refused with the cause, and is none of the ledger', async () => {
  const files = new Disk().files((name) => {
    if (name === 'write') throw coded('ENOSPC');
  });
  await expect(writeStream('/folder/plan.json', ['a'], files)).rejects.toMatchObject({
    code: 'fileRefused',
    params: { file: '/folder/plan.json', cause: 'ENOSPC' },
  });
});

test('J15 a power cut at any step leaves the old text or the new one', async () => {
  for (const keeps of [() => true, () => false, (path: string) => path.endsWith('file')]) {
    for (let n = 1; n <= 12; n += 1) {
      const disk = new Disk();
      await replaceFile('/folder/file', 'old', disk.files());
      await disk.files().syncFolder('/');
      const replacing = replaceFile('/folder/file', 'new', disk.files(stopAt(n)));
      const done = await replacing.then(
        () => true,
        (error) => {
          if (!(error instanceof Stopped)) throw error;
          return false;
        },
      );
      const after = disk.afterPowerCut(keeps).text('/folder/file');
      expect(done ? ['new'] : ['old', 'new'], `stopped ahead of step ${n}`).toContain(after);
    }
  }
});
