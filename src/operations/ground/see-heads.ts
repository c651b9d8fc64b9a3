import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import { dirname } from 'node:path';
import { check } from '../../doctor/failure-check.ts';
import type { LedgerSettings } from '../../model/documents/policy.ts';
import { WorldError } from '../../model/error.ts';
import type { Check } from '../../model/report/checkup.ts';
import { fleetFolder, type Shell } from '../../shell/shell.ts';
import type { ConnectFlags } from '../connect.ts';

/**
 * What `doctor` can see of the heads that a remote keeps beside a ledger (protocol M12): whether their branch is
 * there, and moves with that of the ledger. None for a ledger that is not in git.
 */
export async function checkHeads(
  shell: Shell,
  ledger: LedgerSettings | undefined,
  { fleet }: Pick<ConnectFlags, 'fleet'>,
): Promise<readonly Check[]> {
  if (ledger?.store !== 'git') return [];
  const { seeHeads } = await import('../../git/ledger-remote.ts');
  const { remote = LEDGER_DEFAULTS.remote, branch = LEDGER_DEFAULTS.branch } = ledger;
  const folder = dirname(fleetFolder(shell, fleet));
  try {
    const seen = await seeHeads({ folder, env: shell.env, remote, branch });
    return [check('heads', seen === 'kept' ? 'good' : 'note', CODES[seen], { branch })];
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    const { cause = error.params['why'] ?? '' } = error.params;
    return [check('heads', 'unknown', 'headsUnseen', { branch, cause })];
  }
}

const CODES = { kept: 'headsKept', missing: 'headsMissing', notAtomic: 'headsNotAtomic' } as const;
