import { basename } from 'node:path';
import { orMissing } from '../../forge/forge-client.ts';
import { WorldError } from '../../model/error.ts';
import type { GroundGate } from '../../model/ledger/ground.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import { documentsFolder, type Here } from '../here.ts';
import { gateKind } from './forge.ts';
import { findForge, isJob, runsIn, withJob } from '../job.ts';

/** Who passed a gate, and the run behind it; without a run where no forge has one. */
export interface GatePass {
  readonly run: string;
  readonly approvers: readonly [string, ...string[]];
}

/**
 * Who passed the gate of this process (protocol M11). Where the ground, this job or the jobs of the repository say that
 * a forge has the gate, its own record names them, and no flag does; elsewhere a person is named by the flag. Gitea and Forgejo run the jobs of
 * GitHub and ignore the reviewers of their environments. Throws `approverUnknown`.
 */
export async function findApprovers(
  here: Here,
  { ground }: Pick<Memory, 'ground'>,
  named: string | undefined,
): Promise<GatePass> {
  const { shell } = here;
  const { env } = shell;
  if (env['GITEA_ACTIONS'] || env['FORGEJO_ACTIONS'])
    throw unknown(
      'noEnvironments',
      'Approve at another gate, and use a ledger that names no gate of GitHub',
    );
  const gate = await gateOf(here, ground);
  const { run, approvers } = await readGate(here, gate);
  const [first, ...others] = approvers;
  if (first !== undefined) return { run, approvers: [first, ...others] };
  if (gate !== 'none') throw unknown('noRecord', NEXT[gate]);
  const name = named?.trim() ?? '';
  if (name === '')
    throw unknown(
      'unnamed',
      'Name the person who approves: `fleetform ci approve --approver NAME`',
    );
  return { run, approvers: [name] };
}

const NEXT: Readonly<Record<Exclude<GroundGate, 'none'>, string>> = {
  github:
    'Let reviewers of the environment fleet-approve pass the job that runs this command; it needs `actions: read`',
  gitlab:
    'Let a person start the job fleet-approve, or approve its deployment; it needs CI_ENVIRONMENT_NAME',
};

function unknown(why: string, next: string): WorldError {
  return new WorldError('approverUnknown', { why, next });
}

/**
 * Throws `approverUnknown` in a run of GitHub that was started again with its look after somebody approved it: its record
 * keeps their names, and does not say which attempt each of them saw (protocol M11).
 */
export async function refuseEarlierApprovals(
  here: Here,
  { ground }: Pick<Memory, 'ground'>,
): Promise<void> {
  const { GITHUB_RUN_ATTEMPT: attempt = '1' } = here.shell.env;
  if (attempt === '1' || (await gateOf(here, ground)) !== 'github') return;
  const { approvers } = await readGate(here, 'github');
  if (approvers.length > 0)
    throw unknown(
      'startedAgain',
      'Start the workflow fleet-approve anew, with "Run workflow", in place of "Re-run all jobs"',
    );
}

async function gateOf(here: Here, ground: Memory['ground']): Promise<GroundGate> {
  const recorded = ground?.gate ?? 'none';
  return recorded === 'none' ? gateKind(here.shell, documentsFolder(here)) : recorded;
}

/** The run and the names in the record of a forge; no names where it has no such record, or does not show it. */
async function readGate(here: Here, gate: GroundGate) {
  const { shell } = here;
  if (!isJob(shell.env) || (gate !== 'none' && findForge(shell.env) !== gate))
    return { run: '', approvers: [] };
  return withJob(shell, async (forge) => {
    const { run } = forge;
    if (run === '') return { run, approvers: [] };
    const environments = [
      'fleet-approve',
      `fleet-approve-${basename(documentsFolder(here)).toLowerCase()}`,
    ];
    const found = runsIn(forge).gateApprovers(run, environments);
    return { run, approvers: (await orMissing(found, 401, 403)) ?? [] };
  });
}
