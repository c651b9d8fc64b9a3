import type { JsonObject } from '../../lib/canonical.ts';
import { pick } from '../../lib/objects.ts';
import { listPolicies } from '../../model/documents/policies.ts';
import type { Documents } from '../../model/documents/policy.ts';
import { WorldError, policyUnknown } from '../../model/error.ts';
import type { AuditQuestion, AuditView } from '../../model/ledger/audit.ts';
import type { Raised } from '../../render/outputs/audit.ts';
import { print, printBlocks, printJson } from '../../shell/output.ts';
import { command } from '../program/command.ts';
import * as flag from '../program/flags.ts';
import type { Here } from '../../operations/here.ts';

/**
 * Prints the history of a commit, a device, a policy, or the whole ledger. It contacts no service and
 * needs no credentials. Throws `ledgerForeign`, and `refUnknown`, `policyUnknown` or
 * `deviceWithoutRecord` for an unknown commit, policy or device.
 */
export const audit = command({
  name: 'audit',
  summary: 'Show and prove what was done',
  more: 'By commit, device or policy, from the ledger alone.',
  examples: ['audit', 'audit --policy rotations.camera-passwords'],
  flags: {
    commit: flag.text('COMMIT', 'Only runs of this commit'),
    device: flag.text('ID', 'Only records about this device'),
    policy: flag.text('POLICY', 'Only records about this policy: firmware.NAME'),
    ...flag.LEDGER,
    ...flag.FLEETS,
    offline: flag.on('Read the copy of a shared ledger in this clone'),
    format: flag.formats('text', 'json', 'html'),
  },
  async run(flags, shell) {
    const { loadWithTarget } = await import('../../operations/documents.ts');
    const { readHistory } = await import('../../operations/ledger.ts');
    const here = await loadWithTarget(shell, flags);
    const { documents, target } = here;
    const { memory, records, place, away } = await readHistory(here, flags.offline === true);
    if (away) {
      const { printMessages } = await import('../../shell/messages.ts');
      const { staleLedgerWords } = await import('../../render/words/record-words.ts');
      printMessages(shell, [staleLedgerWords(away)]);
    }
    const { buildAudit } = await import('../../ledger/audit.ts');
    const { auditBlocks } = await import('../../render/outputs/audit.ts');
    const { commitNamed } = await import('../../operations/repository.ts');
    const { commit } = flags;
    // A name that this clone does not have may be the start of an ID.
    const id = commit === undefined ? undefined : await commitNamed(here, commit);
    const question = {
      ...pick(flags, 'device', 'policy'),
      ...(commit !== undefined && { commit: id ?? commit }),
    };
    const view = buildAudit(records, question);
    if (view.head.seq > 0 && view.fingerprint !== target.fingerprint)
      throw new WorldError('ledgerForeign', { place });
    if (view.runs.length === 0)
      checkFlags(question, buildAudit(records), { documents, isCommit: id !== undefined });
    if (flags.format === 'json') return printJson(shell.out, view as unknown as JsonObject);
    const { localLedger } = await import('../../operations/simulator.ts');
    const local = localLedger(shell.cwd, target.baseUrl);
    const raised = await loadExceptions(view, here);
    const { runStatus } = await import('../../operations/status.ts');
    const now = shell.clock.now();
    const run = runStatus(memory.lease, shell, now);
    const about = { run, now, place: local };
    if (flags.format !== 'html') return printBlocks(shell, auditBlocks(view, raised, about));
    const { auditHtml } = await import('../../render/html/pages.ts');
    print(shell.out, auditHtml(view, raised, about));
  },
});

/**
 * A typing error must not look like an empty history. Throws `refUnknown` for a commit that git
 * does not have, `policyUnknown` for a policy that neither the documents nor the ledger have, and
 * `deviceWithoutRecord` for a device that the ledger does not have.
 */
function checkFlags(
  { commit, device, policy }: AuditQuestion,
  { runs }: AuditView,
  { documents, isCommit }: { readonly documents: Documents; readonly isCommit: boolean },
): void {
  if (commit !== undefined) {
    const recorded = runs.flatMap(({ plans }) => plans.map((each) => each.commit));
    if (!recorded.some((id) => id.startsWith(commit)) && !isCommit)
      throw new WorldError('refUnknown', { ref: commit });
  }
  const intents = runs.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.intents));
  if (device !== undefined) {
    const recorded = new Set(intents.map((each) => each.device));
    const suggestion = [...recorded].find((id) => id.toLowerCase() === device.toLowerCase());
    if (!recorded.has(device))
      throw new WorldError('deviceWithoutRecord', {
        device,
        recorded: recorded.size,
        ...(suggestion !== undefined && { suggestion }),
      });
  }
  if (policy === undefined) return;
  const known = new Set([
    ...listPolicies(documents).map(({ value }) => value.address),
    ...intents.map((each) => each.policy),
  ]);
  if (!known.has(policy)) throw policyUnknown(policy, known);
}

/** The documents' text about the exceptions that raised a limit, for each commit. */
async function loadExceptions(
  { runs }: AuditView,
  here: Here,
): Promise<(commit: string, address: string) => Raised | undefined> {
  const { documentsAt } = await import('../../operations/repository.ts');
  const commits = new Map<string, Documents | undefined>();
  for (const { commit, raisedBy } of runs.flatMap(({ plans }) => plans)) {
    if (commit === '' || !raisedBy || commits.has(commit)) continue;
    commits.set(commit, (await documentsAt(here, commit)).documents);
  }
  return (commit, address) =>
    commits.get(commit)?.exceptions.get(address.replace(/^exceptions\./, ''))?.value;
}
