import { WorldError } from '../../model/error.ts';
import type { GroundGate } from '../../model/ledger/ground.ts';
import type { Memory } from '../../model/ledger/memory.ts';
import type { Shell } from '../../shell/shell.ts';
import { documentsFolder, type Here } from '../here.ts';
import { gateKind } from './forge.ts';
import { findForge, isJob, openJob, runsIn } from '../job.ts';

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
  const recorded = ground?.gate ?? 'none';
  const gate = recorded === 'none' ? await gateKind(shell, documentsFolder(here)) : recorded;
  const { run, approvers } = await gateIn(shell, gate);
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

/** The run and the names in the record of a forge; no names where it has no such record, or does not show it. */
async function gateIn(shell: Shell, gate: GroundGate) {
  if (!isJob(shell.env) || (gate !== 'none' && findForge(shell.env) !== gate))
    return { run: '', approvers: [] };
  const job = await openJob(shell);
  const { run } = job.forge;
  try {
    return { run, approvers: run === '' ? [] : await runsIn(job.forge).gateApprovers(run) };
  } catch (error) {
    if (error instanceof WorldError) return { run, approvers: [] };
    throw error;
  } finally {
    await job.close();
  }
}
