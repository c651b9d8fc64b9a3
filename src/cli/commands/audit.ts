import { WorldError } from '../../model/error.ts';
import type { AuditQuestion, AuditView } from '../../model/audit.ts';
import type { Documents } from '../../model/policy.ts';
import type { Raised } from '../../render/audit-text.ts';
import { loadDocuments } from '../documents.ts';
import { EXIT } from '../exit.ts';
import { readRecordsHere } from '../ledger.ts';
import { lookOf, print } from '../output.ts';
import { documentsAt } from '../repository.ts';
import type { Shell } from '../shell.ts';
import { targetOf } from '../target.ts';

export interface AuditFlags extends AuditQuestion {
  readonly fleet: string;
  readonly service?: string;
  /** Only what this clone has of a shared ledger. */
  readonly offline?: boolean;
  readonly format: 'text' | 'json';
}

/**
 * `fleetform audit`: what the ledger tells of a commit, a device or a policy, or of everything. Nothing is asked of
 * the service, and no credentials are needed.
 */
export async function auditCommand(flags: AuditFlags, shell: Shell): Promise<number> {
  const { documents } = await loadDocuments(shell, flags.fleet);
  const target = targetOf(documents.service.value, flags.service, shell.env);
  const isOffline = flags.offline === true;
  const { records, place, away } = await readRecordsHere(shell, documents, target, isOffline);
  if (away) print(shell.err, [(await import('../../render/record-words.ts')).awayWords(away)]);
  const [{ auditOf }, { auditText, auditJson }, { jsonText }] = await Promise.all([
    import('../../ledger/audit.ts'),
    import('../../render/audit-text.ts'),
    import('../../render/sinks.ts'),
  ]);
  const { commit, device, policy } = flags;
  const question = {
    ...(commit !== undefined && { commit: await idOf(commit, flags.fleet, shell) }),
    ...(device !== undefined && { device }),
    ...(policy !== undefined && { policy }),
  };
  const view = auditOf(records, question);
  if (view.head.seq > 0 && view.fingerprint !== target.fingerprint)
    throw new WorldError('ledgerForeign', { place });
  if (flags.format === 'json') print(shell.out, [jsonText(auditJson(view))]);
  else {
    const raised = await exceptionsOf(view, flags.fleet, shell);
    print(shell.out, auditText(view, { ...lookOf(shell.out, shell.env), raised }));
  }
  return EXIT.done;
}

/** The id of a commit by any name of it; a name that this clone does not know may be the beginning of an id. */
async function idOf(ref: string, fleet: string, shell: Shell): Promise<string> {
  const { commitNamed } = await import('../repository.ts');
  return (await commitNamed(shell, fleet, ref)) ?? ref;
}

/** What the documents of each commit say of the exceptions that raised a limit there. */
async function exceptionsOf(
  { runs }: AuditView,
  fleet: string,
  shell: Shell,
): Promise<(commit: string, address: string) => Raised | undefined> {
  const commits = new Map<string, Documents | undefined>();
  for (const { commit, raisedBy } of runs.flatMap(({ plans }) => plans)) {
    if (commit === '' || !raisedBy || commits.has(commit)) continue;
    commits.set(commit, (await documentsAt(shell, fleet, commit)).documents);
  }
  return (commit, address) =>
    commits.get(commit)?.exceptions.get(address.replace(/^exceptions\./, ''))?.value;
}
