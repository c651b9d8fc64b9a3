import { createWriteStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readArtifact } from '../../../src/operations/artifact.ts';
import { readApprovedFile, savePlan } from '../../../src/operations/plan-file.ts';
import { readSnapshotFile, writeSnapshot } from '../../../src/operations/snapshot-file.ts';
import { planLines } from '../../../src/plan/saved/save.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { writeStream } from '../../../src/store/local-file.ts';
import { aDevice, aSnapshot } from '../../support/plan-fleet.ts';
import { change, labels, signedPlan } from '../../support/render-plan.ts';
import { scratchFolder } from '../../support/scratch.ts';

const cwd = scratchFolder('gzip-files');
const shell = { cwd } as Shell;
const PLAN = signedPlan(labels(40).map((label) => change(label)));
const at = (file: string): string => join(cwd, file);

/** Every reader of a plan, of a snapshot, and of both. */
const READERS = {
  'a plan': (file: string) => readApprovedFile(shell, file),
  'an artifact': (file: string) => readArtifact(shell, file),
  'a snapshot': (file: string) => readSnapshotFile(shell, file),
};

describe('a file named .gz', () => {
  it('has the lines of the plain file, the same digest, and the same bytes each time', async () => {
    const digest = await savePlan(shell, 'plan.json', PLAN);
    expect(await savePlan(shell, 'plan.json.gz', PLAN)).toBe(digest);
    const bytes = readFileSync(at('plan.json.gz'));
    expect(gunzipSync(bytes).equals(readFileSync(at('plan.json')))).toBe(true);
    await savePlan(shell, 'again.json.gz', PLAN);
    expect(readFileSync(at('again.json.gz')).equals(bytes)).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is read as the plain file is, by every reader', async () => {
    await savePlan(shell, 'plan.json.gz', PLAN);
    const { plan, digest } = await readApprovedFile(shell, 'plan.json.gz');
    const plain = await readApprovedFile(shell, 'plan.json');
    expect([...planLines(plan)]).toEqual([...planLines(plain.plan)]);
    expect(digest).toBe(plain.digest);
    expect((await readArtifact(shell, 'plan.json.gz'))?.id).toBe(PLAN.id);
    const snapshot = aSnapshot([aDevice('dev-1'), aDevice('dev-2')]);
    const file = await writeSnapshot(shell, 'fleet.snapshot.gz', snapshot);
    await writeSnapshot(shell, 'fleet.snapshot', snapshot);
    const { digest: ofPlain } = await readSnapshotFile(shell, 'fleet.snapshot');
    expect(await readSnapshotFile(shell, 'fleet.snapshot.gz')).toMatchObject({
      file,
      digest: ofPlain,
    });
  });

  it('leaves the old file where its lines fail', async () => {
    await savePlan(shell, 'kept.json.gz', PLAN);
    const before = readFileSync(at('kept.json.gz'));
    function* failing(): Generator<string> {
      yield 'a';
      throw new Error('no more');
    }
    await expect(writeStream(at('kept.json.gz'), failing())).rejects.toThrow('no more');
    expect(readFileSync(at('kept.json.gz')).equals(before)).toBe(true);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it.each(Object.entries(READERS))('that is damaged is not read as %s', async (_, read) => {
    const bytes = readFileSync(at('plan.json.gz'));
    const damaged = Buffer.from(bytes);
    damaged[100] = (damaged[100] ?? 0) ^ 0xff;
    for (const bad of [
      bytes.subarray(0, bytes.length - 20),
      damaged,
      Buffer.from('no gzip'),
      Buffer.alloc(0),
    ]) {
      writeFileSync(at('bad.gz'), bad);
      await expect(read('bad.gz')).rejects.toMatchObject({
        name: 'WorldError',
        params: { file: 'bad.gz' },
      });
    }
  });

  it.each(Object.entries(READERS))('that is a bomb is refused as %s', async (_, read) => {
    const refused = {
      code: expect.stringMatching(/fileRefused|artifactRefused/) as string,
      params: { file: 'bomb.gz' },
    };
    writeFileSync(at('bomb.gz'), gzipSync(Buffer.alloc(20 * 1024 ** 2, ' ')));
    await expect(read('bomb.gz')).rejects.toMatchObject(refused);
  });

  it('is refused once it decompresses to more than a plan can, whatever its lines are', async () => {
    const line = `${' '.repeat(1_023)}\n`;
    const piece = line.repeat(1_024);
    const pieces = Readable.from(
      (function* () {
        for (let n = 0; n < 90; n += 1) yield piece;
      })(),
    );
    await pipeline(pieces, createGzip(), createWriteStream(at('lines.gz')));
    const lines = READERS['a snapshot']('lines.gz');
    await expect(lines).rejects.toMatchObject({ params: { file: 'lines.gz' } });
    const { openTextStream } = await import('../../../src/shell/plain-file.ts');
    let most = 0;
    const count = async (): Promise<void> => {
      for await (const chunk of openTextStream(shell, 'lines.gz')) most += chunk.length;
    };
    await expect(count()).rejects.toMatchObject({
      code: 'fileRefused',
      params: { why: 'unpacksTooLarge' },
    });
    expect(most).toBeLessThan(70 * 1024 ** 2);
  });

  it('is refused as cut, and not as unreadable, where its data ends too early', async () => {
    const whole = gzipSync('a line of a plan\n'.repeat(5_000));
    writeFileSync(at('cut.gz'), whole.subarray(0, 20));
    await expect(READERS['a snapshot']('cut.gz')).rejects.toMatchObject({
      code: 'fileRefused',
      params: { file: 'cut.gz', why: 'cutShort' },
    });
  });
});
