import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { appendTo, EMPTY_HEAD, headAfter } from '../../../src/ledger/chain.ts';
import type { LedgerRecord, RecordBody } from '../../../src/model/ledger/record.ts';
import { directoryStore } from '../../../src/store/directory.ts';
import { attempt, chained, GENESIS, lock, result } from '../../support/ledger-records.ts';
import { coded, Disk } from '../../support/store-disk.ts';
import { scratchFolder } from '../../support/scratch.ts';

const ROOT = '/ledger';
const BODIES: readonly RecordBody[] = [lock(), attempt('a.1', ['d1']), result('a.1', 'accepted')];
const APPENDS = chained([GENESIS, ...BODIES]).map((record) => [record]);
const FILE = (append: number) => `${ROOT}/records/000000/00000000${append}.json`;

async function filled(disk: Disk, appends: readonly (readonly LedgerRecord[])[] = APPENDS) {
  const store = directoryStore(ROOT, disk.files());
  let head = EMPTY_HEAD;
  for (const records of appends) {
    expect(await store.append(records, head)).toBe('acknowledged');
    head = headAfter(records, head);
  }
  return { store, head };
}

const failsWith = (code: string, params: object) =>
  expect.objectContaining({ code, params: expect.objectContaining(params) });

describe('appending and reading', () => {
  test('J4 one append is one file, however many records it carries', async () => {
    const disk = new Disk();
    await filled(disk, [APPENDS.flat()]);
    expect(disk.names(`${ROOT}/records/000000`)).toEqual(['000000001.json']);
  });

  test('a thousand appends share a folder', async () => {
    const disk = new Disk();
    const beats = Array.from({ length: 1_001 }, (_, n): RecordBody => ({ type: 'BEAT', n }));
    const { head } = await filled(
      disk,
      chained(beats).map((record) => [record]),
    );
    expect(disk.names(`${ROOT}/records`)).toEqual(['000000', '000001']);
    expect(disk.names(`${ROOT}/records/000001`)).toEqual(['000001000.json', '000001001.json']);
    const read = await directoryStore(ROOT, disk.files()).read(0);
    expect([read.head, read.records.length]).toEqual([head, 1_001]);
  });

  test('on a real disk files are 0600 and folders 0700', async () => {
    const root = scratchFolder('ledger');
    const store = directoryStore(join(root, 'of', 'tenant'));
    await store.probe();
    expect(await store.append(APPENDS.flat(), EMPTY_HEAD)).toBe('acknowledged');
    const folder = join(root, 'of', 'tenant', 'records', '000000');
    const modes = [join(root, 'of'), folder, join(folder, '000000001.json')];
    const found = await Promise.all(modes.map(async (path) => (await stat(path)).mode & 0o777));
    expect(found).toEqual([0o700, 0o700, 0o600]);
    expect(await readdir(folder)).toEqual(['000000001.json']);
    expect((await directoryStore(join(root, 'of', 'tenant')).read(0)).records).toHaveLength(4);
  });
});

