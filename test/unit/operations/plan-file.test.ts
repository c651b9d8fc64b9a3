import { describe, expect, it, onTestFinished } from 'vitest';
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readSnapshotFile } from '../../../src/operations/snapshot-file.ts';
import { readPlanFile, printSaved } from '../../../src/operations/plan-file.ts';
import type { Shell } from '../../../src/cli/shell/shell.ts';
import type { GuardrailVerdict } from '../../../src/model/plan/plan.ts';
import { outputDouble } from '../../support/cli-output.ts';
import { scratchFolder } from '../../support/scratch.ts';

const REFUSED: GuardrailVerdict = {
  guardrail: 'default',
  limit: 'maxChanges',
  value: 10,
  number: 12,
  allowed: 10,
  passed: false,
};

async function toldOf(file: string, verdicts: readonly GuardrailVerdict[]): Promise<string> {
  const err = outputDouble();
  await printSaved({ err, env: {} }, { file, digest: 'abcd' }, { id: 'kq3v', verdicts });
  return err.text();
}

describe('a plan that was saved', () => {
  it('says where, and how it is reviewed and applied', async () => {
    expect(await toldOf('out/plan.json', [{ ...REFUSED, passed: true }])).toBe(
      'Saved to out/plan.json.\n' +
        'next: `fleetform show out/plan.json` to review it, ' +
        'then `fleetform apply out/plan.json --approved kq3v:abcd` to run it\n',
    );
  });

  it('does not advise to apply what a guardrail refuses', async () => {
    expect(await toldOf('plan.json', [REFUSED])).toBe(
      'Saved to plan.json.\nnext: `fleetform show plan.json` to review it\n',
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
