import { WorldError, usage } from '../../model/error.ts';
import type { Documents, LedgerSettings, ServiceSettings } from '../../model/documents/policy.ts';
import { STANDARD } from '../../model/documents/standard.gen.ts';
import { LEDGER_DEFAULTS } from '../../model/ledger/ground.ts';
import type { Shell } from '../../shell/shell.ts';
import { isCi } from '../../lib/ci.ts';
import { printMessages } from '../../shell/messages.ts';

/** What documents say of the settings that a job may pin. */
export type Pinnable = Pick<ServiceSettings, 'organization'> &
  Partial<Pick<ServiceSettings, 'ledger'>>;

/** The ledger of documents as FLEETFORM_LEDGER names it: `git:REMOTE#BRANCH`, `directory:PATH` or `postgres`. */
export function ledgerPin({
  store,
  path = '',
  remote,
  branch,
}: LedgerSettings = DIRECTORY): string {
  if (store === 'postgres') return store;
  if (store === 'directory') return `directory:${path}`;
  return `git:${remote ?? LEDGER_DEFAULTS.remote}#${branch ?? LEDGER_DEFAULTS.branch}`;
}

const DIRECTORY: LedgerSettings = { store: 'directory' };

/** Whether the environment says that this ledger is the right one. */
export function isPinned({ env }: Pick<Shell, 'env'>, ledger: LedgerSettings | undefined): boolean {
  return env['FLEETFORM_LEDGER'] === ledgerPin(ledger);
}

/**
 * Compares documents with the pins of a job, which is code under review (protocol M4). Throws `groundPinned`
 * where they differ; outside of a job that is a warning.
 */
export async function checkPins(shell: Shell, settings: Pinnable): Promise<void> {
  const pairs = [
    ['FLEETFORM_ORGANIZATION', settings.organization],
    ['FLEETFORM_LEDGER', ledgerPin(settings.ledger)],
  ] as const;
  for (const params of pairs.flatMap(([variable, found]) => {
    const pinned = shell.env[variable] ?? '';
    return pinned === '' || pinned === found ? [] : [{ variable, pinned, found }];
  })) {
    if (isCi(shell.env)) throw new WorldError('groundPinned', params);
    const { unpinnedWords } = await import('../../render/words/ground-words.ts');
    printMessages(shell, [unpinnedWords(params)]);
  }
}

/**
 * Documents as a job has to take them: where it pins `plan`, changes need approval, whatever they say. Throws
 * `usage` for any other pin than `commit`.
 */
export function withPinnedApproval(env: Shell['env'], documents: Documents): Documents {
  const pinned = env['FLEETFORM_APPROVAL'] ?? '';
  if (!isCi(env) || pinned === '' || pinned === 'commit') return documents;
  if (pinned !== 'plan') throw usage(NEITHER);
  const { service } = documents;
  if (service.value.approval.is === 'plan') return documents;
  const approval = { is: 'plan', expires: STANDARD.approvalExpires } as const;
  return { ...documents, service: { ...service, value: { ...service.value, approval } } };
}

const NEITHER = 'FLEETFORM_APPROVAL is neither commit nor plan';
