import { expect, it } from 'vitest';
import { findApprovers } from '../../../../src/operations/gate/approvers.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { GroundGate } from '../../../../src/model/ledger/ground.ts';
import type { Memory } from '../../../../src/model/ledger/memory.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { scratchFolder } from '../../../support/scratch.ts';

/** Who passed the gate of a ledger that names this one, in a job with these variables and with `--approver NAME`. */
function passed(gate: GroundGate | undefined, env: Shell['env'], named?: string) {
  const folder = scratchFolder('approvers');
  const shell = { env: { PATH: process.env['PATH'], ...env }, cwd: folder } as unknown as Shell;
  const memory = (gate === undefined ? {} : { ground: { gate } }) as Pick<Memory, 'ground'>;
  const documents = { folder } as unknown as Documents;
  return findApprovers({ shell, documents }, memory, named);
}

it.each([
  ['of Gitea, whose environments have no reviewers', undefined, { GITEA_ACTIONS: 'true' }],
  ['of Forgejo', 'none', { FORGEJO_ACTIONS: 'true', GITHUB_ACTIONS: 'true' }],
] as const)('M11 no flag passes a job %s', async (_, gate, env) => {
  await expect(passed(gate, env, 'Grace')).rejects.toMatchObject({
    code: 'approverUnknown',
    params: { why: 'noEnvironments' },
  });
});

it.each([
  ['the ledger names a gate of GitHub', 'github', {}],
  [
    'the ledger names a gate of GitLab, and the job is of GitHub',
    'gitlab',
    { GITHUB_ACTIONS: 'true' },
  ],
  ['the job is of GitHub, and the ledger names no gate', 'none', { GITHUB_ACTIONS: 'true' }],
] as const)('M11 no flag names who approves where %s', async (_, gate, env) => {
  await expect(passed(gate, env, 'Grace')).rejects.toMatchObject({
    code: 'approverUnknown',
    params: { why: 'noRecord' },
  });
});

it('M11 elsewhere a flag names the person', async () => {
  expect(await passed('none', {}, ' Grace ')).toEqual({ run: '', approvers: ['Grace'] });
  await expect(passed('none', {}, ' ')).rejects.toMatchObject({
    code: 'approverUnknown',
    params: { why: 'unnamed' },
  });
});
