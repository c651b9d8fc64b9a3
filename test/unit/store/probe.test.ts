import { expect, test } from 'vitest';
import type { Files } from '../../../src/store/files.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { probeFolder } from '../../../src/store/folder-probe.ts';
import { coded, Disk } from '../../support/store-disk.ts';

async function prepared(change: (files: Files) => Partial<Files> = () => ({})) {
  const disk = new Disk();
  await disk.files().makeFolder('/ledger');
  const files = disk.files();
  return { disk, files: { ...files, ...change(files) } };
}

const failing = (code: string) => () => Promise.reject(coded(code));

test('J7 a folder that does what it must passes, and nothing is left in it', async () => {
  const { disk, files } = await prepared();
  await probeFolder('/ledger', files);
  expect(disk.names('/ledger')).toEqual([]);
});

const create = (files: Files, change: object) => ({
  create: async (path: string) => ({ ...(await files.create(path)), ...change }),
});

test.each<[string, (files: Files) => Partial<Files>]>([
  ['create', () => ({ create: failing('EROFS') })],
  ['create', (files) => create(files, { write: failing('ENOSPC') })],
  ['fsync', (files) => create(files, { sync: failing('EIO') })],
  ['link', () => ({ link: failing('EPERM') })],
  ['overwrites', (files) => ({ link: (from, to) => files.link(from, to).catch(() => undefined) })],
  ['fsync', () => ({ syncFolder: failing('EIO') })],
  ['readBack', (files) => ({ read: async (path) => (await files.read(path))?.slice(1) })],
])('a folder that fails at %s is unfit', async (why, change) => {
  const { disk, files } = await prepared(change);
  await expect(probeFolder('/ledger', files)).rejects.toThrow(
    expect.objectContaining({
      code: 'ledgerUnfit',
      params: expect.objectContaining({ place: '/ledger', why }),
    }),
  );
  expect(disk.names('/ledger')).toEqual([]);
});

test('a full disk leaves no file open', async () => {
  let closed = 0;
  const close = async () => void (closed += 1);
  const { files } = await prepared((of) => create(of, { write: failing('ENOSPC'), close }));
  await expect(probeFolder('/ledger', files)).rejects.toThrow('ledgerUnfit');
  expect(closed).toBe(1);
});

test('the directory store probes the very folder that its next append goes to', async () => {
  const disk = new Disk();
  const probed: string[] = [];
  const files = disk.files((step, path) => {
    if (step === 'link') probed.push(path.slice(0, path.lastIndexOf('/')));
  });
  await directoryStore('/ledger', files).probe();
  expect(new Set(probed)).toEqual(new Set(['/ledger/records/000000']));
});
