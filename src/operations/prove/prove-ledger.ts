import { proveRecords } from '../../ledger/proof.ts';
import { WorldError, type WorldCode } from '../../model/error.ts';
import type { AuditCheck } from '../../model/ledger/audit.ts';
import type { Shell } from '../../shell/shell.ts';
import { toolVersion } from '../../shell/version.ts';
import { loadWithTarget } from '../documents.ts';
import { documentsFolder, type LedgerHere } from '../here.ts';
import { readHistory, type LedgerHistory } from '../ledger.ts';
import { readPlanFile } from '../plan-file.ts';
import { readSnapshotFile } from '../snapshot-file.ts';
import { DocumentHistory, proveDocuments } from './prove-documents.ts';
import { proveNotes } from './prove-notes.ts';
import { provePlans } from './prove-plan.ts';
import { readNotes } from '../../git/notes.ts';

interface ProofFlags {
  readonly fleet: string;
  readonly service?: string;
  readonly snapshot?: string;
  readonly plan?: string;
  /** Does not contact the remote of a shared ledger either. */
  readonly offline?: boolean;
}

/**
 * Verifies the records from local data, and says what it could not verify. It never contacts the service, and an
 * unreachable remote is no error.
 */
export async function proveLedger(shell: Shell, flags: ProofFlags): Promise<readonly AuditCheck[]> {
  const here = await loadWithTarget(shell, flags);
  const read = await historyOrBroken(here, flags.offline === true);
  if ('broken' in read) return [read.broken];
  const { records, away } = read;
  const { fingerprint } = here.target;
  const notes = await readNotes(documentsFolder(here), shell.env);
  const tool = toolVersion();
  const isOldCopy = away !== undefined;
  const noted = proveNotes({ records, fingerprint, notes, tool, isOldCopy });
  const { runs } = noted;
  const history = new DocumentHistory(here);
  const snapshot = await opened(
    flags.snapshot,
    (file) => readSnapshotFile(shell, file),
    'snapshot',
  );
  const plan = await opened(flags.plan, (file) => readPlanFile(shell, file), 'plan');
  const evidence = { shell, fleet: flags.fleet, records, runs, fingerprint, history, isOldCopy };
  const files = { snapshot: snapshot.content, plan: plan.content };
  const proved = proveRecords(records, fingerprint);
  // What a false checkpoint stands before is not folded, and no plan is made again from it.
  const isFolded = !proved.some(({ why }) => why === 'checkpointFalse');
  return [
    ...proved,
    ...(away ? [remoteUnread(away)] : []),
    ...noted.checks,
    ...(await proveDocuments(runs, history)),
    ...snapshot.broken,
    ...plan.broken,
    ...(isFolded ? await provePlans({ ...evidence, ...files }) : []),
  ];
}

/** Read failures of a store that this command reports as findings. */
const OF_CHAIN: Readonly<Partial<Record<WorldCode, string>>> = {
  ledgerBroken: 'chainBroken',
  ledgerRolledBack: 'rolledBack',
};

async function historyOrBroken(
  here: LedgerHere,
  isOffline: boolean,
): Promise<LedgerHistory | { readonly broken: AuditCheck }> {
  try {
    return await readHistory(here, isOffline);
  } catch (error) {
    const why = error instanceof WorldError ? OF_CHAIN[error.code] : undefined;
    if (!(error instanceof WorldError) || why === undefined) throw error;
    const { found, seen } = error.params;
    const isOther = why === 'rolledBack' && Number(found) >= Number(seen);
    const code = isOther ? 'otherPast' : why;
    return { broken: { check: 'chain', result: 'broken', why: code, params: plain(error) } };
  }
}

/** The clone's copy of the branch may be incomplete. */
function remoteUnread({ place, cause, seen }: NonNullable<LedgerHistory['away']>): AuditCheck {
  const params = { place, ...(cause !== '' && { cause }), ...(seen !== undefined && { seen }) };
  return { check: 'chain', result: 'unproved', why: 'remoteNotAsked', params };
}

function plain({ params }: WorldError): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}

/** An edited or truncated file is a finding; a missing file ends the command. */
async function opened<T>(
  file: string | undefined,
  read: (file: string) => Promise<T>,
  check: 'snapshot' | 'plan',
): Promise<{ readonly content: T | undefined; readonly broken: readonly AuditCheck[] }> {
  if (file === undefined) return { content: undefined, broken: [] };
  try {
    return { content: await read(file), broken: [] };
  } catch (error) {
    if (!(error instanceof WorldError) || error.code === 'fileUnreadable') throw error;
    const why = check === 'plan' ? 'planTampered' : 'snapshotUnreadable';
    return {
      content: undefined,
      broken: [{ check, result: 'broken', why, params: plain(error) }],
    };
  }
}
