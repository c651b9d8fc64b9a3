import { formatInstant } from '../../../lib/time.ts';
import { WorldError } from '../../../model/error.ts';
import type { Documents } from '../../../model/documents/policy.ts';
import { InvalidDocuments } from '../../../model/documents/quoted.ts';
import type { Journal } from '../../../model/ports.ts';
import { connect } from '../../../operations/connect.ts';
import { hasError, loadDocuments } from '../../../operations/documents.ts';
import { pickLimits, READING_SECONDS } from '../../../operations/facts/reading-limits.ts';
import { approveOn, EXPIRES } from '../../../operations/gate/approve.ts';
import { findApprovers, type GatePass } from '../../../operations/gate/approvers.ts';
import { readDefaultBranch, requireClear } from '../../../operations/gate/default-branch.ts';
import { checkMerged } from '../../../operations/gate/merged.ts';
import { newestApproved } from '../../../operations/gate/newest-approved.ts';
import { readShown, type ShownOutcomes } from '../../../operations/gate/shown.ts';
import { openJournalFor } from '../../../operations/ledger.ts';
import { decidePlan, type PlannedSurvey } from '../../../operations/plan.ts';
import { documentsAt, readCommit } from '../../../operations/repository.ts';
import { survey, type SurveyParts } from '../../../operations/survey.ts';
import { preapprovedPolicies } from '../../../plan/preapproval.ts';
import { EXIT } from '../../../shell/exit.ts';
import { printWrapped } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { fleetFolder } from '../../../shell/shell.ts';

interface CiApproveFlags {
  readonly fleet: string;
  /** Who approves, where no forge has a record of the gate. */
  readonly approver?: string;
  /** What `ci look` has shown, and the digest that it put out. */
  readonly shown: string;
  readonly digest: string;
}

/**
 * `fleetform ci approve`: after its gate, approves what was shown, what the same commit wants again
 * on the fleet of now, and what the newest commit of the default branch still wants. It appends the
 * approval without a lease and starts nothing (semantics N75). Throws `commitNotMerged`, and
 * `artifactRefused` for another file than the one that was shown, `approverUnknown` and `shownWithdrawn`.
 */
export async function ciApproveCommand(flags: CiApproveFlags, shell: Shell): Promise<number> {
  const shown = readShown(shell, flags.shown, flags.digest);
  const { documents } = await loadDocuments(shell, flags.fleet);
  const branch = requireClear(await readDefaultBranch(shell, documents, { isFetched: true }));
  const head = await readCommit(shell, flags.fleet);
  const commit = await checkMerged(shell, documents, head, branch);
  if (commit !== shown.commit || documents.digest !== shown.documents)
    throw new WorldError('commitNotMerged', { commit: shown.commit.slice(0, 12), why: 'other' });
  const connection = await connect(shell, documents.service.value, {
    fleet: flags.fleet,
    readOnly: true,
  });
  try {
    // A ledger without the head of the look is not the one that was looked at.
    const approved = { inputs: { ledger: shown.head } };
    const journal = await openJournalFor(shell, documents, connection.target, { approved });
    const pass = await findApprovers(shell, documents, journal.memory, flags.approver);
    const parts: SurveyParts = {
      shell,
      documents,
      connection,
      commit: head,
      onProgress: connection.onProgress,
      limits: pickLimits({ seconds: READING_SECONDS.ci }),
      expiresAfter: 0,
      ...(shown.part && { part: shown.part }),
    };
    const again = checked(await survey(parts, journal.memory), documents);
    const tip = branch === 'none' ? commit : branch.tip;
    const newest = tip === commit ? { documents, ...again } : await planAt(tip, parts, again);
    const terms = { ...shown, ...gateTerms(shell, shown, documents, pass) };
    const expires = shell.clock.now() + validFor(documents);
    const approval = {
      terms,
      shown: shown.changes,
      again: { changes: again.plan.changes, documents },
      newest: { changes: newest.plan.changes, documents: newest.documents },
      expires,
      lookedAt: shown.head.seq,
      addsNoDocuments: await areApproved(shell, documents, { shown, journal }),
      ...(tip === commit && again.unwanted && { unwanted: again.unwanted }),
    };
    const { changes, ...done } = await approveOn(journal, approval, shell.clock.now());
    const { approvedWords } = await import('../../../render/words/approval-words.ts');
    const found = { approved: changes.length, shown: shown.changes.length, expires };
    await printWrapped(shell, approvedWords({ ...found, ...done, ...terms }));
    return EXIT.done;
  } finally {
    await connection.close();
  }
}

/** Whether an approval adds nothing about documents: a part approves none, and others may be approved. */
async function areApproved(
  shell: Shell,
  documents: Documents,
  { shown, journal }: { readonly shown: ShownOutcomes; readonly journal: Pick<Journal, 'memory'> },
): Promise<boolean> {
  if (shown.part) return true;
  const newest = await newestApproved(shell, documents, journal.memory);
  return newest?.is === 'known' && newest.approval.documents === documents.digest;
}

function validFor({ service }: Documents): number {
  const { approval } = service.value;
  return approval.is === 'plan' ? approval.expires : EXPIRES;
}

function checked(surveyed: PlannedSurvey, documents: Documents): PlannedSurvey {
  if (hasError(surveyed.diagnostics))
    throw new InvalidDocuments(surveyed.diagnostics, documents.files);
  return surveyed;
}

/** The plan of the newest commit, on the reading that the other plan was made on. */
async function planAt(
  commit: string,
  parts: SurveyParts,
  { snapshot, input }: PlannedSurvey,
): Promise<PlannedSurvey & { readonly documents: Documents }> {
  const found = await documentsAt(parts.shell, fleetOf(parts), commit);
  const { documents, diagnostics, files } = found;
  if (!documents || hasError(diagnostics)) throw new InvalidDocuments(diagnostics, files);
  const side = { ...parts, documents, commit: { commit, dirty: false } };
  const recorded = { snapshot, digest: input.inputs.snapshot.digest };
  return { documents, ...(await decidePlan(side, input.memory, recorded, input.now)) };
}

function fleetOf({ shell, documents }: SurveyParts): string {
  return documents.folder ?? fleetFolder(shell, 'fleet');
}

/** Who passed the gate, and what the documents approve as standing. */
function gateTerms(
  shell: Shell,
  shown: ShownOutcomes,
  documents: Documents,
  { run, approvers }: GatePass,
) {
  const at = formatInstant(shell.clock.now());
  return {
    planId: shown.planId,
    run: run === '' ? `${shell.identity.label} ${at}` : run,
    approvers,
    preapproved: preapprovedPolicies(documents),
  };
}
