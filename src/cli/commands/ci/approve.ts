import { formatInstant } from '../../../lib/time.ts';
import type { Documents } from '../../../model/documents/policy.ts';
import { WorldError } from '../../../model/error.ts';
import type { Journal } from '../../../model/ports.ts';
import type { GatePass } from '../../../operations/gate/approvers.ts';
import type { ShownOutcomes } from '../../../operations/gate/shown.ts';
import type { PlannedSurvey } from '../../../operations/plan.ts';
import type { SurveyParts } from '../../../operations/survey.ts';
import { printWrapped } from '../../../shell/output.ts';
import type { Shell } from '../../../shell/shell.ts';
import { command } from '../../program/command.ts';
import * as flag from '../../program/flags.ts';
import type { Here } from '../../../operations/here.ts';

/**
 * After its gate, approves what was shown, what the same commit wants again on the fleet of now, and
 * what the newest commit of the default branch still wants. It appends the approval without a lease and
 * starts nothing (semantics N75). Throws `commitNotMerged`, and `artifactRefused` for another file than
 * the one that was shown, `approverUnknown` and `shownWithdrawn`.
 */
export const ciApprove = command({
  name: 'ci approve',
  summary: 'Record the approval of what was shown, after its gate',
  more: 'Starts nothing.',
  examples: ['ci approve --shown fleetform-shown.json --digest DIGEST'],
  environment: flag.SERVICE_VARIABLES,
  flags: {
    fleet: flag.fleet,
    shown: flag.text('FILE', 'What `ci look` saved (checked before use)', { must: true }),
    digest: flag.text('DIGEST', 'Digest that `ci look` printed', { must: true }),
    approver: flag.text('NAME', 'Who approves, where no forge records the gate'),
  },
  async run(flags, shell) {
    const { withConnection } = await import('../../../operations/connect.ts');
    const { loadDocuments, requireValid } = await import('../../../operations/documents.ts');
    const { READING_SECONDS } = await import('../../../operations/facts/reading-limits.ts');
    const { approveOn, APPROVAL_LIFE } = await import('../../../operations/gate/approve.ts');
    const { findApprovers } = await import('../../../operations/gate/approvers.ts');
    const branches = await import('../../../operations/gate/default-branch.ts');
    const { readShown } = await import('../../../operations/gate/shown.ts');
    const { openJournalFor } = await import('../../../operations/ledger.ts');
    const { readCommit } = await import('../../../operations/repository.ts');
    const { survey } = await import('../../../operations/survey.ts');
    const { preapprovedPolicies } = await import('../../../plan/preapproval.ts');
    const shown = readShown(shell, flags.shown, flags.digest);
    const here = await loadDocuments(shell, flags.fleet);
    const { documents } = here;
    const branch = branches.requireClear(
      await branches.readDefaultBranch(here, { isFetched: true }),
    );
    const head = await readCommit(here);
    const commit = await branches.checkMerged(here, head, branch);
    if (commit !== shown.commit || documents.digest !== shown.documents)
      throw new WorldError('commitNotMerged', { commit: shown.commit.slice(0, 12), why: 'other' });
    const options = { fleet: flags.fleet, readOnly: true };
    await withConnection(shell, documents.service.value, options, async (connection) => {
      // A ledger without the head of the look is not the one that was looked at.
      const approved = { inputs: { ledger: shown.head } };
      const journal = await openJournalFor({ ...here, ...connection }, { approved, isGate: true });
      const pass = await findApprovers(here, journal.memory, flags.approver);
      const parts: SurveyParts = {
        ...here,
        ...connection,
        commit: head,
        limits: { seconds: READING_SECONDS.ci },
        ...(shown.part && { part: shown.part }),
      };
      const again = await survey(parts, journal.memory);
      requireValid(again, documents);
      const tip = branch === 'none' ? commit : branch.tip;
      const newest = tip === commit ? { documents, ...again } : await planAt(tip, parts, again);
      const preapproved = preapprovedPolicies(documents);
      const terms = { ...shown, ...gateTerms(shell, shown, pass), preapproved };
      const settings = documents.service.value.approval;
      const expires =
        shell.clock.now() + (settings.is === 'plan' ? settings.expires : APPROVAL_LIFE);
      const approval = {
        terms,
        shown: shown.changes,
        again: { changes: again.plan.changes, documents },
        newest: { changes: newest.plan.changes, documents: newest.documents },
        expires,
        lookedAt: shown.head.seq,
        addsNoDocuments: await areApproved(here, { shown, journal }),
        ...(tip === commit && again.unwanted && { unwanted: again.unwanted }),
      };
      const { changes, ...done } = await approveOn(journal, approval, shell.clock.now());
      const { approvedWords } = await import('../../../render/words/approval-words.ts');
      const found = { approved: changes.length, shown: shown.changes.length, expires };
      await printWrapped(shell, approvedWords({ ...found, ...done, ...terms }));
    });
  },
});

/** Whether an approval adds nothing about documents: a part approves none, and others may be approved. */
async function areApproved(
  here: Here,
  { shown, journal }: { readonly shown: ShownOutcomes; readonly journal: Pick<Journal, 'memory'> },
): Promise<boolean> {
  if (shown.part) return true;
  const { newestApproved } = await import('../../../operations/gate/newest-approved.ts');
  const newest = await newestApproved(here, journal.memory);
  return newest?.is === 'known' && newest.approval.documents === here.documents.digest;
}

/** The plan of the newest commit, on the reading that the other plan was made on. */
async function planAt(
  commit: string,
  parts: SurveyParts,
  { snapshot, input }: PlannedSurvey,
): Promise<PlannedSurvey & { readonly documents: Documents }> {
  const { decidePlan } = await import('../../../operations/plan.ts');
  const { validAt } = await import('../../../operations/repository.ts');
  const documents = await validAt(parts, commit);
  const side = { ...parts, documents, commit: { commit, dirty: false } };
  const recorded = { snapshot, digest: input.inputs.snapshot.digest };
  return { documents, ...(await decidePlan(side, input.memory, recorded, input.now)) };
}

function gateTerms(shell: Shell, shown: ShownOutcomes, { run, approvers }: GatePass) {
  const at = formatInstant(shell.clock.now());
  return {
    planId: shown.planId,
    run: run === '' ? `${shell.identity.label} ${at}` : run,
    approvers,
  };
}
