import { expect, it } from 'vitest';
import { openTransport } from '../../../../src/api/transport/transport.ts';
import {
  findApprovers,
  refuseEarlierApprovals,
} from '../../../../src/operations/gate/approvers.ts';
import type { Documents } from '../../../../src/model/documents/policy.ts';
import type { GroundGate } from '../../../../src/model/ledger/ground.ts';
import type { Memory } from '../../../../src/model/ledger/memory.ts';
import type { Shell } from '../../../../src/shell/shell.ts';
import { createFakeGitHub, REPOSITORY } from '../../../support/fake-github.ts';
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

/** What a job of run 7 does on a GitHub whose record of that run has these rows, in `fleet/acme`. */
async function inRun<T>(
  rows: readonly object[],
  env: Shell['env'],
  use: (here: Parameters<typeof findApprovers>[0], memory: Pick<Memory, 'ground'>) => Promise<T>,
): Promise<T> {
  const fake = createFakeGitHub();
  fake.approvals['7'] = [...rows];
  const { url, close } = await fake.serve();
  const job = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: REPOSITORY, GITHUB_API_URL: url };
  const run = { ...job, GITHUB_TOKEN: 'canary-of-a-gate-77a1', GITHUB_RUN_ID: '7', ...env };
  const cwd = scratchFolder('approvers');
  const shell = {
    env: { PATH: process.env['PATH'], ...run },
    cwd,
    clock: { sleep: async () => undefined },
    openTransport,
  } as unknown as Shell;
  const documents = { folder: `${cwd}/fleet/acme` } as unknown as Documents;
  try {
    return await use({ shell, documents }, { ground: { gate: 'github' } } as Memory);
  } finally {
    close();
  }
}

const row = (login: string, environment: string, state = 'approved') => ({
  state,
  environments: [{ name: environment }],
  user: { login },
});

it('M11 the approvers are those of the environment of this fleet, and no others of its run', async () => {
  const rows = [
    row('grace', 'fleet-approve-acme'),
    row('mallory', 'staging'),
    row('trent', 'fleet-approve-other'),
    row('ada', 'Fleet-Approve'),
    row('eve', 'fleet-approve-acme', 'rejected'),
  ];
  const found = await inRun([...rows, []], {}, (...args) => findApprovers(...args, undefined));
  expect(found).toEqual({ run: '7', approvers: ['ada', 'grace'] });
  const others = inRun(rows.slice(1, 3), {}, (...args) => findApprovers(...args, 'Grace'));
  await expect(others).rejects.toMatchObject({ params: { why: 'noRecord' } });
});

it('M11 a run that is started again after an approval shows nothing to approve', async () => {
  const rows = [row('grace', 'fleet-approve-acme')];
  await expect(
    inRun(rows, { GITHUB_RUN_ATTEMPT: '2' }, refuseEarlierApprovals),
  ).rejects.toMatchObject({ code: 'approverUnknown', params: { why: 'startedAgain' } });
  await inRun(rows, { GITHUB_RUN_ATTEMPT: '1' }, refuseEarlierApprovals);
  await inRun([], { GITHUB_RUN_ATTEMPT: '2' }, refuseEarlierApprovals);
});
