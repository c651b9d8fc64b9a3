import { describe, expect, it, onTestFinished } from 'vitest';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readSnapshotFile } from '../../../src/operations/snapshot-file.ts';
import { readPlanFile, printSaved } from '../../../src/operations/plan-file.ts';
import type { Shell } from '../../../src/shell/shell.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { scratchFolder } from '../../support/scratch.ts';

async function toldOf(file: string): Promise<string> {
  const err = outputDouble();
  await printSaved({ err, env: {} }, file);
  return err.text();
}

describe('a plan that was saved', () => {
  it('says where, and how it is seen again', async () => {
    expect(await toldOf('out/plan.json')).toBe(
      'Saved to out/plan.json. To show it again, run `fleetform show out/plan.json`.\n',
    );
  });
});

describe('a saved plan and a snapshot', () => {
  it('are not read from a pipe, which nobody may ever write to', async () => {
    const cwd = scratchFolder('plan-file');
    execFileSync('mkfifo', [join(cwd, 'pipe')]);
    // Open at its other end, so that this fails and does not hang where the pipe is read.
    const other = openSync(join(cwd, 'pipe'), 'r+');
    onTestFinished(() => closeSync(other));
    const shell = { cwd } as Shell;
    const refused = { code: 'fileRefused', params: { file: 'pipe', why: 'notPlain' } };
    await expect(readPlanFile(shell, 'pipe')).rejects.toMatchObject(refused);
    await expect(readSnapshotFile(shell, 'pipe')).rejects.toMatchObject(refused);
    const missing = { code: 'fileUnreadable' };
    await expect(readPlanFile(shell, 'other')).rejects.toMatchObject(missing);
    await expect(readPlanFile(shell, '.')).rejects.toMatchObject(missing);
  });
});
