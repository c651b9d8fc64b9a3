import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { directoryStore } from '../../../src/store/directory.ts';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RACER = fileURLToPath(new URL('../../support/store-racer.mjs', import.meta.url));
const NAMES = ['a', 'b', 'c', 'd'];

let scratch: string;

/** Other processes run JavaScript, so the part of the source that they need is built first. */
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'race-'));
  const config = {
    extends: resolve(ROOT, 'tsconfig.json'),
    compilerOptions: {
      noCheck: true,
      rootDir: resolve(ROOT, 'src'),
      outDir: join(scratch, 'built'),
    },
    include: [],
    files: [resolve(ROOT, 'src/store/journal.ts'), resolve(ROOT, 'src/store/directory.ts')],
  };
  const project = join(scratch, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({ ...config, compilerOptions: { ...config.compilerOptions, types: [] } }),
  );
  await writeFile(join(scratch, 'package.json'), '{"type":"module"}');
  await run(process.execPath, [resolve(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
}, 120_000);

afterAll(() => rm(scratch, { recursive: true }));

async function race(folder: string, mode: string, count = 0): Promise<unknown[]> {
  const args = (name: string) => [RACER, join(scratch, 'built'), folder, mode, name, String(count)];
  const ended = await Promise.all(NAMES.map((name) => run(process.execPath, args(name))));
  return ended.map(({ stdout }): unknown => JSON.parse(stdout));
}

test('of four processes that append 200 times each, each append has one winner', async () => {
  const folder = join(scratch, 'appends');
  const ended = await race(folder, 'append', 200);
  expect(ended).toHaveLength(4);
  const { records, head } = await directoryStore(folder).read(0);
  expect(head.seq).toBe(800);
  for (const name of NAMES) {
    const own = records.map(({ body }) => body).filter((b) => b.type === 'SEEN' && b.what === name);
    expect(own.map((body) => (body.type === 'SEEN' ? Number(body.subject) : -1))).toEqual(
      Array.from({ length: 200 }, (_, n) => n),
    );
  }
}, 180_000);

test('four processes take one lease: exactly one has it', async () => {
  const folder = join(scratch, 'lease');
  const ended = await race(folder, 'take');
  expect(ended.filter((end) => JSON.stringify(end) === '{"won":true}')).toHaveLength(1);
  expect(ended).toContainEqual({ won: false, code: 'locked' });
  expect((await directoryStore(folder).read(0)).head.seq).toBe(2);
}, 60_000);