describe('what is not a ledger is refused', () => {
  test.each([
    ['garbage', 'no json', 'unreadable'],
    ['nothing', '', 'unreadable'],
    ['something else', '{"a":1}\n', 'unreadable'],
    ['no records', '{"hash":"","records":[]}\n', 'content'],
    ['deep nesting', `${'['.repeat(200_000)}`, 'unreadable'],
  ])('%s, by the name of its file', async (_, text, why) => {
    const disk = new Disk();
    await filled(disk);
    disk.put(FILE(2), text);
    const file = 'records/000000/000000002.json';
    await expect(directoryStore(ROOT, disk.files()).read(0)).rejects.toThrow(
      failsWith('ledgerBroken', { file, seq: 2, why }),
    );
  });

  test('a hole: the head would be before it, and what lies behind cannot be left out', async () => {
    const disk = new Disk();
    await filled(disk);
    disk.take(FILE(2));
    await expect(directoryStore(ROOT, disk.files()).read(0)).rejects.toThrow(
      failsWith('ledgerBroken', { file: 'records/000000/000000002.json', seq: 2, why: 'hole' }),
    );
  });

  test('a file that another process adds while we look is no hole', async () => {
    const disk = new Disk();
    const { head } = await filled(disk);
    const last = disk.text(FILE(4)) ?? '';
    disk.take(FILE(4));
    const files = disk.files((step) => {
      if (step === 'list') disk.put(FILE(4), last);
    });
    expect((await directoryStore(ROOT, files).read(0)).head).toEqual(head);
  });

  test('an end that was cut off while we run', async () => {
    const disk = new Disk();
    const { store, head } = await filled(disk);
    disk.take(FILE(4));
    await expect(store.read(head.seq)).rejects.toThrow(failsWith('ledgerRolledBack', { seen: 4 }));
    const next = appendTo(head, [{ type: 'BEAT', n: 1 }], {
      epoch: 1,
      at: '2026-01-01T00:00:00Z',
      tool: '1',
    });
    await expect(store.append(next, head)).rejects.toThrow(failsWith('ledgerRolledBack', {}));
  });

  test('any byte changed, added or removed anywhere', async () => {
    const disk = new Disk();
    await filled(disk);
    const position = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat(), fc.nat(127), fc.nat(2));
    await fc.assert(
      fc.asyncProperty(position, async ([append, seed, code, how]) => {
        const text = disk.text(FILE(append)) ?? '';
        const at = seed % text.length;
        const put = how === 0 ? '' : String.fromCodePoint(code);
        const changed = text.slice(0, at) + put + text.slice(how === 2 ? at : at + 1);
        fc.pre(changed !== text);
        disk.put(FILE(append), changed);
        const read = directoryStore(ROOT, disk.files()).read(0);
        await expect(read).rejects.toThrow(failsWith('ledgerBroken', {}));
        disk.put(FILE(append), text);
      }),
      { numRuns: 200 },
    );
  });
});

describe('leftovers', () => {
  const temporary = (append: number) =>
    `${ROOT}/records/000000/.00000000${append}.0b5ad8a3-0000-4000-8000-000000000000.tmp`;

  test('of a crash are no part of the ledger, and are cleaned at the next start', async () => {
    const disk = new Disk();
    const { store, head } = await filled(disk);
    disk.put(temporary(3), 'half a rec');
    expect((await directoryStore(ROOT, disk.files()).read(0)).head).toEqual(head);
    await store.probe();
    expect(disk.text(temporary(3))).toBeUndefined();
  });

  test('that may be a running append of somebody else stay', async () => {
    const disk = new Disk();
    const { store } = await filled(disk);
    disk.put(temporary(5), 'half a rec');
    await store.probe();
    expect(disk.text(temporary(5))).toBe('half a rec');
  });

  test('a writer whose temporary file was swept away has lost', async () => {
    const disk = new Disk();
    const { head } = await filled(disk, APPENDS.slice(0, 3));
    const [record] = APPENDS[3] ?? [];
    const full = new Disk();
    await filled(full);
    const files = disk.files((step, path) => {
      if (step !== 'link') return;
      disk.put(path, full.text(FILE(4)) ?? '');
      for (const name of disk.names(`${ROOT}/records/000000`)) {
        if (name.endsWith('.tmp')) disk.take(`${ROOT}/records/000000/${name}`);
      }
    });
    const store = directoryStore(ROOT, files);
    expect(await store.append(record ? [record] : [], head)).toBe('lost');
  });
});

describe('a disk that fails', () => {
  test.each(['create', 'write', 'sync', 'link', 'syncFolder'])(
    'at %s is storeFailed, and the step is not tried again',
    async (step) => {
      const disk = new Disk();
      const { head } = await filled(disk, APPENDS.slice(0, 3));
      let count = 0;
      const files = disk.files((name, path) => {
        if (name !== step || (step === 'syncFolder' && !path.endsWith('/000000'))) return;
        count += 1;
        throw coded('ENOSPC');
      });
      const store = directoryStore(ROOT, files);
      await expect(store.append(APPENDS[3] ?? [], head)).rejects.toThrow(
        failsWith('storeFailed', { place: ROOT, cause: 'ENOSPC' }),
      );
      expect(count).toBe(1);
    },
  );

  test('at reading is storeFailed too', async () => {
    const files = new Disk().files((step) => {
      if (step === 'read') throw coded('EACCES');
    });
    await expect(directoryStore(ROOT, files).read(0)).rejects.toThrow(
      failsWith('storeFailed', { cause: 'EACCES' }),
    );
  });
});
